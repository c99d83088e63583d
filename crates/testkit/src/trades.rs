//! Completed orders in any number, by SQL: much faster than trading them, for tests of what is computed from them.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};
use domain::assets::PairId;
use domain::ids::OrderId;
use uuid::Uuid;

use crate::Database;
use crate::market::{Market, Trader};

/// Copies an order with some columns replaced.
const COPY: &str = "
    create function copy_order(template uuid, patch jsonb) returns void language plpgsql as $$
    declare
        columns text;
    begin
        select string_agg(quote_ident(column_name), ', ') into columns from information_schema.columns
        where table_schema = 'public' and table_name = 'orders' and is_generated = 'NEVER';
        execute format('insert into orders (%1$s) select %1$s from
                        (select (jsonb_populate_record(null::orders, to_jsonb(o) || $2)).* from orders o where id = $1) c', columns)
        using template, patch;
    end $$";

/// Open orders of some users, which a test completes.
#[derive(Debug, Clone)]
pub struct Trades {
    pub database: Database,
    pub orders: Vec<OrderId>,
}

impl Trades {
    /// Places orders on several pairs, as copies of one. Users and pairs take turns; prices and quantities differ.
    pub async fn place(market: &Market, template: OrderId, traders: &[Trader], count: u128) -> Self {
        market.sql(COPY).await;
        let pairs = [market.mec_krw, market.mec_usdt];
        let users: Vec<_> = traders.iter().map(Trader::id).collect();
        let mut statements = String::new();
        let mut orders = Vec::new();
        for (number, place) in (1..=count).zip(0..) {
            let id = Uuid::from_u128(number);
            let PairId(pair) = pairs[place % pairs.len()];
            let (advertiser, taker) =
                (users[place % users.len()], users[(place + 1 + place % (users.len() - 1)) % users.len()]);
            let (price, quantity) = (1_000 + number * 37 % 101, 1_000 + number * 53 % 97);
            let total = price * quantity;
            writeln!(
                statements,
                r#"select copy_order('{template}', '{{"id": "{id}", "pair_id": {pair}, "advertiser": "{advertiser}", "taker": "{taker}",
                    "price": {price}, "quantity": {quantity}, "total": {total}, "fee": 1, "due_at": null}}');"#
            )
            .expect("text");
            orders.push(OrderId(id));
        }
        market.sql(&statements).await;
        Self { database: market.database.clone(), orders }
    }

    /// Completes orders at a time, in one statement.
    pub async fn complete(&self, orders: &[OrderId], at: DateTime<Utc>) {
        self.database.execute(&completing(orders, at)).await;
    }

    /// Revokes the completion of orders, in one statement.
    pub async fn revoke(&self, orders: &[OrderId]) {
        self.database.execute(&revoking(orders)).await;
    }
}

fn listed(orders: &[OrderId]) -> String {
    let ids: Vec<_> = orders.iter().map(|id| format!("'{id}'")).collect();
    if ids.is_empty() { "null".to_owned() } else { ids.join(", ") }
}

/// Returns the statement that completes orders at a time.
pub fn completing(orders: &[OrderId], at: DateTime<Utc>) -> String {
    format!(
        r#"update orders set state_data = '{{"v": 1, "state": "COMPLETED"}}', settled_at = '{}' where id in ({})"#,
        at.to_rfc3339(),
        listed(orders)
    )
}

/// Returns the statement that revokes the completion of orders.
pub fn revoking(orders: &[OrderId]) -> String {
    format!(
        r#"update orders set state_data = '{{"v": 1, "state": "RELEASE_REVOKED"}}', settled_at = null where id in ({})"#,
        listed(orders)
    )
}
