-- The account holder from whom the fiat payment of an order must come, fixed when the order is placed.
alter table orders add column payer_name text check (char_length(payer_name) between 1 and 100);
alter table orders add constraint orders_payer_of_fiat check (payment = 'METHOD' or payer_name is null);

-- Orders of earlier releases that are still open show the account holder of the buyer's first method of the kind, as before.
update orders o set payer_name = (
    select m.fields ->> 'name' from payment_methods m join assets q on q.id = o.quote_asset
    where m.user_id = case o.side when 'SELL' then o.taker else o.advertiser end and m.type = o.method_kind and m.currency = q.code
          and m.deleted_at is null
    order by m.id limit 1)
where o.is_open and o.payment = 'METHOD';

create function orders_keep_payer() returns trigger language plpgsql as $$
begin
    raise exception 'the payer of an order is fixed' using errcode = 'integrity_constraint_violation', constraint = 'orders_payer_fixed';
end $$;
create trigger orders_payer_fixed before update of payer_name on orders
    for each row when (old.payer_name is distinct from new.payer_name) execute function orders_keep_payer();

-- When an officer decided an appeal, for the published figures. Null while nothing is decided, and for appeals that were
-- decided before this release, unless they were rejected.
alter table appeals add column decided_at timestamptz;
update appeals set decided_at = (appeal -> 'status' ->> 'at')::timestamptz where status = 'REJECTED';
create index appeals_by_time on appeals (filed_at);
