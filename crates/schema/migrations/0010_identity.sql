-- Log-in, the pass and e-mail. A person as trading sees them is a row of users; here is what proves who they are.

create table accounts (
    user_id               uuid primary key references users,
    -- In lower case: one account a mailbox.
    email                 text not null unique check (email = lower(email)),
    -- The person at the pass.
    me_id                 text not null unique,
    password_hash         text not null,
    security_hash         text,
    -- Wrong attempts since the last right one, and until when nothing is tried.
    password_wrong        int not null default 0 check (password_wrong >= 0),
    password_locked_until timestamptz,
    security_wrong        int not null default 0 check (security_wrong >= 0),
    security_locked_until timestamptz,
    nickname_changed_at   timestamptz,
    remark                text not null default '' check (char_length(remark) <= 100),
    terms_accepted_at     timestamptz not null
);

create table sessions (
    id          uuid primary key,
    user_id     uuid not null references users,
    -- The token is kept nowhere. It is made of the salt and of the key of the command that opened the session, so that
    -- the same command sent again answers the same token; both are needed, and only the sender has the second.
    token_hash  bytea not null unique check (octet_length(token_hash) = 32),
    salt        bytea not null check (octet_length(salt) = 32),
    opened_by   bytea not null unique check (octet_length(opened_by) = 32),
    fingerprint bytea not null check (octet_length(fingerprint) = 32),
    opened_at   timestamptz not null,
    expires_at  timestamptz not null,
    ended_at    timestamptz,
    -- What the person recognises it by in their list.
    agent       text not null default '',
    address     text not null default ''
);
create index sessions_of on sessions (user_id) where ended_at is null;

create table email_codes (
    email      text not null,
    purpose    text not null check (purpose in ('register', 'reset', 'security')),
    salt       bytea not null,
    code_hash  bytea not null check (octet_length(code_hash) = 32),
    sent_at    timestamptz not null,
    expires_at timestamptz not null,
    tries_left int not null check (tries_left >= 0),
    used_at    timestamptz,
    day        date not null,
    -- How many were sent on that day (UTC).
    sent       int not null check (sent > 0),
    -- The command that asked for it: sent again, it sends no second letter.
    asked_by   bytea not null check (octet_length(asked_by) = 32),
    primary key (email, purpose)
);

-- The keys under which browsers encrypt passwords: one a day, good for that day and the next.
create table secret_keys (
    id         uuid primary key,
    day        date not null unique,
    public_key bytea not null,
    -- Protects passwords on their way here only; a stored password is hashed.
    private_key bytea not null,
    expires_at timestamptz not null
);

create table secret_nonces (
    nonce_hash bytea primary key check (octet_length(nonce_hash) = 32),
    expires_at timestamptz not null,
    -- The command that used it: that command alone may be sent again.
    used_by    bytea check (octet_length(used_by) = 32)
);
create index secret_nonces_expiry on secret_nonces (expires_at);

create table slide_checks (
    id          uuid primary key,
    -- Where the piece belongs, in picture pixels.
    x           int not null check (x >= 0),
    -- The proof of work: the number whose hash with the salt was published.
    pow_number  int not null check (pow_number >= 0),
    expires_at  timestamptz not null,
    tries_left  int not null check (tries_left >= 0),
    token_hash  bytea unique check (octet_length(token_hash) = 32),
    -- The command that used the token: that command alone may be sent again.
    used_by     bytea check (octet_length(used_by) = 32)
);
create index slide_checks_expiry on slide_checks (expires_at);

create table pass_challenges (
    -- What the QR holds: everybody who sees it may read it.
    id           uuid primary key,
    -- The hash of what only the asking browser has: it alone may fetch the result.
    secret_hash  bytea not null unique check (octet_length(secret_hash) = 32),
    purpose      text not null check (purpose in ('login', 'register', 'reset', 'bind')),
    -- Whose account it is about, where that is known beforehand.
    user_id      uuid references users,
    return_to    text,
    created_at   timestamptz not null,
    expires_at   timestamptz not null,
    -- The statement that answered it, used once.
    denied       boolean not null default false,
    statement_id text unique,
    me_id        text,
    address      bytea check (octet_length(address) = 20),
    region       text,
    kyc_level    text check (kyc_level in ('none', 'basic', 'advanced')),
    answered_at  timestamptz,
    spent_at     timestamptz,
    check ((statement_id is null) = (me_id is null) and (me_id is null) = (address is null)
           and (me_id is null) = (region is null) and (me_id is null) = (kyc_level is null))
);
create index pass_challenges_expiry on pass_challenges (expires_at);

-- Words that no public text may have. Administrators keep the list.
create table forbidden_words (
    word text primary key check (word <> '')
);
insert into forbidden_words (word) values
    ('admin'), ('administrator'), ('moderator'), ('official'), ('customerservice'), ('support'), ('staff'), ('escrow'),
    ('mec2c'), ('telegram'), ('whatsapp'), ('wechat'), ('weixin'), ('discord'), ('http'), ('www'),
    ('官方'), ('客服'), ('管理员'), ('管理員'), ('仲裁'), ('微信'), ('电报'), ('電報'),
    ('관리자'), ('운영자'), ('고객센터'), ('텔레그램'), ('카카오톡');

