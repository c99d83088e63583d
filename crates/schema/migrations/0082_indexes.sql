-- Indexes for statements whose cost grew with the history of the platform.

-- Open orders of either side, and frozen ones.
drop index orders_open;
create index orders_open_of_taker on orders (taker, id) where is_open;
create index orders_open_of_advertiser on orders (advertiser, id) where is_open;
create index orders_frozen_of_taker on orders (taker) where overlay is not null;
create index orders_frozen_of_advertiser on orders (advertiser) where overlay is not null;
create index adverts_frozen on adverts (owner) where frozen is not null;
create index adverts_kept on adverts (owner, id) where state <> 'DELETED';

-- Rows with a deadline: by the time at which it is due, and by ID for outages, which move all of them.
drop index orders_due;
create index orders_due on orders (due_at, id) where due_at is not null;
drop index adverts_due;
create index adverts_due on adverts (due_at, id) where due_at is not null;
create index orders_with_deadline on orders (id)
    where state in ('AWAITING_ACCEPTANCE', 'AWAITING_DEPOSIT', 'AWAITING_PAYMENT', 'AWAITING_CONFIRMATION');
create index adverts_with_deadline on adverts (id) where state = 'CREATING';

-- The last price of a pair, without sorting the trades of the same moment.
drop index orders_settled;
create index orders_settled on orders (pair_id, settled_at, id) where state = 'COMPLETED';

-- What a block holds, which a reorganization deletes with it.
create index transfers_by_block on transfers (chain_id, block_number);
create index settlements_by_block on settlements (chain_id, block_number);
create index payments_by_block on payments (chain_id, block_number);
create index payout_attempts_by_nonce on payout_attempts (chain_id, nonce);

-- The custody account among the accounts of a vault, which are two per finished order.
create index ledger_custody on ledger_accounts (vault, asset_id) where kind = 'custody';

-- Users whose reputation is restored in a new month. domain::reputation::FULL is 100.
create index users_charged on users (id) where reputation < 100;

create index sessions_expiry on sessions (expires_at);
create index sessions_ended on sessions (ended_at) where ended_at is not null;
