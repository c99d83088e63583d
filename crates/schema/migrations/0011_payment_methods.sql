-- How people pay one another outside the platform. The forms are data: a new method needs no code.

create table method_forms (
    type       text primary key,
    position   int not null,
    currencies text[] not null,
    -- [{"name", "required", "maxLength", "kind": "text" | "number" | "picture", "secret"}], in the order of the screen.
    fields     jsonb not null
);

create table payment_methods (
    id         uuid primary key,
    user_id    uuid not null references users,
    type       text not null references method_forms,
    currency   text not null,
    fields     jsonb not null,
    -- Two methods with the same digest are the same: type, currency and account, without case and spaces.
    digest     bytea not null check (octet_length(digest) = 32),
    version    int not null default 1 check (version > 0),
    created_at timestamptz not null,
    updated_at timestamptz not null,
    deleted_at timestamptz
);
create unique index payment_methods_once on payment_methods (user_id, digest) where deleted_at is null;

insert into method_forms (type, position, currencies, fields) values
    ('bankCard', 1, '{CNY,USD,EUR,KRW,VND,THB,TRY,TWD,HKD,SGD,JPY,IDR,PHP,MYR,INR,BRL,MXN,ARS,COP,PEN,GBP,AUD,CAD,NGN}', '[
        {"name": "name", "required": true, "maxLength": 100, "kind": "text", "secret": false},
        {"name": "account", "required": true, "maxLength": 40, "kind": "text", "secret": true},
        {"name": "bankName", "required": true, "maxLength": 100, "kind": "text", "secret": false},
        {"name": "branch", "required": false, "maxLength": 100, "kind": "text", "secret": false},
        {"name": "iban", "required": false, "maxLength": 40, "kind": "text", "secret": true},
        {"name": "accountInfo", "required": false, "maxLength": 100, "kind": "text", "secret": false}
    ]'),
    ('alipay', 2, '{CNY}', '[
        {"name": "name", "required": true, "maxLength": 100, "kind": "text", "secret": false},
        {"name": "account", "required": true, "maxLength": 60, "kind": "text", "secret": true},
        {"name": "qrCode", "required": false, "maxLength": 100, "kind": "picture", "secret": false},
        {"name": "accountInfo", "required": false, "maxLength": 100, "kind": "text", "secret": false}
    ]'),
    ('wechat', 3, '{CNY}', '[
        {"name": "name", "required": true, "maxLength": 100, "kind": "text", "secret": false},
        {"name": "account", "required": true, "maxLength": 60, "kind": "text", "secret": true},
        {"name": "qrCode", "required": false, "maxLength": 100, "kind": "picture", "secret": false},
        {"name": "accountInfo", "required": false, "maxLength": 100, "kind": "text", "secret": false}
    ]'),
    ('visaDirect', 4, '{USD,EUR,KRW,VND,THB,TRY,TWD,SGD,BRL,MXN}', '[
        {"name": "name", "required": true, "maxLength": 100, "kind": "text", "secret": false},
        {"name": "account", "required": true, "maxLength": 19, "kind": "number", "secret": true},
        {"name": "bankName", "required": false, "maxLength": 100, "kind": "text", "secret": false},
        {"name": "accountInfo", "required": false, "maxLength": 100, "kind": "text", "secret": false}
    ]'),
    ('sepa', 5, '{EUR}', '[
        {"name": "name", "required": true, "maxLength": 100, "kind": "text", "secret": false},
        {"name": "iban", "required": true, "maxLength": 40, "kind": "text", "secret": true},
        {"name": "bankName", "required": true, "maxLength": 100, "kind": "text", "secret": false},
        {"name": "accountInfo", "required": false, "maxLength": 100, "kind": "text", "secret": false}
    ]'),
    ('pix', 6, '{BRL}', '[
        {"name": "name", "required": true, "maxLength": 100, "kind": "text", "secret": false},
        {"name": "account", "required": true, "maxLength": 77, "kind": "text", "secret": true},
        {"name": "qrCode", "required": false, "maxLength": 100, "kind": "picture", "secret": false},
        {"name": "accountInfo", "required": false, "maxLength": 100, "kind": "text", "secret": false}
    ]'),
    ('promptPay', 7, '{THB}', '[
        {"name": "name", "required": true, "maxLength": 100, "kind": "text", "secret": false},
        {"name": "account", "required": true, "maxLength": 15, "kind": "number", "secret": true},
        {"name": "qrCode", "required": false, "maxLength": 100, "kind": "picture", "secret": false},
        {"name": "accountInfo", "required": false, "maxLength": 100, "kind": "text", "secret": false}
    ]'),
    ('momo', 8, '{VND}', '[
        {"name": "name", "required": true, "maxLength": 100, "kind": "text", "secret": false},
        {"name": "account", "required": true, "maxLength": 60, "kind": "text", "secret": true},
        {"name": "qrCode", "required": false, "maxLength": 100, "kind": "picture", "secret": false},
        {"name": "accountInfo", "required": false, "maxLength": 100, "kind": "text", "secret": false}
    ]'),
    ('kakaoPay', 9, '{KRW}', '[
        {"name": "name", "required": true, "maxLength": 100, "kind": "text", "secret": false},
        {"name": "account", "required": true, "maxLength": 60, "kind": "text", "secret": true},
        {"name": "qrCode", "required": false, "maxLength": 100, "kind": "picture", "secret": false},
        {"name": "accountInfo", "required": false, "maxLength": 100, "kind": "text", "secret": false}
    ]'),
    ('papara', 10, '{TRY}', '[
        {"name": "name", "required": true, "maxLength": 100, "kind": "text", "secret": false},
        {"name": "account", "required": true, "maxLength": 60, "kind": "text", "secret": true},
        {"name": "qrCode", "required": false, "maxLength": 100, "kind": "picture", "secret": false},
        {"name": "accountInfo", "required": false, "maxLength": 100, "kind": "text", "secret": false}
    ]'),
    ('exchange', 11, '{USD,CNY,EUR,KRW,VND,THB,TRY,TWD,BRL,MXN}', '[
        {"name": "exchangeName", "required": true, "maxLength": 100, "kind": "text", "secret": false},
        {"name": "name", "required": true, "maxLength": 100, "kind": "text", "secret": false},
        {"name": "account", "required": true, "maxLength": 60, "kind": "text", "secret": true},
        {"name": "accountInfo", "required": false, "maxLength": 100, "kind": "text", "secret": false}
    ]'),
    ('other', 12, '{USD,EUR,CNY,KRW,VND,THB,TRY,TWD,HKD,SGD,JPY,IDR,PHP,MYR,INR,BRL,MXN,ARS,COP,PEN,GBP,AUD,CAD,NGN,KPW}', '[
        {"name": "methodName", "required": true, "maxLength": 100, "kind": "text", "secret": false},
        {"name": "name", "required": true, "maxLength": 100, "kind": "text", "secret": false},
        {"name": "account", "required": true, "maxLength": 100, "kind": "text", "secret": true},
        {"name": "accountInfo", "required": false, "maxLength": 100, "kind": "text", "secret": false}
    ]');
