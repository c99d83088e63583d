-- Orders that lapsed because a user did not deposit or pay in time. Takers with several of them deposit before they order.
create index reputation_changes_lapses on reputation_changes (user_id, at) where cause in ('PAYMENT_OVERDUE', 'DEPOSIT_OVERDUE');
