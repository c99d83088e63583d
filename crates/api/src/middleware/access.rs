//! Which calls are which.

/// Whether the call stays open during maintenance: what needs no session and moves nothing.
pub fn is_public(path: &str) -> bool {
    const OPEN: &[&str] =
        &["/api/common/", "/api/document/", "/api/notice/", "/api/docs", "/api/openapi.json", "/api/codes.json"];
    !path.starts_with("/api/") || OPEN.iter().any(|prefix| path.starts_with(prefix))
}

/// Whether the call is one that guessers use: log-in, codes, the slide check.
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

/// Whether the call takes an upload, with its longer time-out.
pub fn is_upload(path: &str) -> bool {
    path.starts_with("/api/file/")
}
