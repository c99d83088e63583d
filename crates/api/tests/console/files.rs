//! Officers open the files of a case.

use chrono::Duration;
use serde_json::Value;

use crate::cases::{Case, Cases, text};
use crate::desk::Person;

/// Returns the links to the evidence of a case.
fn links(seen: &Value) -> Vec<String> {
    let evidence = seen["appeal"]["evidence"].as_array().unwrap().iter();
    evidence.map(|one| text(&one["file"]["url"]).trim_start_matches("/api").to_owned()).collect()
}

async fn opens(cases: &Cases, who: &Person, link: &str) -> (u16, String) {
    let got = cases.desk.get(who, link).await;
    (got.status, got.body["code"].as_str().unwrap_or_default().to_owned())
}

fn opened() -> (u16, String) {
    (200, String::new())
}

fn refused(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

async fn with_evidence() -> (Cases, Case) {
    let cases = Cases::open().await;
    let case = cases.appealed("10", 1).await;
    cases.adds_evidence(&case, 2).await;
    (cases, case)
}

#[tokio::test]
async fn a_link_opens_in_the_session_of_an_officer_on_the_case_only() {
    let (cases, case) = Box::pin(with_evidence()).await;
    let links = links(&cases.joins(&cases.olga, &case).await);
    assert_eq!(links.len(), 2);
    for link in &links {
        assert!(link.starts_with("/console/files/"), "{link}");
        let got = cases.desk.get(&cases.olga, link).await;
        assert_eq!((got.status, &got.headers["content-type"]), (200, &"image/jpeg".parse().unwrap()));
        assert_eq!(got.headers["content-disposition"].to_str().unwrap().split(';').next(), Some("attachment"));
    }
    let link = &links[0];
    // Another officer, also on the case, and the same officer in another session.
    cases.joins(&cases.otto, &case).await;
    assert_eq!(opens(&cases, &cases.otto, link).await, refused(403, "403"));
    let elsewhere = cases.desk.signs_in(&cases.olga).await;
    assert_eq!(opens(&cases, &elsewhere, link).await, refused(403, "403"));
    assert_eq!(opens(&cases, &cases.olga, link).await, opened());
    assert_eq!(opens(&cases, &cases.desk.admin, link).await, refused(403, "403"));
    let nobody = Person { token: String::new(), ..cases.olga.clone() };
    assert_eq!(opens(&cases, &nobody, link).await, refused(401, "401"));
    // Not as a link of a user, and the link of a user not here.
    let as_user = link.replace("/console/files/", "/file/");
    assert_eq!(cases.desk.as_user(&cases.anna, ("GET", &as_user), &Value::Null).await.status, 403);
    let order = format!("/c2c/deal/order/{}", case.order);
    let seen = cases.desk.as_user(&cases.anna, ("GET", &order), &Value::Null).await.ok();
    let users = text(&seen["appeal"]["evidence"][0]["file"]["url"]).replace("/api/file/", "/console/files/");
    assert_eq!(opens(&cases, &cases.olga, &users).await, refused(403, "403"));
    // Altered links.
    let other = links[1].split(['/', '?']).nth(3).unwrap();
    let altered = link.replace(link.split(['/', '?']).nth(3).unwrap(), other);
    assert_eq!(opens(&cases, &cases.olga, &altered).await, refused(403, "403"));
    assert_eq!(opens(&cases, &cases.olga, &link.replace("expires=1", "expires=2")).await, refused(403, "403"));
    let views = cases.acts(&case).await.into_iter().filter(|act| act == "olga view_file").count();
    assert_eq!(views, 3, "only files that were opened are recorded");
}

#[tokio::test]
async fn a_link_ends_after_ten_minutes_or_when_the_officer_leaves() {
    let (cases, case) = Box::pin(with_evidence()).await;
    let link = links(&cases.joins(&cases.olga, &case).await).remove(0);
    assert_eq!(opens(&cases, &cases.olga, &link).await, opened());
    cases.leaves(&cases.olga, &case).await;
    assert_eq!(opens(&cases, &cases.olga, &link).await, refused(403, "6008"));
    cases.joins(&cases.olga, &case).await;
    assert_eq!(opens(&cases, &cases.olga, &link).await, opened());
    cases.desk.advance(Duration::minutes(10)).await;
    assert_eq!(opens(&cases, &cases.olga, &link).await, refused(403, "403"));
    let fresh = links(&cases.sees(&cases.olga, &case).await).remove(0);
    assert_eq!(opens(&cases, &cases.olga, &fresh).await, opened());
}
