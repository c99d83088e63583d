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
