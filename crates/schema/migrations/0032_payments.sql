-- A transfer to a seller's own receiving address on the escrow chain that looks like the payment of a manual order. It
-- supports that order and no other: people see it, and nobody cancels over it. It releases nothing by itself.
create table payments (
    chain_id     bigint not null,
    block_number bigint not null,
    block_hash   bytea not null,
    tx_hash      bytea not null check (octet_length(tx_hash) = 32),
    -- The log's index in the block.
    position     bigint not null,
    sender       bytea not null check (octet_length(sender) = 20),
    amount       numeric(38, 0) not null check (amount > 0),
    order_id     uuid not null unique references orders,
    primary key (chain_id, block_hash, tx_hash, position),
    -- Gone with its block when the chain reorganises.
    foreign key (chain_id, block_number) references blocks on delete cascade
);

-- Where running manual orders are paid from person to person.
create index orders_paid_to on orders (lower(pay_to))
    where payment = 'TRANSFER' and state in ('AWAITING_ACCEPTANCE', 'AWAITING_DEPOSIT', 'AWAITING_PAYMENT', 'AWAITING_CONFIRMATION');
