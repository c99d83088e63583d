//! Classes of calls.

/// Whether the call stays available during maintenance: it needs no session and moves no money.
pub fn is_public(path: &str) -> bool {
    const OPEN: &[&str] =
        &["/api/common/", "/api/document/", "/api/notice/", "/api/docs", "/api/openapi.json", "/api/codes.json"];
    !path.starts_with("/api/") || OPEN.iter().any(|prefix| path.starts_with(prefix))
}

/// Whether the strict rate limit applies, since the call can be used to guess secrets: login, email codes, slide check.
pub fn is_strict(path: &str) -> bool {
    const STRICT: &[&str] = &[
        "/api/user/login",
        "/api/user/register",
        "/api/user/resetPassword",
        "/api/user/unBindResetPassword",
        "/api/email/",
        "/api/slide",
        "/api/scan/genQrCodeUrl",
        "/api/scan/resetByEmail",
    ];
    STRICT.iter().any(|prefix| path.starts_with(prefix))
}

/// Whether the call is an upload, which has a longer timeout.
pub fn is_upload(path: &str) -> bool {
    path.starts_with("/api/file/")
}
