use tokio::net::TcpListener;

use super::*;

const JSON: &[u8] = br#"{"name":"One"}"#;

/// Fetches `https://art.strangers.example/1` and asserts that it is refused.
async fn refused(
    names: &Names,
    limits: Limits,
    answers: impl Fn(&str) -> Reply + Send + Sync + 'static,
) -> MetadataFault {
    let server = Server::start(answers).await;
    source_at(&server, names, limits).fetch("https://art.strangers.example/1").await.unwrap_err()
}

async fn refused_reply(reply: impl Fn() -> Reply + Send + Sync + 'static) -> MetadataFault {
    refused(&Names::default(), LIMITS, move |_| reply()).await
}

/// Limits that are reached at once by a server that waits.
fn impatient() -> Limits {
    Limits { patience: Patience { total: Duration::from_millis(300), ..LIMITS.patience }, ..LIMITS }
}

#[tokio::test]
async fn a_document_of_a_public_server_is_fetched_with_nothing_but_its_url() {
    let (server, names) = (Server::start(|_| Reply::ok(JSON)).await, Names::default());
    let source = source_at(&server, &names, LIMITS);
    let metadata = source.fetch("https://art.strangers.example/1.json?x=1#y").await.unwrap();
    assert_eq!(metadata.name.as_deref(), Some("One"));
    assert_eq!(
        server.requests(),
        [concat!(
            "get /1.json?x=1 http/1.1\r\naccept: */*\r\nuser-agent: mec2c-nft-metadata/1\r\n",
            "host: art.strangers.example\r\n\r\n"
        )]
    );
}

#[tokio::test]
async fn files_of_ipfs_are_fetched_from_the_gateway() {
    let server = Server::start(|at| {
        assert_eq!(at, "gateway.strangers.example/ipfs/qmx/1");
        Reply::ok(JSON)
    });
    let source = source_at(&server.await, &Names::default(), LIMITS);
    assert!(source.fetch("ipfs://Qmx/1").await.is_ok());
    // The gateway is checked like any other server.
    let server = Server::start(|_| Reply::ok(JSON)).await;
    let names = Names::of(&[("gateway.strangers.example", &[&["10.0.0.1"]])]);
    let source = source_at(&server, &names, LIMITS);
    assert_eq!(source.fetch("ipfs://Qmx/1").await, Err(MetadataFault::PrivateAddress));
    assert!(server.requests().is_empty());
}

#[test]
fn a_gateway_that_the_guard_would_refuse_is_an_error() {
    let created = |url: &str| GuardedMetadata::new(Some(url.parse().unwrap()));
    assert!(created("https://ipfs.example").is_ok());
    for url in ["http://ipfs.example", "https://127.0.0.1", "https://ipfs.example:8080", "https://ann@ipfs.example"] {
        assert!(created(url).is_err(), "{url}");
    }
}

#[tokio::test]
async fn a_name_with_a_private_address_is_refused_without_a_connection() {
    let mixed: [&[&str]; 7] = [
        &["127.0.0.1"],
        &["169.254.169.254"],
        &["::1"],
        &["::ffff:127.0.0.1"],
        &["fd00::1"],
        &[PUBLIC, "10.0.0.1"],
        &["10.0.0.1", PUBLIC],
    ];
    for addresses in mixed {
        let server = Server::start(|_| Reply::ok(JSON)).await;
        let names = Names::of(&[("art.strangers.example", &[addresses])]);
        let fetched = source_at(&server, &names, LIMITS).fetch("https://art.strangers.example/1").await;
        assert_eq!(fetched, Err(MetadataFault::PrivateAddress), "{addresses:?}");
        assert!(server.requests().is_empty());
    }
}

#[tokio::test]
async fn the_connection_goes_to_the_address_that_was_checked() {
    // A second look at the name would find a private address.
    let names = Names::of(&[("art.strangers.example", &[&[PUBLIC], &["127.0.0.1"]])]);
    let server = Server::start(|_| Reply::ok(JSON)).await;
    let source = source_at(&server, &names, LIMITS);
    assert!(source.fetch("https://art.strangers.example/1").await.is_ok());
    assert_eq!(names.asked(), ["art.strangers.example"]);
    // No connection is kept: the next fetch looks again.
    assert_eq!(source.fetch("https://art.strangers.example/1").await, Err(MetadataFault::PrivateAddress));
}

