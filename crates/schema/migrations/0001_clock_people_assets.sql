-- Times are always parameters: no default and no statement asks the database for the time.

-- How the product's time runs: the machine's time plus a shift, or stopped. Only a development world writes here.
create table clock (
    singleton    boolean primary key default true check (singleton),
    stopped_at   timestamptz,
    shift_micros bigint not null default 0
);
insert into clock default values;

create table chains (
    chain_id         bigint primary key,
    name             text not null,
    -- Which chain exactly: set when the product first meets it, compared ever after.
    genesis_hash     bytea check (octet_length(genesis_hash) = 32),
    escrow_address   bytea check (octet_length(escrow_address) = 20),
    -- Keccak-256 of the Escrow's code: two development chains may have the same genesis.
    escrow_code      bytea check (octet_length(escrow_code) = 32),
    -- How deep a block must lie before what it holds is money. 1 is the head itself.
    confirmations    int not null check (confirmations > 0),
    -- The first block that matters: nothing of ours happened before.
    start_block      bigint not null default 0,
    -- How far the watcher has read, and how far what it read has become money.
    head_number      bigint,
    confirmed_number bigint,
    -- Why commands that move money are refused, if they are.
    stopped_because  text,
    check (confirmed_number <= head_number)
);

-- A coin on a chain, one NFT, or a fiat currency.
create table assets (
    id         bigint generated always as identity primary key,
    code       text not null,
    kind       text not null check (kind in ('native', 'erc20', 'erc721', 'fiat')),
    chain_id   bigint references chains,
    contract   bytea check (octet_length(contract) = 20),
    token_id   bytea check (octet_length(token_id) = 32),
    decimals   smallint not null check (decimals between 0 and 30),
    dust       numeric(38, 0) not null default 0 check (dust >= 0),
    return_gas numeric(38, 0) not null default 0 check (return_gas >= 0),
    check ((kind = 'fiat') = (chain_id is null)),
    check ((kind in ('erc20', 'erc721')) = (contract is not null)),
    check ((kind = 'erc721') = (token_id is not null))
);
create unique index assets_code on assets (code) where kind <> 'erc721';
create unique index assets_token on assets (chain_id, kind, contract, token_id) nulls not distinct where kind <> 'fiat';

create table pairs (
    id                    bigint generated always as identity primary key,
    base_asset            bigint not null references assets,
    quote_asset           bigint not null references assets,
    enabled               boolean not null,
    fee_ppm               int not null check (fee_ppm between 0 and 1000000),
    fee_floor             numeric(38, 0) not null check (fee_floor >= 0),
    min_total             numeric(38, 0) not null check (min_total > 0),
    max_total             numeric(38, 0) not null check (max_total >= min_total),
    price_band_ppm        int not null check (price_band_ppm between 1 and 1000000),
    acceptance_seconds    int not null check (acceptance_seconds > 0),
    advert_deposit_seconds int not null check (advert_deposit_seconds > 0),
    order_deposit_seconds int not null check (order_deposit_seconds > 0),
    payment_seconds       int not null check (payment_seconds > 0),
    confirmation_seconds  int not null check (confirmation_seconds > 0),
    grace_seconds         int not null check (grace_seconds > 0),
    chain_types           text[] not null default '{}',
    automatic_chain_type  text,
    unique (base_asset, quote_asset),
    check (base_asset <> quote_asset)
);

create table users (
    id                     uuid primary key,
    created_at             timestamptz not null,
    -- From it the address of the custody vault is made. Never used twice.
    custody_index          bigint not null unique check (custody_index > 0),
    vault_address          bytea not null unique check (octet_length(vault_address) = 20),
    -- The person's own address on the escrow chain, proved through the pass. All returns go there and nowhere else.
    bound_address          bytea unique check (octet_length(bound_address) = 20),
    region                 text not null,
    kyc_level              text not null check (kyc_level in ('none', 'basic', 'advanced')),
    nickname               text,
    receiving_address      text,
    receiving_chain_type   text,
    online                 boolean not null default false,
    credit                 int not null default 100 check (credit >= 0),
    certified              boolean not null default false,
    verified               boolean not null default false,
    login_forbidden        boolean not null default false,
    withdrawal_forbidden   boolean not null default false,
    buy_forbidden          boolean not null default false,
    sell_forbidden         boolean not null default false,
    -- Until then new adverts, new orders and withdrawals wait: something that protects money was changed.
    held_until             timestamptz,
    -- The number of the last event that the person was sent; taken under this row's lock.
    last_event             bigint not null default 0,
    check ((receiving_address is null) = (receiving_chain_type is null))
);
create unique index users_nickname on users (lower(nickname));
create unique index users_receiving_address on users (receiving_chain_type, receiving_address);
create sequence custody_indexes as bigint owned by users.custody_index;

create table blocks_between (
    blocker uuid not null references users,
    blocked uuid not null references users,
    primary key (blocker, blocked)
);

-- What was answered to a command, so that sending it again does nothing and answers the same.
create table commands (
    user_id     uuid not null references users,
    key         text not null check (char_length(key) between 1 and 200),
    -- A hash of the request: the same key with another request is refused.
    fingerprint bytea not null check (octet_length(fingerprint) = 32),
    answer      jsonb not null,
    at          timestamptz not null,
    primary key (user_id, key)
);

-- What people are told, in order for each person. It commits with its cause.
create table events (
    user_id  uuid not null references users,
    number   bigint not null check (number > 0),
    kind     text not null,
    body     jsonb not null,
    at       timestamptz not null,
    -- For readers of all events: identities do not commit in order, so a tail stops at the oldest running transaction.
    xact     xid8 not null default pg_current_xact_id(),
    sequence bigint generated always as identity,
    primary key (user_id, number)
);
create index events_tail on events (xact, sequence);

create table credit_changes (
    id         bigint generated always as identity primary key,
    user_id    uuid not null references users,
    change     int not null,
    credit     int not null check (credit >= 0),
    cause      text not null,
    order_id   uuid,
    at         timestamptz not null
);
create index credit_changes_of on credit_changes (user_id, id);
