//! Decisions about users.

use chrono::Duration;
use domain::console::Role;
use serde_json::{Value, json};

use crate::desk::{Desk, User};

async fn details(desk: &Desk, user: &User) -> Value {
    desk.get(&desk.admin, &format!("/console/users/{}", user.id)).await.ok()
}

fn flags(of: &Value, flags: &[&str], reason: &str) -> Value {
    json!({"flags": flags, "version": of["user"]["version"], "reason": reason})
}

#[tokio::test]
async fn users_are_found_by_id_nickname_and_email_and_their_email_is_masked() {
    let desk = Desk::open().await;
    let user = desk.user("una").await;
    let nickname = details(&desk, &user).await["user"]["nickname"].as_str().unwrap().to_owned();
    for query in [user.id.clone(), "Una@example.org".to_owned(), nickname.to_uppercase()] {
        let query = query.replace('@', "%40");
        let found = desk.get(&desk.admin, &format!("/console/users?query={query}")).await.ok();
        assert_eq!(found.as_array().unwrap().len(), 1, "{query}");
        assert_eq!((&found[0]["id"], &found[0]["email"]), (&json!(user.id), &json!("u***@e***.org")), "{query}");
    }
    for query in ["una%40example", "u", "%25", "00000000-0000-0000-0000-000000000000"] {
        assert_eq!(desk.get(&desk.admin, &format!("/console/users?query={query}")).await.ok(), json!([]), "{query}");
    }
    desk.get(&desk.admin, "/console/users?query=").await.refused(400, "999");
    let logged = "select count(*) from audit_log where details::text like '%una@%'";
    assert_eq!(desk.market.database.count(logged).await, 0);
}

#[tokio::test]
async fn a_login_flag_ends_the_users_access_until_it_is_lifted() {
    let desk = Desk::open().await;
    let user = desk.user("una").await;
    let path = format!("/console/users/{}/flags", user.id);
    let info = ("GET", "/balance");
    desk.as_user(&user, info, &Value::Null).await.ok();

    let before = details(&desk, &user).await;
    let body = flags(&before, &["LOGIN", "SELL"], "stolen account");
    let after = desk.post(&desk.admin, &path, &body).await.ok();
    assert_eq!(after["user"]["flags"], json!(["LOGIN", "SELL"]));
    desk.as_user(&user, info, &Value::Null).await.refused(403, "RISK5001");
    // The version is of before the decision.
    let late = flags(&before, &[], "a mistake");
    desk.post(&desk.admin, &path, &late).await.refused(409, "5050");
    assert_eq!(
        desk.post(&desk.admin, &path, &flags(&after, &["SELL", "LOGIN"], "again")).await.refused(400, "400")["field"],
        "body"
    );

    let lifted = desk.post(&desk.admin, &path, &flags(&after, &[], "proved who they are")).await.ok();
    assert_eq!(lifted["user"]["flags"], json!([]));
    desk.as_user(&user, info, &Value::Null).await.ok();
    let decisions: Vec<_> = lifted["decisions"].as_array().unwrap().iter().map(|one| one["reason"].clone()).collect();
    assert_eq!(decisions, ["proved who they are", "stolen account"]);
    assert_eq!(lifted["decisions"][1]["details"], json!({"before": [], "after": ["LOGIN", "SELL"]}));
    assert_eq!(lifted["decisions"][1]["address"], "198.51.100.1");
}

#[tokio::test]
async fn a_decision_that_is_sent_twice_is_made_once() {
    let desk = Desk::open().await;
    let user = desk.user("una").await;
    let path = format!("/console/users/{}/flags", user.id);
    let before = details(&desk, &user).await;
    let body = flags(&before, &["BUY"], "a check");
    let first = desk.post_as("the-same-key", &desk.admin, &path, &body).await.ok();
    let count = desk.log_length().await;
    assert_eq!(desk.post_as("the-same-key", &desk.admin, &path, &body).await.ok(), first);
    assert_eq!(desk.log_length().await, count);
    let other = flags(&before, &["SELL"], "a check");
    desk.post_as("the-same-key", &desk.admin, &path, &other).await.refused(409, "409");
    // Another officer's key is another key.
    let bea = desk.officer("bea", Role::Administrator).await;
    desk.post_as("the-same-key", &bea, &path, &body).await.refused(409, "5050");
}

