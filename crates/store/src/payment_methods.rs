//! Payment methods and their forms.

use domain::clock::Timestamp;
use domain::ids::{PaymentMethodId, UserId};
use domain::payment_methods::{FieldForm, Fields, MethodForm, PaymentMethod};

use crate::columns::uuids;
use crate::{Error, Result, Tx};

/// Returns all forms in the order shown on the screen.
pub async fn forms(tx: &mut Tx) -> Result<Vec<MethodForm>> {
    let rows = sqlx::query!("select type as kind, currencies, fields from method_forms order by position")
        .fetch_all(tx.connection())
        .await?;
    rows.into_iter()
        .map(|row| {
            let fields: Vec<FieldForm> =
                serde_json::from_value(row.fields).map_err(|_| Error::row("method_forms", &row.kind, "fields"))?;
            Ok(MethodForm { kind: row.kind, currencies: row.currencies, fields })
        })
        .collect()
}

/// Returns the forms that are shipped with the product.
pub fn shipped() -> Result<Vec<MethodForm>> {
    serde_json::from_str(schema::PAYMENT_METHODS).map_err(|_| Error::row("method_forms", "shipped", "JSON"))
}

/// Stores the forms in the order shown on the screen. Keeps other existing forms, because payment methods may use them.
pub async fn put_forms(tx: &mut Tx, forms: &[MethodForm]) -> Result<()> {
    for (place, form) in forms.iter().enumerate() {
        let wrong = |why| Error::row("method_forms", &form.kind, why);
        let fields = serde_json::to_value(&form.fields).map_err(|_| wrong("fields"))?;
        sqlx::query!(
            "insert into method_forms (type, position, currencies, fields) values ($1, $2, $3, $4)
             on conflict (type) do update set position = excluded.position, currencies = excluded.currencies,
                 fields = excluded.fields",
            form.kind,
            i32::try_from(place).map_err(|_| wrong("position"))?,
            &form.currencies,
            fields
        )
        .execute(tx.connection())
        .await?;
    }
    Ok(())
}

struct Row {
    id: uuid::Uuid,
    user_id: uuid::Uuid,
    kind: String,
    currency: String,
    fields: serde_json::Value,
    digest: Vec<u8>,
    version: i32,
}

impl TryFrom<Row> for PaymentMethod {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let wrong = |why| Error::row("payment_methods", row.id, why);
        let fields: Fields = serde_json::from_value(row.fields).map_err(|_| wrong("fields"))?;
        Ok(Self {
            id: PaymentMethodId(row.id),
            user: UserId(row.user_id),
            kind: row.kind,
            currency: row.currency,
            fields,
            digest: row.digest.try_into().map_err(|_| wrong("digest"))?,
            version: row.version,
        })
    }
}

macro_rules! select {
    ($tx:expr, $rest:literal, $argument:expr) => {
        sqlx::query_as!(
            Row,
            "select id, user_id, type as kind, currency, fields, digest, version from payment_methods where " + $rest,
            $argument
        )
        .fetch_all($tx.connection())
        .await?
        .into_iter()
        .map(PaymentMethod::try_from)
        .collect()
    };
}

/// Returns a user's payment methods, oldest first.
pub async fn of_user(tx: &mut Tx, user: UserId) -> Result<Vec<PaymentMethod>> {
    select!(tx, "user_id = $1 and deleted_at is null order by id", user.0)
}

/// Returns the payment methods of users, oldest first.
pub async fn of_users(tx: &mut Tx, users: &[UserId]) -> Result<Vec<PaymentMethod>> {
    if users.is_empty() {
        return Ok(Vec::new());
    }
    select!(tx, "user_id = any($1) and deleted_at is null order by id", &uuids(users))
}

/// Returns payment methods of any users, including deleted ones: an old order still shows how it was paid.
pub async fn by_ids(tx: &mut Tx, ids: &[PaymentMethodId]) -> Result<Vec<PaymentMethod>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    select!(tx, "id = any($1) order by id", &uuids(ids))
}

/// Returns a payment method of any user, even if it was deleted, unless it was changed after a time.
pub async fn unchanged_since(tx: &mut Tx, id: PaymentMethodId, at: Timestamp) -> Result<Option<PaymentMethod>> {
    let row = sqlx::query_as!(
        Row,
        "select id, user_id, type as kind, currency, fields, digest, version from payment_methods
         where id = $1 and updated_at <= $2",
        id.0,
        at
    );
    row.fetch_optional(tx.connection()).await?.map(PaymentMethod::try_from).transpose()
}

/// Returns the user's payment methods that an open advert offers or an open order uses.
pub async fn in_use(tx: &mut Tx, user: UserId) -> Result<Vec<PaymentMethodId>> {
    let ids = sqlx::query_scalar!(
        r#"select m.method_id as "id!" from advert_methods m join adverts a on a.id = m.advert_id
           where a.owner = $1 and a.is_open
           union
           select method_id from orders where advertiser = $1 and is_open and method_id is not null
           union
           select method_id from orders where taker = $1 and is_open and method_id is not null"#,
        user.0
    )
    .fetch_all(tx.connection())
    .await?;
    Ok(ids.into_iter().map(PaymentMethodId).collect())
}

pub async fn insert(tx: &mut Tx, method: &PaymentMethod, now: Timestamp) -> Result<()> {
    let fields = serde_json::to_value(&method.fields).unwrap_or_default();
    sqlx::query!(
        "insert into payment_methods (id, user_id, type, currency, fields, digest, version, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8)",
        method.id.0,
        method.user.0,
        method.kind,
        method.currency,
        fields,
        &method.digest,
        method.version,
        now
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Updates a payment method and increments its version.
pub async fn update(tx: &mut Tx, method: &PaymentMethod, now: Timestamp) -> Result<()> {
    let fields = serde_json::to_value(&method.fields).unwrap_or_default();
    sqlx::query!(
        "update payment_methods set type = $2, currency = $3, fields = $4, digest = $5, version = version + 1,
             updated_at = $6
         where id = $1",
        method.id.0,
        method.kind,
        method.currency,
        fields,
        &method.digest,
        now
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Removes a payment method from its owner's list.
pub async fn delete(tx: &mut Tx, id: PaymentMethodId, now: Timestamp) -> Result<()> {
    sqlx::query!("update payment_methods set deleted_at = $2 where id = $1", id.0, now)
        .execute(tx.connection())
        .await?;
    Ok(())
}
