-- The escrow chain, its coins, fiat currencies, and which of them trade against each other.

create table chains (
    chain_id         bigint primary key,
    name             text not null,
    -- Which chain exactly: set when the product first meets it, compared ever after.
    genesis_hash     bytea check (octet_length(genesis_hash) = 32),
    escrow_address   bytea check (octet_length(escrow_address) = 20),
    -- Keccak-256 of the Escrow's code: two development chains may have the same genesis.
    escrow_code      bytea check (octet_length(escrow_code) = 32),
    -- How deep a block must lie before what it holds is money. 1 is the head itself.
    confirmations    int not null check (confirmations > 0),
    -- The first block that matters: nothing of ours happened before.
    start_block      bigint not null default 0,
    -- How far the watcher has read, and how far what it read has become money.
    head_number      bigint,
    confirmed_number bigint,
    -- Why commands that move money are refused, if they are.
    stopped_because  text,
    check (confirmed_number <= head_number)
);

-- A coin on a chain, an album of NFTs (`erc721` without a token ID), one NFT, or a fiat currency.
create table assets (
    id         bigint generated always as identity primary key,
    code       text not null,
    kind       text not null check (kind in ('native', 'erc20', 'erc721', 'fiat')),
    chain_id   bigint references chains,
    contract   bytea check (octet_length(contract) = 20),
    token_id   bytea check (octet_length(token_id) = 32),
    decimals   smallint not null check (decimals between 0 and 30),
    dust       numeric(38, 0) not null default 0 check (dust >= 0),
    return_gas numeric(38, 0) not null default 0 check (return_gas >= 0),
    check ((kind = 'fiat') = (chain_id is null)),
    check ((kind in ('erc20', 'erc721')) = (contract is not null)),
    -- The album of an NFT.
    album      bigint references assets,
    check (token_id is null or kind = 'erc721'),
    check ((token_id is null) = (album is null))
);
create unique index assets_code on assets (code) where token_id is null;
create index assets_of_album on assets (album, id) where album is not null;
create unique index assets_token on assets (chain_id, kind, contract, token_id) nulls not distinct where kind <> 'fiat';

-- What only albums have.
create table albums (
    asset_id      bigint primary key references assets,
    class_id      text not null unique check (class_id ~ '^[a-z0-9-]{1,40}$'),
    name          text not null check (char_length(name) between 1 and 60),
    creator       text not null check (char_length(creator) between 1 and 60),
    description   text not null check (char_length(description) <= 500),
    -- What the seller of an NFT prepays: the fee of the sale, and the network fee of the transaction that ends the advert.
    prepaid_asset bigint not null references assets,
    fee           numeric(38, 0) not null check (fee >= 0),
    gas           numeric(38, 0) not null check (gas >= 0),
    -- The first block that can contain a transfer of the album.
    start_block   bigint not null check (start_block >= 0)
);

create table pairs (
    id                     bigint generated always as identity primary key,
    base_asset             bigint not null references assets,
    quote_asset            bigint not null references assets,
    enabled                boolean not null,
    fee_rate_ppm           int not null check (fee_rate_ppm between 0 and 1000000),
    fee_minimum            numeric(38, 0) not null check (fee_minimum >= 0),
    min_total              numeric(38, 0) not null check (min_total > 0),
    max_total              numeric(38, 0) not null check (max_total >= min_total),
    price_band_ppm         int not null check (price_band_ppm between 1 and 1000000),
    -- How many decimals prices may have.
    price_decimals         smallint not null check (price_decimals between 0 and 8),
    acceptance_seconds     int not null check (acceptance_seconds > 0),
    advert_deposit_seconds int not null check (advert_deposit_seconds > 0),
    order_deposit_seconds  int not null check (order_deposit_seconds > 0),
    payment_seconds        int not null check (payment_seconds > 0),
    confirmation_seconds   int not null check (confirmation_seconds > 0),
    grace_seconds          int not null check (grace_seconds > 0),
    chain_types            text[] not null default '{}',
    automatic_chain_type   text,
    unique (base_asset, quote_asset),
    check (base_asset <> quote_asset)
);
