-- A page of a user's fund records reads the page only: deposits and legs carry what the records are sorted and filtered by,
-- and the effect of a record is read from the postings of its own deposit or payout.

-- When the transfer was first seen. The deposit keeps it if a reorganization removes the transfer.
alter table deposits add column seen_at timestamptz;
update deposits d set seen_at = coalesce((select t.seen_at from transfers t where t.id = d.id), d.confirmed_at);
create function deposit_seen() returns trigger language plpgsql as $$
begin
    new.seen_at := coalesce((select t.seen_at from transfers t where t.id = new.id), new.confirmed_at);
    return new;
end $$;
create trigger deposit_seen before insert on deposits for each row execute function deposit_seen();
alter table deposits alter column seen_at set not null;
drop index deposits_at;
create index deposits_seen on deposits (vault, seen_at, id) include (asset_id);
create index transfers_unconfirmed_of on transfers (vault, asset_id) where confirmed_at is null;

alter table payout_legs
    -- When the payout was decided.
    add column created_at timestamptz,
    -- The kind of the fund record; none for earnings of the platform.
    add column kind text check (kind in ('WITHDRAWAL', 'RELEASE', 'PAYMENT', 'REFUND', 'RETURN')),
    -- The user who receives the coins of a release straight to an address of their own.
    add column counterparty uuid references users,
    -- The ID of the counterparty's fund record. The ID of the payout is that of the vault's owner.
    add column record_id uuid generated always as (md5('fund record of leg ' || reference::text)::uuid) stored;
update payout_legs l
set created_at = p.created_at,
    kind = case p.purpose when 'withdrawal' then 'WITHDRAWAL' when 'refund' then 'REFUND' when 'treasury' then null
           when 'release' then case when l.asset_id = o.base_asset then 'RELEASE' else 'PAYMENT' end else 'RETURN' end,
    counterparty = case when p.purpose = 'release' then case when l.vault = o.advertiser then o.taker else o.advertiser end end
from payouts p left join orders o on o.id = p.subject
where p.id = l.payout_id;
create function payout_leg_described() returns trigger language plpgsql as $$
begin
    select p.created_at,
           case p.purpose when 'withdrawal' then 'WITHDRAWAL' when 'refund' then 'REFUND' when 'treasury' then null
           when 'release' then case when new.asset_id = o.base_asset then 'RELEASE' else 'PAYMENT' end else 'RETURN' end,
           case when p.purpose = 'release' then case when new.vault = o.advertiser then o.taker else o.advertiser end end
    into new.created_at, new.kind, new.counterparty
    from payouts p left join orders o on o.id = p.subject
    where p.id = new.payout_id;
    return new;
end $$;
create trigger payout_leg_described before insert on payout_legs for each row execute function payout_leg_described();
drop index payout_legs_of_vault;
create index payout_legs_of_vault on payout_legs (vault, created_at, payout_id) include (asset_id, kind) where kind is not null;
create index payout_legs_of_counterparty on payout_legs (counterparty, created_at, record_id) include (asset_id, kind)
    where counterparty is not null;
create index payout_legs_record on payout_legs (record_id) where counterparty is not null;

drop view fund_records;
drop view fund_legs;
drop view fund_subjects;
drop view fund_effects;

-- How each leg of a payout stands, with the transaction in which it was last paid.
create view fund_legs as
    select l.reference, l.payout_id, l.record_id, l.kind, l.counterparty, p.purpose, p.subject, l.created_at, l.vault, l.asset_id,
           l.recipient, l.amount, s.tx_hash, s.block_number,
           case l.state when 'paid' then 'COMPLETED' when 'voided' then 'FAILED'
                else case when s.tx_hash is not null then 'CONFIRMING' when l.rounds > 0 then 'REVOKED'
                          when a.id is not null then 'IN_FLIGHT' else 'REQUESTED' end end as state
    from payout_legs l join payouts p on p.id = l.payout_id
         left join lateral (select s.tx_hash, s.block_number from settlements s
                            where s.reference = l.reference and s.outcome = 'paid' order by s.block_number desc limit 1) s on true
         left join lateral (select a.id from payout_attempts a where a.chain_id = p.chain_id and a.done_at is null
                            and l.reference between a.first_reference and a.last_reference limit 1) a on true
    where l.kind is not null;

-- Postings of no deposit and no payout. All other templates belong to one, or move coins only between a user's own accounts.
create index ledger_postings_other on ledger_postings (id) where template not in
    ('deposit_confirmed', 'deposit_revoked', 'debt_repaid', 'fund', 'order_opened', 'order_undone', 'release', 'refund',
     'order_remainder', 'advert_return', 'advert_remainder', 'withdrawal', 'treasury', 'payout_confirmed', 'payout_revoked',
     'payout_voided', 'payout_void_revoked');
