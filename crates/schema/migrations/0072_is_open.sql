-- Which states are open is said once for each table.
alter table adverts add column is_open boolean not null
    generated always as ((state_data ->> 'state') in ('CREATING', 'ONLINE', 'OFFLINE', 'REVOKING')) stored;
alter table orders add column is_open boolean not null
    generated always as ((state_data ->> 'state') not in ('COMPLETED', 'CANCELLED', 'REJECTED')) stored;

drop index adverts_open;
create index adverts_open on adverts (owner) where is_open;
drop index orders_running;
create index orders_open on orders (taker) where is_open;
alter index orders_will_claim rename to orders_will_request_funding;
