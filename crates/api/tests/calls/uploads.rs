//! Uploads: what is accepted, what is stored, and who can open it. Includes attacks.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Request, header};
use domain::files::MOST_DAILY_BYTES;
use domain::ids::IdSource;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use testkit::{Ids, noon};
use tower::ServiceExt;

use crate::samples::{contains, jpeg, jpeg_with, mp4, png, png_with, sized};
use crate::stage::{Caller, Got, Stage, text};

pub(crate) const BOUNDARY: &str = "--------part";
pub(crate) const IMAGE: &str = "/file/uploadImage";
pub(crate) const VIDEO: &str = "/file/uploadFile";

/// A part of a multipart body: the head of the part, and its content.
pub(crate) fn part(head: &str, content: &[u8]) -> Vec<u8> {
    [format!("--{BOUNDARY}\r\nContent-Disposition: form-data; {head}\r\n\r\n").as_bytes(), content, b"\r\n"].concat()
}

pub(crate) fn file_part(content: &[u8]) -> Vec<u8> {
    part("name=\"file\"; filename=\"x.jpg\"\r\nContent-Type: image/jpeg", content)
}

pub(crate) fn whole(parts: &[Vec<u8>]) -> Vec<u8> {
    [parts.concat(), format!("--{BOUNDARY}--\r\n").into_bytes()].concat()
}

pub(crate) fn request(who: &Caller, key: &str, path: &str, body: impl Into<Body>) -> Request<Body> {
    Request::post(format!("/api{path}"))
        .header(header::AUTHORIZATION, &who.token)
        .header(header::CONTENT_TYPE, format!("multipart/form-data; boundary={BOUNDARY}"))
        .header("idempotency-key", key)
        .header("language", "en_US")
        .body(body.into())
        .unwrap()
}

impl Stage {
    async fn sends(&self, who: &Caller, path: &str, body: Vec<u8>) -> Got {
        self.send(request(who, &Ids.fresh(noon()).to_string(), path, body)).await
    }

    /// Uploads a file.
    pub(crate) async fn uploads(&self, who: &Caller, path: &str, content: &[u8]) -> Got {
        self.sends(who, path, whole(&[file_part(content)])).await
    }

    /// Uploads a picture and returns the response.
    pub(crate) async fn uploads_picture(&self, who: &Caller, content: &[u8]) -> Value {
        self.uploads(who, IMAGE, content).await.ok()
    }

    /// Opens a link with the headers of a session.
    pub(crate) async fn opens(&self, url: &str, headers: &[(&str, &str)]) -> Content {
        opened(&self.app, url, headers).await
    }

    /// Opens a link as a user.
    pub(crate) async fn opens_as(&self, who: &Caller, url: &str) -> Content {
        self.opens(url, &[("authorization", &who.token)]).await
    }

    /// Returns the number of rows of files and loose objects.
    pub(crate) async fn files(&self) -> (i64, i64) {
        let files = self.market.count("select count(*) from files").await;
        (files, self.market.count("select count(*) from loose_objects").await)
    }
}

pub(crate) struct Content {
    pub(crate) status: u16,
    headers: HeaderMap,
    pub(crate) bytes: Bytes,
}

impl Content {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }
}

