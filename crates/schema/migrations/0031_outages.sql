-- A heartbeat says that the chain was read up to its newest block. Only then may a deadline have an effect: what it waits
-- for would have been seen. Beside the product's time stands the machine's, which nobody moves: it tells a platform that
-- was down from a clock that was put forward.
alter table heartbeats add column machine_at timestamptz not null;

-- When every deadline that ran had been moved by the outage.
alter table outages add column moved_at timestamptz;
create index outages_to_move on outages (id) where moved_at is null;
