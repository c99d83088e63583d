-- What the chain says, by block. Everything above a common ancestor is replaced when the chain reorganizes.

create table blocks (
    chain_id bigint not null references chains,
    number   bigint not null check (number >= 0),
    hash     bytea not null check (octet_length(hash) = 32),
    parent   bytea not null check (octet_length(parent) = 32),
    at       timestamptz not null,
    primary key (chain_id, number)
);

-- Transfers into and out of custody vaults.
create table transfers (
    id           uuid primary key,
    chain_id     bigint not null,
    block_number bigint not null,
    block_hash   bytea not null check (octet_length(block_hash) = 32),
    tx_hash      bytea check (octet_length(tx_hash) = 32),
    -- The log's index in the block, or -1 - the transaction's index for a transfer of the native coin, or null for a surplus
    -- that no log or transaction explains.
    position     bigint,
    asset_id     bigint not null references assets,
    sender       bytea check (octet_length(sender) = 20),
    recipient    bytea not null check (octet_length(recipient) = 20),
    vault        uuid not null references users,
    incoming     boolean not null,
    amount       numeric(38, 0) not null check (amount > 0),
    seen_at      timestamptz not null,
    -- When it became money; a reorganization that takes it back removes the row and leaves its deposit revoked.
    confirmed_at timestamptz,
    -- The contract logged the transfer and the vault does not hold so much: final, and not money. At each new final block the
    -- vault is asked again, and what it then holds is credited.
    uncredited   boolean not null default false,
    foreign key (chain_id, block_number) references blocks on delete cascade,
    check (not uncredited or (incoming and confirmed_at is not null))
);
create unique index transfers_once on transfers (chain_id, block_hash, tx_hash, position, asset_id, vault, incoming) nulls not distinct;
create index transfers_unconfirmed on transfers (chain_id, block_number) where confirmed_at is null;
create index transfers_unconfirmed_of on transfers (vault, asset_id) where confirmed_at is null;
create index transfers_uncredited on transfers (chain_id, vault, asset_id) where uncredited;
create index transfers_of on transfers (vault, id);
-- What a block holds, which a reorganization deletes with it.
create index transfers_by_block on transfers (chain_id, block_number);

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
    -- When the transfer was first seen. The deposit keeps it if a reorganization removes the transfer.
    seen_at      timestamptz not null,
    confirmed_at timestamptz not null,
    revoked_at   timestamptz,
    -- Still counts although its block is gone, because the ledger refused to take it back. It is tried again with each range.
    orphaned     boolean not null default false,
    check (revoked_at >= confirmed_at),
    check (not orphaned or revoked_at is null)
);
create unique index deposits_once on deposits (chain_id, block_hash, tx_hash, position, vault, asset_id) nulls not distinct where revoked_at is null;
create index deposits_by_block on deposits (chain_id, block_number) where revoked_at is null;
create index deposits_orphaned on deposits (chain_id) where orphaned;
create index deposits_of on deposits (vault, id);
create index deposits_seen on deposits (vault, seen_at, id) include (asset_id);
-- Officers find a case by a transaction of its order.
create index deposits_by_tx on deposits (tx_hash) where tx_hash is not null;

create function deposit_seen() returns trigger language plpgsql as $$
begin
    new.seen_at := coalesce((select t.seen_at from transfers t where t.id = new.id), new.confirmed_at);
    return new;
end $$;
create trigger deposit_seen before insert on deposits for each row execute function deposit_seen();

-- What the latest round of reconciliation found, for the dashboard of the console. Each round replaces the one before.
create table reconciliations (
    chain_id    bigint primary key references chains,
    began_at    timestamptz not null,
    ended_at    timestamptz not null,
    -- The lowest and the highest block at which vaults were compared: the chain advances during a round.
    first_block bigint not null check (first_block >= 0),
    last_block  bigint not null check (last_block >= first_block)
);

-- The sums of an asset over the vaults whose balance is known.
create table reconciled_assets (
    chain_id  bigint not null references reconciliations on delete cascade,
    asset_id  bigint not null references assets,
    on_chain  numeric(38, 0) not null check (on_chain >= 0),
    in_ledger numeric(38, 0) not null check (in_ledger >= 0),
    -- The number of vaults that the sums cover, and of those that hold less than the ledger says.
    vaults    integer not null check (vaults >= 0),
    short     integer not null check (short between 0 and vaults),
    -- The number of vaults that the sums do not cover, because the token did not report their balance, or because the ledger
    -- is known to be behind the chain.
    unknown   integer not null check (unknown >= 0),
    left_out  integer not null check (left_out >= 0),
    primary key (chain_id, asset_id)
);
