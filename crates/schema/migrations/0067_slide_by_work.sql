-- A check by work alone has no picture, and so no place where a piece belongs.
alter table slide_checks alter column x drop not null;
