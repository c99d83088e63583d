-- The yardstick of `hall`: the hall in one flat table with the ideal index for the filters of `ideal_hall_query.sql`. A database
-- that is asked for each page can do no better.
create table ideal_hall as
select a.id, a.pair_id, a.side, a.price, a.min_total, a.max_total, a.remaining, u.region, u.certified, m.kind, u.nickname
from adverts a join users u on u.id = a.owner join advert_methods m on m.advert_id = a.id
where a.state = 'ONLINE' and a.frozen is null and u.online;
create index ideal_hall_index on ideal_hall (pair_id, side, region, kind, certified, price) include (min_total, max_total);
