-- Servers keep the hall in memory. They read it once by ID, and then only what has changed.
drop index adverts_hall;
create index adverts_online on adverts (id) where state = 'ONLINE' and frozen is null;
create index blocks_by_blocked on blocks_between (blocked);
