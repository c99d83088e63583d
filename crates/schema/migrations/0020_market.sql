-- What the market and a person's record ask of finished orders, by the time at which they ended.
create index orders_ended_of_advertiser on orders (advertiser, ended_at) where ended_at is not null;
create index orders_ended_of_taker on orders (taker, ended_at) where ended_at is not null;
create index credit_changes_at on credit_changes (user_id, at) where order_id is not null;