#[tokio::test]
async fn a_redirect_is_checked_like_the_first_url() {
    let names = Names::of(&[
        ("inside.strangers.example", &[&["127.0.0.1"]]),
        ("rebound.strangers.example", &[&[PUBLIC], &["10.0.0.1"]]),
    ]);
    for (to, fault) in [
        ("https://inside.strangers.example/", MetadataFault::PrivateAddress),
        ("//inside.strangers.example/", MetadataFault::PrivateAddress),
        ("http://art.strangers.example/2", MetadataFault::UnsupportedScheme),
        ("file:///etc/passwd", MetadataFault::UnsupportedScheme),
        ("data:,{}", MetadataFault::UnsupportedScheme),
        ("https://127.0.0.1/", MetadataFault::NumericAddress),
        ("https://[::1]/", MetadataFault::NumericAddress),
        ("https://2130706433/", MetadataFault::NumericAddress),
        ("https://art.strangers.example:8443/", MetadataFault::InvalidUri),
        ("https://ann@art.strangers.example/", MetadataFault::InvalidUri),
        ("https://", MetadataFault::InvalidUri),
        ("\u{e9}", MetadataFault::InvalidUri),
    ] {
        let server = Server::start(move |at| match at {
            "art.strangers.example/1" => Reply::redirect(to),
            _ => Reply::ok(JSON),
        });
        let server = server.await;
        let fetched = source_at(&server, &names, LIMITS).fetch("https://art.strangers.example/1").await;
        assert_eq!(fetched, Err(fault), "{to}");
        assert_eq!(server.requests().len(), 1, "{to}");
    }
    let rebinding = |at: &str| match at {
        "rebound.strangers.example/2" => Reply::ok(JSON),
        "rebound.strangers.example/1" => Reply::redirect("/2"),
        _ => Reply::redirect("https://rebound.strangers.example/1"),
    };
    assert_eq!(refused(&names, LIMITS, rebinding).await, MetadataFault::PrivateAddress);
}

#[tokio::test]
async fn few_redirects_are_followed() {
    let hops = |most: u32| {
        move |at: &str| {
            let hop: u32 = at.rsplit('/').next().unwrap().parse().unwrap();
            if hop > most { Reply::ok(JSON) } else { Reply::redirect(&format!("/{}", hop + 1)) }
        }
    };
    let server = Server::start(hops(3)).await;
    assert!(source_at(&server, &Names::default(), LIMITS).fetch("https://art.strangers.example/1").await.is_ok());
    assert!(server.requests().iter().all(|head| !head.contains("referer") && !head.contains("cookie")));
    assert_eq!(refused(&Names::default(), LIMITS, hops(4)).await, MetadataFault::TooManyRedirects);
    assert_eq!(refused_reply(|| Reply::redirect("/1")).await, MetadataFault::TooManyRedirects);
    let cookie = "HTTP/1.1 302 Found\r\nSet-Cookie: a=b\r\nLocation: /2\r\nContent-Length: 0\r\n\r\n";
    let server = Server::start(|at| if at.ends_with('1') { Reply::text(cookie) } else { Reply::ok(JSON) }).await;
    assert!(source_at(&server, &Names::default(), LIMITS).fetch("https://art.strangers.example/1").await.is_ok());
    assert!(!server.requests()[1].contains("cookie"));
}

#[tokio::test]
async fn numeric_addresses_users_and_ports_are_refused_in_every_spelling() {
    let source = source_alone();
    for host in [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0x7f.1",
        "0177.0.0.1",
        "017700000001",
        "127.0.0.1.",
        "%31%32%37.0.0.1",
        "127。0。0。1",
        "１２７.0.0.1",
        "8.8.8.8",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::7f00:1]",
    ] {
        let fetched = source.fetch(&format!("https://{host}/1")).await;
        assert_eq!(fetched, Err(MetadataFault::NumericAddress), "{host}");
    }
    for uri in ["https://a.example:80/", "https://a.example:8443/", "https://u@a.example/", "https://:p@a.example/"] {
        assert_eq!(source.fetch(uri).await, Err(MetadataFault::InvalidUri), "{uri}");
    }
}

#[tokio::test]
async fn the_port_of_the_scheme_may_be_written() {
    let server = Server::start(|_| Reply::ok(JSON)).await;
    assert!(source_at(&server, &Names::default(), LIMITS).fetch("https://art.strangers.example:443/1").await.is_ok());
}

