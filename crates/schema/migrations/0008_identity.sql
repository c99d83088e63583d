-- Login, the pass and email: what proves who a user is, and what keeps others from guessing or replaying it.

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

-- Words that no public text may have. Administrators keep the list.
create table forbidden_words (
    word text primary key check (word <> '')
);
insert into forbidden_words (word) values
    ('admin'), ('administrator'), ('moderator'), ('official'), ('customerservice'), ('support'), ('staff'), ('escrow'),
    ('mec2c'), ('telegram'), ('whatsapp'), ('wechat'), ('weixin'), ('discord'), ('http'), ('www'),
    ('官方'), ('客服'), ('管理员'), ('管理員'), ('仲裁'), ('微信'), ('电报'), ('電報'),
    ('관리자'), ('운영자'), ('고객센터'), ('텔레그램'), ('카카오톡');

create table accounts (
    user_id                    uuid primary key references users,
    -- In lower case: one account a mailbox.
    email                      text not null unique check (email = lower(email)),
    -- The email address that the account had when its hold began, if it has another one since. Emails about the hold go to both:
    -- whoever has taken the account over may have changed the address.
    former_email               text,
    -- The user's ID at the pass.
    me_id                      text not null unique,
    password_hash              text not null,
    security_hash              text,
    -- In which the user last logged in: emails that the user did not ask for are written in it.
    language                   text,
    nickname_changed_at        timestamptz,
    -- A new nickname is visible at once and under review until an officer approves or rejects it: since when it is under review.
    nickname_pending_since     timestamptz,
    -- Why the last nickname was rejected; null once the user has chosen another one.
    nickname_refusal           text check (char_length(nickname_refusal) between 1 and 500),
    -- Whether others see a neutral name, because the last nickname was rejected and no other one is approved yet.
    nickname_is_neutral        boolean not null default false,
    -- The nickname that the user has chosen since then. Only the user and administrators see it until it is approved.
    nickname_proposed          text,
    nickname_proposed_skeleton text,
    remark                     text not null default '' check (char_length(remark) <= 100),
    terms_accepted_at          timestamptz not null,
    -- The number of the newest event that the user has seen in the list of notifications.
    notifications_read         bigint not null default 0,
    check ((nickname_proposed is null) = (nickname_proposed_skeleton is null)),
    check (nickname_proposed is null or (nickname_is_neutral and nickname_pending_since is not null))
);
create index accounts_former_email on accounts (user_id) where former_email is not null;
create index accounts_nickname_pending on accounts (nickname_pending_since, user_id) where nickname_pending_since is not null;
create unique index accounts_nickname_proposed on accounts (lower(nickname_proposed));
create unique index accounts_nickname_proposed_skeleton on accounts (nickname_proposed_skeleton);

-- Nicknames that officers rejected, and what looks like them. They stay refused.
create table rejected_nicknames (
    -- In lower case.
    nickname    text primary key check (nickname = lower(nickname)),
    skeleton    text not null,
    rejected_at timestamptz not null
);
create index rejected_nicknames_skeleton on rejected_nicknames (skeleton);

create table sessions (
    id           uuid primary key,
    user_id      uuid not null references users,
    -- The token is kept nowhere. It is made of the salt and of the key of the command that opened the session, so that
    -- the same command sent again gets the same token; both are needed, and only the sender has the second.
    token_hash   bytea not null unique check (octet_length(token_hash) = 32),
    salt         bytea not null check (octet_length(salt) = 32),
    opened_by    bytea not null unique check (octet_length(opened_by) = 32),
    request_hash bytea not null check (octet_length(request_hash) = 32),
    opened_at    timestamptz not null,
    expires_at   timestamptz not null,
    ended_at     timestamptz,
    -- By which the user recognizes it in the list of sessions.
    agent        text not null default '',
    address      text not null default ''
);
create index sessions_of on sessions (user_id) where ended_at is null;
create index sessions_expiry on sessions (expires_at);
create index sessions_ended on sessions (ended_at) where ended_at is not null;

