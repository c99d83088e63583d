-- Uploaded pictures and videos. The bytes are in the file store; a row says what they are and what they are attached to.

-- Objects of the file store that no file uses: uploads in progress, and the objects of deleted files. Every object of the
-- store has a row here or in `files`, so cleaning up never has to list the store.
create table loose_objects (
    object uuid primary key,
    -- When it was last in use.
    since  timestamptz not null
);
create index loose_objects_oldest on loose_objects (since);

create type file_purpose as enum (
    'receipt',     -- of the payment of an order
    'evidence',    -- in an appeal
    'message',     -- in the chat of an order
    'payment_qr'   -- of a payment method
);

create table files (
    id           uuid primary key,
    owner        uuid not null references users,
    object       uuid not null unique,
    media_type   text not null,
    bytes        bigint not null check (bytes > 0),
    -- Of a picture.
    width        int check (width > 0),
    height       int check (height > 0),
    -- The look of a picture: the difference hash, and the grid of brightness that confirms a match.
    look         bigint,
    grid         bytea check (octet_length(grid) = 1024),
    -- Of a video.
    duration_ms  int check (duration_ms > 0),
    sha256       bytea not null check (octet_length(sha256) = 32),
    created_at   timestamptz not null,
    -- Since when the file has not been attached to anything; null while it is.
    loose_since  timestamptz,
    purpose      file_purpose,
    order_id     uuid references orders,
    method_id    uuid references payment_methods,
    attached_at  timestamptz,
    -- Whether a picture that is attached to an order still waits for the comparison with earlier ones, which the worker makes, so
    -- that no command waits for it.
    uncompared   boolean not null default false,
    -- Whether the picture was attached to another order before.
    used_before  boolean not null default false,
    check ((look is null) = (duration_ms is not null)),
    check ((look is null) = (grid is null) and (look is null) = (width is null) and (look is null) = (height is null)),
    check ((loose_since is null) = (purpose is not null)),
    check ((purpose is null) = (attached_at is null)),
    check ((purpose = 'payment_qr') is true = (method_id is not null)),
    check ((purpose in ('receipt', 'evidence', 'message')) is true = (order_id is not null))
);
create index files_loose on files (owner) where loose_since is not null;
create index files_oldest_loose on files (loose_since) where loose_since is not null;
create index files_of_order on files (order_id) where order_id is not null;
create index files_of_method on files (method_id) where method_id is not null;
-- What a user has uploaded in the last day.
create index files_of_owner on files (owner, created_at) include (bytes);
create index files_uncompared on files (attached_at, id) where uncompared;
-- The same bytes on another order.
create index files_same on files (sha256, attached_at) where order_id is not null;

-- The bands of the hashes of the pictures on orders. Similar pictures share a band. The search reads the hashes of all candidates,
-- so it must not read the rows of the files, which are large.
create table picture_bands (
    place    smallint not null check (place between 0 and 3),
    band     int not null check (band between 0 and 65535),
    file     uuid not null references files,
    look     bigint not null,
    is_proof boolean not null,
    primary key (place, band, file)
);
-- The search reads a bounded number of rows of each band: the newest proofs, and the newest pictures of messages.
create index picture_bands_newest on picture_bands (place, band, is_proof, file desc) include (look);

-- The key that signs links to files.
create table link_keys (
    single boolean primary key default true check (single),
    key    bytea not null check (octet_length(key) = 32)
);
