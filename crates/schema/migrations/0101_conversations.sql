-- What each party of an order has received, read and seen of the order's log.
create table conversations (
    user_id      uuid not null references users,
    order_id     uuid not null references orders,
    -- The numbers of the last entries that a device of the user has received, that the user has read in the conversation,
    -- and that the user has seen there or on the order's page. They only grow.
    delivered_to bigint not null default 0,
    read_to      bigint not null default 0,
    seen_to      bigint not null default 0,
    -- The number of messages to the user after `read_to`.
    unread       int not null default 0 check (unread >= 0),
    -- The time of the last message; null while there is none.
    talked_at    timestamptz,
    primary key (user_id, order_id)
);
create index conversations_recent on conversations (user_id, talked_at desc, order_id desc) where talked_at is not null;
create index conversations_unread on conversations (user_id) where unread > 0;

create function conversation_kept() returns trigger language plpgsql as $$
begin
    if new.delivered_to < old.delivered_to or new.read_to < old.read_to or new.seen_to < old.seen_to then
        raise exception 'marks only grow' using errcode = 'integrity_constraint_violation', constraint = 'conversation_marks_grow';
    end if;
    return new;
end $$;
create trigger conversation_kept before update on conversations for each row execute function conversation_kept();

-- The list of open orders shows the unread messages and whether the order has news.
create function conversation_changed() returns trigger language plpgsql as $$
begin
    insert into changes (kind, id) values ('user', new.user_id) on conflict do nothing;
    return null;
end $$;
create trigger conversation_inserted after insert on conversations
    for each row execute function conversation_changed();
create trigger conversation_updated after update on conversations
    for each row when (old.unread <> new.unread or old.seen_to <> new.seen_to) execute function conversation_changed();
