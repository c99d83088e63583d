-- Where NFTs were and are. Each NFT is a row of `assets`, written when a transfer of it is first seen.

-- Every transfer of the configured albums, not only of vaults, also in blocks before the first one that is stored. A reorganization
-- removes those of its blocks.
create table nft_transfers (
    chain_id     bigint not null references chains,
    block_number bigint not null check (block_number >= 0),
    tx_hash      bytea not null check (octet_length(tx_hash) = 32),
    -- The log's index in the block.
    position     bigint not null check (position >= 0),
    asset_id     bigint not null references assets,
    -- The zero address if the NFT was minted.
    sender       bytea not null check (octet_length(sender) = 20),
    -- The zero address if the NFT was burned.
    recipient    bytea not null check (octet_length(recipient) = 20),
    at           timestamptz not null,
    primary key (asset_id, block_number, position)
);
create index nft_transfers_by_block on nft_transfers (chain_id, block_number);
create index nft_transfers_into on nft_transfers (recipient);

-- Which blocks of each album are still to be read: those from its start block up to the first block with which ingestion has read
-- its transfers.
create table album_backfills (
    asset_id   bigint primary key references albums,
    next_block bigint not null check (next_block >= 0),
    end_block  bigint not null,
    -- When a range of it was read last: greater than for the albums whose last range is older. So albums take turns.
    turn       bigint not null default 0,
    check (next_block <= end_block)
);

-- What the metadata of an NFT says, as fetched last, and when to fetch it again. Strangers write it.
create table nft_metadata (
    asset_id     bigint primary key references assets,
    -- As for the asset, so that each album has its own queue.
    album        bigint not null references assets,
    -- Where it is, in the words of the album's contract.
    uri          text check (char_length(uri) <= 2000),
    name         text check (char_length(name) <= 200),
    description  text check (char_length(description) <= 5000),
    trait_names  text[] not null default '{}',
    trait_values text[] not null default '{}' check (cardinality(trait_values) = cardinality(trait_names)),
    -- SHA-256 of the texts and of the picture as fetched first, to tell whether they have changed since.
    first_texts     bytea check (octet_length(first_texts) = 32),
    first_picture   bytea check (octet_length(first_picture) = 32),
    texts_changed   boolean not null default false,
    picture_changed boolean not null default false,
    -- Our own encodings of the picture in two sizes. `picture` begins the SHA-256 of the large one.
    picture      text check (picture ~ '^[0-9a-f]{16}$'),
    small_object uuid,
    small_media  text,
    small_bytes  bigint check (small_bytes > 0),
    large_object uuid,
    large_media  text,
    large_bytes  bigint check (large_bytes > 0),
    -- What the contract states about the royalty (EIP-2981), as asked last. It is shown and not collected. The share of a price is in
    -- hundredths of a percent.
    royalty_receiver     bytea check (octet_length(royalty_receiver) = 20),
    royalty_basis_points smallint check (royalty_basis_points between 1 and 10000),
    -- Why there is no picture, once it was fetched.
    refused      text,
    fetched_at   timestamptz,
    due_at       timestamptz,
    -- The newest fetch that has begun, unless the album has reported a change since. Until it ends, `due_at` is when it counts as
    -- failed.
    fetching     uuid,
    check (num_nulls(picture, small_object, small_media, small_bytes, large_object, large_media, large_bytes) in (0, 7)),
    check ((royalty_receiver is null) = (royalty_basis_points is null)),
    check (picture is null or refused is null),
    check (fetched_at is null or picture is not null or refused is not null)
);
create index nft_metadata_due on nft_metadata (album, due_at, asset_id) where due_at is not null;

-- The assets whose payouts are stopped. A stopped album stops its NFTs.
create view stopped_assets as
    select a.id from assets a join payout_stops s on s.asset_id in (a.id, a.album);

-- The owed legs of NFTs whose payouts are stopped, by asset, album or vault.
create view stopped_nft_legs as
    select l.reference from payout_legs l join assets a on a.id = l.asset_id
    where l.state = 'owed' and a.album is not null
      and (exists (select from stopped_assets s where s.id = a.id)
           or exists (select from vault_stops s where (s.vault, s.asset_id) = (l.vault, l.asset_id)));

-- An NFT is not for sale while its payouts are stopped.
create function stopped_nft_changed() returns trigger language plpgsql as $$
declare stopped bigint := coalesce(new.asset_id, old.asset_id);
begin
    insert into changes (kind, id)
    select 'advert', d.id from assets a join adverts d on d.base_asset = a.id
    where (a.id = stopped or a.album = stopped) and a.album is not null and d.is_open
    on conflict do nothing;
    return null;
end $$;
create trigger stopped_nft_changed after insert or delete on payout_stops
    for each row execute function stopped_nft_changed();
