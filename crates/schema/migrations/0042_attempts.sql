-- How far the chain had been read when it was signed: no more is offered for it before there are new blocks.
alter table payout_attempts add column head_number bigint check (head_number >= 0);