-- A code belongs to whoever asked for it: a user with a session, or a browser that knows the ID in the response. A stranger can
-- neither use up its tries nor replace it, and has an allowance of their own.
create table email_codes (
    -- The ID is kept nowhere: it is made of the salt and of the key of the command that asked.
    id_hash    bytea primary key check (octet_length(id_hash) = 32),
    email      text not null,
    purpose    text not null check (purpose in ('register', 'reset', 'security')),
    -- Who asked, a hash: a user or a network. Allowances are counted by it.
    requester  bytea not null check (octet_length(requester) = 32),
    -- Whether the requester is a stranger to the mailbox: neither its owner nor in a network that its account has logged in from.
    stranger   boolean not null,
    salt       bytea not null check (octet_length(salt) = 32),
    code_hash  bytea not null check (octet_length(code_hash) = 32),
    sent_at    timestamptz not null,
    expires_at timestamptz not null,
    tries_left int not null check (tries_left >= 0),
    used_at    timestamptz,
    -- The command that asked for it: sent again, it sends no second email.
    asked_by   bytea not null unique check (octet_length(asked_by) = 32)
);
create index email_codes_of on email_codes (email, purpose, sent_at);
create index email_codes_age on email_codes (sent_at);

-- The keys under which browsers encrypt passwords: one a day, good for that day and the next.
create table secret_keys (
    id          uuid primary key,
    day         date not null unique,
    public_key  bytea not null,
    -- Protects passwords on their way here only; a stored password is hashed.
    private_key bytea not null,
    expires_at  timestamptz not null
);

create table secret_nonces (
    nonce_hash bytea primary key check (octet_length(nonce_hash) = 32),
    expires_at timestamptz not null,
    -- The command that used it: that command alone may be sent again.
    used_by    bytea check (octet_length(used_by) = 32),
    -- A login is repeated only from where it came, and only for a minute.
    used_at    timestamptz,
    used_from  text
);
create index secret_nonces_expiry on secret_nonces (expires_at);

create table slide_checks (
    id         uuid primary key,
    -- Where the piece belongs, in picture pixels. A check by work alone has no picture.
    x          int check (x >= 0),
    -- The proof of work: the number whose hash with the salt was published.
    pow_number int not null check (pow_number >= 0),
    expires_at timestamptz not null,
    tries_left int not null check (tries_left >= 0),
    token_hash bytea unique check (octet_length(token_hash) = 32),
    -- The command that used the token: that command alone may be sent again.
    used_by    bytea check (octet_length(used_by) = 32)
);
create index slide_checks_expiry on slide_checks (expires_at);

-- Wrong guesses at secrets. What is guessed at and from where are hashes: the table has neither emails nor addresses.
create table guesses (
    subject      bytea not null check (octet_length(subject) = 32),
    place        bytea not null check (octet_length(place) = 32),
    wrong        int not null check (wrong >= 0),
    locked_until timestamptz,
    -- From then on the row says nothing any more.
    forgotten_at timestamptz not null,
    primary key (subject, place)
);
create index guesses_forgotten on guesses (forgotten_at);

-- The networks from which users and officers have logged in (an IPv6 network is a /64). Strangers' guesses are not counted there.
create table login_networks (
    -- The ID of a user or of an officer.
    user_id  uuid not null,
    network  text not null check (network <> ''),
    first_at timestamptz not null,
    last_at  timestamptz not null,
    primary key (user_id, network)
);
create index login_networks_age on login_networks (last_at);

-- The devices from which users have logged in with their passwords. A device is a browser with a signed cookie; `device` is the
-- hash of its ID.
create table login_devices (
    user_id  uuid not null references users,
    device   bytea not null check (octet_length(device) = 32),
    first_at timestamptz not null,
    last_at  timestamptz not null,
    primary key (user_id, device)
);
create index login_devices_age on login_devices (last_at);

