-- A transfer whose contract logged it and whose vault does not hold so much: final, never money, and kept for people to
-- see. Its blocks are not believed to say what the token did.
alter table transfers add column doubted boolean not null default false;
alter table transfers add check (not doubted or (incoming and confirmed_at is not null));

create or replace view fund_records as
    -- Seen in a block, not money yet.
    select t.id, t.vault as person, 'DEPOSIT' as kind, 'CONFIRMING' as state, true as incoming, t.asset_id, t.amount,
           t.tx_hash, t.sender, t.recipient, t.block_number, null::uuid as order_id, null::uuid as advert_id, t.seen_at as at
    from transfers t where t.incoming and t.confirmed_at is null
union all
    -- Logged, and not in the vault.
    select t.id, t.vault, 'DEPOSIT', 'FAILED', true, t.asset_id, t.amount,
           t.tx_hash, t.sender, t.recipient, t.block_number, null, null, t.seen_at
    from transfers t where t.doubted
union all
    -- Became money; the chain may have taken it back.
    select d.id, d.vault, 'DEPOSIT', case when d.revoked_at is null then 'COMPLETED' else 'REVOKED' end, true, d.asset_id, d.amount,
           d.tx_hash, d.sender, u.vault_address, d.block_number, null, null, coalesce(t.seen_at, d.confirmed_at)
    from deposits d join users u on u.id = d.vault left join transfers t on t.id = d.id
union all
    -- Out of one's own vault to one's own address: withdrawals, refunds, returns.
    select p.id, l.vault,
           case p.purpose when 'withdrawal' then 'WITHDRAWAL' when 'refund' then 'REFUND' else 'RETURN' end,
           case l.state when 'paid' then 'COMPLETED' when 'voided' then 'FAILED'
                else case when s.tx_hash is not null then 'CONFIRMING' when l.rounds > 0 then 'REVOKED'
                          when a.id is not null then 'IN_FLIGHT' else 'REQUESTED' end end,
           p.purpose <> 'withdrawal', l.asset_id, l.amount, s.tx_hash, u.vault_address, l.recipient, s.block_number,
           case when p.purpose = 'refund' then p.subject end,
           case when p.purpose in ('advert_return', 'wrong_deposit') then p.subject end, p.created_at
    from payout_legs l join payouts p on p.id = l.payout_id join users u on u.id = l.vault
         left join lateral (select s.tx_hash, s.block_number from settlements s
                            where s.reference = l.reference and s.outcome = 'paid' order by s.block_number desc limit 1) s on true
         left join lateral (select a.id from payout_attempts a where a.chain_id = p.chain_id and a.done_at is null
                            and l.reference between a.first_reference and a.last_reference limit 1) a on true
    where p.purpose in ('withdrawal', 'refund', 'advert_return', 'wrong_deposit')
union all
    -- Out of the other side's vault to oneself: each leg of a release goes to the one of the two whose vault it did not leave.
    select p.id, case when l.vault = o.advertiser then o.taker else o.advertiser end, 'RELEASE',
           case l.state when 'paid' then 'COMPLETED' when 'voided' then 'FAILED'
                else case when s.tx_hash is not null then 'CONFIRMING' when l.rounds > 0 then 'REVOKED'
                          when a.id is not null then 'IN_FLIGHT' else 'REQUESTED' end end,
           true, l.asset_id, l.amount, s.tx_hash, u.vault_address, l.recipient, s.block_number, o.id, o.advert_id, p.created_at
    from orders o join payouts p on p.subject = o.id and p.purpose = 'release'
         join payout_legs l on l.payout_id = p.id join users u on u.id = l.vault
         left join lateral (select s.tx_hash, s.block_number from settlements s
                            where s.reference = l.reference and s.outcome = 'paid' order by s.block_number desc limit 1) s on true
         left join lateral (select a.id from payout_attempts a where a.chain_id = p.chain_id and a.done_at is null
                            and l.reference between a.first_reference and a.last_reference limit 1) a on true;
