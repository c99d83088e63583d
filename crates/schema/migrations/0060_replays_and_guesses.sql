-- A log-in is repeated only from where it came, and only for a minute: its nonce remembers both.
alter table secret_nonces
    add column used_at   timestamptz,
    add column used_from text;

-- Wrong guesses at secrets. What is guessed at and from where are hashes: nobody's e-mail is counted as somebody's is, and
-- the table says neither e-mails nor addresses.
create table guesses (
    subject      bytea not null check (octet_length(subject) = 32),
    place        bytea not null check (octet_length(place) = 32),
    wrong        int not null check (wrong >= 0),
    locked_until timestamptz,
    -- From then on the row says nothing any more.
    forgotten_at timestamptz not null,
    primary key (subject, place)
);
create index guesses_forgotten on guesses (forgotten_at);

-- The networks from which accounts have logged in (an IPv6 network is a /64). Strangers' guesses are not counted there.
create table login_networks (
    user_id  uuid not null references users,
    network  text not null check (network <> ''),
    first_at timestamptz not null,
    last_at  timestamptz not null,
    primary key (user_id, network)
);
create index login_networks_age on login_networks (last_at);

-- What is known of it when this begins: from where the sessions were opened that are still there.
insert into login_networks (user_id, network, first_at, last_at)
select user_id, network, min(opened_at), max(opened_at)
from (
    select user_id, opened_at,
           case when address ~ '^[0-9a-f:]+$' then host(network(set_masklen(address::inet, 64))) else address end as network
    from sessions
    where address ~ '^[0-9]{1,3}([.][0-9]{1,3}){3}$' or address ~ '^[0-9a-f]*:[0-9a-f:]*:[0-9a-f]*$'
) opened
group by user_id, network;

-- Guesses were counted for the account alone: anybody could lock its owner out.
alter table accounts
    drop column password_wrong,
    drop column password_locked_until,
    drop column security_wrong,
    drop column security_locked_until,
    -- In which the person last logged in: letters that they did not ask for themselves are written in it.
    add column language text;
