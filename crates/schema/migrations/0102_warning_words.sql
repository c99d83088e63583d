-- Words of which the recipient of a message is warned, in any language. Administrators keep the list.
create table warning_words (
    word    text primary key check (word <> ''),
    warning text not null check (warning in ('OFF_PLATFORM', 'EARLY_RELEASE'))
);
create constraint trigger reference_data_changed after insert or update or delete on warning_words
    deferrable initially deferred for each row execute function reference_data_changed();

insert into warning_words (word, warning) values
    ('telegram', 'OFF_PLATFORM'), ('whatsapp', 'OFF_PLATFORM'), ('wechat', 'OFF_PLATFORM'), ('weixin', 'OFF_PLATFORM'),
    ('discord', 'OFF_PLATFORM'), ('messenger', 'OFF_PLATFORM'), ('instagram', 'OFF_PLATFORM'), ('facebook', 'OFF_PLATFORM'),
    ('snapchat', 'OFF_PLATFORM'), ('viber', 'OFF_PLATFORM'), ('skype', 'OFF_PLATFORM'), ('kakaotalk', 'OFF_PLATFORM'),
    ('zalo', 'OFF_PLATFORM'), ('微信', 'OFF_PLATFORM'), ('威信', 'OFF_PLATFORM'), ('薇信', 'OFF_PLATFORM'),
    ('加我v', 'OFF_PLATFORM'), ('电报', 'OFF_PLATFORM'), ('電報', 'OFF_PLATFORM'), ('私聊', 'OFF_PLATFORM'),
    ('私下交易', 'OFF_PLATFORM'), ('线下交易', 'OFF_PLATFORM'), ('線下交易', 'OFF_PLATFORM'), ('카카오톡', 'OFF_PLATFORM'),
    ('카톡', 'OFF_PLATFORM'), ('텔레그램', 'OFF_PLATFORM'), ('위챗', 'OFF_PLATFORM'),
    ('ไลน์ไอดี', 'OFF_PLATFORM'), ('แอดไลน์', 'OFF_PLATFORM'),
    ('release first', 'EARLY_RELEASE'), ('release early', 'EARLY_RELEASE'), ('release before', 'EARLY_RELEASE'),
    ('release the coins first', 'EARLY_RELEASE'), ('release the coins before', 'EARLY_RELEASE'),
    ('release coins first', 'EARLY_RELEASE'), ('release it first', 'EARLY_RELEASE'), ('send the coins first', 'EARLY_RELEASE'), ('send coins first', 'EARLY_RELEASE'),
    ('先放币', 'EARLY_RELEASE'), ('先放幣', 'EARLY_RELEASE'), ('先放行', 'EARLY_RELEASE'), ('提前放币', 'EARLY_RELEASE'),
    ('提前放幣', 'EARLY_RELEASE'), ('先打币', 'EARLY_RELEASE'), ('先打幣', 'EARLY_RELEASE'), ('先确认收款', 'EARLY_RELEASE'),
    ('先確認收款', 'EARLY_RELEASE'), ('先点确认', 'EARLY_RELEASE'), ('先點確認', 'EARLY_RELEASE'), ('先释放', 'EARLY_RELEASE'),
    ('先釋放', 'EARLY_RELEASE'),
    ('먼저 릴리스', 'EARLY_RELEASE'), ('먼저 코인', 'EARLY_RELEASE'), ('선릴리즈', 'EARLY_RELEASE'),
    ('먼저 풀어', 'EARLY_RELEASE'),
    ('mở khóa trước', 'EARLY_RELEASE'), ('nhả coin trước', 'EARLY_RELEASE'),
    ('giải phóng trước', 'EARLY_RELEASE'),
    ('ปล่อยเหรียญก่อน', 'EARLY_RELEASE'), ('ปล่อยก่อน', 'EARLY_RELEASE'),
    ('önce serbest', 'EARLY_RELEASE'), ('önce onayla', 'EARLY_RELEASE'), ('önce coin', 'EARLY_RELEASE'),
    ('libera primero', 'EARLY_RELEASE'), ('liberar primero', 'EARLY_RELEASE'), ('libere primero', 'EARLY_RELEASE'),
    ('suelta primero', 'EARLY_RELEASE'),
    ('libera primeiro', 'EARLY_RELEASE'), ('liberta primeiro', 'EARLY_RELEASE'), ('liberte primeiro', 'EARLY_RELEASE'),
    ('liberar primeiro', 'EARLY_RELEASE');
