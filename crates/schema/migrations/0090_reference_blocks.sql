-- Returns the first of `many` consecutive references. The lock ends with the function and not with the transaction: a
-- sequence is not transactional, so what one caller has reserved, no other caller gets.
create function reserve_payout_references(many bigint) returns bigint language plpgsql as $$
declare
    first bigint;
begin
    begin
        perform pg_advisory_lock(hashtext('payout_references'));
        first := nextval('payout_references');
        if many > 1 then
            perform setval('payout_references', first + many - 1);
        end if;
    exception when query_canceled or others then
        perform pg_advisory_unlock(hashtext('payout_references'));
        raise;
    end;
    perform pg_advisory_unlock(hashtext('payout_references'));
    return first;
end $$;
