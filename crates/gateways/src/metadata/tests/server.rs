//! A server with TLS that says what a test tells it to, byte by byte.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use reqwest::Certificate;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// What is sent in response to a request.
pub(super) enum Reply {
    /// These bytes, then the connection waits for the next request.
    Kept(Vec<u8>),
    /// These bytes, then the connection ends.
    Ended(Vec<u8>),
    /// These bytes, then nothing more, but the connection stays.
    Stalled(Vec<u8>),
    /// These bytes, and then others again and again, for as long as somebody reads them.
    Endless(Vec<u8>, Vec<u8>),
}

impl Reply {
    pub(super) fn ok(body: &[u8]) -> Self {
        Self::Kept([format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat())
    }

    pub(super) fn text(response: &str) -> Self {
        Self::Ended(response.as_bytes().to_vec())
    }

    pub(super) fn redirect(to: &str) -> Self {
        Self::text(&format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n"))
    }
}

type Answers = dyn Fn(&str) -> Reply + Send + Sync;

/// The server of every name in `strangers.example`.
pub(super) struct Server {
    pub(super) address: SocketAddr,
    pub(super) authority: Certificate,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts a server. `answers` gets the host and the path of a request: `art.strangers.example/1.json`.
    pub(super) async fn start(answers: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        let (tls, authority) = certificates();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::<Mutex<Vec<String>>>::default();
        let (answers, seen): (Arc<Answers>, _) = (Arc::new(answers), Arc::clone(&requests));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(tls.clone(), stream, Arc::clone(&answers), Arc::clone(&seen)));
            }
        });
        Self { address, authority, requests }
    }

    /// Returns the heads of all requests.
    pub(super) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

/// Responds to the requests of a connection. Errors mean that the client has closed it.
async fn serve(
    tls: TlsAcceptor,
    stream: TcpStream,
    answers: Arc<Answers>,
    seen: Arc<Mutex<Vec<String>>>,
) -> std::io::Result<()> {
    let mut stream = tls.accept(stream).await?;
    loop {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await?);
        }
        let head = String::from_utf8(head).unwrap().to_ascii_lowercase();
        let path = head.split(' ').nth(1).unwrap();
        let host = head.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
        let reply = answers(&format!("{host}{path}"));
        seen.lock().unwrap().push(head);
        match reply {
            Reply::Kept(bytes) => {
                stream.write_all(&bytes).await?;
                stream.flush().await?;
            }
            Reply::Ended(bytes) => {
                stream.write_all(&bytes).await?;
                return stream.shutdown().await;
            }
            Reply::Stalled(bytes) => {
                stream.write_all(&bytes).await?;
                stream.flush().await?;
                // Ends when the client closes the connection.
                return stream.read_u8().await.map(drop);
            }
            Reply::Endless(start, part) => {
                stream.write_all(&start).await?;
                loop {
                    stream.write_all(&part).await?;
                }
            }
        }
    }
}

/// Returns the server's side of TLS, and the authority that signed its certificate.
fn certificates() -> (TlsAcceptor, Certificate) {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    let authority = Certificate::from_der(params.self_signed(&key).unwrap().der()).unwrap();
    let issuer = Issuer::new(params, key);
    let key = KeyPair::generate().unwrap();
    let names = vec!["*.strangers.example".to_owned(), "127.0.0.1".to_owned()];
    let certificate = CertificateParams::new(names).unwrap().signed_by(&key, &issuer).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], PrivateKeyDer::Pkcs8(key.serialize_der().into()))
        .unwrap();
    (TlsAcceptor::from(Arc::new(config)), authority)
}