#[tokio::test]
async fn of_two_decisions_at_once_one_is_made() {
    let desk = Desk::open().await;
    let user = desk.user("una").await;
    let bea = desk.officer("bea", Role::Administrator).await;
    let path = format!("/console/users/{}/flags", user.id);
    let before = details(&desk, &user).await;
    let (one, other) = (flags(&before, &["BUY"], "one"), flags(&before, &["SELL"], "other"));
    let (one, other) = tokio::join!(desk.post(&desk.admin, &path, &one), desk.post(&bea, &path, &other));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
}

#[tokio::test]
async fn badges_holds_and_sessions_are_changed_with_a_reason() {
    let desk = Desk::open().await;
    let user = desk.user("una").await;
    let at = |what: &str| format!("/console/users/{}/{what}", user.id);
    let now = details(&desk, &user).await;
    let (certified, verified) =
        (now["user"]["certified"].as_bool().unwrap(), now["user"]["verified"].as_bool().unwrap());
    let badges = |certified, verified, of: &Value| json!({"certified": certified, "verified": verified, "version": of["user"]["version"], "reason": "papers"});
    let now = desk.post(&desk.admin, &at("badges"), &badges(!certified, !verified, &now)).await.ok();
    assert_eq!((&now["user"]["certified"], &now["user"]["verified"]), (&json!(!certified), &json!(!verified)));

    let hold = |until: Value, of: &Value| json!({"until": until, "version": of["user"]["version"], "reason": "a call"});
    let until = desk.now().await + Duration::hours(2);
    let past = desk.now().await - Duration::seconds(1);
    let refused = desk.post(&desk.admin, &at("hold"), &hold(json!(past), &now)).await.refused(400, "400");
    assert_eq!(refused["field"], "until");
    let now = desk.post(&desk.admin, &at("hold"), &hold(json!(until), &now)).await.ok();
    assert_eq!(now["user"]["holdUntil"], json!(until));
    let now = desk.post(&desk.admin, &at("hold"), &hold(Value::Null, &now)).await.ok();
    assert_eq!(now["user"]["holdUntil"], Value::Null);

    assert_eq!(now["sessions"], 1);
    let end = json!({"version": now["user"]["version"], "reason": "a lost phone"});
    let now = desk.post(&desk.admin, &at("sessions/end"), &end).await.ok();
    assert_eq!(now["sessions"], 0);
    desk.as_user(&user, ("GET", "/balance"), &Value::Null).await.refused(401, "401");
}

#[tokio::test]
async fn a_decision_without_a_reason_changes_nothing() {
    let desk = Desk::open().await;
    let user = desk.user("una").await;
    let before = details(&desk, &user).await;
    let path = format!("/console/users/{}/flags", user.id);
    for (reason, code) in [("", "999"), ("   ", "999"), (&*"x".repeat(501), "400"), ("a\u{7}b", "400")] {
        let refused = desk.post(&desk.admin, &path, &flags(&before, &["BUY"], reason)).await.refused(400, code);
        assert_eq!(refused["field"], "reason");
    }
    assert_eq!(details(&desk, &user).await, before);
}

#[tokio::test]
async fn a_reason_may_have_several_lines() {
    let desk = Desk::open().await;
    let user = desk.user("una").await;
    let path = format!("/console/users/{}/flags", user.id);
    let reason = "Two users report the same account.\nBoth have receipts.";
    let body = flags(&details(&desk, &user).await, &["BUY"], &format!("{reason}\n"));
    desk.post(&desk.admin, &path, &body).await.ok();
    assert_eq!(details(&desk, &user).await["decisions"][0]["reason"], reason);
}

