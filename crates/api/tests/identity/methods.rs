use domain::payment_methods::{FieldKind, Fields};
use serde_json::{Value, json};

use crate::server::{Somebody, TestServer, server};

fn card(account: &str) -> Value {
    json!({"type": "bankCard", "currency": "VND", "fields": {"name": "Ann", "account": account, "bankName": "A Bank"}})
}

async fn keep(server: &TestServer, who: &Somebody, body: &Value) -> crate::server::Got {
    server.post("/payment/method", Some(&who.token), body).await
}

#[tokio::test]
async fn a_method_is_stored_shown_changed_and_deleted() {
    let server = server().await;
    let ann = server.somebody().await;
    let kept = keep(&server, &ann, &card("1234 5678")).await;
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
      "pictures": {},
      "type": "bankCard"
    }
    "#);
    let path = format!("/payment/method/{}", kept.data()["id"].as_str().unwrap());
    server.post(&path, Some(&ann.token), &card("9999")).await.data();
    assert_eq!(server.get(&path, Some(&ann.token)).await.data()["fields"]["account"], "9999");
    let gone = path.replace("/method/", "/method/delete/");
    server.post_as("delete-once", &gone, Some(&ann.token), &json!({})).await.data();
    server.post_as("delete-once", &gone, Some(&ann.token), &json!({})).await.data();
    assert_eq!(server.post(&gone, Some(&ann.token), &json!({})).await.code(), "5025");
    assert_eq!(server.get("/payment/method/list", Some(&ann.token)).await.data(), &json!([]));
}

#[tokio::test]
async fn a_duplicate_account_is_refused_with_the_existing_one() {
    let server = server().await;
    let (ann, bob) = (server.somebody().await, server.somebody().await);
    let first = keep(&server, &ann, &card("1234 5678")).await;
    let twin = keep(&server, &ann, &card("12345678")).await;
    assert_eq!((twin.code(), &twin.body["data"]["existing"]), ("5024", &first.data()["id"]));
    assert_eq!(keep(&server, &bob, &card("1234 5678")).await.code(), "200");
    let other = keep(&server, &ann, &card("1111 2222")).await;
    let path = format!("/payment/method/{}", other.data()["id"].as_str().unwrap());
    assert_eq!(server.post(&path, Some(&ann.token), &card("1234-5678")).await.code(), "5024");
}

#[tokio::test]
async fn an_invalid_field_is_named() {
    let server = server().await;
    let ann = server.somebody().await;
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
        let got = keep(&server, &ann, &body).await;
        assert_eq!((got.code(), &got.body["data"]["field"]), (code, &json!(field)), "{body}");
    }
    let forms = server.get("/payment/method/forms", Some(&ann.token)).await;
    assert_eq!(forms.data()[0]["type"], "bankCard");
    assert_eq!(
        forms.data()[0]["fields"][1],
        json!({
            "name": "account", "required": true, "maxLength": 40, "kind": "text", "secret": true,
            "pattern": null, "example": null, "currencies": null,
        })
    );
}

#[tokio::test]
async fn twenty_are_enough() {
    let server = server().await;
    let ann = server.somebody().await;
    for number in 0..20 {
        keep(&server, &ann, &card(&format!("{number:08}"))).await.data();
    }
    let got = keep(&server, &ann, &card("99999999")).await;
    assert_eq!((got.code(), &got.body["data"]["limit"]), ("5040", &json!(20)));
}

