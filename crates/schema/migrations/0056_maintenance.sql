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

-- The outage that a plan became, once it was over.
alter table outages add column maintenance_plan bigint unique references maintenance_plans;
