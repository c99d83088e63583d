-- Adverts, orders and the deposits that they wait for. What queries ask of adverts and orders is a column. The rest of a state
-- is JSON as `domain` writes it, because each state has its own facts.

-- The groups of an owner's list of adverts.
create function advert_group(state text) returns text language sql immutable
    return case when state = 'ONLINE' then 'ONLINE' when state = 'CANCELLED' then 'ENDED' when state = 'DELETED' then null else 'OFFLINE' end;

create table adverts (
    id                     uuid primary key,
    version                bigint not null check (version > 0),
    owner                  uuid not null references users,
    side                   text not null check (side in ('SELL', 'BUY')),
    automatic              boolean not null,
    pair_id                bigint not null references pairs,
    base_asset             bigint not null references assets,
    base_decimals          smallint not null,
    base_return_gas        numeric(38, 0) not null,
    quote_asset            bigint not null references assets,
    quote_decimals         smallint not null,
    quote_return_gas       numeric(38, 0) not null,
    -- What the owner prepays in another coin.
    prepaid_asset          bigint references assets,
    prepaid_decimals       smallint,
    prepaid_fee            numeric(38, 0),
    prepaid_gas            numeric(38, 0),
    price                  numeric(38, 0) not null check (price > 0),
    quantity               numeric(38, 0) not null check (quantity > 0),
    total                  numeric(38, 0) not null check (total > 0),
    min_total              numeric(38, 0) not null check (min_total > 0),
    max_total              numeric(38, 0) not null check (max_total >= min_total),
    receiving_address      text,
    receiving_chain_type   text,
    bound_address          bytea not null check (octet_length(bound_address) = 20),
    remark                 text check (char_length(remark) <= 100),
    -- What the advertiser requires of takers.
    taker_completed_orders int check (taker_completed_orders between 1 and 1000),
    taker_advanced_verification boolean not null default false,
    taker_region           text,
    acceptance_seconds     int not null,
    advert_deposit_seconds int not null,
    order_deposit_seconds  int not null,
    payment_seconds        int not null,
    confirmation_seconds   int not null,
    grace_seconds          int not null,
    created_at             timestamptz not null,
    state_data             jsonb not null,
    state                  text not null generated always as (state_data ->> 'state') stored
                           check (state in ('CREATING', 'ONLINE', 'OFFLINE', 'REVOKING', 'CANCELLED', 'DELETED')),
    is_open                boolean not null
                           generated always as ((state_data ->> 'state') in ('CREATING', 'ONLINE', 'OFFLINE', 'REVOKING')) stored,
    remaining              numeric(38, 0) not null check (remaining >= 0),
    escrow                 numeric(38, 0) not null check (escrow >= 0),
    -- What is left of the prepayment.
    prepaid                numeric(38, 0) not null default 0 check (prepaid >= 0),
    running                int not null check (running >= 0),
    frozen                 jsonb,
    funding_rounds         int not null check (funding_rounds >= 0),
    confirmed_at           timestamptz,
    -- When the system must look next.
    due_at                 timestamptz,
    check (remaining <= quantity),
    check (num_nulls(prepaid_asset, prepaid_decimals, prepaid_fee, prepaid_gas) in (0, 4))
);
create index adverts_of on adverts (owner, id);
create index adverts_of_owner_by_group on adverts (owner, advert_group(state), id desc);
create index adverts_kept on adverts (owner, id) where state <> 'DELETED';
create index adverts_open on adverts (owner) where is_open;
-- What sells an NFT: only those adverts have a prepayment.
create index adverts_of_nft on adverts (base_asset) where prepaid_asset is not null and is_open;
create index adverts_frozen on adverts (owner) where frozen is not null;
-- Servers keep the hall in memory. They read it once by ID, and then only what has changed.
create index adverts_online on adverts (id) where state = 'ONLINE' and frozen is null;
-- Deadlines: by the time at which they are due, and by ID for outages, which move all of them.
create index adverts_due on adverts (due_at, id) where due_at is not null;
create index adverts_with_deadline on adverts (id) where state = 'CREATING';

