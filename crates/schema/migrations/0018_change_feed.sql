-- What has changed, for processes that keep data in memory. Triggers write the rows, so that no statement can forget to. A
-- row says only what must be read again: several changes by one transaction are one row.
create type change_kind as enum (
    'advert',   -- an advert
    'profile',   -- what others see of a user
    'user',     -- what a user sees of their own account, money, adverts and orders
    'session',  -- a session of the user was ended, or the user may no longer log in
    'trade',    -- an order that was completed, or whose completion was revoked
    'platform'  -- what every user sees, such as a payout stop; the ID is nil
);
create table changes (
    xact xid8 not null default pg_current_xact_id(),
    kind change_kind not null,
    id   uuid not null,
    primary key (xact, kind, id)
);

-- How far old changes have been deleted. A reader that has not read so far has missed changes.
create table changes_deleted (
    single boolean primary key default true check (single),
    -- The changes of all transactions before this one are deleted.
    before xid8 not null,
    -- The next value of `before`, and when it was noted, by the machine's clock.
    noted  xid8 not null,
    at     timestamptz
);
insert into changes_deleted (before, noted) values ('0', '0');

-- Adverts and orders. The triggers that keep the sums of orders (`count_ended_order`, `trades_updated`) record the kinds `profile`
-- and `trade`.

create function advert_changed() returns trigger language plpgsql as $$
begin
    insert into changes (kind, id)
    select 'advert'::change_kind, id from written union all select 'user', owner from written
    on conflict do nothing;
    return null;
end $$;
create trigger advert_inserted after insert on adverts
    referencing new table as written for each statement execute function advert_changed();
create trigger advert_updated after update on adverts
    referencing new table as written for each statement execute function advert_changed();

create function order_changed() returns trigger language plpgsql as $$
begin
    insert into changes (kind, id)
    select 'user'::change_kind, advertiser from written union all select 'user', taker from written
    on conflict do nothing;
    return null;
end $$;
create trigger order_inserted after insert on orders
    referencing new table as written for each statement execute function order_changed();
create trigger order_updated after update on orders
    referencing new table as written for each statement execute function order_changed();

-- Tables with the user's ID in `user_id`.

create function own_data_changed() returns trigger language plpgsql as $$
begin
    insert into changes (kind, id) select 'user', user_id from written on conflict do nothing;
    return null;
end $$;
create function public_data_changed() returns trigger language plpgsql as $$
begin
    insert into changes (kind, id)
    select 'user'::change_kind, user_id from written union all select 'profile', user_id from written
    on conflict do nothing;
    return null;
end $$;
create trigger funding_request_inserted after insert on funding_requests
    referencing new table as written for each statement execute function own_data_changed();
create trigger funding_request_updated after update on funding_requests
    referencing new table as written for each statement execute function own_data_changed();
-- The order of the party shows the request.
create trigger evidence_request_inserted after insert on evidence_requests
    referencing new table as written for each statement execute function own_data_changed();
create trigger evidence_request_updated after update on evidence_requests
    referencing new table as written for each statement execute function own_data_changed();
create trigger reputation_changed after insert on reputation_changes
    referencing new table as written for each statement execute function public_data_changed();
create trigger payment_method_inserted after insert on payment_methods
    referencing new table as written for each statement execute function public_data_changed();
create trigger payment_method_updated after update on payment_methods
    referencing new table as written for each statement execute function public_data_changed();

-- Users and their accounts.

-- A trigger for each row, because it can ignore the column `last_event`, which every order transition counts up.
create function user_changed() returns trigger language plpgsql as $$
begin
    insert into changes (kind, id) values ('user', new.id), ('profile', new.id) on conflict do nothing;
    return null;
end $$;
create trigger user_updated after update of
    bound_address, region, kyc_level, nickname, receiving_address, receiving_chain_type, automatic_reply, online, reputation, certified,
    verified, login_forbidden, withdrawal_forbidden, buy_forbidden, sell_forbidden, held_until on users
    for each row when (old is distinct from new) execute function user_changed();

create function account_changed() returns trigger language plpgsql as $$
begin
    insert into changes (kind, id) values ('user', new.user_id), ('profile', new.user_id) on conflict do nothing;
    return null;
end $$;
create trigger account_updated after update of
    email, me_id, password_hash, security_hash, nickname_changed_at, remark, nickname_pending_since, nickname_refusal,
    nickname_is_neutral, nickname_proposed on accounts
    for each row when (old is distinct from new) execute function account_changed();

