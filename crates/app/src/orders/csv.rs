//! Tables as text: RFC 4180, as spreadsheets read it.

use std::borrow::Cow;

/// The beginning of a file, which tells spreadsheets that the text is UTF-8.
pub(super) const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Adds a row to a table.
pub(super) fn push_row<'c>(table: &mut String, cells: impl IntoIterator<Item = &'c str>) {
    for (place, text) in cells.into_iter().enumerate() {
        if place > 0 {
            table.push(',');
        }
        push_quoted(table, &harmless(text));
    }
    table.push_str("\r\n");
}

/// Returns a text that no spreadsheet takes for a formula. Other users write some of the texts.
fn harmless(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}").into() } else { text.into() }
}

fn push_quoted(table: &mut String, text: &str) {
    if !text.contains(['"', ',', '\r', '\n']) {
        table.push_str(text);
        return;
    }
    table.push('"');
    table.push_str(&text.replace('"', "\"\""));
    table.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(cells: &[&str]) -> String {
        let mut table = String::new();
        push_row(&mut table, cells.iter().copied());
        table
    }

    #[test]
    fn cells_are_quoted_only_if_they_must_be() {
        assert_eq!(row(&["a", "", "b c", "1.50"]), "a,,b c,1.50\r\n");
        assert_eq!(
            row(&["a,b", "say \"hi\"", "two\nlines", "two\rlines", "\""]),
            "\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\"two\rlines\",\"\"\"\"\r\n"
        );
        assert_eq!(row(&["您好"]), "您好\r\n");
        assert_eq!(row(&[]), "\r\n");
    }

    #[test]
    fn no_cell_is_a_formula() {
        assert_eq!(row(&["=1+1", "+1", "-1", "@SUM(A1)"]), "'=1+1,'+1,'-1,'@SUM(A1)\r\n");
        assert_eq!(row(&["\t=1", "\r=1"]), "'\t=1,\"'\r=1\"\r\n");
        assert_eq!(row(&["=HYPERLINK(\"http://x\",\"y\")"]), "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"\r\n");
        // Only the beginning of a cell makes a formula.
        assert_eq!(row(&["1=1", "a-b", "'=1"]), "1=1,a-b,'=1\r\n");
    }
}