#[tokio::test]
async fn methods_of_others_are_not_found() {
    let server = server().await;
    let (ann, bob) = (server.somebody().await, server.somebody().await);
    let kept = keep(&server, &ann, &card("1234 5678")).await;
    let id = kept.data()["id"].as_str().unwrap();
    assert_eq!(server.get(&format!("/payment/method/{id}"), Some(&bob.token)).await.code(), "5025");
    let path = format!("/payment/method/{id}");
    assert_eq!(server.post(&path, Some(&bob.token), &card("1")).await.code(), "5025");
    let path = format!("/payment/method/delete/{id}");
    assert_eq!(server.post(&path, Some(&bob.token), &json!({})).await.code(), "5025");
    assert_eq!(server.get("/payment/method/list", Some(&ann.token)).await.data().as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_repeated_command_stores_one_method() {
    let server = server().await;
    let ann = server.somebody().await;
    let body = card("1234");
    let send = || server.post_as("keep-once", "/payment/method", Some(&ann.token), &body);
    let answers = futures::future::join_all((0..10).map(|_| send())).await;
    let ids: std::collections::BTreeSet<_> =
        answers.iter().filter(|got| got.code() == "200").map(|got| got.data()["id"].to_string()).collect();
    assert_eq!(ids.len(), 1);
    assert_eq!(server.get("/payment/method/list", Some(&ann.token)).await.data().as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn every_built_in_form_accepts_its_examples() {
    let forms = store::payment_methods::shipped().unwrap();
    for form in &forms {
        for currency in &form.currencies {
            let asked = form.fields.iter().filter(|field| {
                field.kind != FieldKind::Picture
                    && field.currencies.as_ref().is_none_or(|currencies| currencies.contains(currency))
            });
            let typed: Fields = asked
                .map(|field| (field.name.clone(), field.example.clone().unwrap_or_else(|| "1234".to_owned())))
                .collect();
            assert_eq!(form.fill(currency, &typed), Ok(typed.clone()), "{} {currency}", form.kind);
            let secret = form.fields.iter().any(|field| field.secret && typed.contains_key(&field.name));
            assert!(secret, "{} {currency} has no account field", form.kind);
        }
        for field in &form.fields {
            let known = field.currencies.iter().flatten().all(|currency| form.currencies.contains(currency));
            assert!(known, "{}: {} has a currency that the form does not have", form.kind, field.name);
        }
    }
    let used = |currency: &str, kind: &str| {
        let form = forms.iter().find(|form| form.kind == kind);
        assert!(form.is_some_and(|form| form.currencies.iter().any(|one| one == currency)), "{kind} in {currency}");
    };
    for (currency, kinds) in [
        ("INR", "upi paytm"),
        ("PHP", "gcash maya"),
        ("IDR", "dana ovo gopay"),
        ("THB", "promptPay trueMoney"),
        ("BRL", "pix mercadoPago"),
        ("RUB", "sbp"),
        ("TRY", "papara"),
        ("KRW", "kakaoPay toss"),
        ("VND", "momo zaloPay"),
        ("NGN", "opay palmPay"),
        ("TWD", "linePay jkoPay"),
    ] {
        kinds.split(' ').chain(["bankTransfer", "bankCard"]).for_each(|kind| used(currency, kind));
    }
}

#[tokio::test]
async fn an_upgrade_adds_new_forms_and_keeps_existing_methods() {
    let server = server().await;
    let somebody = server.somebody().await;
    let fields = json!({"name": "Kim", "account": "110-123", "bankName": "Bank"});
    let body = json!({"type": "bankCard", "currency": "KRW", "fields": fields});
    let kept = server.post("/payment/method", Some(&somebody.token), &body).await.data().clone();
    let mut tx = server.database.store.begin().await.unwrap();
    let mut earlier = store::payment_methods::shipped().unwrap();
    earlier.truncate(1);
    earlier[0].currencies = vec!["KRW".to_owned()];
    store::payment_methods::put_forms(&mut tx, &earlier).await.unwrap();
    tx.commit().await.unwrap();
    for _ in 0..2 {
        server.database.store.migrate().await.unwrap();
        let forms = server.get("/payment/method/forms", Some(&somebody.token)).await.data().clone();
        let bank = forms.as_array().unwrap().iter().find(|form| form["type"] == "bankCard").unwrap();
        assert!(bank["currencies"].as_array().unwrap().contains(&json!("RUB")));
        let iban = bank["fields"].as_array().unwrap().iter().find(|field| field["name"] == "iban").unwrap();
        assert!(!iban["currencies"].as_array().unwrap().contains(&json!("KRW")));
    }
    let list = server.get("/payment/method/list", Some(&somebody.token)).await.data().clone();
    assert_eq!(list, json!([kept]));
    let typed = |value: &str| json!({"type": "upi", "currency": "INR", "fields": {"name": "Asha", "upiId": value}});
    let wrong = server.post("/payment/method", Some(&somebody.token), &typed("asha")).await;
    assert_eq!((wrong.code(), &wrong.body["data"]["field"]), ("400", &json!("fields.upiId")));
    server.post("/payment/method", Some(&somebody.token), &typed("asha@okbank")).await.data();
}
