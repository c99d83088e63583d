-- What a user reads of their coins: what arrived in their vault, from the first block that shows it, and what was paid out to
-- them, with the effect of each on what they have. The effects of all records of a user and asset add up to what the user has in
-- custody, less what the user owes. A page of records reads the page only: the effect of a record is read from the postings of its
-- own deposit or payout.

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

-- Postings of no deposit and no payout. All other templates belong to one, or move coins only between a user's own accounts. `cost`
-- is what the platform kept: fee or gas. What it gives back after a voided payout costs nothing; it is part of the effect.
create index ledger_postings_other on ledger_postings (id) where template not in
    ('deposit_confirmed', 'deposit_revoked', 'debt_repaid', 'fund', 'order_opened', 'order_undone', 'release', 'refund',
     'order_remainder', 'advert_return', 'advert_remainder', 'withdrawal', 'treasury', 'payout_confirmed', 'payout_revoked',
     'payout_voided', 'payout_void_revoked');
create view fund_adjustments as
    select p.id, a.vault as user_id, a.asset_id, p.at,
           sum(case when e.debit then -e.amount else e.amount end)
               filter (where a.kind in ('temporary', 'advert_escrow', 'order_escrow', 'prepayment', 'reorganisation_loss')) as effect,
           greatest(coalesce(sum(case when e.debit then -e.amount else e.amount end) filter (where a.kind in ('fees', 'gas')), 0), 0) as cost,
           (array_agg(a.owner) filter (where a.kind = 'order_escrow'))[1] as order_id,
           (array_agg(a.owner) filter (where a.kind in ('advert_escrow', 'prepayment')))[1] as advert_id
    from ledger_postings p join ledger_entries e on e.posting_id = p.id join ledger_accounts a on a.id = e.account_id
    where p.template not in
        ('deposit_confirmed', 'deposit_revoked', 'debt_repaid', 'fund', 'order_opened', 'order_undone', 'release', 'refund',
         'order_remainder', 'advert_return', 'advert_remainder', 'withdrawal', 'treasury', 'payout_confirmed', 'payout_revoked',
         'payout_voided', 'payout_void_revoked')
    group by p.id, a.vault, a.asset_id
    having coalesce(sum(case when e.debit then -e.amount else e.amount end)
               filter (where a.kind in ('temporary', 'advert_escrow', 'order_escrow', 'prepayment', 'reorganisation_loss')), 0) <> 0;

create view fund_records as
    -- Seen in a block, not money yet.
    select t.id, t.vault as user_id, 'DEPOSIT' as kind, 'CONFIRMING' as state, 'IN' as direction, t.asset_id, t.amount,
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
           d.tx_hash, d.sender, (select vault_address from users where id = d.vault), d.block_number, null, null, null,
           coalesce(e.effect, 0), 0, d.seen_at
    from deposits d
         left join lateral (
             select sum(case when e.debit then -e.amount else e.amount end) as effect
             from ledger_postings p join ledger_entries e on e.posting_id = p.id join ledger_accounts a on a.id = e.account_id
             where p.key in ('deposit/' || d.id || '/confirmed', 'deposit/' || d.id || '/revoked')
               and a.vault = d.vault and a.asset_id = d.asset_id
               and a.kind in ('temporary', 'advert_escrow', 'order_escrow', 'prepayment', 'reorganisation_loss')) e on true
union all
    -- Out of one's own vault: to one's own address, or of an order to the other side.
    select l.payout_id, l.vault, l.kind, l.state, 'OUT', l.asset_id, l.amount, l.tx_hash,
           (select vault_address from users where id = l.vault), l.recipient, l.block_number, o.id,
           case when l.purpose in ('advert_return', 'wrong_deposit') then l.subject else o.advert_id end,
           l.counterparty, coalesce(e.effect, 0), coalesce(e.cost, 0), l.created_at
    from fund_legs l
         left join orders o on o.id = l.subject and l.purpose in ('release', 'refund')
         left join lateral (
             select sum(case when e.debit then -e.amount else e.amount end)
                        filter (where a.kind in ('temporary', 'advert_escrow', 'order_escrow', 'prepayment', 'reorganisation_loss')) as effect,
                    sum(case when e.debit then -e.amount else e.amount end) filter (where a.kind in ('fees', 'gas')) as cost
             from (select distinct m.posting_id from ledger_accounts f join ledger_entries m on m.account_id = f.id
                   where f.kind = 'in_flight' and f.owner = l.payout_id and f.vault = l.vault and f.asset_id = l.asset_id) p
                  join ledger_entries e on e.posting_id = p.posting_id join ledger_accounts a on a.id = e.account_id
             where a.vault = l.vault and a.asset_id = l.asset_id) e on true
union all
    -- Of an order, out of the other side's vault straight to one's own address: the balance does not change. The ID is
    -- that of the leg, because the ID of the payout is that of the other side's record.
    select l.record_id, l.counterparty, l.kind, l.state, 'DIRECT', l.asset_id, l.amount, l.tx_hash,
           (select vault_address from users where id = l.vault), l.recipient, l.block_number, o.id, o.advert_id, l.vault, 0, 0,
           l.created_at
    from fund_legs l join orders o on o.id = l.subject
    where l.counterparty is not null
union all
    -- Whatever else the ledger did to it.
    select e.id, e.user_id, 'ADJUSTMENT', 'COMPLETED', case when e.effect > 0 then 'IN' else 'OUT' end, e.asset_id, abs(e.effect),
           null, null, null, null, e.order_id, e.advert_id, null, e.effect, e.cost, e.at
    from fund_adjustments e;
