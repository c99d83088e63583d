-- Every server keeps the reference data in memory and reads it again when this version changes.
create table reference_data_version (
    single  boolean primary key default true check (single),
    version bigint not null
);
insert into reference_data_version (version) values (1);

-- The triggers are deferred, so that the version's row is locked only during the commit and after every other row.
create function reference_data_changed() returns trigger language plpgsql as $$
begin
    update reference_data_version set version = version + 1;
    return null;
end $$;
do $$
declare
    name text;
begin
    foreach name in array array['albums', 'pairs', 'regions', 'forbidden_words', 'warning_words', 'method_forms',
                                'reference_price_acts', 'maintenance_plans', 'outages'] loop
        execute format('create constraint trigger reference_data_changed after insert or update or delete on %I
                        deferrable initially deferred for each row execute function reference_data_changed()', name);
    end loop;
end $$;
-- NFTs are not reference data: there can be any number of them.
create constraint trigger reference_data_added after insert on assets
    deferrable initially deferred for each row when (new.album is null) execute function reference_data_changed();
create constraint trigger reference_data_changed after update on assets
    deferrable initially deferred for each row when (new.album is null) execute function reference_data_changed();
create constraint trigger reference_data_added after insert or delete on chains
    deferrable initially deferred for each row execute function reference_data_changed();
-- The chain's row also counts the blocks that were read, which is not reference data.
create constraint trigger reference_data_changed after update on chains
    deferrable initially deferred for each row
    when ((old.name, old.genesis_hash, old.escrow_address, old.escrow_code, old.confirmations, old.start_block, old.stopped_because)
          is distinct from
          (new.name, new.genesis_hash, new.escrow_address, new.escrow_code, new.confirmations, new.start_block, new.stopped_because))
    execute function reference_data_changed();

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
create constraint trigger reference_data_changed after insert or update or delete on reference_prices
    deferrable initially deferred for each row execute function reference_price_changed();
