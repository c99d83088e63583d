-- Fills a migrated database with the history of a large platform: users, finished orders of one advertiser, open
-- adverts, and everything that they leave behind. The ledger balances, and the product can read every row.
--
-- Needs the catalog (`mec2c migrate`), superuser rights, and a database without users or blocks of its own, or one whose
-- chain has been read: then the history uses the stored blocks. Parameters, with their defaults below:
--   history.users    the number of users
--   history.orders   the number of finished orders of the first user, over the last year
--   history.takers   the number of users who placed them, at most half of the users
--   history.adverts  the number of open adverts, one per user
--   history.at       the end of the history, in RFC 3339

create schema history;

create function history.parameter(name text, usual text) returns text language sql stable
    return coalesce(nullif(current_setting('history.' || name, true), ''), usual);
create function history.at() returns timestamptz language sql stable
    return history.parameter('at', '2026-01-01T12:00:00Z')::timestamptz;
create function history.many(name text) returns int language sql stable
    return history.parameter(name, case name when 'users' then '1000000' when 'orders' then '100000'
                                             when 'takers' then '3000' when 'adverts' then '30000' end)::int;

-- A UUID of version 7: sorted by time, unique within a kind of row.
create function history.id(kind int, n bigint, at timestamptz) returns uuid language sql immutable
    return (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(kind), 3, '0')
            || '8' || lpad(to_hex(n), 15, '0'))::uuid;
create function history.bytes(kind int, n bigint, length int) returns bytea language sql immutable
    return decode(lpad(to_hex(kind), 2, '0') || lpad(to_hex(n), length * 2 - 2, '0'), 'hex');

-- Foreign keys and the triggers of the ledger are not needed here, and cost more than everything else.
set session_replication_role = replica;
set synchronous_commit = off;
set work_mem = '256MB';

create table history.pair as
    select p.id as pair_id, p.base_asset, b.decimals as base_decimals, b.return_gas as base_return_gas, b.chain_id,
           p.quote_asset, q.decimals as quote_decimals, q.return_gas as quote_return_gas
    from pairs p join assets b on b.id = p.base_asset join assets q on q.id = p.quote_asset
    where b.kind = 'native' order by q.kind = 'fiat', p.id limit 1;

create table history.users as
    select n, history.id(1, n, history.at() - interval '400 days' + n * interval '1 second') as id,
           (select coalesce(max(custody_index), 0) from users) + n as custody_index,
           history.at() - interval '400 days' + n * interval '1 second' as at
    from generate_series(1, history.many('users')) n;

-- The numbers of users in tables that follow refer to this primary key.
alter table history.users add primary key (n);
analyze history.users;

insert into users (id, created_at, custody_index, vault_address, bound_address, region, kyc_level, nickname,
                   receiving_address, receiving_chain_type, online, reputation, certified, last_event, nickname_skeleton)
select id, at, custody_index, history.bytes(161, n, 20), history.bytes(177, n, 20), 'KR', 'advanced', 'History' || n,
       '0x' || encode(history.bytes(193, n, 20), 'hex'), 'ERC20', n % 3 = 0 or n <= history.many('adverts'),
       case when n % 1000 = 0 then 97 else 100 end, n % 10 = 0, 1, 'history' || n
from history.users;

insert into accounts (user_id, email, me_id, password_hash, security_hash, terms_accepted_at)
select id, 'history' || n || '@demo.test', 'history-' || n, '-', '-', at from history.users;

insert into payment_methods (id, user_id, type, currency, fields, digest, created_at, updated_at)
select history.id(2, n, at), id, 'bankCard', 'KRW', '{"name": "H", "account": "1", "bankName": "H"}',
       history.bytes(2, n, 32), at, at
from history.users;

-- Each user has a picture on an order, and one of a hundred has one that is not attached.
insert into files (id, owner, object, media_type, bytes, width, height, look, grid, sha256, created_at, loose_since, purpose,
                   order_id, attached_at)
select history.id(40, n, at), id, history.id(41, n, at), 'image/jpeg', 100000, 1080, 2400, hashtextextended(n::text, 0),
       history.bytes(40, n, 1024), history.bytes(41, n, 32), at,
       case when n % 100 = 0 then history.at() end, case when n % 100 > 0 then 'receipt'::file_purpose end,
       case when n % 100 > 0 then history.id(42, n, at) end, case when n % 100 > 0 then at end
