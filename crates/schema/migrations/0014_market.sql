-- The reference price of each pair, around which the price band lies, and the sums of its trades.

-- The last median of a day's trades that qualified (see domain::market::reference), and when it last did.
create table reference_prices (
    pair_id     bigint primary key references pairs,
    price       numeric(38, 0) not null check (price > 0),
    at          timestamptz not null,
    -- The price at the beginning of the current hour, which bounds how far the price moves within it.
    anchor      numeric(38, 0) not null check (anchor > 0),
    anchored_at timestamptz not null
);

-- What administrators set, forever: which price, who, why. The newest row of a pair counts where no median that
-- qualified is newer.
create table reference_price_acts (
    id         bigint generated always as identity primary key,
    pair_id    bigint not null references pairs,
    price      numeric(38, 0) not null check (price > 0),
    -- The officer's account; null for the command line, whose authors have none.
    officer_id uuid references officers,
    officer    text not null check (char_length(officer) between 1 and 100),
    reason     text not null check (char_length(reason) between 1 and 500),
    at         timestamptz not null
);
create index reference_price_acts_of on reference_price_acts (pair_id, id);

create function reference_price_acts_refuse() returns trigger language plpgsql as $$
begin
    raise exception 'what administrators set is append-only' using errcode = 'integrity_constraint_violation', constraint = 'reference_price_acts_append_only';
end $$;
create trigger reference_price_acts_fixed before update or delete or truncate on reference_price_acts
    execute function reference_price_acts_refuse();

-- Which trades count for the reference price of a pair: those between users whose accounts are old enough and who are not
-- related. Users count as related if they have used the same account for payments or logged in from the same network.
create function counts_as_reference(advertiser uuid, taker uuid, settled_at timestamptz, aged_seconds bigint)
    returns boolean language sql stable as $$
    select (select max(created_at) from users where id in (advertiser, taker)) <= settled_at - aged_seconds * interval '1 second'
       and not exists (select from payment_methods one join payment_methods other on other.digest = one.digest
                       where one.user_id = advertiser and other.user_id = taker)
       and not exists (select from login_networks one join login_networks other on other.network = one.network
                       where one.user_id = advertiser and other.user_id = taker)
$$;

create type trade_period as enum ('hour', 'day');

-- What the completed orders of a pair add up to in each hour and day (UTC) with such orders. The database keeps it with each
-- change of an order, so that statistics and charts need no more rows than periods.
--
-- Only chain ingestion completes orders or revokes their completion. It holds the lock of the chain until it commits, so
-- transactions do not wait for each other here. The sums would be right without that lock, too.
create table pair_periods (
    pair_id     bigint not null references pairs,
    period      trade_period not null,
    start       timestamptz not null,
    -- The first and the last order of the period, by the time and then the ID.
    first_at    timestamptz not null,
    first_order uuid not null,
    open        numeric(38, 0) not null,
    last_at     timestamptz not null,
    last_order  uuid not null,
    close       numeric(38, 0) not null,
    high        numeric(38, 0) not null,
    low         numeric(38, 0) not null,
    -- The sum of quantity times price, from which the average is computed. A sum must not refuse an order, however large it is.
    weighted    numeric not null,
    quantity    numeric not null,
    total       numeric not null,
    trades      bigint not null,
    primary key (pair_id, period, start)
);
-- The number of completed orders of each pair.
create table pair_totals (
    pair_id bigint primary key references pairs,
    trades  bigint not null
);

create type trade as (order_id uuid, pair_id bigint, at timestamptz, price numeric, quantity numeric, total numeric);

-- Adds completed orders.
create function count_trades(added trade[]) returns void language plpgsql as $$
begin
    if cardinality(added) = 0 then
        return;
    end if;
    insert into pair_periods as p (pair_id, period, start, first_at, first_order, open, last_at, last_order, close, high, low,
                                   weighted, quantity, total, trades)
    select t.pair_id, e.period, date_trunc(e.period::text, t.at, 'UTC') as start,
           min(t.at), (array_agg(t.order_id order by t.at, t.order_id))[1], (array_agg(t.price order by t.at, t.order_id))[1],
           max(t.at), (array_agg(t.order_id order by t.at desc, t.order_id desc))[1],
           (array_agg(t.price order by t.at desc, t.order_id desc))[1],
           max(t.price), min(t.price), sum(t.quantity * t.price), sum(t.quantity), sum(t.total), count(*)
    from unnest(added) t cross join unnest(enum_range(null::trade_period)) e (period)
    group by t.pair_id, e.period, start order by t.pair_id, e.period, start
    on conflict (pair_id, period, start) do update set
        first_at = least(p.first_at, excluded.first_at),
        first_order = case when (excluded.first_at, excluded.first_order) < (p.first_at, p.first_order)
                           then excluded.first_order else p.first_order end,
        open = case when (excluded.first_at, excluded.first_order) < (p.first_at, p.first_order)
                    then excluded.open else p.open end,
        last_at = greatest(p.last_at, excluded.last_at),
        last_order = case when (excluded.last_at, excluded.last_order) > (p.last_at, p.last_order)
                          then excluded.last_order else p.last_order end,
        close = case when (excluded.last_at, excluded.last_order) > (p.last_at, p.last_order)
                     then excluded.close else p.close end,
        high = greatest(p.high, excluded.high), low = least(p.low, excluded.low),
        weighted = p.weighted + excluded.weighted, quantity = p.quantity + excluded.quantity, total = p.total + excluded.total,
        trades = p.trades + excluded.trades;
    insert into pair_totals as p (pair_id, trades)
    select pair_id, count(*) from unnest(added) group by pair_id order by pair_id
    on conflict (pair_id) do update set trades = p.trades + excluded.trades;