create table advert_methods (
    advert_id uuid not null references adverts,
    method_id uuid not null,
    kind      text not null,
    primary key (advert_id, method_id)
);

-- Adverts that an officer has taken down, and the reason, which the owner sees.
create table advert_takedowns (
    advert_id uuid primary key references adverts,
    reason    text not null check (char_length(reason) between 1 and 500),
    at        timestamptz not null
);

create table orders (
    id                     uuid primary key,
    version                bigint not null check (version > 0),
    advert_id              uuid not null references adverts,
    pair_id                bigint not null references pairs,
    base_asset             bigint not null references assets,
    base_decimals          smallint not null,
    base_return_gas        numeric(38, 0) not null,
    quote_asset            bigint not null references assets,
    quote_decimals         smallint not null,
    quote_return_gas       numeric(38, 0) not null,
    prepaid_asset          bigint references assets,
    prepaid_decimals       smallint,
    prepaid_fee            numeric(38, 0),
    prepaid_gas            numeric(38, 0),
    side                   text not null check (side in ('SELL', 'BUY')),
    advertiser             uuid not null references users,
    taker                  uuid not null references users,
    quantity               numeric(38, 0) not null check (quantity > 0),
    price                  numeric(38, 0) not null check (price > 0),
    total                  numeric(38, 0) not null check (total > 0),
    fee                    numeric(38, 0) not null check (fee >= 0 and fee < quantity),
    payment                text not null check (payment in ('METHOD', 'TRANSFER', 'AUTOMATIC')),
    method_id              uuid,
    method_kind            text,
    -- The account holder from whom the fiat payment must come, fixed when the order is placed.
    payer_name             text check (char_length(payer_name) between 1 and 100),
    pay_to                 text,
    pay_chain_type         text,
    buyer_bound            bytea not null check (octet_length(buyer_bound) = 20),
    seller_bound           bytea not null check (octet_length(seller_bound) = 20),
    acceptance_seconds     int not null,
    advert_deposit_seconds int not null,
    order_deposit_seconds  int not null,
    payment_seconds        int not null,
    confirmation_seconds   int not null,
    grace_seconds          int not null,
    created_at             timestamptz not null,
    state_data             jsonb not null,
    state                  text not null generated always as (state_data ->> 'state') stored
                           check (state in ('AWAITING_ACCEPTANCE', 'AWAITING_DEPOSIT', 'AWAITING_PAYMENT', 'AWAITING_CONFIRMATION',
                                            'RELEASING', 'RELEASE_REVOKED', 'REFUNDING', 'COMPLETED', 'CANCELLED', 'REJECTED')),
    is_open                boolean not null
                           generated always as ((state_data ->> 'state') not in ('COMPLETED', 'CANCELLED', 'REJECTED')) stored,
    frozen                 jsonb,
    -- The latest appeal, which locks the order. A transaction that changes it also writes `appeals`.
    appeal                 jsonb,
    progress               jsonb not null,
    ended_at               timestamptz,
    settled_at             timestamptz,
    -- When the system must look next.
    due_at                 timestamptz,
    check (advertiser <> taker),
    check (num_nulls(prepaid_asset, prepaid_decimals, prepaid_fee, prepaid_gas) in (0, 4)),
    check ((payment = 'METHOD') = (method_id is not null and method_kind is not null)),
    check ((payment <> 'METHOD') = (pay_to is not null and pay_chain_type is not null)),
    constraint orders_payer_of_fiat check (payment = 'METHOD' or payer_name is null)
);
create index orders_of_advertiser on orders (advertiser, id);
create index orders_of_taker on orders (taker, id);
create index orders_of_nft on orders (base_asset) where prepaid_asset is not null;
create index orders_of_advert on orders (advert_id, id);
create index orders_open_of_advertiser on orders (advertiser, id) where is_open;
create index orders_open_of_taker on orders (taker, id) where is_open;
create index orders_frozen_of_advertiser on orders (advertiser) where frozen is not null;
create index orders_frozen_of_taker on orders (taker) where frozen is not null;
create index orders_ended_of_advertiser on orders (advertiser, ended_at) where ended_at is not null;
create index orders_ended_of_taker on orders (taker, ended_at) where ended_at is not null;
-- What a user looks for among the ended orders: those with another user, and those of some pairs. An order gets these entries once,
-- when it ends.
create index orders_ended_between on orders (advertiser, taker, id) where not is_open;
create index orders_ended_of_advertiser_by_pair on orders (advertiser, pair_id, id) where not is_open;
create index orders_ended_of_taker_by_pair on orders (taker, pair_id, id) where not is_open;
-- Orders that will ask their taker for the base once they are accepted.
create index orders_will_request_funding on orders (taker)
    where state = 'AWAITING_ACCEPTANCE' and side = 'BUY' and payment <> 'AUTOMATIC';
