-- How many decimals the prices of a pair may have.
alter table pairs add column price_decimals smallint check (price_decimals between 0 and 8);
update pairs p set price_decimals = case when q.kind = 'fiat' then q.decimals + 2 else 4 end
  from assets q where q.id = p.quote_asset;
alter table pairs alter column price_decimals set not null;
