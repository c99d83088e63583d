-- Whom the user has kept waiting for an acceptance in vain, since the last order that the user answered
-- (`domain::reputation::MissedAcceptances`).
alter table users add column missed_acceptances jsonb not null default '[]';
-- Why the platform took the user offline; null if the user is online, or went offline without the platform.
alter table users
    add column offline_cause text check (offline_cause = 'MISSED_ACCEPTANCES'),
    add check (offline_cause is null or not online);

-- Of the orders placed with the user as the advertiser, those that the user accepted, and those that the user rejected or let
-- pass. Of the payments that the user confirmed, or that were released by a verdict, those released after the deadline.
alter table user_days
    add column accepted   int not null default 0,
    add column unaccepted int not null default 0,
    add column late       int not null default 0;

-- How an ended order counts for the acceptance rate of its advertiser, and for the seller's late confirmations. The platform
-- accepts automatic orders itself.
create function is_accepted(o orders) returns boolean language sql immutable
    return o.payment <> 'AUTOMATIC' and o.progress ->> 'accepted_at' is not null;
create function is_unaccepted(o orders) returns boolean language sql immutable
    return o.state = 'REJECTED' or coalesce((o.progress ->> 'acceptance_missed')::boolean, false);
create function is_late(o orders) returns boolean language sql immutable
    return coalesce((o.progress ->> 'confirmed_late')::boolean, false);

create or replace function count_order(o orders, sign int) returns void language sql as $$
    insert into user_days as d (user_id, day, base_asset, ended, completed, quantity, confirmations, confirming_micros,
                                accepted, unaccepted, late)
    select p.user_id, (o.ended_at at time zone 'UTC')::date, o.base_asset, sign * (not o.is_open)::int,
           sign * (o.state = 'COMPLETED')::int, case o.state when 'COMPLETED' then sign * o.quantity else 0 end,
           sign * (t.confirming is not null)::int, coalesce(sign * (extract(epoch from t.confirming) * 1000000)::bigint, 0),
           sign * (p.advertised and is_accepted(o))::int, sign * (p.advertised and is_unaccepted(o))::int,
           sign * (t.confirming is not null and is_late(o))::int
    from (values (o.advertiser, 'SELL', true), (o.taker, 'BUY', false)) p (user_id, seller_side, advertised)
         cross join lateral (select case when o.side = p.seller_side and o.payment <> 'AUTOMATIC' then
             (o.progress ->> 'received_at')::timestamptz - (o.progress -> 'paid' ->> 'at')::timestamptz end as confirming) t
    where o.ended_at is not null
    order by p.user_id
    on conflict (user_id, day, base_asset) do update
        set ended = d.ended + excluded.ended, completed = d.completed + excluded.completed,
            quantity = d.quantity + excluded.quantity, confirmations = d.confirmations + excluded.confirmations,
            confirming_micros = d.confirming_micros + excluded.confirming_micros, accepted = d.accepted + excluded.accepted,
            unaccepted = d.unaccepted + excluded.unaccepted, late = d.late + excluded.late
$$;
