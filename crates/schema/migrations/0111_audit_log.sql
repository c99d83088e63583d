-- Everything that officers did and viewed, forever: in the console, and with `mec2c officer`.
create table audit_log (
    id           bigint generated always as identity primary key,
    -- Null for a command of `mec2c officer`, whose author has no account.
    officer_id   uuid references officers,
    officer      text not null check (char_length(officer) between 1 and 100),
    action       text not null check (action ~ '^[a-z][a-z_]{1,49}$'),
    -- What the action concerns: a user, a pair, … and its ID.
    subject_kind text not null check (subject_kind ~ '^[a-z_]{1,20}$'),
    subject_id   text not null default '',
    details      jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
    -- Null if the officer only viewed something, signed in or signed out.
    reason       text check (char_length(reason) between 1 and 500),
    -- The network address; empty for `mec2c officer`.
    address      text not null default '',
    at           timestamptz not null,
    -- The command in the console. If it is sent again, it does not run again.
    command_key  text,
    request_hash bytea check (octet_length(request_hash) = 32),
    check ((command_key is null) = (request_hash is null))
);
create index audit_log_officer on audit_log (officer_id, id);
create index audit_log_action on audit_log (action, id);
create index audit_log_subject on audit_log (subject_kind, subject_id, id);
create index audit_log_command on audit_log (officer_id, command_key) where command_key is not null;

-- What was recorded so far, in the order of time.
insert into audit_log (officer, action, subject_kind, subject_id, details, reason, at)
select officer, action, subject_kind, subject_id, details, reason, at
from (
    select officer, act as action,
           case when user_id is not null then 'user' when asset_id is not null then 'asset' else 'order' end as subject_kind,
           coalesce(user_id::text, asset_id::text, order_id::text) as subject_id, '{}'::jsonb as details, reason, at, 1 as source, id
    from officer_acts
    union all
    select officer, 'set_pair', 'pair', pair_id::text,
           jsonb_build_object('setting', setting, 'before', before, 'after', after), reason, at, 2, id
    from pair_acts
    union all
    -- A price is stored in units of 10^-8.
    select officer, 'set_reference', 'pair', pair_id::text,
           jsonb_build_object('after', trim_scale(price / 100000000::numeric)::text), reason, at, 3, id
    from reference_price_acts
    union all
    select officer, case when starts_at is null then 'end_maintenance' else 'plan_maintenance' end, 'platform', '',
           case when starts_at is null then '{}'
                else jsonb_build_object('from', to_char(starts_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
                                        'until', to_char(ends_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) end,
           reason, at, 4, id
    from maintenance_plans
) old
order by at, source, id;

create function audit_log_refuse() returns trigger language plpgsql as $$
begin
    raise exception 'the audit log is append-only' using errcode = 'integrity_constraint_violation', constraint = 'audit_log_append_only';
end $$;
create trigger audit_log_fixed before update or delete or truncate on audit_log execute function audit_log_refuse();

-- The previous release still writes these tables during the update. A later release drops them.
create function officer_act_forward() returns trigger language plpgsql as $$
begin
    insert into audit_log (officer, action, subject_kind, subject_id, reason, at)
    values (new.officer, new.act,
            case when new.user_id is not null then 'user' when new.asset_id is not null then 'asset' else 'order' end,
            coalesce(new.user_id::text, new.asset_id::text, new.order_id::text), new.reason, new.at);
    return null;
end $$;
create trigger officer_act_forward after insert on officer_acts for each row execute function officer_act_forward();
create function pair_act_forward() returns trigger language plpgsql as $$
begin
    insert into audit_log (officer, action, subject_kind, subject_id, details, reason, at)
    values (new.officer, 'set_pair', 'pair', new.pair_id::text,
            jsonb_build_object('setting', new.setting, 'before', new.before, 'after', new.after), new.reason, new.at);
    return null;
end $$;
create trigger pair_act_forward after insert on pair_acts for each row execute function pair_act_forward();
