-- What officers ask a party of an appeal to prove, and until when.
create table evidence_requests (
    id              bigint generated always as identity primary key,
    appeal_id       uuid not null references appeals,
    party           text not null check (party in ('BUYER', 'SELLER')),
    -- The party's user, who sees it.
    user_id         uuid not null references users,
    kind            text not null check (kind in ('BANK_STATEMENT', 'TRANSFER_RECEIPT', 'ACCOUNT_HOLDER', 'SCREEN_RECORDING',
                                                  'CONVERSATION', 'OTHER')),
    details         text check (char_length(details) between 1 and 300),
    check (kind <> 'OTHER' or details is not null),
    officer_id      uuid not null references officers,
    -- The name at that time.
    officer         text not null check (char_length(officer) between 1 and 100),
    -- The number of files in the evidence at that time: the party's later files answer the request.
    evidence_before integer not null check (evidence_before >= 0),
    asked_at        timestamptz not null,
    due_at          timestamptz not null check (due_at > asked_at),
    -- When an officer took the unanswered request back, or asked the party for something else.
    closed_at       timestamptz check (closed_at >= asked_at)
);
create index evidence_requests_of on evidence_requests (appeal_id, id);

create function evidence_requests_refuse() returns trigger language plpgsql as $$
begin
    raise exception 'requests for evidence never change'
        using errcode = 'integrity_constraint_violation', constraint = 'evidence_requests_fixed';
end $$;
create trigger evidence_requests_kept before delete or truncate on evidence_requests execute function evidence_requests_refuse();
create function evidence_requests_only_close() returns trigger language plpgsql as $$
begin
    if old.closed_at is not null or to_jsonb(old) - 'closed_at' <> to_jsonb(new) - 'closed_at' then
        raise exception 'requests for evidence never change'
            using errcode = 'integrity_constraint_violation', constraint = 'evidence_requests_fixed';
    end if;
    return new;
end $$;
create trigger evidence_requests_fixed before update on evidence_requests
    for each row execute function evidence_requests_only_close();

-- The order of the party shows it.
create trigger evidence_request_inserted after insert on evidence_requests
    referencing new table as written for each statement execute function own_data_changed();
create trigger evidence_request_updated after update on evidence_requests
    referencing new table as written for each statement execute function own_data_changed();
