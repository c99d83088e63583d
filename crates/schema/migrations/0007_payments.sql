-- How buyers pay sellers outside the escrow: payment methods, direct payments that the chain shows, and what buyers report.

-- The forms of payment methods: data, so that a new method needs no code. `mec2c migrate` writes those in
-- `crates/schema/data/payment_methods.json`.
create table method_forms (
    type       text primary key,
    position   int not null,
    currencies text[] not null,
    -- [{"name", "required", "maxLength", "kind": "text" | "number" | "picture", "secret"}], in the order of the screen.
    fields     jsonb not null
);

create table payment_methods (
    id         uuid primary key,
    user_id    uuid not null references users,
    type       text not null references method_forms,
    currency   text not null,
    fields     jsonb not null,
    -- Two methods with the same digest are the same: type, currency and account, without case and spaces.
    digest     bytea not null check (octet_length(digest) = 32),
    version    int not null default 1 check (version > 0),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz
);
create unique index payment_methods_once on payment_methods (user_id, digest) where deleted_at is null;

-- Transfers to sellers' own receiving addresses on the escrow chain that may be the payment of manual orders. They release
-- nothing by themselves.
create table payments (
    chain_id     bigint not null,
    block_number bigint not null,
    block_hash   bytea not null,
    tx_hash      bytea not null check (octet_length(tx_hash) = 32),
    -- The log's index in the block.
    position     bigint not null,
    sender       bytea not null check (octet_length(sender) = 20),
    amount       numeric(38, 0) not null check (amount > 0),
    primary key (chain_id, block_hash, tx_hash, position),
    -- Gone with its block when the chain reorganizes.
    foreign key (chain_id, block_number) references blocks on delete cascade
);
create index payments_by_block on payments (chain_id, block_number);

create type payment_sender as enum ('BOUND', 'RECEIVING', 'UNKNOWN');

-- The orders whose payment a transfer may be: the chain does not say which one. Several of them make the payment ambiguous, also
-- when some of them have ended: whose payment it was is still not known.
create table payment_matches (
    order_id   uuid not null references orders,
    chain_id   bigint not null,
    block_hash bytea not null,
    tx_hash    bytea not null,
    position   bigint not null,
    -- Whose address the sender's is.
    sender     payment_sender not null,
    primary key (order_id, chain_id, block_hash, tx_hash, position),
    foreign key (chain_id, block_hash, tx_hash, position) references payments on delete cascade
);
create index payment_matches_by_payment on payment_matches (chain_id, block_hash, tx_hash, position);
create index payment_matches_by_tx on payment_matches (tx_hash);
-- A transfer from the buyer's bound address is the payment of one order, which has no other.
create unique index payment_matches_proved on payment_matches (order_id) where sender = 'BOUND';

-- What buyers reported of their payments, to recognize a transaction or reference that was reported for another order, too.
create table payment_reports (
    order_id  uuid primary key references orders,
    hash      text,
    reference text,
    check (hash is not null or reference is not null)
);
create index payment_reports_by_hash on payment_reports (hash) where hash is not null;
create index payment_reports_by_reference on payment_reports (reference) where reference is not null;