from history.users;
insert into picture_bands (place, band, file, look, is_proof)
select place, (look >> (16 * (3 - place))) & 65535, id, look, purpose = 'receipt' from files, generate_series(0, 3) place where order_id is not null;
insert into loose_objects (object, since)
select history.id(43, n, at), history.at() from history.users where n % 100 = 0;

insert into login_networks (user_id, network, first_at, last_at)
select id, '10.' || n % 250 || '.' || n / 250 % 250 || '.1', at, history.at() - n % 365 * interval '1 day'
from history.users;

insert into sessions (id, user_id, token_hash, salt, opened_by, request_hash, opened_at, expires_at, ended_at)
select history.id(3, n, at), id, history.bytes(3, n, 32), history.bytes(4, n, 32), history.bytes(5, n, 32),
       history.bytes(6, n, 32), history.at() - interval '1 day', history.at() + n % 30 * interval '1 day' + interval '1 hour',
       case when n % 4 = 0 then history.at() - interval '1 hour' end
from history.users where n % 5 = 0;

insert into guesses (subject, place, wrong, forgotten_at)
select history.bytes(7, n, 32), history.bytes(8, n, 32), 1, history.at() + n % 86400 * interval '1 second'
from history.users where n % 20 = 0;

insert into outbox_events (user_id, number, kind, body, at, xact)
select id, 1, 'advert', jsonb_build_object('advertId', history.id(10, n, at), 'state', 'ONLINE', 'version', 1), at, '1'::xid8
from history.users;

-- Blocks, unless the chain has been read already.
insert into blocks (chain_id, number, hash, parent, at)
select p.chain_id, n, history.bytes(9, n, 32), history.bytes(9, n - 1, 32),
       history.at() - (history.many('orders') / 4 - n) * interval '12 seconds'
from history.pair p, generate_series(0, greatest(history.many('orders') / 4, 100)) n
where not exists (select from blocks);
update chains c set head_number = b.head, confirmed_number = greatest(b.head - c.confirmations + 1, 0)
from (select chain_id, max(number) as head from blocks group by chain_id) b
where b.chain_id = c.chain_id and c.head_number is null;
create table history.blocks as
    select row_number() over (order by number) - 1 as n, b.chain_id, b.number, b.hash
    from blocks b join history.pair p using (chain_id)
    where number <= (select confirmed_number from chains c where c.chain_id = b.chain_id);
alter table history.blocks add primary key (n);
create table history.known as select count(*) as blocks from history.blocks;
analyze history.blocks;

-- Each of the first user's ended adverts sold 1,000 MEC in 100 orders of 10 MEC.
create table history.ended_adverts as
    select n, history.id(11, n, at) as id, at, history.id(13, n, at) as deposit
    from (select n, history.at() - interval '365 days' * (1 - (n - 1)::float8 / greatest(history.many('orders') / 100, 1)) as at
          from generate_series(1, greatest(history.many('orders') / 100, 1)) n) a;
alter table history.ended_adverts add primary key (n);
-- 18 of 20 were completed, one was cancelled and one was rejected.
create table history.orders as
    select o.n, history.id(12, o.n, o.at) as id, history.id(14, o.n, o.at) as payout, o.at, a.id as advert,
           t.id as taker, t.n as taker_n, case o.n % 20 when 0 then 'CANCELLED' when 1 then 'REJECTED' else 'COMPLETED' end as state
    from (select n, history.at() - interval '1 hour'
                    - interval '364 days' * (1 - n::float8 / history.many('orders')) as at
          from generate_series(1, history.many('orders')) n) o
         join history.ended_adverts a on a.n = least((o.n - 1) / 100 + 1, greatest(history.many('orders') / 100, 1))
         join history.users t on t.n = history.many('users') - o.n % history.many('takers');
-- Each open advert sells 100 MEC; every tenth has an open order of 10 MEC.
create table history.open_adverts as
    select n, id as owner, history.id(15, n, history.at() - interval '1 day') as id,
           history.at() - interval '1 day' as at, n % 10 = 0 as ordered,
           history.id(16, n, history.at() - interval '10 minutes') as order_id
    from history.users where n between 2 and history.many('adverts') + 1;
