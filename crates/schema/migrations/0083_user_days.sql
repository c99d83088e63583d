-- What the orders of a user that ended on one day (UTC) add up to. The database keeps it with each change of an order, so
-- that a user's statistics need no more rows than days.
create table user_days (
    user_id           uuid not null references users,
    day               date not null,
    base_asset        bigint not null references assets,
    -- Orders that are in an end state.
    ended             int not null,
    completed         int not null,
    -- The quantity of the base of the completed orders.
    quantity          numeric(38, 0) not null,
    -- Payments that the user confirmed as the seller, and the total time from "paid" to the confirmation.
    confirmations     int not null,
    confirming_micros bigint not null,
    primary key (user_id, day, base_asset)
);

-- Adds an order to the days of its parties, or with a `sign` of -1 subtracts it. A reorganization can reopen an order that
-- has ended; it then keeps its end time.
create function count_order(o orders, sign int) returns void language sql as $$
    insert into user_days as d (user_id, day, base_asset, ended, completed, quantity, confirmations, confirming_micros)
    select p.user_id, (o.ended_at at time zone 'UTC')::date, o.base_asset, sign * (not o.is_open)::int,
           sign * (o.state = 'COMPLETED')::int, case o.state when 'COMPLETED' then sign * o.quantity else 0 end,
           sign * (t.confirming is not null)::int, coalesce(sign * (extract(epoch from t.confirming) * 1000000)::bigint, 0)
    from (values (o.advertiser, 'SELL'), (o.taker, 'BUY')) p (user_id, seller_side)
         cross join lateral (select case when o.side = p.seller_side and o.payment <> 'AUTOMATIC' then
             (o.progress ->> 'received_at')::timestamptz - (o.progress -> 'paid' ->> 'at')::timestamptz end as confirming) t
    where o.ended_at is not null
    order by p.user_id
    on conflict (user_id, day, base_asset) do update
        set ended = d.ended + excluded.ended, completed = d.completed + excluded.completed,
            quantity = d.quantity + excluded.quantity, confirmations = d.confirmations + excluded.confirmations,
            confirming_micros = d.confirming_micros + excluded.confirming_micros
$$;

create function count_ended_order() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' then
        perform count_order(old, -1);
    end if;
    perform count_order(new, 1);
    return null;
end $$;
create trigger orders_counted after insert on orders for each row when (new.ended_at is not null)
    execute function count_ended_order();
create trigger orders_recounted after update on orders for each row
    when (new.ended_at is not null and (old.ended_at, old.state, old.progress) is distinct from (new.ended_at, new.state, new.progress)
          or old.ended_at is distinct from new.ended_at)
    execute function count_ended_order();

insert into user_days (user_id, day, base_asset, ended, completed, quantity, confirmations, confirming_micros)
select user_id, day, base_asset, count(*) filter (where not is_open), count(*) filter (where state = 'COMPLETED'),
       coalesce(sum(quantity) filter (where state = 'COMPLETED'), 0), count(confirming),
       coalesce(sum((extract(epoch from confirming) * 1000000)::bigint), 0)
from (
    select p.user_id, (o.ended_at at time zone 'UTC')::date as day, o.base_asset, o.is_open, o.state, o.quantity,
           case when o.side = p.seller_side and o.payment <> 'AUTOMATIC' then
               (o.progress ->> 'received_at')::timestamptz - (o.progress -> 'paid' ->> 'at')::timestamptz end as confirming
    from orders o cross join lateral (values (o.advertiser, 'SELL'), (o.taker, 'BUY')) p (user_id, seller_side)
    where o.ended_at is not null
) ended
group by user_id, day, base_asset;