end $$;

-- Subtracts orders that are no longer completed. Their prices may have been the highest, lowest, first or last, so these are
-- read again: for an hour from its orders, for a day from its hours. The first statement locks the periods, so the others see
-- all orders that were added to them. Prices that this transaction has yet to add may be seen already, which does no harm.
--
-- Without sequential scans, a plan that was made while there were few orders does not scan them later.
create function uncount_trades(removed trade[]) returns void language plpgsql set enable_seqscan = off as $$
begin
    if cardinality(removed) = 0 then
        return;
    end if;
    update pair_periods p
    set weighted = p.weighted - r.weighted, quantity = p.quantity - r.quantity, total = p.total - r.total, trades = p.trades - r.trades
    from (select t.pair_id, e.period, date_trunc(e.period::text, t.at, 'UTC') as start,
                 sum(t.quantity * t.price) as weighted, sum(t.quantity) as quantity, sum(t.total) as total, count(*) as trades
          from unnest(removed) t cross join unnest(enum_range(null::trade_period)) e (period)
          group by t.pair_id, e.period, start) r
    where (p.pair_id, p.period, p.start) = (r.pair_id, r.period, r.start);
    delete from pair_periods p using unnest(removed) t, unnest(enum_range(null::trade_period)) e (period)
    where (p.pair_id, p.period, p.start) = (t.pair_id, e.period, date_trunc(e.period::text, t.at, 'UTC')) and p.trades = 0;
    update pair_periods p
    set first_at = o.first_at, first_order = o.first_order, open = o.open,
        last_at = o.last_at, last_order = o.last_order, close = o.close, high = o.high, low = o.low
    from (select distinct pair_id, date_trunc('hour', at, 'UTC') as start from unnest(removed)) r
         cross join lateral (
             select min(settled_at) as first_at, (array_agg(id order by settled_at, id))[1] as first_order,
                    (array_agg(price order by settled_at, id))[1] as open,
                    max(settled_at) as last_at, (array_agg(id order by settled_at desc, id desc))[1] as last_order,
                    (array_agg(price order by settled_at desc, id desc))[1] as close, max(price) as high, min(price) as low
             from orders
             where pair_id = r.pair_id and state = 'COMPLETED' and settled_at >= r.start and settled_at < r.start + interval '1 hour'
             having count(*) > 0
         ) o
    where (p.pair_id, p.period, p.start) = (r.pair_id, 'hour', r.start);
    update pair_periods p
    set first_at = h.first_at, first_order = h.first_order, open = h.open,
        last_at = h.last_at, last_order = h.last_order, close = h.close, high = h.high, low = h.low
    from (select distinct pair_id, date_trunc('day', at, 'UTC') as start from unnest(removed)) r
         cross join lateral (
             select min(first_at) as first_at, (array_agg(first_order order by start))[1] as first_order,
                    (array_agg(open order by start))[1] as open,
                    max(last_at) as last_at, (array_agg(last_order order by start desc))[1] as last_order,
                    (array_agg(close order by start desc))[1] as close, max(high) as high, min(low) as low
             from pair_periods
             where pair_id = r.pair_id and period = 'hour' and start >= r.start and start < r.start + interval '1 day'
             having count(*) > 0
         ) h
    where (p.pair_id, p.period, p.start) = (r.pair_id, 'day', r.start);
    update pair_totals p set trades = p.trades - r.trades
    from (select pair_id, count(*) as trades from unnest(removed) group by pair_id) r
    where p.pair_id = r.pair_id;
end $$;

-- Statements that update many orders are counted as a whole. Otherwise, a block that completes many orders would update the
-- same rows once for each of them, and each update would search all earlier versions of the row. A change of the kind `trade`
-- names each order that was completed, or whose completion was revoked.
create function trades_updated() returns trigger language plpgsql as $$
declare
    removed trade[];
    added trade[];
begin
    -- Most statements concern orders that are not completed.
    if not exists (select from before where settled_at is not null) and not exists (select from written where settled_at is not null) then
        return null;
    end if;
    removed := array(
        select row (t.*)::trade from (
            select id, pair_id, settled_at, price, quantity, total from before where state = 'COMPLETED' and settled_at is not null
            except
            select id, pair_id, settled_at, price, quantity, total from written where state = 'COMPLETED' and settled_at is not null) t);
    added := array(
        select row (t.*)::trade from (
            select id, pair_id, settled_at, price, quantity, total from written where state = 'COMPLETED' and settled_at is not null
            except
            select id, pair_id, settled_at, price, quantity, total from before where state = 'COMPLETED' and settled_at is not null) t);
    perform uncount_trades(removed);
    perform count_trades(added);
    insert into changes (kind, id) select 'trade', order_id from unnest(removed || added) on conflict do nothing;
    return null;
end $$;
create trigger trades_updated after update on orders
    referencing old table as before new table as written for each statement execute function trades_updated();

-- Orders are placed before they are completed, so there is usually nothing to do here.
create function trade_inserted() returns trigger language plpgsql as $$
begin
    perform count_trades(array[row (new.id, new.pair_id, new.settled_at, new.price, new.quantity, new.total)::trade]);
    insert into changes (kind, id) values ('trade', new.id) on conflict do nothing;
    return null;
end $$;
create trigger trade_inserted after insert on orders
    for each row when (new.state = 'COMPLETED' and new.settled_at is not null) execute function trade_inserted();