-- Every twentieth user has a temporary balance of 5 MEC.
create table history.deposits as
    select 1 as n, 1::bigint as user_n, u.id as vault, a.deposit as id, 1000 * 10::numeric ^ 18 as amount, a.at
    from history.ended_adverts a, history.users u where u.n = 1
    union all
    select 2, n, owner, history.id(17, n, at), case when ordered then 110 else 100 end * 10::numeric ^ 18, at
    from history.open_adverts
    union all
    select 3, n, id, history.id(18, n, at), 5 * 10::numeric ^ 18, at from history.users where n % 20 = 0;
create index on history.orders (advert);
analyze history.ended_adverts, history.orders, history.open_adverts, history.deposits;

insert into adverts (id, version, owner, side, automatic, pair_id, base_asset, base_decimals, base_return_gas, quote_asset,
                     quote_decimals, quote_return_gas, price, quantity, total, min_total, max_total, receiving_address,
                     receiving_chain_type, bound_address, acceptance_seconds, advert_deposit_seconds, order_deposit_seconds,
                     payment_seconds, confirmation_seconds, grace_seconds, created_at, state_data, remaining, escrow, running,
                     funding_rounds, confirmed_at)
select a.id, 3, a.owner, 'SELL', false, p.pair_id, p.base_asset, p.base_decimals, p.base_return_gas, p.quote_asset,
       p.quote_decimals, p.quote_return_gas, a.price, a.quantity * unit, a.quantity * 5 / 2 * quote_unit, quote_unit,
       a.quantity * 5 / 2 * quote_unit, '0x' || encode(history.bytes(193, a.owner_n, 20), 'hex'), 'ERC20',
       history.bytes(177, a.owner_n, 20), 300, 1800, 840, 960, 900, 600, a.at, a.state, a.remaining * unit, a.remaining * unit,
       a.running, 1, a.at
from history.pair p, lateral (select 10::numeric ^ p.base_decimals as unit, 10::numeric ^ p.quote_decimals as quote_unit) one,
     lateral (
         select a.id, u.id as owner, u.n as owner_n, 250000000::numeric as price, 1000 as quantity, 0 as remaining, 0 as running, a.at,
                jsonb_build_object('v', 1, 'state', 'DELETED', 'at', a.at, 'reason', 'SOLD_OUT', 'payout', null) as state
         from history.ended_adverts a, history.users u where u.n = 1
         union all
         select id, owner, n, 250000000 + n % 2000 * 10000, 110, 100, ordered::int, at, '{"v": 1, "state": "ONLINE"}' from history.open_adverts
     ) a;
insert into advert_methods (advert_id, method_id, kind)
select a.id, history.id(2, u.n, u.at), 'bankCard' from history.open_adverts a join history.users u on u.n = a.n;

insert into orders (id, version, advert_id, pair_id, base_asset, base_decimals, base_return_gas, quote_asset, quote_decimals,
                    quote_return_gas, side, advertiser, taker, quantity, price, total, fee, payment, pay_to, pay_chain_type,
                    buyer_bound, seller_bound, acceptance_seconds, advert_deposit_seconds, order_deposit_seconds, payment_seconds,
                    confirmation_seconds, grace_seconds, created_at, state_data, progress, ended_at, settled_at, due_at)
select o.id, 5, o.advert, p.pair_id, p.base_asset, p.base_decimals, p.base_return_gas, p.quote_asset, p.quote_decimals,
       p.quote_return_gas, 'SELL', o.advertiser, o.taker, 10 * unit, o.price, 25 * quote_unit, unit / 100, 'TRANSFER',
       '0x' || encode(history.bytes(193, o.advertiser_n, 20), 'hex'), 'ERC20', history.bytes(177, o.taker_n, 20),
       history.bytes(177, o.advertiser_n, 20), 300, 1800, 840, 960, 900, 600, o.at, o.state,
       jsonb_build_object('v', 1, 'accepted_at', o.at + interval '1 minute', 'deposited_at', null, 'paid',
           case when o.settled then jsonb_build_object('method', null, 'reference', null, 'hash', null, 'receipts', jsonb_build_array(),
                                                       'at', o.at + interval '5 minutes') end,
           'payment_funded_at', null, 'received_at', case when o.settled then o.at + interval '9 minutes' end,
           'settled_at', case when o.settled then o.at + interval '12 minutes' end, 'ended_at', o.ended_at, 'funding_rounds', 0),
       o.ended_at, case when o.settled then o.at + interval '12 minutes' end, o.due_at
