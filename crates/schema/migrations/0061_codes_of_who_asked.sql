-- A code belongs to whoever asked for it: a person with a session, or a browser that knows the id it was answered. A stranger
-- can neither use up its tries nor replace it, and has an allowance of their own. Codes live for ten minutes: those of the
-- moment are asked for again.
drop table email_codes;

create table email_codes (
    -- The id is kept nowhere: it is made of the salt and of the key of the command that asked.
    id_hash    bytea primary key check (octet_length(id_hash) = 32),
    email      text not null,
    purpose    text not null check (purpose in ('register', 'reset', 'security')),
    -- Who asked, a hash: a person or a network. Allowances are counted by it.
    asker      bytea not null check (octet_length(asker) = 32),
    -- Whether the asker is a stranger to the mailbox: neither its owner nor in a network that its account has logged in from.
    stranger   boolean not null,
    salt       bytea not null check (octet_length(salt) = 32),
    code_hash  bytea not null check (octet_length(code_hash) = 32),
    sent_at    timestamptz not null,
    expires_at timestamptz not null,
    tries_left int not null check (tries_left >= 0),
    used_at    timestamptz,
    -- The command that asked for it: sent again, it sends no second letter.
    asked_by   bytea not null unique check (octet_length(asked_by) = 32)
);
create index email_codes_of on email_codes (email, purpose, sent_at);
create index email_codes_age on email_codes (sent_at);
