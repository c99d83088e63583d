-- Which trades count for the reference price of a pair: those between users whose accounts are old enough and who are not
-- related. Users count as related if they have used the same account for payments or logged in from the same network.
create function counts_as_reference(advertiser uuid, taker uuid, settled_at timestamptz, aged_seconds bigint)
    returns boolean language sql stable as $$
    select (select max(created_at) from users where id in (advertiser, taker)) <= settled_at - aged_seconds * interval '1 second'
       and not exists (select from payment_methods one join payment_methods other on other.digest = one.digest
                       where one.user_id = advertiser and other.user_id = taker)
       and not exists (select from login_networks one join login_networks other on other.network = one.network
                       where one.user_id = advertiser and other.user_id = taker)
$$;
