-- The reference price at the beginning of the current hour, which bounds how far the price moves within it.
alter table reference_prices
    add column anchor      numeric(38, 0) check (anchor > 0),
    add column anchored_at timestamptz;
update reference_prices set anchor = price, anchored_at = at;
alter table reference_prices
    alter column anchor set not null,
    alter column anchored_at set not null;
