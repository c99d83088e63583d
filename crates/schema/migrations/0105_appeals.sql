-- Appeals about orders. The order's own row holds its latest appeal, which locks the order; this table holds all of them. A
-- transaction that changes an appeal writes both.
alter table orders add column appeal jsonb;

create table appeals (
    id        uuid primary key,
    order_id  uuid not null references orders,
    -- The appeal as `domain` writes it.
    appeal    jsonb not null,
    filed_at  timestamptz not null,
    status    text not null generated always as (appeal -> 'status' ->> 'status') stored
              check (status in ('PENDING', 'DECIDED', 'WITHDRAWN', 'REJECTED', 'EXECUTED'))
);
create index appeals_of_order on appeals (order_id, id);
create index appeals_open on appeals (filed_at, id) where status in ('PENDING', 'DECIDED');

-- Decisions that wait for a second officer, because the order is worth more than one officer may decide. A new proposal
-- replaces the earlier ones; a decision ends them.
create table appeal_proposals (
    id        bigint generated always as identity primary key,
    appeal_id uuid not null references appeals,
    officer   text not null check (char_length(officer) between 1 and 100),
    winner    text not null check (winner in ('BUYER', 'SELLER')),
    malicious boolean not null,
    note      text not null check (char_length(note) between 1 and 500),
    at        timestamptz not null,
    ended_at  timestamptz
);
create unique index appeal_proposals_open on appeal_proposals (appeal_id) where ended_at is null;

-- The appeal that cost a user reputation.
alter table reputation_changes add column appeal_id uuid references appeals;

alter table officer_acts drop constraint officer_acts_about;
alter table officer_acts add constraint officer_acts_about
    check (case when act in ('certify', 'decertify') then user_id is not null
                when act = 'resume' then asset_id is not null
                when act in ('decide_buyer', 'decide_seller', 'propose_buyer', 'propose_seller', 'reject_appeal', 'reopen_appeal')
                    then order_id is not null
                else false end);

-- The platform now files appeals about orders that nothing else moves. Such orders were not due so far: frozen ones, those
-- whose confirmation is overdue, and those whose payout was voided.
update orders set due_at = case
        when progress -> 'case' is not null then (progress -> 'case' ->> 'since')::timestamptz
        when overlay is not null then (overlay ->> 'since')::timestamptz + interval '7 days'
        else greatest((state_data -> 'deadline' ->> 'notified_at')::timestamptz, (state_data -> 'deadline' ->> 'at')::timestamptz)
             + interval '7 days' end
where is_open and due_at is null
  and (progress -> 'case' is not null or overlay is not null
       or state = 'AWAITING_CONFIRMATION' and state_data -> 'deadline' ->> 'notified_at' is not null);

-- An open order has a deadline, or an appeal whose verdict has a delay.
drop index orders_with_deadline;
create index orders_open_by_id on orders (id) where is_open;
