//! Classifies calls by the protection that they need.

/// Returns whether the call stays available during maintenance: it needs no session and moves no money, or it is a call of
/// the console, with which officers end the maintenance.
pub fn is_public(path: &str) -> bool {
    const OPEN: &[&str] = &[
        "/api/common/",
        "/api/document/",
        "/api/notice/",
        "/api/console/",
        "/api/docs",
        "/api/openapi.json",
        "/api/codes.json",
    ];
    !path.starts_with("/api/") || OPEN.iter().any(|prefix| path.starts_with(prefix))
}

/// Returns whether the call uploads a file, which may take longer.
pub(super) fn is_upload(path: &str) -> bool {
    ["/api/file/uploadImage", "/api/file/uploadFile"].contains(&path)
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
        "/api/console/sign-in",
        "/api/console/enrollment",
    ];
    LOGIN.iter().any(|prefix| path.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn officers_can_end_maintenance_and_their_sign_in_is_protected_from_guesses() {
        assert!(
            is_public("/api/console/maintenance/end") && !is_public("/api/consolex") && !is_public("/api/user/login")
        );
        for path in
            ["/api/console/sign-in", "/api/console/enrollment", "/api/console/enrollment/begin", "/api/user/login"]
        {
            assert!(has_login_limit(path), "{path}");
        }
        assert!(!has_login_limit("/api/console/users"));
    }
}
