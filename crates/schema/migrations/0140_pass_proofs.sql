-- With a challenge, a user can also prove a command: a change of what protects the account, or the confirmation of an order
-- during a hold.
alter table pass_challenges
    drop constraint pass_challenges_purpose_check,
    add constraint pass_challenges_purpose_check check (purpose in ('login', 'register', 'reset', 'security', 'confirm')),
    add column order_id uuid references orders,
    add constraint pass_challenges_order_check check ((purpose = 'confirm') = (order_id is not null));
