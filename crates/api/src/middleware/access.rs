//! Classifies calls by the protection that they need.

/// Returns whether the call stays available during maintenance: it needs no session and moves no money.
pub fn is_public(path: &str) -> bool {
    const OPEN: &[&str] =
        &["/api/common/", "/api/document/", "/api/notice/", "/api/docs", "/api/openapi.json", "/api/codes.json"];
    !path.starts_with("/api/") || OPEN.iter().any(|prefix| path.starts_with(prefix))
}

/// Returns whether the login rate limit applies, because clients could guess secrets: login, email codes, slide check.
pub fn has_login_limit(path: &str) -> bool {
    const LOGIN: &[&str] = &[
        "/api/user/login",
        "/api/user/register",
        "/api/user/resetPassword",
        "/api/user/unBindResetPassword",
        "/api/email/",
        "/api/slide",
        "/api/scan/genQrCodeUrl",
        "/api/scan/resetByEmail",
    ];
    LOGIN.iter().any(|prefix| path.starts_with(prefix))
}
