-- What has stopped payouts stays as it was first said; a later reason, while they are stopped, stands beside it, so that
-- nobody lets payouts go on over a reason that they have not read.
alter table payout_stops add column again_because text;
alter table payout_stops add column again_at timestamptz;
alter table payout_stops add check ((again_because is null) = (again_at is null));

-- An officer's act is about a person, or about a coin whose payouts go on.
alter table officer_acts alter column user_id drop not null;
alter table officer_acts add column asset_id bigint references assets;
alter table officer_acts drop constraint officer_acts_act_check;
alter table officer_acts add check (case act when 'certify' then user_id is not null when 'decertify' then user_id is not null
                                             when 'resume' then asset_id is not null else false end);
alter table officer_acts add check ((user_id is null) <> (asset_id is null));
create index officer_acts_asset on officer_acts (asset_id, id) where asset_id is not null;
