-- Adverts that an officer has taken down, and the reason, which the owner sees.
create table advert_takedowns (
    advert_id uuid primary key references adverts,
    reason    text not null check (char_length(reason) between 1 and 500),
    at        timestamptz not null
);