create view fund_adjustments as
    select p.id, a.vault as person, a.asset_id, p.at,
           sum(case when e.debit then -e.amount else e.amount end)
               filter (where a.kind in ('temporary', 'advert_escrow', 'order_escrow', 'reorganisation_loss')) as effect,
           coalesce(sum(case when e.debit then -e.amount else e.amount end) filter (where a.kind in ('fees', 'gas')), 0) as cost,
           (array_agg(a.owner) filter (where a.kind = 'order_escrow'))[1] as order_id,
           (array_agg(a.owner) filter (where a.kind = 'advert_escrow'))[1] as advert_id
    from ledger_postings p join ledger_entries e on e.posting_id = p.id join ledger_accounts a on a.id = e.account_id
    where p.template not in
        ('deposit_confirmed', 'deposit_revoked', 'debt_repaid', 'fund', 'order_opened', 'order_undone', 'release', 'refund',
         'order_remainder', 'advert_return', 'advert_remainder', 'withdrawal', 'treasury', 'payout_confirmed', 'payout_revoked',
         'payout_voided', 'payout_void_revoked')
    group by p.id, a.vault, a.asset_id
    having coalesce(sum(case when e.debit then -e.amount else e.amount end)
               filter (where a.kind in ('temporary', 'advert_escrow', 'order_escrow', 'reorganisation_loss')), 0) <> 0;

create view fund_records as
    -- Seen in a block, not money yet.
    select t.id, t.vault as person, 'DEPOSIT' as kind, 'CONFIRMING' as state, 'IN' as direction, t.asset_id, t.amount,
           t.tx_hash, t.sender, t.recipient, t.block_number, null::uuid as order_id, null::uuid as advert_id,
           null::uuid as counterparty, 0::numeric as effect, 0::numeric as cost, t.seen_at as at
    from transfers t where t.incoming and t.confirmed_at is null
union all
    -- Logged, and not in the vault.
    select t.id, t.vault, 'DEPOSIT', 'FAILED', 'IN', t.asset_id, t.amount,
           t.tx_hash, t.sender, t.recipient, t.block_number, null, null, null, 0, 0, t.seen_at
    from transfers t where t.uncredited
union all
    -- Became money; the chain may have taken it back.
    select d.id, d.vault, 'DEPOSIT', case when d.revoked_at is null then 'COMPLETED' else 'REVOKED' end, 'IN', d.asset_id, d.amount,
           d.tx_hash, d.sender, (select vault_address from users where id = d.vault), d.block_number, null, null, null, coalesce(e.effect, 0), 0, d.seen_at
    from deposits d
         left join lateral (
             select sum(case when e.debit then -e.amount else e.amount end) as effect
             from ledger_postings p join ledger_entries e on e.posting_id = p.id join ledger_accounts a on a.id = e.account_id
             where p.key in ('deposit/' || d.id || '/confirmed', 'deposit/' || d.id || '/revoked')
               and a.vault = d.vault and a.asset_id = d.asset_id
               and a.kind in ('temporary', 'advert_escrow', 'order_escrow', 'reorganisation_loss')) e on true
union all
    -- Out of one's own vault: to one's own address, or of an order to the other side.
    select l.payout_id, l.vault, l.kind, l.state, 'OUT', l.asset_id, l.amount, l.tx_hash, (select vault_address from users where id = l.vault), l.recipient,
           l.block_number, o.id,
           case when l.purpose in ('advert_return', 'wrong_deposit') then l.subject else o.advert_id end,
           l.counterparty, coalesce(e.effect, 0), coalesce(e.cost, 0), l.created_at
    from fund_legs l
         left join orders o on o.id = l.subject and l.purpose in ('release', 'refund')
         left join lateral (
             select sum(case when e.debit then -e.amount else e.amount end)
                        filter (where a.kind in ('temporary', 'advert_escrow', 'order_escrow', 'reorganisation_loss')) as effect,
                    sum(case when e.debit then -e.amount else e.amount end) filter (where a.kind in ('fees', 'gas')) as cost
             from (select distinct m.posting_id from ledger_accounts f join ledger_entries m on m.account_id = f.id
                   where f.kind = 'in_flight' and f.owner = l.payout_id and f.vault = l.vault and f.asset_id = l.asset_id) p
                  join ledger_entries e on e.posting_id = p.posting_id join ledger_accounts a on a.id = e.account_id
             where a.vault = l.vault and a.asset_id = l.asset_id) e on true
union all
    -- Of an order, out of the other side's vault straight to one's own address: the balance does not change. The ID is
    -- that of the leg, because the ID of the payout is that of the other side's record.
    select l.record_id, l.counterparty, l.kind, l.state, 'DIRECT', l.asset_id, l.amount, l.tx_hash, (select vault_address from users where id = l.vault), l.recipient,
           l.block_number, o.id, o.advert_id, l.vault, 0, 0, l.created_at
    from fund_legs l join orders o on o.id = l.subject
    where l.counterparty is not null
union all
    -- Whatever else the ledger did to it.
    select e.id, e.person, 'ADJUSTMENT', 'COMPLETED', case when e.effect > 0 then 'IN' else 'OUT' end, e.asset_id, abs(e.effect),
           null, null, null, null, e.order_id, e.advert_id, null, e.effect, e.cost, e.at
    from fund_adjustments e;
