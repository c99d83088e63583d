-- Emails to advertisers whose accounts are on hold, each about an automatic order whose coins the platform released meanwhile. The
-- transaction of the release writes the row, and a worker sends the email after the commit.
create table hold_emails (
    order_id   uuid primary key references orders,
    user_id    uuid not null references users,
    written_at timestamptz not null,
    -- When a worker may try to send it.
    due_at     timestamptz not null,
    tries      int not null default 0 check (tries >= 0),
    sent_at    timestamptz
);
create index hold_emails_due on hold_emails (due_at, order_id) where sent_at is null;
create index hold_emails_age on hold_emails (written_at);

-- The email address that the account had when its hold began, if it has another one since. Emails about the hold go to both:
-- whoever has taken the account over may have changed the address.
alter table accounts add column former_email text;
create index accounts_former_email on accounts (user_id) where former_email is not null;
