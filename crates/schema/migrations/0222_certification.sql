-- Applications of users for certification. A user has at most one that waits for an officer.
create table certification_applications (
    id         uuid primary key,
    user_id    uuid not null references users,
    applied_at timestamptz not null,
    decided_at timestamptz,
    approved   boolean,
    -- What the officer tells the user.
    reason     text,
    check ((decided_at is null) = (approved is null) and (decided_at is null) = (reason is null))
);
create unique index certification_applications_pending on certification_applications (user_id) where decided_at is null;
create index certification_applications_queue on certification_applications (applied_at, id) where decided_at is null;
create index certification_applications_user on certification_applications (user_id, applied_at desc);
