-- The reference price of a pair: the bounds of every price lie around it.

-- The last median of a day's trades that qualified (see domain::market::reference), and when it last did.
create table reference_prices (
    pair_id bigint primary key references pairs,
    price   numeric(38, 0) not null check (price > 0),
    at      timestamptz not null
);

-- What administrators set, for ever: which price, who, why. The newest row of a pair counts where no median that
-- qualified is newer.
create table reference_price_acts (
    id      bigint generated always as identity primary key,
    pair_id bigint not null references pairs,
    price   numeric(38, 0) not null check (price > 0),
    officer text not null check (char_length(officer) between 1 and 100),
    reason  text not null check (char_length(reason) between 1 and 500),
    at      timestamptz not null
);
create index reference_price_acts_of on reference_price_acts (pair_id, id);

create function reference_price_acts_refuse() returns trigger language plpgsql as $$
begin
    raise exception 'what administrators set is append-only' using errcode = 'integrity_constraint_violation', constraint = 'reference_price_acts_append_only';
end $$;
create trigger reference_price_acts_fixed before update or delete or truncate on reference_price_acts
    execute function reference_price_acts_refuse();

-- Orders that will ask their taker for the base once they are accepted.
create index orders_will_claim on orders (taker)
    where state = 'AWAITING_ACCEPTANCE' and side = 'BUY' and payment <> 'AUTOMATIC';
