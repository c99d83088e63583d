-- The tables of the naive handler: what the order lives need, and no more.
create table users (id bigint primary key, token_hash bytea not null unique, last_event bigint not null default 0);
create table adverts (id uuid primary key, owner bigint not null, price numeric not null, remaining numeric not null check (remaining >= 0));
create table orders (
    id uuid primary key, advert uuid not null references adverts, seller bigint not null, taker bigint not null, state text not null,
    version bigint not null, quantity numeric not null, reference text, created_at timestamptz not null
);
create index on orders (taker) where state not in ('COMPLETED', 'CANCELLED', 'REJECTED');
create table accounts (id bigint generated always as identity primary key, kind text not null, owner uuid not null,
                       balance numeric not null default 0 check (balance >= 0), unique (kind, owner));
create table postings (id uuid primary key, key text not null unique, at timestamptz not null);
create table entries (posting uuid not null references postings, account bigint not null references accounts, amount numeric not null,
                      primary key (posting, account));
create table events (user_id bigint not null, number bigint not null, body jsonb not null, primary key (user_id, number));
create table idempotency_keys (user_id bigint not null, key text not null, response jsonb not null, primary key (user_id, key));
create table payouts (id uuid primary key, subject uuid not null unique, amount numeric not null);

insert into users (id, token_hash) select n, sha256(convert_to('bench-token-' || n, 'UTF8')) from generate_series(1, 40000) n;
insert into adverts select ('00000001-0000-7000-8000-' || lpad(to_hex(a), 12, '0'))::uuid, (a - 1) % 256 + 1, 1000 + (a * 7919) % 50, 1000000
from generate_series(1, 260) a;
insert into accounts (kind, owner, balance) select 'advert', id, remaining from adverts;
