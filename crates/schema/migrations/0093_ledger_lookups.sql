-- The check of the balance of postings could compare each entry with each account: for a range of 20,000 deposits it took more
-- than two minutes. `offset 0` keeps the planner from turning the lookups around, and without sequential scans, a plan that was
-- made while the ledger was small does not scan it later. The accounts are updated one by one, in the order of their IDs: sets
-- can wait for each other but never deadlock, and need no statement that locks the accounts first.
create or replace function ledger_apply() returns trigger language plpgsql set enable_seqscan = off as $$
declare
    moved record;
begin
    if exists (
        select from written w cross join lateral (select vault, asset_id from ledger_accounts where id = w.account_id offset 0) a
        group by w.posting_id, a.vault, a.asset_id
        having sum(case when w.debit then w.amount else -w.amount end) <> 0
    ) then
        raise exception 'a posting does not balance' using errcode = 'check_violation', constraint = 'ledger_posting_balances';
    end if;
    for moved in
        select account_id, sum(case when debit then amount else -amount end) as net from written group by account_id order by account_id
    loop
        update ledger_accounts set balance = balance + case when debit_normal then moved.net else -moved.net end
        where id = moved.account_id and moved.net <> 0;
    end loop;
    insert into changes (kind, id)
    select distinct 'user'::change_kind, a.vault
    from written w cross join lateral (select vault from ledger_accounts where id = w.account_id offset 0) a
    on conflict do nothing;
    return null;
end $$;
