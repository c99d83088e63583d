-- The employees who operate the platform in the console.
create table officers (
    id                    uuid primary key,
    name                  text not null check (char_length(name) between 1 and 100),
    -- In lower case: one officer a mailbox.
    email                 text not null unique check (email = lower(email)),
    role                  text not null check (role in ('CUSTOMER_SERVICE', 'APPEAL_OFFICER', 'ADMINISTRATOR')),
    -- Null until the officer has set it with the setup link.
    password_hash         text,
    -- Encrypted with the key of the configuration: nonce, ciphertext, tag.
    totp_secret           bytea not null,
    -- The step of the newest code that was accepted. That code and older ones are refused.
    totp_step             bigint,
    -- The setup link: its token is made of the salt and of the idempotency key of the command that created it.
    enrollment_hash       bytea unique check (octet_length(enrollment_hash) = 32),
    enrollment_salt       bytea check (octet_length(enrollment_salt) = 32),
    enrollment_expires_at timestamptz,
    enrolled_at           timestamptz,
    disabled_at           timestamptz,
    created_at            timestamptz not null,
    version               bigint not null default 1,
    check ((enrolled_at is null) = (password_hash is null)),
    check ((enrollment_hash is null) = (enrollment_salt is null))
);

create table officer_sessions (
    id           uuid primary key,
    officer_id   uuid not null references officers,
    -- As in `sessions`: the token is stored nowhere.
    token_hash   bytea not null unique check (octet_length(token_hash) = 32),
    salt         bytea not null check (octet_length(salt) = 32),
    opened_by    bytea not null unique check (octet_length(opened_by) = 32),
    request_hash bytea not null check (octet_length(request_hash) = 32),
    opened_at    timestamptz not null,
    -- Of the newest request, to the minute.
    seen_at      timestamptz not null,
    expires_at   timestamptz not null,
    ended_at     timestamptz,
    agent        text not null default '',
    address      text not null default ''
);
create index officer_sessions_of on officer_sessions (officer_id) where ended_at is null;

-- The networks from which officers have signed in. `user_id` is the ID of a user or of an officer.
alter table login_networks drop constraint login_networks_user_id_fkey;
