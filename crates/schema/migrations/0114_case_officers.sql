-- Officers work on the appeals that they have joined.
create table case_officers (
    appeal_id  uuid not null references appeals,
    officer_id uuid not null references officers,
    joined_at  timestamptz not null,
    primary key (appeal_id, officer_id)
);
create index case_officers_of on case_officers (officer_id, appeal_id);

-- The officer of a proposal; null for `mec2c officer`, whose users have only a name.
alter table appeal_proposals add column officer_id uuid references officers;
