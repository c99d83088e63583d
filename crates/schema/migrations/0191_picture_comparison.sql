-- The worker compares the pictures of orders with earlier ones after they are attached, so that no command waits for it.

-- Whether a picture that is attached to an order still waits for the comparison.
alter table files add column uncompared boolean not null default false;
create index files_uncompared on files (attached_at, id) where uncompared;

-- The comparison reads a bounded number of rows of each band: the newest proofs, and the newest pictures of messages.
drop index picture_bands_look;
create index picture_bands_newest on picture_bands (place, band, is_proof, file desc) include (look);

-- The parties see the result.
create function picture_compared() returns trigger language plpgsql as $$
begin
    insert into changes (kind, id)
    select 'user', p.id
    from written w join before b on b.id = w.id join orders o on o.id = w.order_id
         cross join lateral (values (o.advertiser), (o.taker)) p (id)
    where w.used_before and not b.used_before
    on conflict do nothing;
    return null;
end $$;
create trigger file_compared after update on files
    referencing old table as before new table as written for each statement execute function picture_compared();
