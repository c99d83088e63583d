-- What officers did, for ever: who, what, to whom, why.

create table officer_acts (
    id         bigint generated always as identity primary key,
    officer    text not null check (char_length(officer) between 1 and 100),
    act        text not null check (act in ('certify', 'decertify')),
    user_id    uuid not null references users,
    reason     text not null check (char_length(reason) between 1 and 500),
    at         timestamptz not null
);
create index officer_acts_user on officer_acts (user_id, id);

create function officer_acts_refuse() returns trigger language plpgsql as $$
begin
    raise exception 'what officers did is append-only' using errcode = 'integrity_constraint_violation', constraint = 'officer_acts_append_only';
end $$;
create trigger officer_acts_fixed before update or delete or truncate on officer_acts execute function officer_acts_refuse();