#[tokio::test]
async fn a_new_nickname_is_reviewed() {
    let desk = Desk::open().await;
    let user = desk.user("una").await;
    let rename =
        async |name: &str| desk.as_user(&user, ("POST", "/user/updateInfo"), &json!({"nickname": name})).await.ok();
    let pending = async || desk.get(&desk.admin, "/console/nicknames").await.ok();
    let path = format!("/console/users/{}/nickname", user.id);
    let review = |verdict: &str, of: &Value| json!({"verdict": verdict, "version": of["version"], "reason": "rude"});
    let old = details(&desk, &user).await;
    desk.post(&desk.admin, &path, &review("REJECT", &old["user"])).await.refused(409, "5050");

    let info = rename("Brambly").await;
    assert_eq!((&info["nickname"], &info["nicknameUnderReview"]), (&json!("Brambly"), &json!(true)));
    let listed = pending().await;
    assert_eq!(listed[0]["user"]["id"], json!(user.id));
    desk.post(&desk.admin, &path, &review("REJECT", &listed[0]["user"])).await.ok();
    assert_eq!(pending().await, json!([]));
    let info = async || desk.as_user(&user, ("GET", &format!("/user/info/{}", user.id)), &Value::Null).await.ok();
    let seen = info().await;
    let neutral = seen["nickname"].as_str().unwrap().to_owned();
    assert!(neutral.starts_with("User") && seen["publicNickname"] == neutral.as_str(), "{seen}");
    assert_eq!((&seen["nicknameUnderReview"], &seen["nicknameRefusal"]), (&json!(false), &json!("rude")));

    // The rejected nickname stays refused, for everybody and with letters that look the same.
    let other = desk.user("otto").await;
    let lookalike = "Brambly".replace('l', "I");
    for (who, name) in [(&user, "Brambly"), (&user, "brambly"), (&other, lookalike.as_str())] {
        let got = desk.as_user(who, ("POST", "/user/updateInfo"), &json!({"nickname": name})).await;
        assert_eq!(got.refused(422, "1030"), json!({"field": "nickname", "reason": "rejected"}));
    }
    // The user may choose again at once, although a nickname changes once a week. Others do not see it yet.
    let shown = rename("Thistle").await;
    assert_eq!((&shown["nickname"], &shown["nicknameRefusal"]), (&json!("Thistle"), &Value::Null));
    assert_eq!((&shown["publicNickname"], &shown["nicknameUnderReview"]), (&json!(neutral), &json!(true)));
    assert_eq!(desk.market.count("select count(*) from users where nickname = 'Thistle'").await, 0);
    let got = desk.as_user(&other, ("POST", "/user/updateInfo"), &json!({"nickname": "thistle"})).await;
    got.refused(409, "1037");
    let listed = pending().await;
    let reviewed = &listed[0]["user"];
    assert_eq!((&reviewed["nickname"], &reviewed["publicNickname"]), (&json!("Thistle"), &json!(neutral)));
    assert_eq!(desk.get(&desk.admin, "/console/users?query=Thistle").await.ok()[0]["id"], json!(user.id));
    // A second rejection changes the neutral name no more.
    desk.post(&desk.admin, &path, &review("REJECT", &listed[0]["user"])).await.ok();
    assert_eq!(info().await["publicNickname"], neutral.as_str());
    rename("Nettle").await;
    desk.post(&desk.admin, &path, &review("APPROVE", &pending().await[0]["user"])).await.ok();
    let seen = info().await;
    assert_eq!((&seen["nickname"], &seen["publicNickname"]), (&json!("Nettle"), &json!("Nettle")));
    assert_eq!(seen["nicknameUnderReview"], false);
}

#[tokio::test]
async fn nicknames_under_review_are_listed_in_pages() {
    let desk = Desk::open().await;
    let mut wanted = Vec::new();
    for number in 0..22 {
        let user = desk.user(&format!("user{number}")).await;
        let name = format!("Name{}x", char::from(b'a' + number));
        desk.as_user(&user, ("POST", "/user/updateInfo"), &json!({"nickname": name})).await.ok();
        wanted.push(json!(user.id));
        desk.advance(Duration::seconds(1)).await;
    }
    let first = desk.get(&desk.admin, "/console/nicknames").await.ok();
    let last = &first[19];
    let since = last["since"].as_str().unwrap();
    let next = format!("/console/nicknames?after={since}&afterUser={}", last["user"]["id"].as_str().unwrap());
    let second = desk.get(&desk.admin, &next).await.ok();
    let all = [&first, &second].into_iter().flat_map(|page| page.as_array().unwrap());
    let ids: Vec<_> = all.map(|one| one["user"]["id"].clone()).collect();
    assert_eq!(ids, wanted);
    assert_eq!(
        desk.get(&desk.admin, &format!("/console/nicknames?after={since}")).await.refused(400, "400")["field"],
        "afterUser"
    );
}