pub(crate) async fn opened(app: &Router, url: &str, headers: &[(&str, &str)]) -> Content {
    let mut request = Request::get(url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = app.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.unwrap().to_bytes();
    Content { status: parts.status.as_u16(), headers: parts.headers, bytes }
}

/// Asserts that an upload is refused with 1014, and why.
pub(crate) fn refused(got: Got, reason: &str) {
    let data = got.refused(422, "1014");
    assert_eq!((&data["field"], &data["reason"]), (&json!("file"), &json!(reason)));
}

const SCRIPT: &[u8] = b"<script>alert(1)</script>";
const ZIP: &[u8] = b"PK\x03\x04\x14\0\0\0\0\0script.js";

#[tokio::test]
async fn a_picture_is_stored_without_anything_but_pixels() {
    let stage = Stage::empty().await;
    for (upload, media, ending) in [
        (
            [jpeg_with(&[(0xe1, b"Exif\0\0GPS 37.5665"), (0xfe, SCRIPT)]).as_slice(), SCRIPT, ZIP].concat(),
            "image/jpeg",
            "jpg",
        ),
        ([png_with(b"tEXt", b"Comment\0<script>alert(1)</script>").as_slice(), ZIP].concat(), "image/png", "png"),
    ] {
        assert!(contains(&upload, SCRIPT) && contains(&upload, ZIP));
        let file = stage.uploads_picture(&stage.ben, &upload).await;
        assert_eq!((&file["kind"], &file["mediaType"]), (&json!("IMAGE"), &json!(media)));
        assert_eq!((&file["width"], &file["height"], &file["duration"]), (&json!(24), &json!(16), &Value::Null));
        let content = stage.opens_as(&stage.ben, file["url"].as_str().unwrap()).await;
        assert_eq!((content.status, json!(content.bytes.len())), (200, file["size"].clone()));
        for foreign in [SCRIPT, b"PK\x03\x04", b"GPS", b"Exif", b"Comment"] {
            assert!(!contains(&content.bytes, foreign), "{}", String::from_utf8_lossy(foreign));
        }
        let id = text(&file["id"]);
        for (name, value) in [
            ("content-type", media),
            ("content-disposition", &format!("attachment; filename=\"{id}.{ending}\"")),
            ("x-content-type-options", "nosniff"),
            ("content-security-policy", "default-src 'none'; sandbox"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cache-control", "private, max-age=600, immutable"),
        ] {
            assert_eq!(content.header(name), value, "{name}");
        }
    }
    assert_eq!(stage.files().await, (2, 0));
}

#[tokio::test]
async fn the_content_decides_and_not_the_name_or_type() {
    let stage = Stage::empty().await;
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
    let animated = png_with(b"acTL", &[0, 0, 0, 2, 0, 0, 0, 0]);
    let jpeg = jpeg();
    for (name, kind, content, reason) in [
        ("a.png", "image/png", svg.as_slice(), "not a picture"),
        ("a.svg", "image/svg+xml", svg, "not a picture"),
        ("a.jpg", "image/jpeg", b"GIF89a\x01\0\x01\0\0\0\0;", "not a picture"),
        ("a.jpg", "image/jpeg", b"<html><script>alert(1)</script></html>", "not a picture"),
        ("a.jpg", "image/jpeg", b"MZ\x90\0", "not a picture"),
        ("a.jpg", "image/jpeg", &mp4(1_000), "not a picture"),
        ("a.png", "image/png", &animated, "animated"),
        ("a.jpg", "image/jpeg", &jpeg[..jpeg.len() / 2], "damaged"),
        ("a.png", "image/png", &png()[..60], "damaged"),
        ("a.png", "image/png", &sized(20_000, 20_000), "too many pixels"),
        ("a.png", "image/png", &sized(9_000, 9_000), "too many pixels"),
    ] {
        let head = format!("name=\"file\"; filename=\"{name}\"\r\nContent-Type: {kind}");
        refused(stage.sends(&stage.ben, IMAGE, whole(&[part(&head, content)])).await, reason);
    }
    for (content, reason) in [
        (jpeg.clone(), "not a video"),
        (svg.to_vec(), "not a video"),
        ([mp4(1_000).as_slice(), ZIP].concat(), "damaged"),
        ([mp4(1_000).as_slice(), b"\0\0\0\x10htmlalert(1)"].concat(), "damaged"),
        (mp4(1_000)[..200].to_vec(), "truncated"),
        (mp4(180_001), "too long"),
    ] {
        refused(stage.uploads(&stage.ben, VIDEO, &content).await, reason);
    }
    assert_eq!(stage.files().await.0, 0);
    // A wrong name and type do no harm.
    for (name, kind) in [("a.exe", "text/html"), ("../../../etc/passwd", "x"), ("a.php\0.jpg", "image/svg+xml")] {
        let head = format!("name=\"file\"; filename=\"{name}\"\r\nContent-Type: {kind}");
        let file = stage.sends(&stage.ben, IMAGE, whole(&[part(&head, &jpeg)])).await;
        if name.contains('\0') {
            // A part with such a head is malformed.
            assert!(file.status < 500);
            continue;
        }
        assert_eq!(file.ok()["mediaType"], "image/jpeg");
    }
}

#[tokio::test]
async fn a_malformed_upload_is_refused_with_the_name_of_the_field() {
    let stage = Stage::empty().await;
    let file = file_part(&jpeg());
    for path in [IMAGE, VIDEO] {
        let content = if path == IMAGE { jpeg() } else { mp4(1_000) };
        let file = if path == IMAGE { file.clone() } else { file_part(&content) };
        for (body, status, code, field) in [
            (whole(&[]), 400, "400", "file"),
            (whole(&[part("name=\"other\"", b"x")]), 400, "400", "other"),
            (whole(&[part("filename=\"x\"", b"x")]), 400, "400", "file"),
            (whole(&[file.clone(), file.clone()]), 400, "400", "file"),
            (whole(&[file.clone(), part("name=\"more\"", b"x")]), 400, "400", "file"),
            (whole(&[file_part(b"")]), 400, "999", "file"),
            (b"".to_vec(), 400, "400", "body"),
            (b"no parts".to_vec(), 400, "400", "body"),
            // The body ends inside the file.
            (file[..file.len() - 4].to_vec(), 400, "400", "body"),
        ] {
            let shown = String::from_utf8_lossy(&body).into_owned();
            let got = stage.sends(&stage.ben, path, body).await.refused(status, code);
            assert_eq!(got["field"], field, "{path}: {shown}");
        }
        let json = Request::post(format!("/api{path}"))
            .header(header::AUTHORIZATION, &stage.ben.token)
            .header(header::CONTENT_TYPE, "application/json")
            .header("idempotency-key", "0123456789");
        let got = stage.send(json.body(Body::from("{}")).unwrap()).await.refused(400, "400");
        assert_eq!(got["field"], "Content-Type");
    }
    assert_eq!(stage.files().await.0, 0);
}

#[tokio::test]
async fn an_upload_that_is_too_large_is_refused() {
    let stage = Stage::empty().await;
    let large = [jpeg(), vec![0; 1024 * 1024]].concat();
    let data = stage.uploads(&stage.ben, IMAGE, &large).await.refused(413, "413");
    assert_eq!(data, json!({ "field": "file", "limit": 1_048_576 }));
    let most = [jpeg(), vec![0; 1024 * 1024 - jpeg().len()]].concat();
    stage.uploads(&stage.ben, IMAGE, &most).await.ok();
    // The limit of videos in tests is 2 MB.
    let long = [mp4(1_000), b"\0\x30\0\0mdat".to_vec(), vec![0; 3 * 1024 * 1024 - 8]].concat();
    let data = stage.uploads(&stage.ben, VIDEO, &long).await.refused(413, "413");
    assert_eq!(data, json!({ "field": "file", "limit": 2_097_152 }));
    assert_eq!(stage.files().await.0, 1);
}

#[tokio::test]
async fn a_video_is_stored_without_metadata_and_sent_in_parts() {
    let stage = Stage::empty().await;
    assert!(contains(&mp4(1_500), b"+37.5665"));
    let file = stage.uploads(&stage.ben, VIDEO, &mp4(1_500)).await.ok();
    assert_eq!((&file["kind"], &file["mediaType"]), (&json!("VIDEO"), &json!("video/mp4")));
    assert_eq!(
        (&file["width"], &file["duration"], &file["size"]),
        (&Value::Null, &json!(1_500), &json!(mp4(1_500).len()))
    );
    let url = file["url"].as_str().unwrap();
    let all = stage.opens_as(&stage.ben, url).await;
    assert_eq!((all.status, all.header("accept-ranges"), all.header("content-type")), (200, "bytes", "video/mp4"));
    assert!(!contains(&all.bytes, b"+37.5665"));
    let token = &stage.ben.token;
    let length = all.bytes.len();
    for (range, status, shown, bytes) in [
        ("bytes=0-3", 206, format!("bytes 0-3/{length}"), &all.bytes[..4]),
        ("bytes=10-", 206, format!("bytes 10-{}/{length}", length - 1), &all.bytes[10..]),
        ("bytes=-5", 206, format!("bytes {}-{}/{length}", length - 5, length - 1), &all.bytes[length - 5..]),
        ("bytes=99999-", 416, format!("bytes */{length}"), b"".as_slice()),
        ("bytes=0-1,3-4", 200, String::new(), &all.bytes),
    ] {
        let got = stage.opens(url, &[("authorization", token), ("range", range)]).await;
        assert_eq!((got.status, got.header("content-range")), (status, shown.as_str()), "{range}");
        assert_eq!(got.bytes, bytes, "{range}");
    }
}

#[tokio::test]
async fn a_link_works_only_for_its_viewer_file_and_time() {
    let stage = Stage::empty().await;
    let url = text(&stage.uploads_picture(&stage.ben, &jpeg()).await["url"]);
    let other = text(&stage.uploads_picture(&stage.ben, &png()).await["url"]);
    assert_eq!(stage.opens_as(&stage.ben, &url).await.status, 200);
    // Pictures on a page are requested with the session's cookie.
    let cookie = format!("me_lang=en; MEC2C-token={}", stage.ben.token);
    assert_eq!(stage.opens(&url, &[("cookie", &cookie)]).await.status, 200);
    for headers in [vec![], vec![("authorization", "wrong")], vec![("cookie", "MEC2C-token=wrong")]] {
        assert_eq!(stage.opens(&url, &headers).await.status, 401);
    }
    assert_eq!(stage.opens_as(&stage.anna, &url).await.status, 403);
    let (path, query) = url.split_once('?').unwrap();
    let (other_path, other_query) = other.split_once('?').unwrap();
    let unknown = "/api/file/00000000-0000-7000-8000-000000000000";
    let (expires, signature) = query.split_once("&signature=").unwrap();
    let later = expires.replace("expires=", "").parse::<i64>().unwrap() + 1;
    let flipped: String = signature.chars().rev().collect();
    for altered in [
        format!("{path}?{other_query}"),
        format!("{other_path}?{query}"),
        format!("{unknown}?{query}"),
        format!("{path}?expires={later}&signature={signature}"),
        format!("{path}?{expires}&signature={flipped}"),
        format!("{path}?{expires}&signature="),
        format!("{path}?expires=-1&signature={signature}"),
    ] {
        let got = stage.opens_as(&stage.ben, &altered).await;
        assert_eq!(got.status, 403, "{altered}");
        assert!(contains(&got.bytes, b"\"code\":\"403\""));
    }
    for malformed in
        [path.to_owned(), format!("{path}?{query}&more=1"), format!("{path}?expires=x&signature={signature}")]
    {
        assert_eq!(stage.opens_as(&stage.ben, &malformed).await.status, 400, "{malformed}");
    }
    for id in ["..%2f..%2fetc%2fpasswd", "..", "%00", "1", "..%5c..%5c"] {
        let got = stage.opens_as(&stage.ben, &format!("/api/file/{id}?{query}")).await;
        assert!([400, 404].contains(&got.status), "{id}: {}", got.status);
    }
    stage.market.waits(chrono::Duration::seconds(599)).await;
    assert_eq!(stage.opens_as(&stage.ben, &url).await.status, 200);
    stage.market.waits(chrono::Duration::seconds(1)).await;
    assert_eq!(stage.opens_as(&stage.ben, &url).await.status, 403);
}

#[tokio::test]
async fn a_repeated_upload_gets_the_same_file() {
    let stage = Stage::empty().await;
    for (path, content, other) in [(IMAGE, jpeg(), png()), (VIDEO, mp4(1_000), mp4(2_000))] {
        let key = Ids.fresh(noon()).to_string();
        let send =
            async |content: &[u8]| stage.send(request(&stage.ben, &key, path, whole(&[file_part(content)]))).await;
        let first = send(&content).await.ok();
        assert_eq!(send(&content).await.ok()["id"], first["id"], "{path}");
        send(&other).await.refused(409, "409");
        // The file exists, so no room is needed.
        stage
            .market
            .sql(&format!("update files set bytes = {MOST_DAILY_BYTES} where id = '{}'", text(&first["id"])))
            .await;
        refused(stage.uploads(&stage.ben, path, &content).await, "too much today");
        assert_eq!(send(&content).await.ok()["id"], first["id"], "{path}");
        stage.market.sql("update files set bytes = 1").await;
    }
    assert_eq!(stage.files().await.0, 2);
}

#[tokio::test]
async fn a_user_can_have_only_so_many_unused_files() {
    let stage = Stage::empty().await;
    let picture = stage.uploads_picture(&stage.ben, &jpeg()).await;
    // The rows of further files.
    stage
        .market
        .sql(
            "insert into files (id, owner, object, media_type, bytes, width, height, look, grid, sha256, created_at, loose_since)
             select gen_random_uuid(), owner, gen_random_uuid(), media_type, bytes, width, height, look, grid, sha256,
                    created_at, loose_since from files, generate_series(1, 39)",
        )
        .await;
    refused(stage.uploads(&stage.ben, IMAGE, &jpeg()).await, "too many unused files");
    refused(stage.uploads(&stage.ben, VIDEO, &mp4(1_000)).await, "too many unused files");
    stage.uploads(&stage.anna, IMAGE, &jpeg()).await.ok();
    assert_eq!(stage.opens_as(&stage.ben, picture["url"].as_str().unwrap()).await.status, 200);
}

#[tokio::test]
async fn a_user_can_upload_only_so_much_in_a_day() {
    let stage = Stage::empty().await;
    stage.uploads_picture(&stage.ben, &jpeg()).await;
    // As if the first file were so large that the second fits exactly.
    stage.market.sql(&format!("update files set bytes = {MOST_DAILY_BYTES} - bytes")).await;
    stage.uploads_picture(&stage.ben, &jpeg()).await;
    refused(stage.uploads(&stage.ben, IMAGE, &jpeg()).await, "too much today");
    refused(stage.uploads(&stage.ben, VIDEO, &mp4(1_000)).await, "too much today");
    stage.uploads_picture(&stage.anna, &jpeg()).await;

    stage.market.waits(chrono::Duration::hours(24) - chrono::Duration::microseconds(1)).await;
    refused(stage.uploads(&stage.ben, IMAGE, &jpeg()).await, "too much today");
    stage.market.waits(chrono::Duration::microseconds(1)).await;
    stage.uploads_picture(&stage.ben, &jpeg()).await;
}