-- The key that signs the cookies.
create table device_keys (
    single boolean primary key default true check (single),
    key    bytea not null check (octet_length(key) = 32)
);

-- Questions to the pass: who a user is, or whether the user wants a command, such as a change of what protects the account, or
-- the confirmation of an order during a hold.
create table pass_challenges (
    -- In the QR code: everybody who sees it may read it.
    id               uuid primary key,
    -- The hash of what only the asking browser has: it alone may fetch the result.
    secret_hash      bytea not null unique check (octet_length(secret_hash) = 32),
    purpose          text not null check (purpose in ('login', 'register', 'reset', 'security', 'bind', 'unbind',
                                                                'confirm')),
    -- Whose account it is about, where that is known beforehand.
    user_id          uuid references users,
    order_id         uuid references orders,
    return_to        text,
    created_at       timestamptz not null,
    expires_at       timestamptz not null,
    -- The browser that asks, as it names itself, and its region as our own proxy states it. The pass shows both.
    browser          text,
    system           text,
    requester_region text check (requester_region ~ '^[A-Z]{2}$'),
    -- The page shows the number; the pass shows the choices, and the user picks the number among them.
    number           smallint not null,
    choices          smallint[] not null check (cardinality(choices) = 3),
    -- The statement that answered it, used once. A statement that says no is kept without a user.
    statement_id     text unique,
    denied           boolean not null default false,
    -- The user picked another number: the page in front of them is not the one that asks.
    wrong_number     boolean not null default false,
    me_id            text,
    address          bytea check (octet_length(address) = 20),
    region           text,
    kyc_level        text check (kyc_level in ('none', 'basic', 'advanced')),
    answered_at      timestamptz,
    -- Of an approval by redirect: the hash of the one-time code in the return address, and when the browser that asked
    -- presented it. Until then the approval is good for nothing.
    code_hash        bytea check (octet_length(code_hash) = 32),
    returned_at      timestamptz,
    spent_at         timestamptz,
    check ((me_id is null) = (address is null) and (me_id is null) = (region is null)
           and (me_id is null) = (kyc_level is null)),
    check (number = any (choices)),
    check (code_hash is not null or returned_at is null),
    check ((statement_id is null) = (me_id is null and not denied and not wrong_number)),
    check ((me_id is not null)::int + denied::int + wrong_number::int <= 1),
    constraint pass_challenges_order_check check ((purpose = 'confirm') = (order_id is not null))
);
create index pass_challenges_expiry on pass_challenges (expires_at);

-- Emails about notifications, and to advertisers whose accounts are on hold about automatic orders whose coins the platform
-- released meanwhile. The transaction of the cause writes the row, and a worker sends the email after the commit.
create table emails (
    id         bigint generated always as identity primary key,
    user_id    uuid not null references users,
    -- The notification; null for an email about a hold.
    event      bigint,
    -- The order that was released during a hold; null for a notification.
    order_id   uuid references orders,
    -- Of the notification. Null for an email about a hold, which is as urgent as one about the security of the account.
    category   text,
    urgent     boolean not null generated always as (category is null or category = 'SECURITY') stored,
    written_at timestamptz not null,
    -- When a worker may try to send it.
    due_at     timestamptz not null,
    tries      int not null default 0 check (tries >= 0),
    -- The addresses for which the mail server has accepted the email, so that one address that it refuses does not repeat the
    -- email to the other.
    accepted   text[] not null default '{}',
    sent_at    timestamptz,
    foreign key (user_id, event) references outbox_events (user_id, number),
    unique (user_id, event),
    unique (order_id),
    check ((event is null) <> (order_id is null))
);
create index emails_due on emails (urgent desc, due_at, id) where sent_at is null;
-- For the limit of emails to a user.
create index emails_tried on emails (user_id, category, written_at) where tries > 0;
create index emails_age on emails (written_at);
