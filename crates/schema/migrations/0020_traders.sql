-- What users keep about other traders, and what they say about them. Blocks are in `blocks_between`, because every order checks them.

create table favorites (
    user_id  uuid not null references users,
    trader   uuid not null references users,
    added_at timestamptz not null,
    primary key (user_id, trader),
    check (user_id <> trader)
);
create index favorites_newest on favorites (user_id, added_at desc, trader);

-- One mark and one line of each party of a completed order about the other one.
create table feedback (
    order_id uuid not null references orders,
    author   uuid not null references users,
    subject  uuid not null references users,
    positive boolean not null,
    line     text not null check (char_length(line) <= 100),
    given_at timestamptz not null,
    primary key (order_id, author),
    check (author <> subject)
);
create index feedback_newest on feedback (subject, given_at desc, order_id);
-- The newest mark of each author.
create index feedback_of_authors on feedback (subject, author, given_at desc) include (positive);
