-- A doubted transfer is not lost: at each new final block its vault is asked again, and what it then holds is credited.
create index transfers_doubted on transfers (chain_id, vault, asset_id) where doubted;
