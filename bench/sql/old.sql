-- Gives the load's first seller the history of `history.sql`: the adverts of the seller now belong to the advertiser with the
-- most orders, with their coins and postings, and the seller's session is the advertiser's.
set session_replication_role = replica;

create table bench_heir as
select (select advertiser from orders group by advertiser order by count(*) desc limit 1) as heir, bench_id(0, 1) as seller;

update sessions s set user_id = h.heir from bench_heir h where s.user_id = h.seller;
update accounts a set security_hash = w.security_hash from bench_heir h, bench_world w where a.user_id = h.heir;
update users u set online = true, region = 'KR', kyc_level = 'advanced' from bench_heir h where u.id = h.heir;
update payment_methods m set user_id = h.heir, digest = sha256(m.digest) from bench_heir h where m.user_id = h.seller;
update adverts a set owner = h.heir, bound_address = u.bound_address
from bench_heir h, users u where a.owner = h.seller and u.id = h.heir;
update deposits d set vault = h.heir from bench_heir h where d.vault = h.seller;
update ledger_accounts l set vault = h.heir from bench_heir h where l.vault = h.seller and l.kind = 'advert_escrow';

-- Both have accounts for custody and temporary balance: the entries move, then the balances.
create table bench_moved as
select o.id as old, n.id as new, o.balance
from bench_heir h join ledger_accounts o on o.vault = h.seller and o.owner = h.seller
     join ledger_accounts n on n.kind = o.kind and n.owner = h.heir and n.vault = h.heir and n.asset_id = o.asset_id;
update ledger_entries e set account_id = m.new from bench_moved m where e.account_id = m.old;
update ledger_accounts l set balance = l.balance + m.balance from bench_moved m where l.id = m.new;
delete from ledger_accounts l using bench_moved m where l.id = m.old;

set session_replication_role = origin;
