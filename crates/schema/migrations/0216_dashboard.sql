-- How many orders are in each open state.
create index orders_open_by_state on orders (state) where is_open;
-- How long the decisions of a period took.
create index appeals_decided on appeals (decided_at) include (filed_at) where decided_at is not null;
