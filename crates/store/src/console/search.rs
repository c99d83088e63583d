//! What officers search for.

use domain::chain::TxHash;
use domain::direct_payment::hash_key;
use domain::ids::{AppealId, UserId};
use uuid::Uuid;

use crate::columns::uuids;
use crate::{Result, Tx};

/// A part of a nickname has at least this many characters: shorter ones would find almost everybody.
pub const SHORTEST_PART: usize = 2;

/// Returns users whose nickname contains a text, regardless of case. The text has at least [`SHORTEST_PART`] characters.
pub async fn users_by_part(tx: &mut Tx, part: &str, most: i64) -> Result<Vec<UserId>> {
    let ids = sqlx::query_scalar!(
        "select id from users
         where nickname is not null and nickname_parts(nickname) @> nickname_parts($1)
           and strpos(lower(nickname), lower($1)) > 0
         limit $2",
        part,
        most
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(ids.into_iter().map(UserId).collect())
}

/// Returns users of whom an order was appealed, and whose nickname contains a text, regardless of case.
pub async fn parties_by_part(tx: &mut Tx, part: &str, most: i64) -> Result<Vec<UserId>> {
    let ids = sqlx::query_scalar!(
        "select id from users u
         where nickname is not null and nickname_parts(nickname) @> nickname_parts($1)
           and strpos(lower(nickname), lower($1)) > 0
           and (exists (select from appeals where advertiser = u.id) or exists (select from appeals where taker = u.id))
         limit $2",
        part,
        most
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(ids.into_iter().map(UserId).collect())
}

/// Returns the user with an ME ID, the identity in the pass.
pub async fn user_by_me_id(tx: &mut Tx, me_id: &str) -> Result<Option<UserId>> {
    let id = sqlx::query_scalar!("select user_id from accounts where me_id = $1", me_id)
        .fetch_optional(tx.connection())
        .await?;
    Ok(id.map(UserId))
}

/// Returns the newest appeals about orders of these users.
pub async fn appeals_of(tx: &mut Tx, users: &[UserId], most: i64) -> Result<Vec<AppealId>> {
    let ids = sqlx::query_scalar!(
        r#"select a.id as "id!" from unnest($1::uuid[]) as u (id)
                cross join lateral (
                    (select id from appeals where advertiser = u.id order by id desc limit $2)
                    union (select id from appeals where taker = u.id order by id desc limit $2)) a
           order by a.id desc limit $2"#,
        &uuids(users),
        most
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(ids.into_iter().map(AppealId).collect())
}

/// Returns the newest appeals with this ID, about the order with this ID, or about an order on the advert with this ID.
pub async fn appeals_by_id(tx: &mut Tx, id: Uuid, most: i64) -> Result<Vec<AppealId>> {
    let ids = sqlx::query_scalar!(
        r#"select id as "id!" from (
               select id from appeals where id = $1
               union select id from appeals where order_id = $1
               union select a.id from orders o join appeals a on a.order_id = o.id where o.advert_id = $1) found
           order by id desc limit $2"#,
        id,
        most
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(ids.into_iter().map(AppealId).collect())
}

/// Returns the newest appeals about orders that a transaction concerns: it was reported or seen as a payment, paid or tried to
/// pay a party, or was a deposit while the order waited for the coin.
pub async fn appeals_by_transaction(tx: &mut Tx, hash: TxHash, most: i64) -> Result<Vec<AppealId>> {
    let ids = sqlx::query_scalar!(
        r#"select id as "id!" from (
               select a.id from payment_reports r join appeals a on a.order_id = r.order_id where r.hash = $2
               union
               select a.id from payment_matches m join appeals a on a.order_id = m.order_id where m.tx_hash = $1
               union
               select a.id from settlements s join payout_legs l on l.reference = s.reference
                                join payouts p on p.id = l.payout_id join appeals a on a.order_id = p.subject
               where s.tx_hash = $1
               union
               select a.id from deposits d join appeals a on a.advertiser = d.vault
               where d.tx_hash = $1
                 and exists (select from funding_requests f where f.order_id = a.order_id and f.user_id = d.vault
                                                              and f.asset_id = d.asset_id and f.opened_at <= d.confirmed_at)
               union
               select a.id from deposits d join appeals a on a.taker = d.vault
               where d.tx_hash = $1
                 and exists (select from funding_requests f where f.order_id = a.order_id and f.user_id = d.vault
                                                              and f.asset_id = d.asset_id and f.opened_at <= d.confirmed_at)
           ) found
           order by id desc limit $3"#,
        hash.as_slice(),
        hash_key(&hash.to_string()),
        most
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(ids.into_iter().map(AppealId).collect())
}
