-- A rejection can be a proposal, too. It has no winner.
alter table appeal_proposals alter column winner drop not null;

-- Two officers are two accounts. A proposal that was made under a name alone counts no longer.
update appeal_proposals set ended_at = at where officer_id is null and ended_at is null;
alter table appeal_proposals add constraint appeal_proposals_officer check (officer_id is not null or ended_at is not null);