#[tokio::test]
async fn a_server_that_waits_is_too_slow() {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n";
    for start in [String::new(), "HTTP/1.1 2".to_owned(), head.to_owned(), format!("{head}{{\"name\":")] {
        let stalled = move |_: &str| Reply::Stalled(start.clone().into_bytes());
        assert_eq!(refused(&Names::default(), impatient(), stalled).await, MetadataFault::TooSlow);
    }
    // A body that never ends, but stays within the size limit for long: each of its chunks has one byte.
    let endless = |_: &str| {
        Reply::Endless(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec(), b"1\r\n \r\n".to_vec())
    };
    let limits = Limits { document_bytes: usize::MAX, ..impatient() };
    assert_eq!(refused(&Names::default(), limits, endless).await, MetadataFault::TooSlow);
    // Informational responses without end.
    let informed = |_: &str| Reply::Endless(Vec::new(), b"HTTP/1.1 103 Early Hints\r\n\r\n".to_vec());
    assert_eq!(refused(&Names::default(), impatient(), informed).await, MetadataFault::TooSlow);
}

#[tokio::test]
async fn a_connection_without_a_handshake_and_a_name_without_an_answer_are_too_slow() {
    struct Silence;
    impl Resolve for Silence {
        fn resolve(&self, _: Name) -> Resolving {
            Box::pin(std::future::pending())
        }
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let detours = HashMap::from([(PUBLIC.parse().unwrap(), listener.local_addr().unwrap())]);
    let (short, endless) = (Duration::from_millis(100), Duration::from_hours(1));
    let (connect, total) = (Patience { connect: short, total: endless }, Patience { connect: endless, total: short });
    let answers: [(Arc<dyn Resolve>, Patience); 2] =
        [(Arc::new(Names::default()), connect), (Arc::new(Silence), total)];
    for (names, patience) in answers {
        let network = Network { names, detours: detours.clone(), authorities: Vec::new() };
        let source = GuardedMetadata::over(network, None, Limits { patience, ..LIMITS }).unwrap();
        assert_eq!(source.fetch("https://art.strangers.example/1").await, Err(MetadataFault::TooSlow));
    }
}

#[tokio::test]
async fn a_body_is_read_only_up_to_the_limit() {
    let limit = LIMITS.document_bytes;
    let padded = |length: usize| [JSON, &vec![b' '; length - JSON.len()]].concat();
    let server = Server::start(move |_| Reply::ok(&padded(limit))).await;
    assert!(source_at(&server, &Names::default(), LIMITS).fetch("https://art.strangers.example/1").await.is_ok());
    assert_eq!(refused_reply(move || Reply::ok(&padded(limit + 1))).await, MetadataFault::TooLarge);
    // Without a length, with a false one, and with chunks: bodies that never end.
    for (head, part) in [
        ("\r\n", " ".repeat(1_000)),
        ("Content-Length: 18446744073709551000\r\n\r\n", " ".repeat(1_000)),
        ("Transfer-Encoding: chunked\r\n\r\n", format!("3e8\r\n{}\r\n", " ".repeat(1_000))),
    ] {
        let start = format!("HTTP/1.1 200 OK\r\n{head}");
        let endless = move || Reply::Endless(start.clone().into_bytes(), part.clone().into_bytes());
        assert_eq!(refused_reply(endless).await, MetadataFault::TooLarge, "{head}");
    }
    let endless = || Reply::Endless(b"HTTP/1.1 200 OK\r\n".to_vec(), b"A: b\r\n".to_vec());
    assert_eq!(refused_reply(endless).await, MetadataFault::Unreachable);
}

#[tokio::test]
async fn a_packed_body_is_not_unpacked() {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..20 {
        std::io::Write::write_all(&mut packer, &vec![b' '; 1_000_000]).unwrap();
    }
    let bomb = packer.finish().unwrap();
    assert!(bomb.len() < LIMITS.document_bytes);
    let head = format!("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n", bomb.len());
    let reply = [head.as_bytes(), &bomb].concat();
    assert_eq!(refused_reply(move || Reply::Ended(reply.clone())).await, MetadataFault::InvalidMetadata);
}

#[tokio::test]
async fn errors_of_servers_are_unreachable() {
    for reply in [
        "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 206 Partial Content\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "SSH-2.0-server\r\n",
        "",
    ] {
        assert_eq!(refused_reply(move || Reply::text(reply)).await, MetadataFault::Unreachable, "{reply:?}");
    }
    // A name without an address, a certificate for another name, and a certificate of another authority.
    let mut server = Server::start(|_| Reply::ok(JSON)).await;
    let names = Names::of(&[("empty.strangers.example", &[&[]])]);
    let source = source_at(&server, &names, LIMITS);
    for uri in ["https://empty.strangers.example/", "https://others.example/"] {
        assert_eq!(source.fetch(uri).await, Err(MetadataFault::Unreachable), "{uri}");
    }
    let others = Server::start(|_| Reply::ok(JSON)).await;
    server.authority = others.authority;
    let source = source_at(&server, &names, LIMITS);
    assert_eq!(source.fetch("https://art.strangers.example/1").await, Err(MetadataFault::Unreachable));
}
