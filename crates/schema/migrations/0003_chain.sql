-- What the chain says, by block. Everything above a common ancestor is replaced when the chain reorganises.

create table blocks (
    chain_id bigint not null references chains,
    number   bigint not null check (number >= 0),
    hash     bytea not null check (octet_length(hash) = 32),
    parent   bytea not null check (octet_length(parent) = 32),
    at       timestamptz not null,
    primary key (chain_id, number)
);

-- A transfer into or out of a custody vault. position is the log's index in the block, or -1 - the transaction's index
-- for a transfer of the native coin, or null for a surplus that no log or transaction explains.
create table transfers (
    id           uuid primary key,
    chain_id     bigint not null,
    block_number bigint not null,
    block_hash   bytea not null check (octet_length(block_hash) = 32),
    tx_hash      bytea check (octet_length(tx_hash) = 32),
    position     bigint,
    asset_id     bigint not null references assets,
    sender       bytea check (octet_length(sender) = 20),
    recipient    bytea not null check (octet_length(recipient) = 20),
    vault        uuid not null references users,
    incoming     boolean not null,
    amount       numeric(38, 0) not null check (amount > 0),
    seen_at      timestamptz not null,
    -- When it became money; a reorganisation that takes it back removes the row and leaves its deposit revoked.
    confirmed_at timestamptz,
    foreign key (chain_id, block_number) references blocks on delete cascade
);
create unique index transfers_once on transfers (chain_id, block_hash, tx_hash, position, asset_id, vault, incoming) nulls not distinct;
create index transfers_unconfirmed on transfers (chain_id, block_number) where confirmed_at is null;
create index transfers_of on transfers (vault, id);

-- Coins that became money. The row stays when the chain takes them back.
create table deposits (
    id           uuid primary key,
    chain_id     bigint not null references chains,
    block_number bigint not null,
    block_hash   bytea not null,
    tx_hash      bytea,
    position     bigint,
    sender       bytea,
    vault        uuid not null references users,
    asset_id     bigint not null references assets,
    amount       numeric(38, 0) not null check (amount > 0),
    confirmed_at timestamptz not null,
    revoked_at   timestamptz,
    check (revoked_at >= confirmed_at)
);
create unique index deposits_once on deposits (chain_id, block_hash, tx_hash, position, vault, asset_id) nulls not distinct where revoked_at is null;
create index deposits_by_block on deposits (chain_id, block_number) where revoked_at is null;
create index deposits_of on deposits (vault, id);

-- What waits for coins in a vault: an advert in creation, or an order. At most one open for a person and asset.
create table claims (
    id        uuid primary key,
    user_id   uuid not null references users,
    asset_id  bigint not null references assets,
    advert_id uuid,
    order_id  uuid,
    need      numeric(38, 0) not null check (need > 0),
    -- Coins confirmed since it opened, and temporary balance that its owner offers to it.
    counted   numeric(38, 0) not null check (counted >= 0),
    opened_at timestamptz not null,
    state     text not null check (state in ('open', 'met', 'ended')),
    check ((advert_id is null) <> (order_id is null))
);
create unique index claims_one_open on claims (user_id, asset_id) where state = 'open';
create unique index claims_of_advert on claims (advert_id) where state = 'open';
create index claims_of_order on claims (order_id);

-- What is owed on the chain. Written in the transaction that decides it; paid by the worker, once by reference, ever.
create table payouts (
    id         uuid primary key,
    chain_id   bigint not null references chains,
    purpose    text not null check (purpose in ('release', 'refund', 'advert_return', 'wrong_deposit', 'withdrawal', 'treasury')),
    -- The order, advert, withdrawal or (treasury) vault that it is for.
    subject    uuid not null,
    created_at timestamptz not null
);
create index payouts_of on payouts (subject);

create sequence payout_references as bigint minvalue 0 start 1;
create table payout_legs (
    reference     bigint primary key check (reference > 0),
    payout_id     uuid not null references payouts,
    vault         uuid not null references users,
    custody_index bigint not null,
    asset_id      bigint not null references assets,
    recipient     bytea not null check (octet_length(recipient) = 20),
    amount        numeric(38, 0) not null check (amount > 0),
    -- This leg and the next reference are paid together or not at all.
    with_next     boolean not null default false,
    -- Account that gave it, to undo a voided leg: kind and owner.
    source_kind   text not null,
    source_owner  uuid not null,
    state         text not null check (state in ('owed', 'paid', 'voided')),
    -- How often the chain confirmed it; a reorganisation may take it back.
    rounds        int not null default 0,
    -- How often the chain refused it, and when it is tried again.
    failures   int not null default 0,
    retry_at   timestamptz
);
create index payout_legs_owed on payout_legs (reference) where state = 'owed';
create index payout_legs_of on payout_legs (payout_id);

-- Signed transactions, kept before they are sent. The same bytes are sent as often as needed.
create table payout_attempts (
    id              bigint generated always as identity primary key,
    chain_id        bigint not null references chains,
    nonce           bigint not null check (nonce >= 0),
    first_reference bigint not null,
    last_reference  bigint not null,
    call            bytea not null,
    raw             bytea not null,
    tx_hash         bytea not null unique check (octet_length(tx_hash) = 32),
    max_fee         numeric(38, 0) not null,
    priority_fee    numeric(38, 0) not null,
    signed_at       timestamptz not null,
    -- Done when a transaction with this nonce lies deep enough, whichever attempt it was.
    done_at         timestamptz,
    check (first_reference <= last_reference)
);
create index payout_attempts_open on payout_attempts (chain_id, nonce) where done_at is null;

-- What the Escrow did with a reference, by block.
create table settlements (
    chain_id     bigint not null,
    block_number bigint not null,
    block_hash   bytea not null,
    tx_hash      bytea not null,
    reference    bigint not null,
    outcome      text not null check (outcome in ('paid', 'failed', 'voided')),
    confirmed_at timestamptz,
    primary key (chain_id, block_hash, tx_hash, reference),
    foreign key (chain_id, block_number) references blocks on delete cascade
);
create index settlements_unconfirmed on settlements (chain_id, block_number) where confirmed_at is null;
create index settlements_of on settlements (reference);

-- Temporary balance that its owner took out. How it stands says its payout, which has its id.
create table withdrawals (
    id           uuid primary key references payouts,
    user_id      uuid not null references users,
    asset_id     bigint not null references assets,
    amount       numeric(38, 0) not null check (amount > 0),
    gas          numeric(38, 0) not null check (gas >= 0),
    recipient    bytea not null check (octet_length(recipient) = 20),
    requested_at timestamptz not null
);
create index withdrawals_of on withdrawals (user_id, id);

-- Assets of which nothing is paid out until an administrator resumes.
create table payout_stops (
    asset_id bigint primary key references assets,
    because  text not null,
    at       timestamptz not null
);

-- Time in which the platform itself was down moves every deadline.
create table heartbeats (
    part text primary key,
    at   timestamptz not null
);
create table outages (
    id      bigint generated always as identity primary key,
    part    text not null,
    began_at timestamptz not null,
    ended_at timestamptz not null check (ended_at > began_at)
);
