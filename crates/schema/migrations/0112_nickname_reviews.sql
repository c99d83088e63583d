-- A new nickname is visible at once and under review until an officer approves or rejects it.
alter table accounts
    -- Since when the nickname is under review; null if it is not.
    add column nickname_pending_since timestamptz,
    -- Why the last nickname was rejected; null once the user has chosen another one.
    add column nickname_refusal text check (char_length(nickname_refusal) between 1 and 500);
create index accounts_nickname_pending on accounts (nickname_pending_since, user_id) where nickname_pending_since is not null;

-- The user sees both.
drop trigger account_updated on accounts;
create trigger account_updated after update of
    email, me_id, password_hash, security_hash, nickname_changed_at, remark, nickname_pending_since, nickname_refusal on accounts
    for each row when (old is distinct from new) execute function account_changed();
