-- The product's clock, users, and what every command of a user writes.
--
-- Times are always parameters: no default and no statement asks the database for the time.

-- How the product's time runs: the machine's time plus a shift, or stopped. Only a development environment writes here.
create table clock (
    singleton    boolean primary key default true check (singleton),
    stopped_at   timestamptz,
    shift_micros bigint not null default 0
);
insert into clock default values;

-- The pairs of neighboring characters of a nickname, by which a part of it is found.
create function nickname_parts(nickname text) returns text[] language sql immutable strict parallel safe as $$
    select array(select distinct substr(lower(nickname), n, 2) from generate_series(1, char_length(nickname) - 1) n)
$$;

-- Users as trading sees them. What proves who they are is in `accounts`.
create table users (
    id                     uuid primary key,
    created_at             timestamptz not null,
    -- From which the address of the custody vault is made. Never used twice.
    custody_index          bigint not null unique check (custody_index > 0),
    vault_address          bytea not null unique check (octet_length(vault_address) = 20),
    -- The user's own address on the escrow chain, proved through the pass. All returns go there and nowhere else. It changes
    -- only while the platform owes the user nothing.
    bound_address          bytea unique check (octet_length(bound_address) = 20),
    region                 text not null,
    kyc_level              text not null check (kyc_level in ('none', 'basic', 'advanced')),
    nickname               text,
    -- What the nickname looks like, so that none passes for another: its skeleton by Unicode Technical Standard 39, without
    -- case. The database cannot compute it. The program writes it with each nickname, and `mec2c migrate` renews it, because
    -- an update may have newer Unicode tables. If two nicknames then look alike, the newer account has none.
    nickname_skeleton      text,
    receiving_address      text,
    receiving_chain_type   text,
    -- What takers read in the conversation of a new order.
    automatic_reply        text check (char_length(automatic_reply) between 1 and 300),
    online                 boolean not null default false,
    -- Why the platform took the user offline; null if the user is online, or went offline without the platform.
    offline_cause          text check (offline_cause = 'MISSED_ACCEPTANCES'),
    -- Whom the user has kept waiting for an acceptance in vain, since the last order that the user answered
    -- (`domain::reputation::MissedAcceptances`).
    missed_acceptances     jsonb not null default '[]',
    reputation             int not null default 100 check (reputation >= 0),
    certified              boolean not null default false,
    verified               boolean not null default false,
    login_forbidden        boolean not null default false,
    withdrawal_forbidden   boolean not null default false,
    buy_forbidden          boolean not null default false,
    sell_forbidden         boolean not null default false,
    -- The end of the hold, which begins when something that protects money was changed.
    held_until             timestamptz,
    -- The number of the last event that the user was sent; taken under this row's lock.
    last_event             bigint not null default 0,
    check ((receiving_address is null) = (receiving_chain_type is null)),
    check (offline_cause is null or not online)
);
create unique index users_nickname on users (lower(nickname));
create unique index users_nickname_skeleton on users (nickname_skeleton);
create index users_nickname_parts on users using gin (nickname_parts(nickname)) where nickname is not null;
create unique index users_receiving_address on users (receiving_chain_type, receiving_address);
-- Users whose reputation is restored in a new month. domain::reputation::FULL is 100.
create index users_charged on users (id) where reputation < 100;
create sequence custody_indexes as bigint owned by users.custody_index;

create table blocks_between (
    blocker uuid not null references users,
    blocked uuid not null references users,
    primary key (blocker, blocked)
);
create index blocks_by_blocked on blocks_between (blocked);

-- The response to each command, so that a command that is sent again does nothing and gets the same response. Kept for a week.
create table idempotency_keys (
    user_id      uuid not null references users,
    key          text not null check (char_length(key) between 1 and 200),
    -- A hash of the request: the same key with another request is refused.
    request_hash bytea not null check (octet_length(request_hash) = 32),
    response     jsonb not null,
    at           timestamptz not null,
    primary key (user_id, key)
);
create index idempotency_keys_by_time on idempotency_keys (at);

-- What users are told, in order for each of them. It commits with its cause.
create table outbox_events (
    user_id  uuid not null references users,
    number   bigint not null check (number > 0),
    kind     text not null,
    body     jsonb not null,
    at       timestamptz not null,
    -- Of a notification: what it is about. Null for what only refreshes or alerts devices.
    category text check (category in ('NEW_ORDER', 'ACTION_NEEDED', 'ORDER_PROGRESS', 'APPEAL', 'ADVERT', 'ACCOUNT', 'FUNDS', 'SECURITY')),
    -- For readers of all events: identities do not commit in order, so a tail stops at the oldest running transaction.
    xact     xid8 not null default pg_current_xact_id(),
    sequence bigint generated always as identity,
    primary key (user_id, number)
);
create index outbox_events_tail on outbox_events (xact, sequence);
create index outbox_events_notifications on outbox_events (user_id, number) where category is not null;
create index outbox_events_category on outbox_events (user_id, category, number) where category is not null;

-- The channels that users have turned on or off; defaults apply to the others.
create table notification_preferences (
    user_id  uuid not null references users,
    category text not null,
    channel  text not null check (channel in ('EMAIL', 'BROWSER')),
    enabled  boolean not null,
    changed_at timestamptz not null,
    primary key (user_id, category, channel)
);
