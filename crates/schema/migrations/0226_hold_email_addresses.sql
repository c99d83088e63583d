-- The addresses for which the mail server has accepted the email, so that one address that it refuses does not repeat the email to the
-- other.
alter table hold_emails add column accepted text[] not null default '{}';