#[tokio::test]
async fn several_nicknames_are_reviewed_at_once_and_each_is_recorded() {
    let desk = Desk::open().await;
    let mut users = Vec::new();
    for name in ["Brambly", "Thistle", "Meadow"] {
        let user = desk.user(&name.to_lowercase()).await;
        desk.as_user(&user, ("POST", "/user/updateInfo"), &json!({ "nickname": name })).await.ok();
        users.push(user);
    }
    let listed = desk.get(&desk.admin, "/console/nicknames").await.ok();
    let versions: Vec<_> = users
        .iter()
        .map(|user| {
            let mut all = listed.as_array().unwrap().iter();
            all.find(|one| one["user"]["id"] == json!(user.id)).unwrap()["user"]["version"].clone()
        })
        .collect();
    let chosen = |of: &[usize]| -> Vec<Value> {
        of.iter().map(|at| json!({ "id": users[*at].id, "version": versions[*at] })).collect()
    };
    let body =
        |verdict: &str, nicknames: Vec<Value>| json!({ "verdict": verdict, "nicknames": nicknames, "reason": "rude" });
    let review = async |key: &str, body: &Value| desk.post_as(key, &desk.admin, "/console/nicknames", body).await;
    for wrong in [vec![], chosen(&[0, 0])] {
        assert_eq!(review("wrong-review", &body("APPROVE", wrong)).await.refused(400, "400")["field"], "nicknames");
    }
    // Another officer is faster with the first.
    let ida = desk.officer("ida", Role::Administrator).await;
    let path = format!("/console/users/{}/nickname", users[0].id);
    let approval = json!({ "verdict": "APPROVE", "version": versions[0], "reason": "fine" });
    desk.post(&ida, &path, &approval).await.ok();

    let rejection = body("REJECT", chosen(&[0, 1]));
    let done = review("bulk-review", &rejection).await.ok();
    let result = |user: &User, result: &str| json!({ "id": user.id, "result": result });
    assert_eq!(done["results"], json!([result(&users[1], "REVIEWED"), result(&users[0], "CHANGED")]));
    let length = desk.log_length().await;
    assert_eq!(review("bulk-review", &rejection).await.ok(), done);
    assert_eq!(desk.log_length().await, length);
    review("bulk-review", &body("APPROVE", chosen(&[0, 1]))).await.refused(409, "409");

    let nickname = async |user: &User| details(&desk, user).await["user"]["nickname"].clone();
    assert_eq!(nickname(&users[0]).await, "Brambly");
    // As after the rejection of a single one: a neutral name, and the rejected nickname stays refused.
    assert!(nickname(&users[1]).await.as_str().unwrap().starts_with("User"));
    let again = json!({ "nickname": "Thistle" });
    desk.as_user(&users[1], ("POST", "/user/updateInfo"), &again).await.refused(422, "1030");
    // The next one is seen by others once it is approved, also with others.
    desk.as_user(&users[1], ("POST", "/user/updateInfo"), &json!({ "nickname": "Nettle" })).await.ok();
    let listed = desk.get(&desk.admin, "/console/nicknames").await.ok();
    let found = listed.as_array().unwrap().iter().find(|one| one["user"]["id"] == json!(users[1].id));
    let proposed = json!([{ "id": users[1].id, "version": found.unwrap()["user"]["version"] }]);
    let approval = json!({ "verdict": "APPROVE", "nicknames": proposed, "reason": "fine" });
    review("another-review", &approval).await.ok();
    let shown = details(&desk, &users[1]).await;
    assert_eq!((&shown["user"]["nickname"], &shown["user"]["publicNickname"]), (&json!("Nettle"), &json!("Nettle")));
    let decisions = details(&desk, &users[1]).await["decisions"].clone();
    assert_eq!((&decisions[1]["action"], &decisions[1]["reason"]), (&json!("reject_nickname"), &json!("rude")));
    assert_eq!(decisions[0]["action"], "approve_nickname");
    let pending = desk.get(&desk.admin, "/console/nicknames").await.ok();
    assert_eq!(pending.as_array().unwrap().len(), 1);
    assert_eq!(pending[0]["user"]["id"], json!(users[2].id));
    let olga = desk.officer("olga", Role::AppealOfficer).await;
    desk.post(&olga, "/console/nicknames", &body("APPROVE", chosen(&[2]))).await.refused(403, "403");
}