from history.pair p, lateral (select 10::numeric ^ p.base_decimals as unit, 10::numeric ^ p.quote_decimals as quote_unit) one,
     lateral (
         select o.id, o.advert, u.id as advertiser, u.n as advertiser_n, o.taker, o.taker_n, 250000000 + o.n % 100 * 10000 as price, o.at,
                o.at + interval '12 minutes' as ended_at, null::timestamptz as due_at, o.state = 'COMPLETED' as settled,
                jsonb_build_object('v', 1, 'state', o.state) || case o.state
                    when 'COMPLETED' then jsonb_build_object('payout', o.payout)
                    when 'REJECTED' then jsonb_build_object('at', o.at + interval '12 minutes')
                    else jsonb_build_object('payout', null, 'cancelled', jsonb_build_object('at', o.at + interval '12 minutes',
                                            'by', null, 'reason', 'PAYMENT_OVERDUE')) end as state
         from history.orders o, history.users u where u.n = 1
         union all
         select a.order_id, a.id, a.owner, a.n, t.id, t.n, 250000000 + a.n % 2000 * 10000, history.at() - interval '10 minutes', null,
                history.at() + interval '1 day', false,
                jsonb_build_object('v', 1, 'state', 'AWAITING_PAYMENT', 'cancel_asked_at', null, 'deadline',
                    jsonb_build_object('since', history.at(), 'at', history.at() + interval '1 day', 'notified_at', null))
         from history.open_adverts a join history.users t on t.n = history.many('users') - a.n
         where a.ordered
     ) o;
insert into user_days (user_id, day, base_asset, ended, completed, quantity, confirmations, confirming_micros)
select user_id, (ended_at at time zone 'UTC')::date, base_asset, count(*), count(*) filter (where state = 'COMPLETED'),
       coalesce(sum(quantity) filter (where state = 'COMPLETED'), 0), count(*) filter (where confirmed),
       count(*) filter (where confirmed) * 4 * 60 * 1000000
from (select advertiser as user_id, ended_at, base_asset, state, quantity, state = 'COMPLETED' as confirmed from orders
      union all select taker, ended_at, base_asset, state, quantity, false from orders) o
where ended_at is not null group by 1, 2, 3;
insert into advert_totals (advert_id, completed, quantity, total)
select advert_id, count(*), sum(quantity), sum(total) from orders where state = 'COMPLETED' group by advert_id;
select count_trades(array(select row (o.id, o.pair_id, o.settled_at, o.price, o.quantity, o.total)::trade
                          from orders o join history.orders using (id) where o.state = 'COMPLETED'));

-- The log of each finished order: two transitions, and a message by the buyer that the seller has not read.
insert into order_log (order_id, number, author, data, at, hash)
select o.id, e.number, e.author, e.data, o.at + e.number * interval '1 minute', history.bytes(19, o.n * 4 + e.number, 32)
from history.orders o, (values
    (1, 'BUYER', '{"kind": "SYSTEM", "notice": "NEW_ORDER", "state": "AWAITING_ACCEPTANCE", "version": 1}'::jsonb),
    (2, 'BUYER', '{"kind": "MESSAGE", "text": "Hello", "files": [], "warnings": []}'),
    (3, null, '{"kind": "SYSTEM", "notice": "ORDER_COMPLETED", "state": "COMPLETED", "version": 5}')) e (number, author, data);
insert into order_log_heads (order_id, number, hash, at)
select id, 3, history.bytes(19, n * 4 + 3, 32), at + 3 * interval '1 minute' from history.orders;
insert into conversations (user_id, order_id, delivered_to, read_to, seen_to, unread, talked_at)
select p.id, o.id, 3, case when p.reads then 3 else 1 end, 3, case when p.reads then 0 else 1 end, o.at + interval '2 minutes'
from history.orders o join history.users u on u.n = 1
     cross join lateral (values (u.id, o.n % 100 <> 0), (o.taker, true)) p (id, reads);

