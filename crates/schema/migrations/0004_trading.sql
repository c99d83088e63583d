-- Adverts and orders. What people ask of them by column; the facts of a state as the domain writes them, because each
-- state has its own.

create table adverts (
    id               uuid primary key,
    version          bigint not null check (version > 0),
    owner            uuid not null references users,
    side             text not null check (side in ('SELL', 'BUY')),
    automatic        boolean not null,
    pair_id          bigint not null references pairs,
    base_asset       bigint not null references assets,
    base_decimals    smallint not null,
    base_return_gas  numeric(38, 0) not null,
    quote_asset      bigint not null references assets,
    quote_decimals   smallint not null,
    quote_return_gas numeric(38, 0) not null,
    price            numeric(38, 0) not null check (price > 0),
    quantity         numeric(38, 0) not null check (quantity > 0),
    total            numeric(38, 0) not null check (total > 0),
    min_total        numeric(38, 0) not null check (min_total > 0),
    max_total        numeric(38, 0) not null check (max_total >= min_total),
    receiving_address    text,
    receiving_chain_type text,
    bound_address    bytea not null check (octet_length(bound_address) = 20),
    remark           text check (char_length(remark) <= 100),
    acceptance_seconds     int not null,
    advert_deposit_seconds int not null,
    order_deposit_seconds  int not null,
    payment_seconds        int not null,
    confirmation_seconds   int not null,
    grace_seconds          int not null,
    created_at       timestamptz not null,
    facts            jsonb not null,
    state            text not null generated always as (facts ->> 'state') stored
                     check (state in ('CREATING', 'ONLINE', 'OFFLINE', 'REVOKING', 'CANCELLED', 'DELETED')),
    remaining        numeric(38, 0) not null check (remaining >= 0),
    escrow           numeric(38, 0) not null check (escrow >= 0),
    running          int not null check (running >= 0),
    frozen           jsonb,
    claims           int not null check (claims >= 0),
    confirmed_at     timestamptz,
    -- When the system must look next.
    due_at           timestamptz,
    check (remaining <= quantity)
);
create index adverts_of on adverts (owner, id);
create index adverts_open on adverts (owner) where state in ('CREATING', 'ONLINE', 'OFFLINE', 'REVOKING');
create index adverts_hall on adverts (pair_id, side, price) where state = 'ONLINE' and frozen is null;
create index adverts_due on adverts (due_at) where due_at is not null;

create table advert_methods (
    advert_id uuid not null references adverts,
    method_id uuid not null,
    kind      text not null,
    primary key (advert_id, method_id)
);

create table orders (
    id               uuid primary key,
    version          bigint not null check (version > 0),
    advert_id        uuid not null references adverts,
    pair_id          bigint not null references pairs,
    base_asset       bigint not null references assets,
    base_decimals    smallint not null,
    base_return_gas  numeric(38, 0) not null,
    quote_asset      bigint not null references assets,
    quote_decimals   smallint not null,
    quote_return_gas numeric(38, 0) not null,
    side             text not null check (side in ('SELL', 'BUY')),
    advertiser       uuid not null references users,
    taker            uuid not null references users,
    quantity         numeric(38, 0) not null check (quantity > 0),
    price            numeric(38, 0) not null check (price > 0),
    total            numeric(38, 0) not null check (total > 0),
    fee              numeric(38, 0) not null check (fee >= 0 and fee < quantity),
    payment          text not null check (payment in ('METHOD', 'TRANSFER', 'AUTOMATIC')),
    method_id        uuid,
    method_kind      text,
    pay_to           text,
    pay_chain_type   text,
    buyer_bound      bytea not null check (octet_length(buyer_bound) = 20),
    seller_bound     bytea not null check (octet_length(seller_bound) = 20),
    acceptance_seconds     int not null,
    advert_deposit_seconds int not null,
    order_deposit_seconds  int not null,
    payment_seconds        int not null,
    confirmation_seconds   int not null,
    grace_seconds          int not null,
    created_at       timestamptz not null,
    facts            jsonb not null,
    state            text not null generated always as (facts ->> 'state') stored
                     check (state in ('AWAITING_ACCEPTANCE', 'AWAITING_DEPOSIT', 'AWAITING_PAYMENT', 'AWAITING_CONFIRMATION',
                                      'RELEASING', 'RELEASE_REVOKED', 'REFUNDING', 'COMPLETED', 'CANCELLED', 'REJECTED')),
    overlay          jsonb,
    progress         jsonb not null,
    ended_at         timestamptz,
    settled_at       timestamptz,
    -- When the system must look next.
    due_at           timestamptz,
    -- Each side reads its own news.
    unread_by_advertiser boolean not null default true,
    unread_by_taker      boolean not null default false,
    check (advertiser <> taker),
    check ((payment = 'METHOD') = (method_id is not null and method_kind is not null)),
    check ((payment <> 'METHOD') = (pay_to is not null and pay_chain_type is not null))
);
create index orders_of_advertiser on orders (advertiser, id);
create index orders_of_taker on orders (taker, id);
create index orders_of_advert on orders (advert_id, id);
create index orders_running on orders (taker) where state not in ('COMPLETED', 'CANCELLED', 'REJECTED');
create index orders_due on orders (due_at) where due_at is not null;
create index orders_settled on orders (pair_id, settled_at) where state = 'COMPLETED';
