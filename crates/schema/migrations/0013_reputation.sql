-- What others see of a user's trades: reputation, statistics and certification.

create table reputation_changes (
    id         bigint generated always as identity primary key,
    user_id    uuid not null references users,
    change     int not null,
    -- After the change.
    reputation int not null check (reputation >= 0),
    cause      text not null,
    order_id   uuid,
    -- The appeal that cost the user reputation.
    appeal_id  uuid references appeals,
    at         timestamptz not null
);
create index reputation_changes_of on reputation_changes (user_id, id);
create index reputation_changes_at on reputation_changes (user_id, at) where order_id is not null;
-- Orders that lapsed because a user did not deposit or pay in time. Takers with several of them deposit before they order.
create index reputation_changes_lapses on reputation_changes (user_id, at) where cause in ('PAYMENT_OVERDUE', 'DEPOSIT_OVERDUE');
-- How many appeals a user has lost.
create index reputation_changes_of_appeals on reputation_changes (user_id) where appeal_id is not null;

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
    -- Of the orders placed with the user as the advertiser, those that the user accepted, and those that the user rejected or let
    -- pass.
    accepted          int not null default 0,
    unaccepted        int not null default 0,
    -- Of the payments that the user confirmed, or that were released by a verdict, those released after the deadline.
    late              int not null default 0,
    primary key (user_id, day, base_asset)
);

-- How an ended order counts for the acceptance rate of its advertiser, and for the seller's late confirmations. The platform
-- accepts automatic orders itself.
create function is_accepted(o orders) returns boolean language sql immutable
    return o.payment <> 'AUTOMATIC' and o.progress ->> 'accepted_at' is not null;
create function is_unaccepted(o orders) returns boolean language sql immutable
    return o.state = 'REJECTED' or coalesce((o.progress ->> 'acceptance_missed')::boolean, false);
create function is_late(o orders) returns boolean language sql immutable
    return coalesce((o.progress ->> 'confirmed_late')::boolean, false);

-- Adds an order to the days of its parties, or with a `sign` of -1 subtracts it. A reorganization can reopen an order that
-- has ended; it then keeps its end time.
create function count_order(o orders, sign int) returns void language sql as $$
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

-- An order that ends also changes what others see of both parties, hence the changes.
create function count_ended_order() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' then
        perform count_order(old, -1);
    end if;
    perform count_order(new, 1);
    insert into changes (kind, id) values ('profile', new.advertiser), ('profile', new.taker) on conflict do nothing;
    return null;
end $$;
create trigger orders_counted after insert on orders for each row when (new.ended_at is not null)
    execute function count_ended_order();
create trigger orders_recounted after update on orders for each row
    when (new.ended_at is not null and (old.ended_at, old.state, old.progress) is distinct from (new.ended_at, new.state, new.progress)
          or old.ended_at is distinct from new.ended_at)
    execute function count_ended_order();

-- Applications of users for certification. A user has at most one that waits for an officer.
create table certification_applications (
    id         uuid primary key,
    user_id    uuid not null references users,
    applied_at timestamptz not null,
    decided_at timestamptz,
    approved   boolean,
    -- What the officer tells the user.
    reason     text,
    check ((decided_at is null) = (approved is null) and (decided_at is null) = (reason is null))
);
create unique index certification_applications_pending on certification_applications (user_id) where decided_at is null;
create index certification_applications_queue on certification_applications (applied_at, id) where decided_at is null;
create index certification_applications_user on certification_applications (user_id, applied_at desc);
