//! Writes the email about a notification.

use domain::clock::Timestamp;
use domain::effect::Notice;
use domain::notifications::{AccountChange, Category, Channel};
use domain::orders::StateName;

use super::Subject;
use super::texts::{Texts, texts};
use crate::mail::EmailMessage;

/// An order, as the email shows it.
pub(super) struct OrderLine {
    /// Amount and code of the base, such as `4 MEC`.
    pub(super) base: String,
    /// Amount and code of the quote.
    pub(super) quote: String,
    /// Until when the user must act.
    pub(super) due_at: Option<Timestamp>,
    pub(super) state: StateName,
}

/// Writes the email in the recipient's language, without its address; in English if the language is unknown. What a thief of the
/// account might do, the email also says in English: a thief can choose the language. `url` is the address of the web app.
pub(super) fn notification_message(
    about: &Subject,
    category: Category,
    order: Option<&OrderLine>,
    language: &str,
    url: &str,
) -> EmailMessage {
    let url = url.trim_end_matches('/');
    let write = |language| written(about, category, order, (texts(language), url));
    let (title, mut lines) = write(language);
    let mut subject = format!("MEC2C: {title}");
    let (english, more) = write("en_US");
    if matches!(category, Category::Security | Category::Funds) && english != title {
        subject = format!("{subject} / {english}");
        lines.push("---".to_owned());
        lines.extend(more);
    }
    EmailMessage { to: String::new(), subject, text: lines.join("\n") }
}

