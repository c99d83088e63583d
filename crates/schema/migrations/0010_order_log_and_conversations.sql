-- The log of each order, its two parties' view of it, and warnings in their messages.

-- Every transition and every message, forever. `domain/src/order_log` defines entries and hashes.
create table order_log (
    order_id uuid not null references orders,
    -- Consecutive per order, from 1.
    number   bigint not null check (number > 0),
    -- The party who caused or wrote the entry; null for the platform.
    author   text check (author in ('BUYER', 'SELLER')),
    data     jsonb not null,
    kind     text not null generated always as (data ->> 'kind') stored check (kind in ('SYSTEM', 'MESSAGE', 'OFFICER')),
    at       timestamptz not null,
    hash     bytea not null check (octet_length(hash) = 32),
    primary key (order_id, number),
    -- A party cannot write as an officer, and nobody else can write as a party.
    check (case kind when 'MESSAGE' then author is not null when 'OFFICER' then author is null else true end)
);

create function order_log_refuse() returns trigger language plpgsql as $$
begin
    raise exception 'order logs are append-only' using errcode = 'integrity_constraint_violation', constraint = 'order_log_append_only';
end $$;
create trigger order_log_fixed before update or delete or truncate on order_log execute function order_log_refuse();

-- The last entry of each log. It anchors the log: it always names the last entry, and only moves forward. Whoever appends to a
-- log locks this row, after the order's row.
create table order_log_heads (
    order_id uuid primary key references orders,
    number   bigint not null check (number > 0),
    hash     bytea not null check (octet_length(hash) = 32),
    at       timestamptz not null
);

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

-- Words of which the recipient of a message is warned, in any language. Administrators keep the list.
create table warning_words (
    word    text primary key check (word <> ''),
    warning text not null check (warning in ('OFF_PLATFORM', 'EARLY_RELEASE'))
);
insert into warning_words (word, warning) values
    ('telegram', 'OFF_PLATFORM'), ('whatsapp', 'OFF_PLATFORM'), ('wechat', 'OFF_PLATFORM'), ('weixin', 'OFF_PLATFORM'),
    ('discord', 'OFF_PLATFORM'), ('messenger', 'OFF_PLATFORM'), ('instagram', 'OFF_PLATFORM'), ('facebook', 'OFF_PLATFORM'),
    ('snapchat', 'OFF_PLATFORM'), ('viber', 'OFF_PLATFORM'), ('skype', 'OFF_PLATFORM'), ('kakaotalk', 'OFF_PLATFORM'),
    ('zalo', 'OFF_PLATFORM'), ('微信', 'OFF_PLATFORM'), ('威信', 'OFF_PLATFORM'), ('薇信', 'OFF_PLATFORM'),
    ('加我v', 'OFF_PLATFORM'), ('电报', 'OFF_PLATFORM'), ('電報', 'OFF_PLATFORM'), ('私聊', 'OFF_PLATFORM'),
    ('私下交易', 'OFF_PLATFORM'), ('线下交易', 'OFF_PLATFORM'), ('線下交易', 'OFF_PLATFORM'), ('카카오톡', 'OFF_PLATFORM'),
    ('카톡', 'OFF_PLATFORM'), ('텔레그램', 'OFF_PLATFORM'), ('위챗', 'OFF_PLATFORM'),
    ('ไลน์ไอดี', 'OFF_PLATFORM'), ('แอดไลน์', 'OFF_PLATFORM'),
    ('release first', 'EARLY_RELEASE'), ('release early', 'EARLY_RELEASE'), ('release before', 'EARLY_RELEASE'),
    ('release the coins first', 'EARLY_RELEASE'), ('release the coins before', 'EARLY_RELEASE'),
    ('release coins first', 'EARLY_RELEASE'), ('release it first', 'EARLY_RELEASE'), ('send the coins first', 'EARLY_RELEASE'), ('send coins first', 'EARLY_RELEASE'),
    ('先放币', 'EARLY_RELEASE'), ('先放幣', 'EARLY_RELEASE'), ('先放行', 'EARLY_RELEASE'), ('提前放币', 'EARLY_RELEASE'),
    ('提前放幣', 'EARLY_RELEASE'), ('先打币', 'EARLY_RELEASE'), ('先打幣', 'EARLY_RELEASE'), ('先确认收款', 'EARLY_RELEASE'),
    ('先確認收款', 'EARLY_RELEASE'), ('先点确认', 'EARLY_RELEASE'), ('先點確認', 'EARLY_RELEASE'), ('先释放', 'EARLY_RELEASE'),
    ('先釋放', 'EARLY_RELEASE'),
    ('먼저 릴리스', 'EARLY_RELEASE'), ('먼저 코인', 'EARLY_RELEASE'), ('선릴리즈', 'EARLY_RELEASE'),
    ('먼저 풀어', 'EARLY_RELEASE'),
    ('mở khóa trước', 'EARLY_RELEASE'), ('nhả coin trước', 'EARLY_RELEASE'),
    ('giải phóng trước', 'EARLY_RELEASE'),
    ('ปล่อยเหรียญก่อน', 'EARLY_RELEASE'), ('ปล่อยก่อน', 'EARLY_RELEASE'),
    ('önce serbest', 'EARLY_RELEASE'), ('önce onayla', 'EARLY_RELEASE'), ('önce coin', 'EARLY_RELEASE'),
    ('libera primero', 'EARLY_RELEASE'), ('liberar primero', 'EARLY_RELEASE'), ('libere primero', 'EARLY_RELEASE'),
    ('suelta primero', 'EARLY_RELEASE'),
    ('libera primeiro', 'EARLY_RELEASE'), ('liberta primeiro', 'EARLY_RELEASE'), ('liberte primeiro', 'EARLY_RELEASE'),
    ('liberar primeiro', 'EARLY_RELEASE');
