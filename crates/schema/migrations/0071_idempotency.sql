-- One idempotency mechanism for every command, keyed on the canonical request.
alter table commands rename to idempotency_keys;
alter table idempotency_keys rename column fingerprint to request_hash;
alter table idempotency_keys rename column answer to response;
alter table idempotency_keys rename constraint commands_pkey to idempotency_keys_pkey;
alter index commands_by_time rename to idempotency_keys_by_time;
alter table sessions rename column fingerprint to request_hash;
-- Every response is an object.
update idempotency_keys set response = case jsonb_typeof(response)
    when 'string' then jsonb_build_object('id', response) else '{"id": null}' end
where jsonb_typeof(response) <> 'object';
