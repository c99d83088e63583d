-- What the contract of an album states about the royalty for an NFT (EIP-2981), as asked last. It is shown and not collected.
alter table nft_metadata
    add column royalty_receiver     bytea check (octet_length(royalty_receiver) = 20),
    -- The share of a price in hundredths of a percent.
    add column royalty_basis_points smallint check (royalty_basis_points between 1 and 10000),
    add check ((royalty_receiver is null) = (royalty_basis_points is null));

-- Contracts were not asked before.
update nft_metadata set due_at = fetched_at where due_at is null;

-- The operator no longer states it.
alter table albums drop column royalty_ppm;
