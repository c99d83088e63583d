-- One vault's payouts of one asset are stopped, and everybody else's continue. One row for each cause, because each cause is
-- lifted on its own:
--   refused  the books refused what the chain says about the vault, so they are behind the chain there;
--   debt     the owner owes for a reorganisation, so the vault holds less than is paid out of it.
create table vault_stops (
    vault    uuid not null references users,
    asset_id bigint not null references assets,
    cause    text not null check (cause in ('refused', 'debt')),
    -- The newest reason, in words.
    because  text not null,
    -- When payouts stopped for this cause.
    at       timestamptz not null,
    primary key (vault, asset_id, cause)
);