/// Returns the title and the lines of the email.
fn written(
    about: &Subject,
    category: Category,
    order: Option<&OrderLine>,
    (texts, url): (&'static Texts, &str),
) -> (&'static str, Vec<String>) {
    let title = title(texts, about, category, order.map(|order| order.state));
    let mut lines = vec![title.to_owned(), String::new()];
    if let (Subject::Order { id, .. }, Some(order)) = (about, order) {
        lines.push(format!("    {}: {id}", texts.order));
        lines.push(format!("    {}: {}, {}", texts.amount, order.base, order.quote));
        lines.extend(order.due_at.map(|at| format!("    {}: {} UTC", texts.until, at.format("%Y-%m-%d %H:%M"))));
        lines.push(String::new());
    }
    lines.push(format!("{}: {url}{}", texts.open, path(about)));
    lines.push(String::new());
    let not_you = match about {
        Subject::AccountChanged(change) if change.starts_hold() => texts.not_you,
        _ => texts.not_you_no_hold,
    };
    lines.extend(matches!(category, Category::Security | Category::Funds).then(|| not_you.to_owned()));
    lines.extend(
        category.is_optional(Channel::Email).then(|| format!("{}: {url}/notificationSettings", texts.preferences)),
    );
    lines.push(String::new());
    (title, lines)
}

/// Returns the page of the web app that shows what a notification is about.
fn path(about: &Subject) -> String {
    match about {
        Subject::Order { id, .. } => format!("/orderDetail?id={id}"),
        Subject::Advert { id, .. } => format!("/myAdvert?id={id}"),
        Subject::Certification { .. } => "/certification".to_owned(),
        Subject::Withdrawal => "/fundRecord".to_owned(),
        Subject::AccountChanged(AccountChange::NotificationEmails) => "/notificationSettings".to_owned(),
        Subject::TakenOffline | Subject::AccountChanged(_) => "/personalCenter".to_owned(),
    }
}

fn title(texts: &Texts, about: &Subject, category: Category, state: Option<StateName>) -> &'static str {
    match about {
        Subject::Order { notice: Notice::EvidenceRequested, .. } => texts.evidence_requested,
        Subject::Order { notice: Notice::CancelAsked, .. } => texts.cancel_asked,
        Subject::Order { notice: Notice::PaymentConfirmed, .. } if category == Category::Funds => texts.released,
        Subject::Order { .. } => match (category, state) {
            (Category::Funds, _) => texts.funded,
            (Category::NewOrder, _) => texts.new_order,
            (Category::Appeal, _) => texts.appeal,
            (Category::ActionNeeded, Some(StateName::AwaitingDeposit)) => texts.deposit,
            (Category::ActionNeeded, Some(StateName::AwaitingPayment)) => texts.pay,
            (Category::ActionNeeded, Some(StateName::AwaitingConfirmation)) => texts.confirm,
            _ => texts.order_progress,
        },
        Subject::Advert { .. } => texts.advert,
        Subject::Certification { approved: true } => texts.certified,
        Subject::Certification { approved: false } => texts.not_certified,
        Subject::TakenOffline => texts.taken_offline,
        Subject::Withdrawal => texts.withdrawn,
        Subject::AccountChanged(change) => match change {
            AccountChange::LoginPassword => texts.login_password,
            AccountChange::SecurityPassword => texts.security_password,
            AccountChange::EmailAddress => texts.email_address,
            AccountChange::ReceivingAddress => texts.receiving_address,
            AccountChange::BoundAddress => texts.bound_address,
            AccountChange::SecurityPasswordSet => texts.security_password_set,
            AccountChange::NotificationEmails => texts.emails_off,
        },
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use domain::ids::OrderId;
    use domain::trade::Party;
    use uuid::Uuid;

    use super::*;
    use crate::notifications::texts::EN;

    const LANGUAGES: [&str; 10] =
        ["en_US", "zh_CN", "zh_TW", "ko_KR", "ko_KP", "vi_VN", "th_TH", "tr_TR", "es_ES", "pt_PT"];

    #[test]
    fn an_email_names_the_order_and_links_to_it_in_every_language() {
        let id = OrderId(Uuid::from_u128(1));
        let about = Subject::Order { id, notice: Notice::OrderPaid, reader: Party::Seller, author: Some(Party::Buyer) };
        let line = OrderLine {
            base: "4 MEC".to_owned(),
            quote: "10 USDT".to_owned(),
            due_at: "2026-11-27T05:00:00Z".parse().ok(),
            state: StateName::AwaitingConfirmation,
        };
        let messages = LANGUAGES.map(|language| {
            notification_message(&about, Category::ActionNeeded, Some(&line), language, "https://mec2c.example/")
        });
        for message in &messages {
            let link = format!("https://mec2c.example/orderDetail?id={id}");
            let settings = "https://mec2c.example/notificationSettings".to_owned();
            for fact in [link, settings, "4 MEC, 10 USDT".to_owned(), "2026-11-27 05:00 UTC".to_owned()] {
                assert!(message.text.contains(&fact), "{message:?}");
            }
        }
        assert_eq!(messages.iter().map(|message| &message.subject).collect::<BTreeSet<_>>().len(), LANGUAGES.len());
    }

    #[test]
    fn every_change_of_an_account_has_its_own_title_and_its_email_is_also_in_english() {
        for language in LANGUAGES {
            let emails: Vec<_> = AccountChange::all()
                .map(|change| {
                    let about = Subject::AccountChanged(change);
                    notification_message(&about, Category::Security, None, language, "http://x")
                })
                .collect();
            for (email, change) in emails.iter().zip(AccountChange::all()) {
                assert!(!email.text.contains(EN.preferences), "{email:?}");
                let advice = if change.starts_hold() { EN.not_you } else { EN.not_you_no_hold };
                assert_eq!(email.text.matches(advice).count(), 1, "{email:?}");
            }
            assert_eq!(emails.iter().map(|email| &email.subject).collect::<BTreeSet<_>>().len(), emails.len());
        }
    }

    #[test]
    fn an_email_about_funds_says_what_left_and_what_to_do() {
        let order = |notice| {
            let (id, author) = (OrderId(Uuid::from_u128(1)), Some(Party::Seller));
            Subject::Order { id, notice, reader: Party::Seller, author }
        };
        let subjects = [order(Notice::PaymentConfirmed), order(Notice::OrderDeposited), Subject::Withdrawal];
        let emails = subjects.map(|about| notification_message(&about, Category::Funds, None, "en_US", "http://x"));
        let titles = [EN.released, EN.funded, EN.withdrawn];
        for (email, title) in emails.iter().zip(titles) {
            assert_eq!(email.subject, format!("MEC2C: {title}"));
            assert!(
                email.text.contains(EN.not_you_no_hold) && email.text.contains("/notificationSettings"),
                "{email:?}"
            );
        }
    }
}
