-- Measures the comparison of one picture with 1,000,000 earlier ones, of which a third looks flat and shares all bands.
-- Usage: scripts/with-postgres sh -c 'target/debug/schema && psql "$DATABASE_URL" -f bench/pictures.sql'
set session_replication_role = replica;
insert into files (id, owner, object, media_type, bytes, width, height, look, grid, sha256, created_at, purpose, order_id, attached_at)
select lpad(to_hex(n), 32, '0')::uuid, gen_random_uuid(), gen_random_uuid(), 'image/jpeg', 100000, 1080, 2400,
       case when n % 3 = 0 then 0 else hashtextextended(n::text, 0) end, decode(repeat(md5(n::text), 64), 'hex'),
       sha256(n::text::bytea), now(), case when n % 2 = 0 then 'receipt' else 'message' end::file_purpose, gen_random_uuid(), now()
from generate_series(1, 1000000) n;
insert into picture_bands (place, band, file, look, is_proof)
select place, (look >> (16 * (3 - place))) & 65535, id, look, purpose = 'receipt' from files, generate_series(0, 3) place;
set session_replication_role = origin;
vacuum analyze files, picture_bands;

-- As in crates/store/src/pictures.rs.
prepare near (smallint[], int[], bigint, bigint, boolean, bigint, uuid, bigint) as
    select f.look, f.grid
    from unnest(case when $5 then array[true] else array[true, false] end) as kind (is_proof)
    cross join lateral (
        select n.file from unnest($1, $2) as wanted (place, band)
        cross join lateral (
            select b.file, b.look from picture_bands b
            where b.place = wanted.place and b.band = wanted.band and b.is_proof = kind.is_proof
            order by b.file desc limit $8
        ) n
        where bit_count((n.look # $3)::bit(64)) <= $4
        group by n.file order by n.file desc limit $6
    ) found
    join files f on f.id = found.file
    where f.order_id <> $7;
\timing on
\echo 'a flat picture, to which a third of all are similar'
explain (analyze, buffers) execute near ('{0,1,2,3}', '{0,0,0,0}', 0, 10, false, 2000, '00000000-0000-0000-0000-000000000000', 5000);
explain (analyze, buffers) execute near ('{0,1,2,3}', '{0,0,0,0}', 0, 10, false, 2000, '00000000-0000-0000-0000-000000000000', 5000);
\echo 'an ordinary picture'
explain (analyze, buffers) execute near ('{0,1,2,3}', '{1,2,3,4}', 281483566841860, 10, false, 2000, '00000000-0000-0000-0000-000000000000', 5000);
