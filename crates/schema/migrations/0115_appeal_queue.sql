alter table appeals
    -- The user who filed the appeal; null for the platform.
    add column filed_by uuid references users,
    -- When the appeal ended; null while it is open.
    add column ended_at timestamptz;
update appeals a set
    filed_by = case when a.appeal ->> 'initiator' is null then null
                    when (a.appeal ->> 'initiator' = 'BUYER') = (o.side = 'SELL') then o.taker else o.advertiser end,
    ended_at = (a.appeal -> 'status' ->> 'at')::timestamptz
from orders o where o.id = a.order_id;
alter table appeals add constraint appeals_end check ((ended_at is null) = (status in ('PENDING', 'DECIDED')));

-- The queue of officers shows open appeals by `appeals_open`, and ended ones, those that ended last first.
create index appeals_ended on appeals (ended_at desc, id desc) where ended_at is not null;
-- How many appeals a user has filed.
create index appeals_filed_by on appeals (filed_by) where filed_by is not null;
-- How many appeals a user has lost.
create index reputation_changes_of_appeals on reputation_changes (user_id) where appeal_id is not null;
