-- Who made an officer, and who else approved it. The setup link goes to the officer's mailbox only.
alter table officers
    drop column enrollment_salt,
    -- Who created the officer, or reset the credentials since then. Null for the command line.
    add column appointed_by uuid references officers,
    -- When the appointment was approved: by another administrator, or by creating the officer on the command line.
    add column approved_at timestamptz;

update officers set approved_at = created_at;

alter table officers
    add check (approved_at is not null or (enrollment_hash is null and enrolled_at is null));

comment on column officers.enrollment_hash is
    'The hash of the setup link''s token. Kept after the link was used, so that the same command can be sent again.';

-- Each time that an administrator creates or resets an officer, enables the officer, or changes the role.
create table officer_appointments (
    officer_id       uuid not null references officers,
    administrator_id uuid not null references officers,
    at               timestamptz not null
);
create index officer_appointments_at on officer_appointments (at);
