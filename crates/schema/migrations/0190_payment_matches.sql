-- Which direct payment belongs to which order. The chain does not say it, so a transfer may fit several orders.

drop table payments;

-- A transfer to a seller's own receiving address on the escrow chain that may be the payment of manual orders. It releases
-- nothing by itself.
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

-- The orders whose payment a transfer may be. Several of them make the payment ambiguous, also when some of them have ended:
-- whose payment it was is still not known.
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
-- A transfer from the buyer's bound address is the payment of one order, which has no other.
create unique index payment_matches_proved on payment_matches (order_id) where sender = 'BOUND';

create or replace function payment_changed() returns trigger language plpgsql as $$
begin
    insert into changes (kind, id)
    select 'user', p.id from written w join orders o on o.id = w.order_id cross join lateral (values (o.advertiser), (o.taker)) p (id)
    on conflict do nothing;
    return null;
end $$;
create trigger payment_match_inserted after insert on payment_matches
    referencing new table as written for each statement execute function payment_changed();
create trigger payment_match_deleted after delete on payment_matches
    referencing old table as written for each statement execute function payment_changed();

-- What buyers reported of their payments, to recognize a transaction or reference that was reported for another order, too.
create table payment_reports (
    order_id  uuid primary key references orders,
    hash      text,
    reference text,
    check (hash is not null or reference is not null)
);
create index payment_reports_by_hash on payment_reports (hash) where hash is not null;
create index payment_reports_by_reference on payment_reports (reference) where reference is not null;

-- The parties of the other orders see that it was reported again.
create function payment_reported() returns trigger language plpgsql as $$
begin
    insert into changes (kind, id)
    select 'user', p.id
    from written w
    join payment_reports r on r.order_id <> w.order_id and (r.hash = w.hash or r.reference = w.reference)
    join orders o on o.id = r.order_id
    cross join lateral (values (o.advertiser), (o.taker)) p (id)
    on conflict do nothing;
    return null;
end $$;
create trigger payment_report_inserted after insert on payment_reports
    referencing new table as written for each statement execute function payment_reported();