-- The regions of the world: what the pass may state, and whether people there may register.
create table regions (
    -- ISO 3166-1, two letters.
    code     text primary key check (code ~ '^[A-Z]{2}$'),
    -- The telephone's country code.
    dial     text not null,
    name     text not null,
    -- The fiat currency that is used there.
    currency text not null,
    enabled  boolean not null default true
);
insert into regions (code, dial, name, currency) values
    ('AE', '971', 'United Arab Emirates', 'AED'),
    ('AR', '54', 'Argentina', 'ARS'),
    ('AT', '43', 'Austria', 'EUR'),
    ('AU', '61', 'Australia', 'AUD'),
    ('BD', '880', 'Bangladesh', 'BDT'),
    ('BE', '32', 'Belgium', 'EUR'),
    ('BG', '359', 'Bulgaria', 'EUR'),
    ('BR', '55', 'Brazil', 'BRL'),
    ('CA', '1', 'Canada', 'CAD'),
    ('CH', '41', 'Switzerland', 'CHF'),
    ('CL', '56', 'Chile', 'CLP'),
    ('CN', '86', 'China', 'CNY'),
    ('CO', '57', 'Colombia', 'COP'),
    ('CR', '506', 'Costa Rica', 'CRC'),
    ('CZ', '420', 'Czechia', 'CZK'),
    ('DE', '49', 'Germany', 'EUR'),
    ('DK', '45', 'Denmark', 'DKK'),
    ('DO', '1', 'Dominican Republic', 'DOP'),
    ('EC', '593', 'Ecuador', 'USD'),
    ('EE', '372', 'Estonia', 'EUR'),
    ('EG', '20', 'Egypt', 'EGP'),
    ('ES', '34', 'Spain', 'EUR'),
    ('FI', '358', 'Finland', 'EUR'),
    ('FR', '33', 'France', 'EUR'),
    ('GB', '44', 'United Kingdom', 'GBP'),
    ('GE', '995', 'Georgia', 'GEL'),
    ('GH', '233', 'Ghana', 'GHS'),
    ('GR', '30', 'Greece', 'EUR'),
    ('GT', '502', 'Guatemala', 'GTQ'),
    ('HK', '852', 'Hong Kong', 'HKD'),
    ('HR', '385', 'Croatia', 'EUR'),
    ('HU', '36', 'Hungary', 'HUF'),
    ('ID', '62', 'Indonesia', 'IDR'),
    ('IE', '353', 'Ireland', 'EUR'),
    ('IL', '972', 'Israel', 'ILS'),
    ('IN', '91', 'India', 'INR'),
    ('IS', '354', 'Iceland', 'ISK'),
    ('IT', '39', 'Italy', 'EUR'),
    ('JP', '81', 'Japan', 'JPY'),
    ('KE', '254', 'Kenya', 'KES'),
    ('KH', '855', 'Cambodia', 'KHR'),
    ('KP', '850', 'North Korea', 'KPW'),
    ('KR', '82', 'South Korea', 'KRW'),
    ('KW', '965', 'Kuwait', 'KWD'),
    ('KZ', '7', 'Kazakhstan', 'KZT'),
    ('LA', '856', 'Laos', 'LAK'),
    ('LK', '94', 'Sri Lanka', 'LKR'),
    ('LT', '370', 'Lithuania', 'EUR'),
    ('LU', '352', 'Luxembourg', 'EUR'),
    ('LV', '371', 'Latvia', 'EUR'),
    ('MA', '212', 'Morocco', 'MAD'),
    ('MM', '95', 'Myanmar', 'MMK'),
    ('MN', '976', 'Mongolia', 'MNT'),
    ('MO', '853', 'Macao', 'MOP'),
    ('MX', '52', 'Mexico', 'MXN'),
    ('MY', '60', 'Malaysia', 'MYR'),
    ('NG', '234', 'Nigeria', 'NGN'),
    ('NL', '31', 'Netherlands', 'EUR'),
    ('NO', '47', 'Norway', 'NOK'),
    ('NP', '977', 'Nepal', 'NPR'),
    ('NZ', '64', 'New Zealand', 'NZD'),
    ('PA', '507', 'Panama', 'USD'),
    ('PE', '51', 'Peru', 'PEN'),
    ('PH', '63', 'Philippines', 'PHP'),
    ('PK', '92', 'Pakistan', 'PKR'),
    ('PL', '48', 'Poland', 'PLN'),
    ('PT', '351', 'Portugal', 'EUR'),
    ('PY', '595', 'Paraguay', 'PYG'),
    ('QA', '974', 'Qatar', 'QAR'),
    ('RO', '40', 'Romania', 'RON'),
    ('RS', '381', 'Serbia', 'RSD'),
    ('SA', '966', 'Saudi Arabia', 'SAR'),
    ('SE', '46', 'Sweden', 'SEK'),
    ('SG', '65', 'Singapore', 'SGD'),
    ('SI', '386', 'Slovenia', 'EUR'),
    ('SK', '421', 'Slovakia', 'EUR'),
    ('TH', '66', 'Thailand', 'THB'),
    ('TN', '216', 'Tunisia', 'TND'),
    ('TR', '90', 'Türkiye', 'TRY'),
    ('TW', '886', 'Taiwan', 'TWD'),
    ('TZ', '255', 'Tanzania', 'TZS'),
    ('UA', '380', 'Ukraine', 'UAH'),
    ('UG', '256', 'Uganda', 'UGX'),
    ('US', '1', 'United States', 'USD'),
    ('UY', '598', 'Uruguay', 'UYU'),
    ('UZ', '998', 'Uzbekistan', 'UZS'),
    ('VE', '58', 'Venezuela', 'VES'),
    ('VN', '84', 'Vietnam', 'VND'),
    ('ZA', '27', 'South Africa', 'ZAR');
