-- What is owed on the chain, and how it is paid.

-- Written in the transaction that decides the payout; paid by the worker, once by reference, ever.
create table payouts (
    id         uuid primary key,
    chain_id   bigint not null references chains,
    purpose    text not null check (purpose in ('release', 'refund', 'advert_return', 'wrong_deposit', 'withdrawal', 'treasury')),
    -- The order, advert, withdrawal or (treasury) vault that it is for.
    subject    uuid not null,
    created_at timestamptz not null
);
create index payouts_of on payouts (subject);

create sequence payout_references as bigint minvalue 0 start 1;

-- Returns the first of `many` consecutive references. The lock ends with the function and not with the transaction: a
-- sequence is not transactional, so what one caller has reserved, no other caller gets.
create function reserve_payout_references(many bigint) returns bigint language plpgsql as $$
declare
    first bigint;
begin
    begin
        perform pg_advisory_lock(hashtext('payout_references'));
        first := nextval('payout_references');
        if many > 1 then
            perform setval('payout_references', first + many - 1);
        end if;
    exception when query_canceled or others then
        perform pg_advisory_unlock(hashtext('payout_references'));
        raise;
    end;
    perform pg_advisory_unlock(hashtext('payout_references'));
    return first;
end $$;

create table payout_legs (
    reference       bigint primary key check (reference > 0),
    payout_id       uuid not null references payouts,
    -- When the payout was decided.
    created_at      timestamptz not null,
    vault           uuid not null references users,
    custody_index   bigint not null,
    asset_id        bigint not null references assets,
    recipient       bytea not null check (octet_length(recipient) = 20),
    amount          numeric(38, 0) not null check (amount > 0),
    -- The kind of the fund record; null for earnings of the platform.
    kind            text check (kind in ('WITHDRAWAL', 'RELEASE', 'PAYMENT', 'REFUND', 'RETURN')),
    -- The user who receives the coins of a release straight to an address of their own.
    counterparty    uuid references users,
    -- The ID of the counterparty's fund record. The ID of the payout is that of the vault's owner.
    record_id       uuid generated always as (md5('fund record of leg ' || reference::text)::uuid) stored,
    -- This leg and the next reference are paid together or not at all.
    with_next       boolean not null default false,
    -- The account that gave the coins, to undo a voided leg: kind and owner.
    source_kind     text not null,
    source_owner    uuid not null,
    state           text not null check (state in ('owed', 'paid', 'voided')),
    -- How often the chain confirmed it; a reorganization may take it back.
    rounds          int not null default 0,
    -- Counts as paid or voided although the block that says so is gone, because the ledger refused to take it back. It is tried
    -- again with each range.
    orphaned        boolean not null default false,
    -- Its void left the chain after its coins had been given to something else. It is owed again, but must never be paid: only
    -- another void ends it.
    superseded      boolean not null default false,
    -- How often the chain refused it, since when, and when it is tried again.
    failures        int not null default 0,
    failing_since   timestamptz,
    retry_at        timestamptz,
    -- How often the recipient refused it, and since when; counted anew after a redirection.
    rejections      int not null default 0 check (rejections >= 0),
    rejected_since  timestamptz,
    -- Where it was to go before it was redirected to the vault of the same user, and when that was decided.
    redirected_from bytea check (octet_length(redirected_from) = 20),
    redirected_at   timestamptz,
    -- The next refusal voids the leg on the chain, in the transaction that tries to pay it. Never half of a pair.
    or_void         boolean not null default false,
    check ((redirected_from is null) = (redirected_at is null)),
    check (not (or_void and with_next))
);
create index payout_legs_owed on payout_legs (reference) where state = 'owed';
create index payout_legs_failing on payout_legs (reference) where state = 'owed' and failures > 0;
create index payout_legs_orphaned on payout_legs (reference) where orphaned;
create index payout_legs_of on payout_legs (payout_id);
-- The pages of fund records.
create index payout_legs_of_vault on payout_legs (vault, created_at, payout_id) include (asset_id, kind) where kind is not null;
create index payout_legs_of_counterparty on payout_legs (counterparty, created_at, record_id) include (asset_id, kind)
    where counterparty is not null;
