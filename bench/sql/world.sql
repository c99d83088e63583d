-- Fills a new database with users who may trade, and with adverts whose coins are in escrow. `bench_world` holds the sizes;
-- `bench_vaults` holds the vault addresses of sellers, in which the chain holds the same coins.
--
-- IDs contain the number of a row, so that the load generator knows them: users 0…, adverts 1…, payment methods 2…, sessions
-- 3…. The token of user N is bench-token-N. The rows are exactly those that the product would write, except that a seller's
-- deposit has no block.

create function bench_id(kind int, n bigint) returns uuid language sql immutable as
    $$ select (lpad(to_hex(kind), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid $$;

-- The triggers compute balances entry by entry; here they are computed at once, and the audit checks them.
set session_replication_role = replica;

insert into users (id, created_at, custody_index, vault_address, bound_address, region, kyc_level, nickname, nickname_skeleton,
                   receiving_address, receiving_chain_type, online, certified)
select bench_id(0, n), w.at, n, coalesce(v.address, decode('aa' || lpad(to_hex(n), 38, '0'), 'hex')),
       decode('bb' || lpad(to_hex(n), 38, '0'), 'hex'),
       -- One seller in eight lives elsewhere, so that filters by region have something to leave out.
       case when n <= w.sellers and n % 8 = 0 then 'VN' else 'KR' end, 'advanced', 'Trader' || n, 'trader' || n,
       '0xcc' || lpad(to_hex(n), 38, '0'), 'ERC20', true, n % 2 = 0
from bench_world w, generate_series(1, w.users) n left join bench_vaults v on v.seller = n;
select setval('custody_indexes', (select users from bench_world));

insert into accounts (user_id, email, me_id, password_hash, security_hash, terms_accepted_at)
select bench_id(0, n), 'trader' || n || '@bench.test', 'me-' || n, w.security_hash, w.security_hash, w.at
from bench_world w, generate_series(1, w.users) n;

insert into sessions (id, user_id, token_hash, salt, opened_by, request_hash, opened_at, expires_at, agent, address)
select bench_id(3, n), bench_id(0, n), sha256(convert_to('bench-token-' || n, 'UTF8')), sha256('\x00'),
       sha256(convert_to('bench-session-' || n, 'UTF8')), sha256('\x00'), w.at, w.at + interval '7 days', 'bench', '127.0.0.1'
from bench_world w, generate_series(1, w.users) n;

-- Everybody has a bank card; one in four has also another method.
insert into payment_methods (id, user_id, type, currency, fields, digest, created_at, updated_at)
select bench_id(2, n), bench_id(0, n), 'bankCard', 'KRW',
       jsonb_build_object('name', 'Trader ' || n, 'account', lpad(n::text, 12, '0'), 'bankName', 'Bench Bank'),
       sha256(convert_to('card' || n, 'UTF8')), w.at, w.at
from bench_world w, generate_series(1, w.users) n;
insert into payment_methods (id, user_id, type, currency, fields, digest, created_at, updated_at)
select bench_id(12, n), bench_id(0, n), 'kakaoPay', 'KRW',
       jsonb_build_object('name', 'Trader ' || n, 'account', lpad(n::text, 12, '0')),
       sha256(convert_to('kakao' || n, 'UTF8')), w.at, w.at
from bench_world w, generate_series(4, w.users, 4) n;

-- Sell adverts for MEC at 1000 KRW, or a few won more, so that the hall has something to sort.
insert into adverts (id, version, owner, side, automatic, pair_id, base_asset, base_decimals, base_return_gas, quote_asset,
                     quote_decimals, quote_return_gas, price, quantity, total, min_total, max_total, bound_address,
                     acceptance_seconds, advert_deposit_seconds, order_deposit_seconds, payment_seconds, confirmation_seconds,
                     grace_seconds, created_at, state_data, remaining, escrow, running, funding_rounds, confirmed_at)
select bench_id(1, a), 2, bench_id(0, (a - 1) % w.sellers + 1), 'SELL', false, p.id, b.id, b.decimals, b.return_gas, q.id,
       q.decimals, q.return_gas, 100000000::numeric * (1000 + (a * 7919) % 50), w.quantity,
       w.quantity / 1000000000000000000 * (1000 + (a * 7919) % 50), 1000 * (1 + a % 10), 900000000, u.bound_address,
       p.acceptance_seconds, p.advert_deposit_seconds, p.order_deposit_seconds, p.payment_seconds, p.confirmation_seconds,
       p.grace_seconds, w.at, '{"v": 1, "state": "ONLINE"}', w.quantity, w.quantity, 0, 1, w.at
from bench_world w, generate_series(1, w.adverts) a
     join assets b on b.code = 'MEC' join assets q on q.code = 'KRW' join pairs p on p.base_asset = b.id and p.quote_asset = q.id
     join users u on u.custody_index = (a - 1) % (select sellers from bench_world) + 1;
insert into advert_methods (advert_id, method_id, kind)
select a.id, m.id, m.type from adverts a join payment_methods m on m.user_id = a.owner;

-- Each seller's coins: one deposit, all of which is in the escrow of the adverts.
insert into ledger_accounts (kind, owner, vault, asset_id, balance)
select k.kind, a.owner, a.owner, a.base_asset, case k.kind when 'custody' then sum(a.escrow) else 0 end
from adverts a cross join (values ('custody'), ('temporary')) k (kind) group by k.kind, a.owner, a.base_asset;
insert into ledger_accounts (kind, owner, vault, asset_id, balance)
select 'advert_escrow', a.id, a.owner, a.base_asset, a.escrow from adverts a;
insert into deposits (id, chain_id, block_number, block_hash, vault, asset_id, amount, confirmed_at, seen_at)
select a.owner, c.chain_id, 0, sha256('\x00'), a.owner, a.base_asset, sum(a.escrow), min(a.created_at), min(a.created_at)
from adverts a, chains c group by c.chain_id, a.owner, a.base_asset;
insert into ledger_postings (id, template, key, at)
select d.id, 'deposit_confirmed', 'deposit/' || d.id || '/confirmed', d.confirmed_at from deposits d;
insert into ledger_entries (posting_id, line, account_id, debit, amount)
select d.id, k.line, l.id, k.debit, d.amount
from deposits d cross join (values ('custody', 1, true), ('temporary', 2, false)) k (kind, line, debit)
     join ledger_accounts l on l.kind = k.kind and l.owner = d.vault and l.vault = d.vault and l.asset_id = d.asset_id;
insert into ledger_postings (id, template, key, at) select a.id, 'fund', 'advert/' || a.id || '/fund/1', a.created_at from adverts a;
insert into ledger_entries (posting_id, line, account_id, debit, amount)
select a.id, 1, l.id, true, a.escrow
from adverts a join ledger_accounts l on l.kind = 'temporary' and l.owner = a.owner and l.vault = a.owner and l.asset_id = a.base_asset
union all
select a.id, 2, l.id, false, a.escrow
from adverts a join ledger_accounts l on l.kind = 'advert_escrow' and l.owner = a.id and l.vault = a.owner and l.asset_id = a.base_asset;

-- Nonces for encrypted passwords, known beforehand: their requests are no part of the measured commands.
insert into secret_nonces (nonce_hash, expires_at)
select sha256(convert_to('bench-nonce-' || n, 'UTF8')), w.at + interval '7 days' from bench_world w, generate_series(0, w.nonces) n;

set session_replication_role = origin;
