//! Writes the email about a notification.

use domain::clock::Timestamp;
use domain::effect::Notice;
use domain::notifications::{AccountChange, Category};
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

/// Writes the email in the recipient's language, without its address; in English if the language is unknown. `url` is the
/// address of the web app.
pub(super) fn notification_message(
    about: &Subject,
    category: Category,
    order: Option<&OrderLine>,
    language: &str,
    url: &str,
) -> EmailMessage {
    let texts = texts(language);
    let url = url.trim_end_matches('/');
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
    lines.push(match category {
        Category::Security => texts.not_you.to_owned(),
        _ => format!("{}: {url}/notificationSettings", texts.preferences),
    });
    lines.push(String::new());
    EmailMessage { to: String::new(), subject: format!("MEC2C: {title}"), text: lines.join("\n") }
}

/// Returns the page of the web app that shows what a notification is about.
fn path(about: &Subject) -> String {
    match about {
        Subject::Order { id, .. } => format!("/orderDetail?id={id}"),
        Subject::Advert { .. } => "/myAdvert".to_owned(),
        Subject::Certification { .. } => "/certification".to_owned(),
        Subject::TakenOffline | Subject::AccountChanged(_) => "/personalCenter".to_owned(),
    }
}

fn title(texts: &Texts, about: &Subject, category: Category, state: Option<StateName>) -> &'static str {
    match about {
        Subject::Order { notice: Notice::EvidenceRequested, .. } => texts.evidence_requested,
        Subject::Order { notice: Notice::CancelAsked, .. } => texts.cancel_asked,
        Subject::Order { .. } => match (category, state) {
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
        Subject::AccountChanged(change) => match change {
            AccountChange::LoginPassword => texts.login_password,
            AccountChange::SecurityPassword => texts.security_password,
            AccountChange::EmailAddress => texts.email_address,
            AccountChange::ReceivingAddress => texts.receiving_address,
            AccountChange::BoundAddress => texts.bound_address,
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
    fn every_change_of_an_account_has_its_own_title_and_cannot_be_turned_off_in_the_email() {
        use AccountChange::{BoundAddress, EmailAddress, LoginPassword, ReceivingAddress, SecurityPassword};
        for language in LANGUAGES {
            let changes = [LoginPassword, SecurityPassword, EmailAddress, ReceivingAddress, BoundAddress];
            let emails = changes.map(|change| {
                notification_message(&Subject::AccountChanged(change), Category::Security, None, language, "http://x")
            });
            assert!(emails.iter().all(|email| !email.text.contains("notificationSettings")));
            assert_eq!(emails.iter().map(|email| &email.subject).collect::<BTreeSet<_>>().len(), changes.len());
        }
    }
}
