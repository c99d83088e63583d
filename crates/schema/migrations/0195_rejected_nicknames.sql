-- Nicknames that officers rejected, and what looks like them. They stay refused.
create table rejected_nicknames (
    -- In lower case.
    nickname    text primary key check (nickname = lower(nickname)),
    skeleton    text not null,
    rejected_at timestamptz not null
);
create index rejected_nicknames_skeleton on rejected_nicknames (skeleton);

alter table accounts
    -- Whether others see a neutral name, because the last nickname was rejected and no other one is approved yet.
    add column nickname_is_neutral boolean not null default false,
    -- The nickname that the user has chosen since then. Only the user and administrators see it until it is approved.
    add column nickname_proposed text,
    add column nickname_proposed_skeleton text,
    add check ((nickname_proposed is null) = (nickname_proposed_skeleton is null)),
    add check (nickname_proposed is null or (nickname_is_neutral and nickname_pending_since is not null));
create unique index accounts_nickname_proposed on accounts (lower(nickname_proposed));
create unique index accounts_nickname_proposed_skeleton on accounts (nickname_proposed_skeleton);

-- The user sees all of it.
drop trigger account_updated on accounts;
create trigger account_updated after update of
    email, me_id, password_hash, security_hash, nickname_changed_at, remark, nickname_pending_since, nickname_refusal,
    nickname_is_neutral, nickname_proposed on accounts
    for each row when (old is distinct from new) execute function account_changed();
