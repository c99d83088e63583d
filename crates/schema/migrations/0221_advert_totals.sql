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

-- The groups of an owner's list.
create function advert_group(state text) returns text language sql immutable
    return case when state = 'ONLINE' then 'ONLINE' when state = 'CANCELLED' then 'ENDED' when state = 'DELETED' then null else 'OFFLINE' end;
create index adverts_of_owner_by_group on adverts (owner, advert_group(state), id desc);
