-- Binds the answer of the pass to the browser that asked for it.

-- A challenge lasts minutes. Those without the new columns cannot be answered safely; their browsers ask again.
delete from pass_challenges;

alter table pass_challenges
    -- The browser that asks, as it names itself, and its region as our own proxy states it. The pass shows both.
    add column browser text,
    add column system text,
    add column requester_region text check (requester_region ~ '^[A-Z]{2}$'),
    -- The page shows the number; the pass shows the choices, and the person picks the number among them.
    add column number smallint not null,
    add column choices smallint[] not null check (cardinality(choices) = 3),
    -- The person picked another number: the page in front of them is not the one that asks.
    add column wrong_number boolean not null default false,
    -- Of an approval by redirect: the hash of the one-time code in the return address, and when the browser that asked
    -- presented it. Until then the approval is good for nothing.
    add column code_hash bytea check (octet_length(code_hash) = 32),
    add column returned_at timestamptz,
    add check (number = any (choices)),
    add check (code_hash is not null or returned_at is null);

-- A signed statement also answers with no: it is kept without a person.
alter table pass_challenges drop constraint pass_challenges_check;
alter table pass_challenges
    add check ((me_id is null) = (address is null) and (me_id is null) = (region is null)
               and (me_id is null) = (kyc_level is null)),
    add check ((statement_id is null) = (me_id is null and not denied and not wrong_number)),
    add check ((me_id is not null)::int + denied::int + wrong_number::int <= 1);