create index payout_legs_record on payout_legs (record_id) where counterparty is not null;

-- Fills in what fund records are sorted and filtered by.
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

-- Signed transactions, stored before they are sent. The same bytes are sent as often as needed.
create table payout_attempts (
    id              bigint generated always as identity primary key,
    chain_id        bigint not null references chains,
    nonce           bigint not null check (nonce >= 0),
    first_reference bigint not null,
    last_reference  bigint not null,
    call            bytea not null,
    raw             bytea not null,
    tx_hash         bytea not null unique check (octet_length(tx_hash) = 32),
    max_fee         numeric(38, 0) not null,
    priority_fee    numeric(38, 0) not null,
    signed_at       timestamptz not null,
    -- How far the chain had been read when it was signed: no more is offered for it before there are new blocks.
    head_number     bigint check (head_number >= 0),
    -- When a transaction with this nonce became final, whichever attempt it was.
    done_at         timestamptz,
    check (first_reference <= last_reference)
);
create index payout_attempts_open on payout_attempts (chain_id, nonce) where done_at is null;
create index payout_attempts_by_nonce on payout_attempts (chain_id, nonce);

-- What the Escrow did with a reference, by block. `rejected`: the chain refused the payment, because the vault is short or the
-- token or the recipient does not take it; only this counts towards sending the coins elsewhere. `failed`: it was not tried.
create table settlements (
    chain_id     bigint not null,
    block_number bigint not null,
    block_hash   bytea not null,
    tx_hash      bytea not null,
    reference    bigint not null,
    outcome      text not null check (outcome in ('paid', 'failed', 'rejected', 'voided')),
    confirmed_at timestamptz,
    primary key (chain_id, block_hash, tx_hash, reference),
    foreign key (chain_id, block_number) references blocks on delete cascade
);
create index settlements_unconfirmed on settlements (chain_id, block_number) where confirmed_at is null;
create index settlements_by_block on settlements (chain_id, block_number);
create index settlements_of on settlements (reference);
create index settlements_by_tx on settlements (tx_hash);

-- Temporary balance that its owner took out. Its state is that of its payout, which has its ID.
create table withdrawals (
    id           uuid primary key references payouts,
    user_id      uuid not null references users,
    asset_id     bigint not null references assets,
    amount       numeric(38, 0) not null check (amount > 0),
    gas          numeric(38, 0) not null check (gas >= 0),
    -- The coin of the gas: the asset itself, unless it is an NFT.
    gas_asset    bigint not null references assets,
    recipient    bytea not null check (octet_length(recipient) = 20),
    requested_at timestamptz not null
);
create index withdrawals_of on withdrawals (user_id, id);

-- Assets of which nothing is paid out until an administrator resumes. The first reason stays. A later one stands beside it, so
-- that nobody resumes payouts over a reason that they have not read.
create table payout_stops (
    asset_id      bigint primary key references assets,
    because       text not null,
    at            timestamptz not null,
    again_because text,
    again_at      timestamptz,
    check ((again_because is null) = (again_at is null))
);

-- One vault's payouts of one asset are stopped, and everybody else's continue. One row for each cause, because each cause is
-- lifted on its own:
--   refused  the books refused what the chain says about the vault, so they are behind the chain there;
--   debt     the owner owes for a reorganization, so the vault holds less than is paid out of it.
create table vault_stops (
    vault    uuid not null references users,
    asset_id bigint not null references assets,
    cause    text not null check (cause in ('refused', 'debt')),
    -- The newest reason, in words.
    because  text not null,
    -- When payouts stopped for this cause.
    at       timestamptz not null,
    primary key (vault, asset_id, cause)
);
