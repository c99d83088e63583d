-- A person's fund records say what each did to the balance, and that is read off the ledger: the effects of all records
-- of a person and asset add up to what the person has in custody, less what the person owes.
create index ledger_accounts_of_vault on ledger_accounts (vault, asset_id);

-- What one posting changed of what a vault's owner has: free, in adverts, in orders, less a debt. Postings that move
-- coins between these change nothing. `cost` is what the platform kept of it: fee or gas.
create view fund_effects as
    select a.vault as person, a.asset_id, e.posting_id,
           sum(case when e.debit then -e.amount else e.amount end)
               filter (where a.kind in ('temporary', 'advert_escrow', 'order_escrow', 'reorganisation_loss')) as effect,
           coalesce(sum(case when e.debit then -e.amount else e.amount end) filter (where a.kind in ('fees', 'gas')), 0) as cost,
           (array_agg(a.owner) filter (where a.kind = 'in_flight'))[1] as payout_id,
           (array_agg(a.owner) filter (where a.kind = 'order_escrow'))[1] as order_id,
           (array_agg(a.owner) filter (where a.kind = 'advert_escrow'))[1] as advert_id
    from ledger_accounts a join ledger_entries e on e.account_id = a.id
    group by a.vault, a.asset_id, e.posting_id
    having coalesce(sum(case when e.debit then -e.amount else e.amount end)
               filter (where a.kind in ('temporary', 'advert_escrow', 'order_escrow', 'reorganisation_loss')), 0) <> 0;

-- The same by what caused it: a payout, with its confirmation, revocation and void; a deposit, with its revocation;
-- anything else by itself.
create view fund_subjects as
    select f.person, f.asset_id,
           case when f.payout_id is not null then 'payout'
                when p.template in ('deposit_confirmed', 'deposit_revoked') then 'deposit' else 'posting' end as about,
           case when f.payout_id is not null then f.payout_id
                when p.template in ('deposit_confirmed', 'deposit_revoked') then split_part(p.key, '/', 2)::uuid
                else f.posting_id end as subject,
           sum(f.effect) as effect, sum(f.cost) as cost, min(p.at) as at,
           (array_agg(f.order_id) filter (where f.order_id is not null))[1] as order_id,
           (array_agg(f.advert_id) filter (where f.advert_id is not null))[1] as advert_id
    from fund_effects f join ledger_postings p on p.id = f.posting_id
    group by 1, 2, 3, 4;

-- How each leg of a payout stands, with the transaction in which it was last paid.
create view fund_legs as
    select l.reference, l.payout_id, p.purpose, p.subject, p.created_at, l.vault, l.asset_id, l.recipient, l.amount,
           s.tx_hash, s.block_number,
           case l.state when 'paid' then 'COMPLETED' when 'voided' then 'FAILED'
                else case when s.tx_hash is not null then 'CONFIRMING' when l.rounds > 0 then 'REVOKED'
                          when a.id is not null then 'IN_FLIGHT' else 'REQUESTED' end end as state
    from payout_legs l join payouts p on p.id = l.payout_id
         left join lateral (select s.tx_hash, s.block_number from settlements s
                            where s.reference = l.reference and s.outcome = 'paid' order by s.block_number desc limit 1) s on true
         left join lateral (select a.id from payout_attempts a where a.chain_id = p.chain_id and a.done_at is null
                            and l.reference between a.first_reference and a.last_reference limit 1) a on true;

drop view fund_records;
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
    from transfers t where t.doubted
union all
    -- Became money; the chain may have taken it back.
    select d.id, d.vault, 'DEPOSIT', case when d.revoked_at is null then 'COMPLETED' else 'REVOKED' end, 'IN', d.asset_id, d.amount,
           d.tx_hash, d.sender, u.vault_address, d.block_number, null, null, null,
           coalesce(e.effect, 0), 0, coalesce(t.seen_at, d.confirmed_at)
    from deposits d join users u on u.id = d.vault left join transfers t on t.id = d.id
         left join fund_subjects e on e.person = d.vault and e.asset_id = d.asset_id and e.about = 'deposit' and e.subject = d.id
union all
    -- Out of one's own vault: to one's own address, or of an order to the other side.
    select l.payout_id, l.vault,
           case l.purpose when 'withdrawal' then 'WITHDRAWAL' when 'refund' then 'REFUND'
                when 'release' then case when l.asset_id = o.base_asset then 'RELEASE' else 'PAYMENT' end else 'RETURN' end,
           l.state, 'OUT', l.asset_id, l.amount, l.tx_hash, u.vault_address, l.recipient, l.block_number, o.id,
           case when l.purpose in ('advert_return', 'wrong_deposit') then l.subject else o.advert_id end,
           case when l.purpose = 'release' then case when l.vault = o.advertiser then o.taker else o.advertiser end end,
           coalesce(e.effect, 0), coalesce(e.cost, 0), l.created_at
    from fund_legs l join users u on u.id = l.vault
         left join orders o on o.id = l.subject and l.purpose in ('release', 'refund')
         left join fund_subjects e on e.person = l.vault and e.asset_id = l.asset_id and e.about = 'payout' and e.subject = l.payout_id
    where l.purpose <> 'treasury'
union all
    -- Of an order, out of the other side's vault straight to one's own address: the balance does not change. The id is
    -- that of the leg, for the payout's is that of what the other side reads, and of what oneself gave for it.
    select md5('fund record of leg ' || l.reference)::uuid, case when l.vault = o.advertiser then o.taker else o.advertiser end,
           case when l.asset_id = o.base_asset then 'RELEASE' else 'PAYMENT' end,
           l.state, 'DIRECT', l.asset_id, l.amount, l.tx_hash, u.vault_address, l.recipient, l.block_number, o.id, o.advert_id,
           l.vault, 0, 0, l.created_at
    from orders o join fund_legs l on l.subject = o.id and l.purpose = 'release' join users u on u.id = l.vault
union all
    -- Whatever else the ledger did to it.
    select e.subject, e.person, 'ADJUSTMENT', 'COMPLETED', case when e.effect > 0 then 'IN' else 'OUT' end, e.asset_id, abs(e.effect),
           null, null, null, null, e.order_id, e.advert_id, null, e.effect, e.cost, e.at
    from fund_subjects e where e.about = 'posting' and e.effect <> 0;
