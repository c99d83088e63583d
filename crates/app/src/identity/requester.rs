//! Describes the browser that creates a challenge, so that the pass can show it to the user.

use domain::identity::statement::is_region;

/// Names in a `User-Agent` that identify the browser. Many browsers also include the names of older browsers, so older
/// browsers come last.
const BROWSERS: &[(&str, &str)] = &[
    ("MicroMessenger/", "WeChat"),
    ("Edg/", "Edge"),
    ("EdgA/", "Edge"),
    ("EdgiOS/", "Edge"),
    ("OPR/", "Opera"),
    ("OPT/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("YaBrowser/", "Yandex Browser"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// Names in a `User-Agent` that identify the operating system. Android also includes `Linux`, and an iPhone includes
/// `Mac OS X`, so these come last.
const SYSTEMS: &[(&str, &str)] = &[
    ("Windows NT", "Windows"),
    ("Android", "Android"),
    ("iPhone", "iOS"),
    ("iPad", "iPadOS"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];

/// The browser that creates a challenge, in words that a user recognizes.
///
/// The browser reports its own name and operating system. Our proxy reports the region, which it derives from the
/// network address, so that the browser cannot forge it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Requester {
    /// Such as `Firefox`; `None` if unknown.
    pub browser: Option<String>,
    /// Such as `Android`; `None` if unknown.
    pub system: Option<String>,
    /// The country code of the network address; `None` if unknown.
    pub region: Option<String>,
}

impl Requester {
    /// Parses a `User-Agent` and a country code from our proxy.
    pub fn new(agent: &str, region: Option<&str>) -> Self {
        let named = |names: &[(&str, &str)]| {
            names.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| (*name).to_owned())
        };
        // Proxies send `XX` for an unknown country.
        let region = region.map(|region| region.trim().to_ascii_uppercase());
        let region = region.filter(|region| is_region(region) && region != "XX");
        Self { browser: named(BROWSERS), system: named(SYSTEMS), region }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_named_by_what_it_is_and_not_by_what_it_descends_from() {
        for (agent, browser, system) in [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 \
                 Safari/537.36 Edg/140.0.0.0",
                Some("Edge"),
                Some("Windows"),
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile \
                 Safari/537.36",
                Some("Chrome"),
                Some("Android"),
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                 Version/18.6 Mobile/15E148 Safari/604.1",
                Some("Safari"),
                Some("iOS"),
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0", Some("Firefox"), Some("Linux")),
            ("curl/8.14.1", None, None),
            ("", None, None),
        ] {
            let read = Requester::new(agent, None);
            assert_eq!((read.browser.as_deref(), read.system.as_deref()), (browser, system), "{agent}");
        }
    }

    #[test]
    fn a_region_is_a_country_code_or_unknown() {
        for (told, region) in [
            (Some("KR"), Some("KR")),
            (Some(" kr "), Some("KR")),
            (Some("XX"), None),
            (Some("T1"), None),
            (Some("South Korea"), None),
            (Some(""), None),
            (None, None),
        ] {
            assert_eq!(Requester::new("", told).region.as_deref(), region, "{told:?}");
        }
    }
}
