-- The parties of the order that an appeal concerns, so that a page of a user's appeals reads no orders.
alter table appeals add column advertiser uuid references users, add column taker uuid references users;
update appeals a set advertiser = o.advertiser, taker = o.taker from orders o where o.id = a.order_id;
alter table appeals alter column advertiser set not null, alter column taker set not null;
create index appeals_of_advertiser on appeals (advertiser, id);
create index appeals_of_taker on appeals (taker, id);
