-- Double entry, append only. The database itself keeps the balances, and refuses a posting that does not balance within
-- each vault and asset, a balance below zero, and any change of what was written.

create table ledger_accounts (
    id           bigint generated always as identity primary key,
    kind         text not null check (kind in ('custody', 'temporary', 'advert_escrow', 'order_escrow', 'prepayment', 'in_flight',
                                               'fees', 'gas', 'reorganisation_loss')),
    owner        uuid not null,
    vault        uuid not null references users,
    asset_id     bigint not null references assets,
    debit_normal boolean not null generated always as (kind in ('custody', 'reorganisation_loss')) stored,
    balance      numeric(38, 0) not null default 0 constraint ledger_balance_not_negative check (balance >= 0),
    unique (kind, owner, vault, asset_id)
);
create index ledger_accounts_of_pot on ledger_accounts (vault, asset_id) where balance > 0;
create index ledger_accounts_of_vault on ledger_accounts (vault, asset_id);
-- The custody account among the accounts of a vault, which are two per finished order.
create index ledger_custody on ledger_accounts (vault, asset_id) where kind = 'custody';

create table ledger_postings (
    id       uuid primary key,
    template text not null,
    key      text not null constraint ledger_posting_once unique,
    at       timestamptz not null
);

create table ledger_entries (
    posting_id uuid not null references ledger_postings,
    line       smallint not null,
    account_id bigint not null references ledger_accounts,
    debit      boolean not null,
    amount     numeric(38, 0) not null check (amount > 0),
    primary key (posting_id, line)
);
create index ledger_entries_of on ledger_entries (account_id, posting_id);

-- All entries of a posting come in one statement; a whole set of postings may. Without `offset 0`, the planner could turn the
-- lookups around and compare each entry with each account. Without sequential scans, a plan that was made while the ledger was
-- small does not scan it later. The accounts are updated one by one, in the order of their IDs: sets can wait for each other but
-- never deadlock. The entries of a vault are what its owner has, hence the change.
create function ledger_apply() returns trigger language plpgsql set enable_seqscan = off as $$
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
create trigger ledger_apply after insert on ledger_entries
    referencing new table as written for each statement execute function ledger_apply();

create function ledger_refuse() returns trigger language plpgsql as $$
begin
    raise exception 'the ledger is append-only' using errcode = 'integrity_constraint_violation', constraint = 'ledger_append_only';
end $$;
create trigger ledger_entries_fixed before update or delete or truncate on ledger_entries execute function ledger_refuse();
create trigger ledger_postings_fixed before update or delete or truncate on ledger_postings execute function ledger_refuse();
create trigger ledger_accounts_kept before delete or truncate on ledger_accounts execute function ledger_refuse();

-- A balance changes only from within the trigger above.
create function ledger_balance_guard() returns trigger language plpgsql as $$
begin
    if pg_trigger_depth() < 2 or (new.id, new.kind, new.owner, new.vault, new.asset_id) <> (old.id, old.kind, old.owner, old.vault, old.asset_id) then
        raise exception 'balances move by postings only' using errcode = 'integrity_constraint_violation', constraint = 'ledger_balance_by_posting';
    end if;
    return new;
end $$;
create trigger ledger_balance_guard before update on ledger_accounts for each row execute function ledger_balance_guard();
create function ledger_opening_guard() returns trigger language plpgsql as $$
begin
    if new.balance <> 0 then
        raise exception 'accounts open empty' using errcode = 'integrity_constraint_violation', constraint = 'ledger_balance_by_posting';
    end if;
    return new;
end $$;
create trigger ledger_opening_guard before insert on ledger_accounts for each row execute function ledger_opening_guard();

-- What is wrong with the books, if anything: nothing in these views is the proof that they agree.
create view ledger_disagreements as
    select a.id as account_id, a.balance, coalesce(sum(case when e.debit = a.debit_normal then e.amount else -e.amount end), 0) as entries
    from ledger_accounts a left join ledger_entries e on e.account_id = a.id
    group by a.id
    having a.balance <> coalesce(sum(case when e.debit = a.debit_normal then e.amount else -e.amount end), 0);
create view ledger_unbacked as
    select vault, asset_id,
           sum(balance) filter (where debit_normal) as held,
           sum(balance) filter (where not debit_normal) as owed
    from ledger_accounts group by vault, asset_id
    having coalesce(sum(balance) filter (where debit_normal), 0) <> coalesce(sum(balance) filter (where not debit_normal), 0);
