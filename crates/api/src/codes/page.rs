//! Generates the page and the table in which client developers look up the codes.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::{ADVANCED_VERIFICATION, ALL, Code, LOGIN_EXPIRED, LOGIN_PROHIBITED, text};
use crate::language::{LANGUAGES, Language};

/// Returns the table as Markdown.
pub fn code_page() -> String {
    let mut page = String::from(
        "# Codes\n\n\
         Generated from the table in `crates/api/src/codes`; `make generate` rewrites it.\n\n\
         Clients act on `code`; the HTTP status matches it, with one exception. Names in braces are also in `data`.\n\n\
         During planned maintenance, calls that need the platform answer with code 401 and HTTP status 503. The message is \
         then a JSON array of two times, the start and the end of the maintenance (RFC 3339, UTC), and the session is still \
         valid. Look at the status before you treat 401 as the end of a session.\n\n\
         | code | key | HTTP | message |\n|---|---|---|---|\n",
    );
    for code in ALL {
        // Writing to a string cannot fail.
        let _ = writeln!(page, "| {} | {} | {} | {} |", code.code, code.key, code.status, text(*code, Language::EnUs));
    }
    page.push_str("\n## Our own codes\n\nThe specification ends at 5050.\n\n| code | message |\n|---|---|\n");
    for code in ALL.iter().filter(|code| is_own(**code)) {
        let _ = writeln!(page, "| {} | {} |", code.code, text(*code, Language::EnUs));
    }
    page.push_str("\n## Reserved\n\nNo call sends these codes.\n\n| code | why |\n|---|---|\n");
    for (code, why) in RESERVED {
        let _ = writeln!(page, "| {} | {why} |", code.code);
    }
    page
}

/// Whether the specification does not name a code: it ends at 5050.
fn is_own(code: Code) -> bool {
    code.code.parse::<u32>().is_ok_and(|number| number > 5050)
}

/// Codes of the specification that are not sent because another one says the same, and why.
const RESERVED: &[(Code, &str)] = &[
    (ADVANCED_VERIFICATION, "4001 asks for advanced verification. Nobody needs it to log in or register."),
    (LOGIN_PROHIBITED, "RISK5001 says that a user may not log in, because an officer has set this risk flag."),
    (LOGIN_EXPIRED, "401 ends every session, so clients need not tell its reasons apart."),
];

/// Returns the table as JSON: each code with its key, its HTTP status and its message in every language.
pub fn code_table() -> String {
    let lines: Vec<_> = ALL
        .iter()
        .map(|code| {
            let messages: Map<String, Value> = LANGUAGES
                .iter()
                .map(|language| (language.as_str().to_owned(), text(*code, *language).into()))
                .collect();
            json!({ "code": code.code, "key": code.key, "status": code.status, "messages": messages })
        })
        .collect();
    // Every value in the table can be written as JSON.
    serde_json::to_string_pretty(&json!({ "codes": lines })).map(|text| text + "\n").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_code_stands_once_and_has_a_status_of_the_list() {
        let codes: BTreeSet<_> = ALL.iter().map(|code| code.code).collect();
        assert_eq!(codes.len(), ALL.len());
        for code in ALL {
            assert!(
                [200, 400, 401, 403, 404, 405, 408, 409, 413, 422, 429, 500, 503].contains(&code.status),
                "{}",
                code.code
            );
        }
    }

    #[test]
    fn the_ranges_are_complete() {
        let codes: BTreeSet<_> = ALL.iter().map(|code| code.code.to_owned()).collect();
        let needed = (3000..=3026).chain(5000..=5050).map(|number| number.to_string());
        let groups = (2001..=2008).map(|number| format!("AC{number}"));
        for code in needed.chain(groups) {
            assert!(codes.contains(&code), "{code}");
        }
    }
}
