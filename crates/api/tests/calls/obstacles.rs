//! What stands in the way of a withdrawal.

use serde_json::{Value, json};

use crate::stage::{Caller, Stage, order_of, text};

#[tokio::test]
async fn users_see_what_stands_in_the_way_of_a_withdrawal() {
    let (stage, advert) = Stage::selling().await;
    let of = async |who: &Caller| stage.get(who, "/balance/obstacles").await.ok();
    let ids = |list: &Value| list.as_array().unwrap().iter().map(|one| text(&one["id"])).collect::<Vec<_>>();
    assert_eq!(of(&stage.ben).await, json!({ "adverts": [], "orders": [] }));
    let placed = stage.post(&stage.ben, "/c2c/deal/order", &order_of(&advert)).await.ok();
    let order = text(&placed["id"]);
    let annas = of(&stage.anna).await;
    assert_eq!((ids(&annas["adverts"]), ids(&annas["orders"])), (vec![advert.clone()], vec![order.clone()]));
    // With the commands that end them.
    assert!(annas["adverts"][0]["actions"].as_array().unwrap().contains(&json!("revoke")));
    assert_eq!(annas["orders"][0], stage.order(&stage.anna, &order).await);
    let bens = of(&stage.ben).await;
    assert_eq!((ids(&bens["adverts"]), ids(&bens["orders"])), (vec![], vec![order.clone()]));
    let body = json!({ "version": placed["version"] });
    stage.post(&stage.ben, &format!("/c2c/deal/order/cancel/{order}"), &body).await.ok();
    assert_eq!(of(&stage.ben).await, json!({ "adverts": [], "orders": [] }));
    assert_eq!(ids(&of(&stage.anna).await["orders"]), Vec::<String>::new());
}
