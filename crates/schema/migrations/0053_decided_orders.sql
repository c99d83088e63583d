-- An officer's act is about a person, an asset, or an order that was decided.
alter table officer_acts add column order_id uuid references orders;
alter table officer_acts drop constraint officer_acts_check;
alter table officer_acts drop constraint officer_acts_check1;
alter table officer_acts add constraint officer_acts_about
    check (case act when 'certify' then user_id is not null when 'decertify' then user_id is not null
                    when 'resume' then asset_id is not null
                    when 'decide_buyer' then order_id is not null when 'decide_seller' then order_id is not null
                    else false end);
alter table officer_acts add constraint officer_acts_one_subject check (num_nonnulls(user_id, asset_id, order_id) = 1);
create index officer_acts_order on officer_acts (order_id, id) where order_id is not null;

-- Whoever owes for a reorganisation keeps only their own vault stopped; the coin may go on for everybody else.
insert into vault_stops (vault, asset_id, cause, because, at)
    select a.vault, a.asset_id, 'debt', 'its owner owes for a reorganisation', max(p.at)
    from ledger_accounts a join ledger_entries e on e.account_id = a.id join ledger_postings p on p.id = e.posting_id
    where a.kind = 'reorganisation_loss' and a.balance > 0
    group by a.vault, a.asset_id
    on conflict do nothing;
