-- The employees who operate the platform in the console, and everything that they did.

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
    -- The hash of the setup link's token, which goes to the officer's mailbox only. Kept after the link was used, so that the same
    -- command can be sent again.
    enrollment_hash       bytea unique check (octet_length(enrollment_hash) = 32),
    enrollment_expires_at timestamptz,
    enrolled_at           timestamptz,
    disabled_at           timestamptz,
    created_at            timestamptz not null,
    version               bigint not null default 1,
    -- Who created the officer, or reset the credentials since then. Null for the command line.
    appointed_by          uuid references officers,
    -- When the appointment was approved: by another administrator, or by creating the officer on the command line.
    approved_at           timestamptz,
    check ((enrolled_at is null) = (password_hash is null)),
    check (approved_at is not null or (enrollment_hash is null and enrolled_at is null))
);

-- Each time that an administrator creates or resets an officer, enables the officer, or changes the role.
create table officer_appointments (
    officer_id       uuid not null references officers,
    administrator_id uuid not null references officers,
    at               timestamptz not null
);
create index officer_appointments_at on officer_appointments (at);

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

-- Everything that officers did and viewed, forever: in the console, and with `mec2c officer`.
create table audit_log (
    id           bigint generated always as identity primary key,
    -- Null for a command of `mec2c officer`, whose author has no account.
    officer_id   uuid references officers,
    officer      text not null check (char_length(officer) between 1 and 100),
    action       text not null check (action ~ '^[a-z][a-z_]{1,49}$'),
    -- What the action concerns: a user, a pair, … and its ID.
    subject_kind text not null check (subject_kind ~ '^[a-z_]{1,20}$'),
    subject_id   text not null default '',
    details      jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
    -- Null if the officer only viewed something, signed in or signed out.
    reason       text check (char_length(reason) between 1 and 500),
    -- The network address; empty for `mec2c officer`.
    address      text not null default '',
    at           timestamptz not null,
    -- The command in the console. If it is sent again, it does not run again.
    command_key  text,
    request_hash bytea check (octet_length(request_hash) = 32),
    check ((command_key is null) = (request_hash is null))
);
create index audit_log_officer on audit_log (officer_id, id);
create index audit_log_action on audit_log (action, id);
create index audit_log_subject on audit_log (subject_kind, subject_id, id);
create index audit_log_command on audit_log (officer_id, command_key) where command_key is not null;

create function audit_log_refuse() returns trigger language plpgsql as $$
begin
    raise exception 'the audit log is append-only' using errcode = 'integrity_constraint_violation', constraint = 'audit_log_append_only';
end $$;
create trigger audit_log_fixed before update or delete or truncate on audit_log execute function audit_log_refuse();