create function block_changed() returns trigger language plpgsql as $$
begin
    insert into changes (kind, id)
    select 'profile'::change_kind, blocker from written union all select 'profile', blocked from written
    on conflict do nothing;
    return null;
end $$;
create trigger block_inserted after insert on blocks_between
    referencing new table as written for each statement execute function block_changed();
create trigger block_deleted after delete on blocks_between
    referencing old table as written for each statement execute function block_changed();

create function session_ended() returns trigger language plpgsql as $$
begin
    insert into changes (kind, id) values ('session', new.user_id) on conflict do nothing;
    return null;
end $$;
create trigger session_ended after update of ended_at, expires_at on sessions
    for each row when (old is distinct from new) execute function session_ended();
create function login_forbidden() returns trigger language plpgsql as $$
begin
    insert into changes (kind, id) values ('session', new.id) on conflict do nothing;
    return null;
end $$;
create trigger login_forbidden after update of login_forbidden on users
    for each row when (new.login_forbidden) execute function login_forbidden();

-- Coins. `ledger_apply` records the owners of the vaults of a posting.

-- Transfers into a vault, from the first block that shows them.
create function transfer_changed() returns trigger language plpgsql as $$
begin
    insert into changes (kind, id) select 'user', vault from written on conflict do nothing;
    return null;
end $$;
create trigger transfer_inserted after insert on transfers
    referencing new table as written for each statement execute function transfer_changed();
create trigger transfer_updated after update on transfers
    referencing new table as written for each statement execute function transfer_changed();
create trigger transfer_deleted after delete on transfers
    referencing old table as written for each statement execute function transfer_changed();

-- Both parties see the payouts of an order. The transaction that decides a payout also changes its order, advert or balance.
create function payout_leg_changed() returns trigger language plpgsql as $$
begin
    insert into changes (kind, id)
    select 'user', u.id
    from written w join payouts p on p.id = w.payout_id left join orders o on o.id = p.subject
         cross join lateral (values (w.vault), (o.advertiser), (o.taker)) u (id)
    where u.id is not null
    on conflict do nothing;
    return null;
end $$;
create trigger payout_leg_updated after update on payout_legs
    referencing new table as written for each statement execute function payout_leg_changed();
create function settlement_changed() returns trigger language plpgsql as $$
begin
    insert into changes (kind, id)
    select 'user', u.id
    from written w join payout_legs l on l.reference = w.reference join payouts p on p.id = l.payout_id
         left join orders o on o.id = p.subject
         cross join lateral (values (l.vault), (o.advertiser), (o.taker)) u (id)
    where u.id is not null
    on conflict do nothing;
    return null;
end $$;
create trigger settlement_inserted after insert on settlements
    referencing new table as written for each statement execute function settlement_changed();
create trigger settlement_deleted after delete on settlements
    referencing old table as written for each statement execute function settlement_changed();

create function platform_changed() returns trigger language plpgsql as $$
begin
    insert into changes (kind, id) values ('platform', '00000000-0000-0000-0000-000000000000') on conflict do nothing;
    return null;
end $$;
create trigger payout_stop_changed after insert or update or delete on payout_stops
    for each statement execute function platform_changed();

-- What the parties of an order see of its payment, files and conversation.

-- Direct payments that the chain shows.
create function payment_changed() returns trigger language plpgsql as $$
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

-- The parties of other orders see that a payment was reported again.
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

-- The result of the comparison of pictures.
create function picture_compared() returns trigger language plpgsql as $$
begin
    insert into changes (kind, id)
    select 'user', p.id
    from written w join before b on b.id = w.id join orders o on o.id = w.order_id
         cross join lateral (values (o.advertiser), (o.taker)) p (id)
    where w.used_before and not b.used_before
    on conflict do nothing;
    return null;
end $$;
create trigger file_compared after update on files
    referencing old table as before new table as written for each statement execute function picture_compared();

-- The list of open orders shows the unread messages and whether the order has news.
create function conversation_changed() returns trigger language plpgsql as $$
begin
    insert into changes (kind, id) values ('user', new.user_id) on conflict do nothing;
    return null;
end $$;
create trigger conversation_inserted after insert on conversations
    for each row execute function conversation_changed();
create trigger conversation_updated after update on conversations
    for each row when (old.unread <> new.unread or old.seen_to <> new.seen_to) execute function conversation_changed();
