use serde_json::{Value, json};

use crate::world::{Somebody, World, world};

fn card(account: &str) -> Value {
    json!({"type": "bankCard", "currency": "VND", "fields": {"name": "Ann", "account": account, "bankName": "A Bank"}})
}

async fn keep(world: &World, who: &Somebody, body: &Value) -> crate::world::Got {
    world.post("/payment/method", Some(&who.token), body).await
}

#[tokio::test]
async fn a_method_is_kept_shown_changed_and_deleted() {
    let world = world().await;
    let ann = world.somebody().await;
    let kept = keep(&world, &ann, &card("1234 5678")).await;
    insta::assert_json_snapshot!(kept.data(), { ".id" => "[id]" }, @r#"
    {
      "currency": "VND",
      "fields": {
        "account": "1234 5678",
        "bankName": "A Bank",
        "name": "Ann"
      },
      "id": "[id]",
      "inUse": false,
      "type": "bankCard"
    }
    "#);
    let path = format!("/payment/method/{}", kept.data()["id"].as_str().unwrap());
    world.post(&path, Some(&ann.token), &card("9999")).await.data();
    assert_eq!(world.get(&path, Some(&ann.token)).await.data()["fields"]["account"], "9999");
    let gone = path.replace("/method/", "/method/delete/");
    world.post_as("delete-once", &gone, Some(&ann.token), &json!({})).await.data();
    world.post_as("delete-once", &gone, Some(&ann.token), &json!({})).await.data();
    assert_eq!(world.post(&gone, Some(&ann.token), &json!({})).await.code(), "5025");
    assert_eq!(world.get("/payment/method/list", Some(&ann.token)).await.data(), &json!([]));
}

#[tokio::test]
async fn the_same_account_again_names_the_one_that_exists() {
    let world = world().await;
    let (ann, bob) = (world.somebody().await, world.somebody().await);
    let first = keep(&world, &ann, &card("1234 5678")).await;
    let twin = keep(&world, &ann, &card("12345678")).await;
    assert_eq!((twin.code(), &twin.body["data"]["existing"]), ("5024", &first.data()["id"]));
    assert_eq!(keep(&world, &bob, &card("1234 5678")).await.code(), "200");
    let other = keep(&world, &ann, &card("1111 2222")).await;
    let path = format!("/payment/method/{}", other.data()["id"].as_str().unwrap());
    assert_eq!(world.post(&path, Some(&ann.token), &card("1234-5678")).await.code(), "5024");
}

#[tokio::test]
async fn what_does_not_fit_its_form_names_the_field() {
    let world = world().await;
    let ann = world.somebody().await;
    for (path, value, code, field) in [
        ("/type", json!("cheque"), "400", "type"),
        ("/currency", json!("XXX"), "400", "currency"),
        ("/fields/name", json!(" "), "999", "fields.name"),
        ("/fields/account", json!("1".repeat(41)), "400", "fields.account"),
        ("/fields", json!({"name": "Ann", "account": "1", "bankName": "B", "pin": "1"}), "400", "fields.pin"),
        ("/fields", json!({"name": 1}), "400", "fields.name"),
    ] {
        let mut body = card("1");
        *body.pointer_mut(path).unwrap() = value;
        let got = keep(&world, &ann, &body).await;
        assert_eq!((got.code(), &got.body["data"]["field"]), (code, &json!(field)), "{body}");
    }
    let forms = world.get("/payment/method/forms", Some(&ann.token)).await;
    assert_eq!(forms.data()[0]["type"], "bankCard");
    assert_eq!(
        forms.data()[0]["fields"][1],
        json!({"name": "account", "required": true, "maxLength": 40, "kind": "text", "secret": true})
    );
}

#[tokio::test]
async fn twenty_are_enough() {
    let world = world().await;
    let ann = world.somebody().await;
    for number in 0..20 {
        keep(&world, &ann, &card(&format!("{number:08}"))).await.data();
    }
    let got = keep(&world, &ann, &card("99999999")).await;
    assert_eq!((got.code(), &got.body["data"]["limit"]), ("5040", &json!(20)));
}

#[tokio::test]
async fn somebody_elses_method_is_not_there() {
    let world = world().await;
    let (ann, bob) = (world.somebody().await, world.somebody().await);
    let kept = keep(&world, &ann, &card("1234 5678")).await;
    let id = kept.data()["id"].as_str().unwrap();
    assert_eq!(world.get(&format!("/payment/method/{id}"), Some(&bob.token)).await.code(), "5025");
    let path = format!("/payment/method/{id}");
    assert_eq!(world.post(&path, Some(&bob.token), &card("1")).await.code(), "5025");
    let path = format!("/payment/method/delete/{id}");
    assert_eq!(world.post(&path, Some(&bob.token), &json!({})).await.code(), "5025");
    assert_eq!(world.get("/payment/method/list", Some(&ann.token)).await.data().as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn one_command_keeps_one_method() {
    let world = world().await;
    let ann = world.somebody().await;
    let body = card("1234");
    let send = || world.post_as("keep-once", "/payment/method", Some(&ann.token), &body);
    let answers = futures::future::join_all((0..10).map(|_| send())).await;
    let ids: std::collections::BTreeSet<_> =
        answers.iter().filter(|got| got.code() == "200").map(|got| got.data()["id"].to_string()).collect();
    assert_eq!(ids.len(), 1);
    assert_eq!(world.get("/payment/method/list", Some(&ann.token)).await.data().as_array().unwrap().len(), 1);
}