-- Where running manual orders are paid directly on the chain.
create index orders_paid_to on orders (lower(pay_to))
    where payment = 'TRANSFER' and state in ('AWAITING_ACCEPTANCE', 'AWAITING_DEPOSIT', 'AWAITING_PAYMENT', 'AWAITING_CONFIRMATION');
-- Deadlines: by the time at which they are due, and by ID for outages, which move all of them. An open order has a deadline, or an
-- appeal whose verdict has a delay.
create index orders_due on orders (due_at, id) where due_at is not null;
create index orders_open_by_id on orders (id) where is_open;
-- How many orders are in each open state.
create index orders_open_by_state on orders (state) where is_open;
-- The last price of a pair, without sorting the trades of the same moment.
create index orders_settled on orders (pair_id, settled_at, id) where state = 'COMPLETED';

create function orders_keep_payer() returns trigger language plpgsql as $$
begin
    raise exception 'the payer of an order is fixed' using errcode = 'integrity_constraint_violation', constraint = 'orders_payer_fixed';
end $$;
create trigger orders_payer_fixed before update of payer_name on orders
    for each row when (old.payer_name is distinct from new.payer_name) execute function orders_keep_payer();

-- What waits for coins in a vault: an advert in creation, or an order. At most one is open for a user and asset.
create table funding_requests (
    id        uuid primary key,
    user_id   uuid not null references users,
    asset_id  bigint not null references assets,
    advert_id uuid,
    order_id  uuid,
    required  numeric(38, 0) not null check (required > 0),
    -- Coins credited since it opened, and temporary balance that its owner offers to it.
    funded    numeric(38, 0) not null check (funded >= 0),
    opened_at timestamptz not null,
    state     text not null check (state in ('open', 'fulfilled', 'closed')),
    check ((advert_id is null) <> (order_id is null))
);
create unique index funding_requests_one_open on funding_requests (user_id, asset_id) where state = 'open';
create unique index funding_requests_of_advert on funding_requests (advert_id) where state = 'open';
create index funding_requests_of_order on funding_requests (order_id);

-- What the completed orders of an advert add up to, so that the owner's list of adverts need not read the orders.
create table advert_totals (
    advert_id uuid primary key references adverts,
    completed int not null,
    -- In base units of the base and of the quote.
    quantity  numeric(38, 0) not null,
    total     numeric(38, 0) not null
);

-- Only chain ingestion completes orders or revokes their completion. It holds the lock of the chain until it commits, so the rows
-- are never locked in two orders.
create function count_advert_order() returns trigger language plpgsql as $$
declare
    sign int := case when new.state = 'COMPLETED' then 1 else -1 end;
begin
    insert into advert_totals as a (advert_id, completed, quantity, total)
    values (new.advert_id, sign, sign * new.quantity, sign * new.total)
    on conflict (advert_id) do update
        set completed = a.completed + excluded.completed, quantity = a.quantity + excluded.quantity, total = a.total + excluded.total;
    return null;
end $$;
create trigger advert_order_counted after insert on orders for each row when (new.state = 'COMPLETED')
    execute function count_advert_order();
create trigger advert_order_recounted after update on orders for each row
    when ((old.state = 'COMPLETED') is distinct from (new.state = 'COMPLETED'))
    execute function count_advert_order();
