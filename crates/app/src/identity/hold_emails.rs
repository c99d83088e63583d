//! Sends the emails to advertisers whose accounts are on hold, each about an automatic order whose coins were released meanwhile.
//! The worker does this after the release was committed, so that no order waits for the mail server.

use domain::ids::UserId;
use domain::orders::{Order, Terms};
use domain::refusal::Shown;
use domain::trade::{Coin, Leg};
use store::identity::accounts;
use store::{Tx, hold_emails};

use super::ports::{EmailMessage, Mail};
use super::released_order::{ReleasedOrder, released_order_message};
use crate::memory::reference_data::ReferenceData;
use crate::{Context, Result};

/// Sends the next email that is due. Returns `false` if none is. An email that the mail server does not accept
/// for every address is due again later, for the others.
/// If the process dies before it records that an email was sent, the email is sent again.
pub async fn send_next(context: &Context, mail: &dyn Mail) -> Result<bool> {
    let (mut tx, now) = context.begin().await?;
    let Some((email, accepted)) = hold_emails::claim(&mut tx, now).await? else {
        tx.rollback().await?;
        return Ok(false);
    };
    let reference_data = context.reference_data(&mut tx).await?.data;
    let order = store::orders::read(&mut tx, &[email.order]).await?.pop();
    let messages = match order {
        Some(order) => messages(&mut tx, &reference_data, &order, email.user).await?,
        None => Vec::new(),
    };
    tx.commit().await?;
    let mut all_accepted = Ok(true);
    for message in messages.into_iter().filter(|message| !accepted.contains(&message.to)) {
        let to = message.to.clone();
        // Nobody misses the email because another address is refused.
        match mail.send(message).await {
            Ok(()) => {
                let (mut tx, _) = context.begin().await?;
                hold_emails::accepted(&mut tx, email.order, &to).await?;
                tx.commit().await?;
            }
            Err(error) => all_accepted = Err(error),
        }
    }
    if all_accepted.is_ok() {
        let (mut tx, now) = context.begin().await?;
        hold_emails::sent(&mut tx, email.order, now).await?;
        tx.commit().await?;
    }
    all_accepted
}

/// Writes the email to the owner's address, and to the one that the account had before the hold.
async fn messages(
    tx: &mut Tx,
    reference_data: &ReferenceData,
    order: &Order,
    user: UserId,
) -> Result<Vec<EmailMessage>> {
    let Some(account) = accounts::read(tx, user).await? else { return Ok(Vec::new()) };
    let language = accounts::language(tx, user).await?.unwrap_or_default();
    let terms = &order.terms;
    let released = ReleasedOrder {
        order: order.id,
        advert: terms.advert,
        base: shown(reference_data, terms, Leg::Base, terms.base),
        quote: shown(reference_data, terms, Leg::Quote, terms.quote),
    };
    let addresses = [Some(account.email), account.former_email];
    Ok(addresses.iter().flatten().map(|to| released_order_message(to, &released, &language)).collect())
}

/// Returns the amount of a leg with the code of its coin, such as `4 MEC`.
fn shown(reference_data: &ReferenceData, terms: &Terms, leg: Leg, coin: Coin) -> String {
    let amount = Shown { amount: terms.amount(leg), decimals: coin.decimals };
    let pair = || reference_data.pairs.get(&terms.pair).filter(|_| leg == Leg::Base).map(|pair| &pair.base);
    // An NFT is named by its album.
    let asset = reference_data.assets.get(&coin.asset).or_else(pair);
    let code = asset.map_or("", |asset| asset.code.as_str());
    format!("{amount} {code}")
}
