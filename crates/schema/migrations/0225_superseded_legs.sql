-- A leg whose void left the chain after its coins had been given to something else. It is owed again, but must never be paid: only
-- another void ends it.
alter table payout_legs add column superseded boolean not null default false;