#[tokio::test]
async fn a_nickname_that_was_just_taken_keeps_no_other_from_being_approved() {
    let desk = Desk::open().await;
    let names = ["Brambly", "Thistle", "Meadow", "Nettle"];
    let mut users = Vec::new();
    for name in names {
        let user = desk.user(&name.to_lowercase()).await;
        // After a rejection, others see the next nickname once it is approved. Until then, it is not the user's.
        let neutral = format!("update accounts set nickname_is_neutral = true where user_id = '{}'", user.id);
        desk.market.sql(&neutral).await;
        desk.as_user(&user, ("POST", "/user/updateInfo"), &json!({ "nickname": name })).await.ok();
        users.push(user);
    }
    let listed = desk.get(&desk.admin, "/console/nicknames").await.ok();
    let version = |user: &User| {
        let mut all = listed.as_array().unwrap().iter();
        all.find(|one| one["user"]["id"] == json!(user.id)).unwrap()["user"]["version"].clone()
    };
    let chosen: Vec<_> = users.iter().map(|user| json!({ "id": user.id, "version": version(user) })).collect();
    // A request at the same moment has taken the second one, another one a lookalike of the third, and the fourth has changed.
    let (other, twin) = (desk.user("other").await, desk.user("twin").await);
    for statement in [
        format!("update users set nickname = 'thistle' where id = '{}'", other.id),
        format!(
            "update users set nickname_skeleton = (select nickname_proposed_skeleton from accounts where user_id = '{}')
             where id = '{}'",
            users[2].id, twin.id
        ),
        format!("update users set certified = not certified where id = '{}'", users[3].id),
    ] {
        desk.market.sql(&statement).await;
    }
    let approval = json!({ "verdict": "APPROVE", "nicknames": chosen, "reason": "fine names" });
    let before = desk.log_length().await;
    let done = desk.post_as("bulk-approval", &desk.admin, "/console/nicknames", &approval).await.ok();
    let result = |at: usize, result: &str| json!({ "id": users[at].id, "result": result });
    let wanted = json!([result(0, "REVIEWED"), result(1, "TAKEN"), result(2, "TAKEN"), result(3, "CHANGED")]);
    assert_eq!(done["results"], wanted);

    // The approval is recorded with its user, and what became of all with the command.
    assert_eq!(
        desk.log(2).await,
        ["Ada approve_nickname user: fine names", "Ada review_nicknames platform: fine names"]
    );
    assert_eq!(desk.log_length().await, before + 2);
    let recorded =
        desk.get(&desk.admin, "/console/audit?action=review_nicknames").await.ok()["entries"][0]["details"].clone();
    let wanted = json!({ "reviewed": [users[0].id], "taken": [users[1].id, users[2].id], "skipped": [users[3].id] });
    assert_eq!(recorded, wanted);
    let names_of = async || {
        let mut names = Vec::new();
        for user in &users {
            names.push(
                details(&desk, user).await["user"]["publicNickname"] == details(&desk, user).await["user"]["nickname"],
            );
        }
        names
    };
    assert_eq!(names_of().await, [true, false, false, false], "only the first nickname is public");

    // The same command again does nothing, and says the same. A new one finds what is left.
    let length = desk.log_length().await;
    let again = desk.post_as("bulk-approval", &desk.admin, "/console/nicknames", &approval).await.ok();
    assert_eq!(again, done);
    assert_eq!(desk.log_length().await, length);
    let later = desk.post(&desk.admin, "/console/nicknames", &approval).await.ok();
    assert_eq!(
        later["results"],
        json!([result(1, "TAKEN"), result(2, "TAKEN"), result(0, "CHANGED"), result(3, "CHANGED")])
    );
}
