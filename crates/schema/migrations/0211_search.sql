-- The pairs of neighboring characters of a nickname, by which a part of it is found.
create function nickname_parts(nickname text) returns text[] language sql immutable strict parallel safe as $$
    select array(select distinct substr(lower(nickname), n, 2) from generate_series(1, char_length(nickname) - 1) n)
$$;
create index users_nickname_parts on users using gin (nickname_parts(nickname)) where nickname is not null;

-- Officers find a case by a transaction of its order.
create index deposits_by_tx on deposits (tx_hash) where tx_hash is not null;
create index payment_matches_by_tx on payment_matches (tx_hash);
create index settlements_by_tx on settlements (tx_hash);
