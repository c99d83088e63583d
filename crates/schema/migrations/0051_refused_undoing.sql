-- What a reorganisation took from the chain and the books refused to take back: it is tried again with each range.

-- A deposit that still counts although its block is gone.
alter table deposits add column orphaned boolean not null default false;
alter table deposits add check (not orphaned or revoked_at is null);
create index deposits_orphaned on deposits (chain_id) where orphaned;

-- A leg that counts as paid or voided although the block that says so is gone.
alter table payout_legs add column orphaned boolean not null default false;
create index payout_legs_orphaned on payout_legs (reference) where orphaned;
