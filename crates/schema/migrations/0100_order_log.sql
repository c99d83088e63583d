-- The log of each order: every transition and every message, for ever. `domain/src/order_log` defines entries and hashes.
create table order_log (
    order_id uuid not null references orders,
    -- Consecutive per order, from 1.
    number   bigint not null check (number > 0),
    -- The party who caused or wrote the entry; null for the platform.
    author   text check (author in ('BUYER', 'SELLER')),
    data     jsonb not null,
    kind     text not null generated always as (data ->> 'kind') stored check (kind in ('SYSTEM', 'MESSAGE', 'OFFICER')),
    at       timestamptz not null,
    hash     bytea not null check (octet_length(hash) = 32),
    primary key (order_id, number),
    -- A party cannot write as an officer, and nobody else can write as a party.
    check (case kind when 'MESSAGE' then author is not null when 'OFFICER' then author is null else true end)
);

create function order_log_refuse() returns trigger language plpgsql as $$
begin
    raise exception 'order logs are append-only' using errcode = 'integrity_constraint_violation', constraint = 'order_log_append_only';
end $$;
create trigger order_log_fixed before update or delete or truncate on order_log execute function order_log_refuse();

-- The last entry of each log. Whoever appends to a log locks this row, after the order's row.
create table order_log_heads (
    order_id uuid primary key references orders,
    number   bigint not null check (number > 0),
    hash     bytea not null check (octet_length(hash) = 32)
);
