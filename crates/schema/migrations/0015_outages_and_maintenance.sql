-- Time in which the platform was down, or closed on purpose, extends every deadline.

-- A heartbeat says that the chain was read up to its newest block. Only then may a deadline have an effect: what it waits
-- for would have been seen.
create table heartbeats (
    part       text primary key,
    at         timestamptz not null,
    -- The machine's time, which nobody moves: it tells a platform that was down from a clock that was put forward.
    machine_at timestamptz not null
);

-- Planned maintenance, as officers decided it: each row replaces the plan before it from the moment `at` on. Without
-- times it ends the plan. The history says when the product was closed, whatever was moved or ended early.
create table maintenance_plans (
    id        bigint generated always as identity primary key,
    starts_at timestamptz,
    ends_at   timestamptz,
    officer   text not null check (char_length(officer) between 1 and 100),
    reason    text not null check (char_length(reason) between 1 and 500),
    at        timestamptz not null,
    check ((starts_at is null) = (ends_at is null)),
    check (starts_at < ends_at)
);

create function maintenance_plans_refuse() returns trigger language plpgsql as $$
begin
    raise exception 'maintenance plans are append-only' using errcode = 'integrity_constraint_violation', constraint = 'maintenance_plans_append_only';
end $$;
create trigger maintenance_plans_fixed before update or delete or truncate on maintenance_plans
    execute function maintenance_plans_refuse();

create table outages (
    id               bigint generated always as identity primary key,
    part             text not null,
    began_at         timestamptz not null,
    ended_at         timestamptz not null check (ended_at > began_at),
    -- When every deadline that ran had been moved by the outage.
    moved_at         timestamptz,
    -- The plan that became this outage once it was over.
    maintenance_plan bigint unique references maintenance_plans
);
create index outages_to_move on outages (id) where moved_at is null;
