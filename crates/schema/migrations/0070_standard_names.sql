-- Brings tables, columns and stored state in line with docs/glossary.md.

alter table claims rename to funding_requests;
alter table funding_requests rename column need to required;
alter table funding_requests rename column counted to funded;
alter table funding_requests drop constraint claims_state_check;
update funding_requests set state = case state when 'met' then 'fulfilled' when 'ended' then 'closed' else state end;
alter table funding_requests add constraint funding_requests_state_check check (state in ('open', 'fulfilled', 'closed'));
alter table funding_requests rename constraint claims_pkey to funding_requests_pkey;
alter index claims_one_open rename to funding_requests_one_open;
alter index claims_of_advert rename to funding_requests_of_advert;
alter index claims_of_order rename to funding_requests_of_order;

alter table adverts rename column claims to funding_rounds;
update orders set progress = progress - 'claims' - 'payment_claimed_at' || jsonb_build_object(
    'funding_rounds', progress -> 'claims', 'payment_funded_at', progress -> 'payment_claimed_at');

alter table credit_changes rename to reputation_changes;
alter table reputation_changes rename column credit to reputation;
alter index credit_changes_of rename to reputation_changes_of;
alter index credit_changes_at rename to reputation_changes_at;
alter table users rename column credit to reputation;

alter table events rename to outbox_events;
alter index events_tail rename to outbox_events_tail;

alter table transfers rename column doubted to uncredited;
alter index transfers_doubted rename to transfers_uncredited;

alter table email_codes rename column asker to requester;

alter table users rename column nickname_look to nickname_skeleton;
alter index users_nickname_look rename to users_nickname_skeleton;

-- `state` is generated from it.
alter table adverts rename column facts to state_data;
alter table orders rename column facts to state_data;
