-- The names of a pair's fee as docs/glossary.md has them.
alter table pairs rename column fee_ppm to fee_rate_ppm;
alter table pairs rename column fee_floor to fee_minimum;
