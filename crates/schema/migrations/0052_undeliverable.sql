-- A payment that the chain refuses (the vault is short, or the token or the recipient does not take it) is told apart from a
-- leg that was not tried: only a refusal counts towards sending the coins elsewhere.
alter table settlements drop constraint settlements_outcome_check;
alter table settlements add constraint settlements_outcome_check check (outcome in ('paid', 'failed', 'rejected', 'voided'));

-- How often the recipient refused the leg, and since when; counted anew after a redirection.
alter table payout_legs add column rejections int not null default 0 check (rejections >= 0);
alter table payout_legs add column rejected_since timestamptz;
-- Since when the leg has failed, for whatever reason.
alter table payout_legs add column failing_since timestamptz;
-- Where the leg was to go before it was redirected to the vault of the same person, and when that was decided.
alter table payout_legs add column redirected_from bytea check (octet_length(redirected_from) = 20);
alter table payout_legs add column redirected_at timestamptz;
alter table payout_legs add check ((redirected_from is null) = (redirected_at is null));
-- The next refusal voids the leg on the chain, in the transaction that tries to pay it. Never half of a pair.
alter table payout_legs add column or_void boolean not null default false;
alter table payout_legs add check (not (or_void and with_next));
create index payout_legs_failing on payout_legs (reference) where state = 'owed' and failures > 0;
