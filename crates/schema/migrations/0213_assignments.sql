-- The officer who is responsible for an appeal, joined or not.
create table appeal_assignments (
    appeal_id  uuid primary key references appeals,
    officer_id uuid not null references officers,
    at         timestamptz not null
);
create index appeal_assignments_of on appeal_assignments (officer_id, appeal_id);
