-- The officer's account; null for the command line, whose authors have none.
alter table reference_price_acts add column officer_id uuid references officers;
