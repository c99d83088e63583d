-- Two officers agree only if their decision moves the same coins. Without them, a proposal counts no longer.
alter table appeal_proposals add column movements jsonb;
update appeal_proposals set ended_at = at where ended_at is null;
alter table appeal_proposals add constraint appeal_proposals_movements check (movements is not null or ended_at is not null);