insert into reputation_changes (user_id, change, reputation, cause, order_id, at)
select taker, -3, 97, 'payment_overdue', id, at from history.orders where state = 'CANCELLED';

-- What the chain says about the deposits and the releases.
insert into transfers (id, chain_id, block_number, block_hash, tx_hash, position, asset_id, sender, recipient, vault, incoming,
                       amount, seen_at, confirmed_at)
select d.id, b.chain_id, b.number, b.hash, history.bytes(10 + d.n, d.row, 32), d.row, p.base_asset, history.bytes(177, d.user_n, 20),
       history.bytes(161, d.user_n, 20), d.vault, true, d.amount, d.at, d.at
from (select *, row_number() over (order by at, id) as row from history.deposits) d
     cross join history.known join history.blocks b on b.n = d.row % history.known.blocks, history.pair p;
insert into deposits (id, chain_id, block_number, block_hash, tx_hash, position, sender, vault, asset_id, amount, confirmed_at, seen_at)
select id, chain_id, block_number, block_hash, tx_hash, position, sender, vault, asset_id, amount, confirmed_at, seen_at from transfers
where id in (select id from history.deposits);
insert into payouts (id, chain_id, purpose, subject, created_at)
select o.payout, p.chain_id, 'release', o.id, o.at + interval '9 minutes' from history.orders o, history.pair p where o.state = 'COMPLETED';
create table history.legs as
    select (select coalesce(max(reference), 0) from payout_legs) + row_number() over (order by o.n) as reference, o.n, o.payout, o.taker_n, o.at
    from history.orders o where o.state = 'COMPLETED';
analyze history.legs, history.known;
insert into payout_legs (reference, payout_id, vault, custody_index, asset_id, recipient, amount, source_kind, source_owner, state, rounds,
                         created_at, kind, counterparty)
select l.reference, l.payout, u.id, u.custody_index, p.base_asset, history.bytes(177, l.taker_n, 20),
       (10 - 0.01) * 10::numeric ^ p.base_decimals, 'order_escrow', o.id, 'paid', 1, o.at + interval '9 minutes', 'RELEASE', o.taker
from history.legs l join history.orders o on o.n = l.n, history.users u, history.pair p where u.n = 1;
insert into payout_attempts (chain_id, nonce, first_reference, last_reference, call, raw, tx_hash, max_fee, priority_fee, signed_at, done_at)
select p.chain_id, 1000000000 + l.n, l.reference, l.reference, '\x00', '\x00', history.bytes(20, l.reference, 32), 1, 1, l.at, l.at
from history.legs l, history.pair p;
insert into settlements (chain_id, block_number, block_hash, tx_hash, reference, outcome, confirmed_at)
select b.chain_id, b.number, b.hash, history.bytes(20, l.reference, 32), l.reference, 'paid', l.at
from history.legs l cross join history.known join history.blocks b on b.n = l.reference % history.known.blocks;

