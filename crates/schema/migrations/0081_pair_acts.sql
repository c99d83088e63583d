-- Which settings of a pair officers changed, for ever: from what to what, who, why. Names and values are those of
-- `mec2c officer pair`.
create table pair_acts (
    id      bigint generated always as identity primary key,
    pair_id bigint not null references pairs,
    setting text not null,
    before  text not null,
    after   text not null check (after <> before),
    officer text not null check (char_length(officer) between 1 and 100),
    reason  text not null check (char_length(reason) between 1 and 500),
    at      timestamptz not null
);
create index pair_acts_of on pair_acts (pair_id, id);

create function pair_acts_refuse() returns trigger language plpgsql as $$
begin
    raise exception 'what officers set is append-only' using errcode = 'integrity_constraint_violation', constraint = 'pair_acts_append_only';
end $$;
create trigger pair_acts_fixed before update or delete or truncate on pair_acts execute function pair_acts_refuse();
