-- What the officers on a case tell each other. The parties never see it, and it never changes.
create table case_notes (
    id         bigint generated always as identity primary key,
    appeal_id  uuid not null references appeals,
    officer_id uuid not null references officers,
    -- The name at that time.
    officer    text not null check (char_length(officer) between 1 and 100),
    text       text not null check (char_length(text) between 1 and 1000),
    at         timestamptz not null
);
create index case_notes_of on case_notes (appeal_id, id);

create function case_notes_refuse() returns trigger language plpgsql as $$
begin
    raise exception 'notes never change' using errcode = 'integrity_constraint_violation', constraint = 'case_notes_append_only';
end $$;
create trigger case_notes_fixed before update or delete or truncate on case_notes execute function case_notes_refuse();