-- The ledger: each posting has its entries, and the balances of the accounts are their sums.
create table history.entries as
    with moves (posting, at, template, key, line, debit_kind, debit_owner, credit_kind, credit_owner, vault, units) as (
        select history.id(30, row_number() over (order by at, id), at), at, 'deposit_confirmed', 'deposit/' || id || '/confirmed', 0,
               'custody', vault, 'temporary', vault, vault, amount from history.deposits
        union all
        select history.id(31, n, at), at, 'fund', 'advert/' || id || '/fund/1', 0, 'temporary', u, 'advert_escrow', id, u, units
        from (select a.n, a.id, a.at, u.id as u, 1000 * 10::numeric ^ 18 as units from history.ended_adverts a, history.users u where u.n = 1
              union all select 1000000000 + n, id, at, owner, case when ordered then 110 else 100 end * 10::numeric ^ 18 from history.open_adverts) a
        union all
        select history.id(32, n, at), at, 'order_opened', 'order/' || o.id || '/opened', 0, 'advert_escrow', advert, 'order_escrow', o.id, vault, 10 * 10::numeric ^ 18
        from (select o.n, o.id, o.advert, o.at, u.id as vault from history.orders o, history.users u where u.n = 1
              union all select 1000000000 + n, order_id, id, history.at(), owner from history.open_adverts where ordered) o
        union all
        select history.id(33, o.n, o.at), o.at, 'order_undone', 'order/' || o.id || '/undone', 0, 'order_escrow', o.id, 'advert_escrow', advert, u.id, 10 * 10::numeric ^ 18
        from history.orders o, history.users u where u.n = 1 and o.state <> 'COMPLETED'
        union all
        -- What the ended orders gave back becomes temporary balance.
        select history.id(37, a.n, a.at), a.at, 'advert_remainder', 'advert/' || a.id || '/remainder', 0, 'advert_escrow', a.id, 'temporary', u.id, u.id,
               (1000 - 10 * (select count(*) from history.orders o where o.advert = a.id and o.state = 'COMPLETED')) * 10::numeric ^ 18
        from history.ended_adverts a, history.users u where u.n = 1
        union all
        select history.id(34, o.n, o.at), o.at, 'release', 'order/' || o.id || '/release', 0, 'order_escrow', o.id, 'in_flight', o.payout, u.id, (10 - 0.01) * 10::numeric ^ 18
        from history.orders o, history.users u where u.n = 1 and o.state = 'COMPLETED'
        union all
        select history.id(34, o.n, o.at), o.at, 'release', 'order/' || o.id || '/release', 2, 'order_escrow', o.id, 'fees', u.id, u.id, 0.01 * 10::numeric ^ 18
        from history.orders o, history.users u where u.n = 1 and o.state = 'COMPLETED'
        union all
        select history.id(35, l.n, l.at), l.at, 'payout_confirmed', 'payout/' || l.payout || '/' || l.reference || '/confirmed/1', 0,
               'in_flight', l.payout, 'custody', u.id, u.id, (10 - 0.01) * 10::numeric ^ 18
        from history.legs l, history.users u where u.n = 1
    )
    select posting, at, template, key, line + side as line, side = 0 as debit, case side when 0 then debit_kind else credit_kind end as kind,
           case side when 0 then debit_owner else credit_owner end as owner, vault, units
    from moves, generate_series(0, 1) side;
insert into ledger_postings (id, template, key, at) select distinct posting, template, key, at from history.entries;
insert into ledger_accounts (kind, owner, vault, asset_id, balance)
select kind, owner, vault, p.base_asset, sum(case when debit = (kind = 'custody') then units else -units end)
from history.entries, history.pair p group by kind, owner, vault, p.base_asset order by min(at);
analyze ledger_accounts, history.entries;
insert into ledger_entries (posting_id, line, account_id, debit, amount)
select e.posting, e.line, a.id, e.debit, e.units
from history.entries e join ledger_accounts a using (kind, owner, vault) order by e.at;
insert into funding_requests (id, user_id, asset_id, advert_id, required, funded, opened_at, state)
select history.id(36, n, at), owner, p.base_asset, id, 100, 100, at, 'fulfilled' from history.open_adverts, history.pair p;

insert into outbox_events (user_id, number, kind, body, at, xact)
select taker, 1 + row_number() over (partition by taker order by n), 'order', jsonb_build_object('orderId', id, 'state', state, 'version', 5), at, '1'::xid8
from history.orders;
insert into outbox_events (user_id, number, kind, body, at, xact)
select u.id, 1 + o.n, 'order', jsonb_build_object('orderId', o.id, 'state', o.state, 'version', 5), o.at, '1'::xid8
from history.orders o, history.users u where u.n = 1;
update users u set last_event = e.last from (select user_id, max(number) as last from outbox_events group by user_id) e
where e.user_id = u.id and e.last > 1;
-- Responses to commands are kept for a week.
insert into idempotency_keys (user_id, key, request_hash, response, at)
select taker, 'history-' || n, history.bytes(21, n, 32), jsonb_build_object('v', 1, 'id', id, 'version', 1), history.at() - n % 604800 * interval '1 second'
from history.orders;

select setval('custody_indexes', (select max(custody_index) from users));
select setval('payout_references', (select max(reference) from payout_legs));
drop schema history cascade;
set session_replication_role = origin;
analyze;
