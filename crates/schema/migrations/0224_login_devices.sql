-- The devices from which users have logged in with their passwords. A device is a browser with a signed cookie; `device` is the
-- hash of its ID.
create table login_devices (
    user_id  uuid not null references users,
    device   bytea not null check (octet_length(device) = 32),
    first_at timestamptz not null,
    last_at  timestamptz not null,
    primary key (user_id, device)
);
create index login_devices_age on login_devices (last_at);

-- The key that signs the cookies.
create table device_keys (
    single boolean primary key default true check (single),
    key    bytea not null check (octet_length(key) = 32)
);
