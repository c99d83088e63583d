-- The worker stores the median of each pair every few seconds, usually the same one with a later time. Nothing that processes
-- keep in memory depends on this time, unless an officer has set a price since the previous one: then the median replaces it.
--
-- The lock orders this transaction and one in which an officer sets a price, which counts up the version: either this one sees
-- the officer's price, or the version is counted up after this one.
create function reference_price_changed() returns trigger language plpgsql as $$
begin
    perform from reference_data_version for update;
    if tg_op <> 'UPDATE' or new.price <> old.price
       or (select at from reference_price_acts where pair_id = new.pair_id order by id desc limit 1) > old.at then
        update reference_data_version set version = version + 1;
    end if;
    return null;
end $$;
drop trigger reference_data_changed on reference_prices;
create constraint trigger reference_data_changed after insert or update or delete on reference_prices
    deferrable initially deferred for each row execute function reference_price_changed();
