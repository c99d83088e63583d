\set total random(10, 40)
select count(*) from ideal_hall
where pair_id = (select p.id from pairs p join assets b on b.id = p.base_asset join assets q on q.id = p.quote_asset
                 where b.code = 'MEC' and q.code = 'KRW')
  and side = 'SELL' and region = 'KR' and kind = 'bankCard' and certified and :total * 1000 between min_total and max_total;
select * from ideal_hall
where pair_id = (select p.id from pairs p join assets b on b.id = p.base_asset join assets q on q.id = p.quote_asset
                 where b.code = 'MEC' and q.code = 'KRW')
  and side = 'SELL' and region = 'KR' and kind = 'bankCard' and certified and :total * 1000 between min_total and max_total
order by price limit 20;
