-- Limits of uploads, and the search for receipts that were used before.

-- What a user has uploaded in the last day.
create index files_of_owner on files (owner, created_at) include (bytes);

-- The search for similar pictures reads the hashes of all candidates before it limits their number, so it must not read the
-- rows of the files, which are large. The previous release writes neither column; its pictures are still found by the hash of their content.
alter table picture_bands
    add column look bigint,
    add column is_proof boolean not null default false;
update picture_bands b set look = f.look, is_proof = f.purpose in ('receipt', 'evidence') from files f where f.id = b.file;
