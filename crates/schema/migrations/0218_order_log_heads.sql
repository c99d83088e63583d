-- The head of a log anchors the log: it always names the last entry, and only moves forward.
alter table order_log_heads add column at timestamptz not null;

create function order_log_heads_refuse() returns trigger language plpgsql as $$
begin
    raise exception 'the heads of order logs only move forward'
        using errcode = 'integrity_constraint_violation', constraint = 'order_log_heads_forward';
end $$;
create trigger order_log_heads_fixed before delete or truncate on order_log_heads execute function order_log_heads_refuse();

create function order_log_heads_check() returns trigger language plpgsql as $$
begin
    if exists (select from changed h left join order_log l on l.order_id = h.order_id and l.number = h.number
               where l.hash is distinct from h.hash or l.at is distinct from h.at
                  or exists (select from order_log later where later.order_id = h.order_id and later.number > h.number)) then
        raise exception 'the head of an order log is its last entry'
            using errcode = 'integrity_constraint_violation', constraint = 'order_log_heads_forward';
    end if;
    return null;
end $$;
create trigger order_log_heads_new after insert on order_log_heads
    referencing new table as changed for each statement execute function order_log_heads_check();
create trigger order_log_heads_moved after update on order_log_heads
    referencing new table as changed for each statement execute function order_log_heads_check();

create function order_log_heads_advance() returns trigger language plpgsql as $$
begin
    if new.order_id <> old.order_id or new.number <= old.number or new.at < old.at then
        raise exception 'the heads of order logs only move forward'
            using errcode = 'integrity_constraint_violation', constraint = 'order_log_heads_forward';
    end if;
    return new;
end $$;
create trigger order_log_heads_advance before update on order_log_heads for each row execute function order_log_heads_advance();
