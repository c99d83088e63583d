-- Appeals about orders, and what officers do with them.

-- All appeals. The order's own row holds its latest one; a transaction that changes an appeal writes both.
create table appeals (
    id         uuid primary key,
    order_id   uuid not null references orders,
    -- The parties of the order, so that a page of a user's appeals reads no orders.
    advertiser uuid not null references users,
    taker      uuid not null references users,
    -- The appeal as `domain` writes it.
    appeal     jsonb not null,
    filed_at   timestamptz not null,
    -- The user who filed the appeal; null for the platform.
    filed_by   uuid references users,
    status     text not null generated always as (appeal -> 'status' ->> 'status') stored
               check (status in ('PENDING', 'DECIDED', 'WITHDRAWN', 'REJECTED', 'EXECUTED')),
    -- When an officer decided the appeal, for the published figures; null while nothing is decided.
    decided_at timestamptz,
    -- When the appeal ended; null while it is open.
    ended_at   timestamptz,
    constraint appeals_end check ((ended_at is null) = (status in ('PENDING', 'DECIDED')))
);
create index appeals_of_order on appeals (order_id, id);
create index appeals_of_advertiser on appeals (advertiser, id);
create index appeals_of_taker on appeals (taker, id);
create index appeals_by_time on appeals (filed_at);
-- The queue of officers shows open appeals, and ended ones, those that ended last first.
create index appeals_open on appeals (filed_at, id) where status in ('PENDING', 'DECIDED');
create index appeals_ended on appeals (ended_at desc, id desc) where ended_at is not null;
-- How long the decisions of a period took.
create index appeals_decided on appeals (decided_at) include (filed_at) where decided_at is not null;
-- How many appeals a user has filed.
create index appeals_filed_by on appeals (filed_by) where filed_by is not null;

-- Decisions that wait for a second officer, because the order is worth more than one officer may decide. A new proposal
-- replaces the earlier ones; a decision ends them.
create table appeal_proposals (
    id         bigint generated always as identity primary key,
    appeal_id  uuid not null references appeals,
    officer_id uuid not null references officers,
    -- The name at that time.
    officer    text not null check (char_length(officer) between 1 and 100),
    -- Null for the proposal of a rejection.
    winner     text check (winner in ('BUYER', 'SELLER')),
    malicious  boolean not null,
    note       text not null check (char_length(note) between 1 and 500),
    -- Two officers agree only if their decision moves the same coins.
    movements  jsonb not null,
    at         timestamptz not null,
    ended_at   timestamptz
);
create unique index appeal_proposals_open on appeal_proposals (appeal_id) where ended_at is null;

-- Officers work on the appeals that they have joined.
create table case_officers (
    appeal_id  uuid not null references appeals,
    officer_id uuid not null references officers,
    joined_at  timestamptz not null,
    primary key (appeal_id, officer_id)
);
create index case_officers_of on case_officers (officer_id, appeal_id);

-- The officer who is responsible for an appeal, joined or not.
create table appeal_assignments (
    appeal_id  uuid primary key references appeals,
    officer_id uuid not null references officers,
    at         timestamptz not null
);
create index appeal_assignments_of on appeal_assignments (officer_id, appeal_id);

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
