//! A minimal HTTP/1.1 client on a keep-alive connection. It may send several requests before it reads their responses.
//!
//! It costs a few microseconds per request, so that the load generator takes little from the cores that the server uses.

use std::net::SocketAddr;
use std::ops::Range;

use anyhow::{Context as _, bail};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const READ_AT_ONCE: usize = 32 * 1024;
const END_OF_HEAD: &[u8] = b"\r\n\r\n";

pub(crate) struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
    /// The part of the buffer that has not been consumed.
    start: usize,
    body: Range<usize>,
}

impl Client {
    pub(crate) async fn connect(address: SocketAddr) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await.with_context(|| format!("cannot connect to {address}"))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::new(), start: 0, body: 0..0 })
    }

    /// Sends a request and reads its response. Returns the status.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> anyhow::Result<u16> {
        self.send(request).await?;
        self.receive().await
    }

    pub(crate) async fn send(&mut self, requests: &[u8]) -> anyhow::Result<()> {
        Ok(self.stream.write_all(requests).await?)
    }

    /// Reads the next response and returns its status.
    pub(crate) async fn receive(&mut self) -> anyhow::Result<u16> {
        if self.start == self.buffer.len() {
            self.buffer.clear();
            self.start = 0;
        }
        let (status, body) = loop {
            if let Some(head) = parse(self.buffer.get(self.start..).unwrap_or_default())? {
                let begin = self.start.saturating_add(head.length);
                break (head.status, begin..begin.saturating_add(head.body));
            }
            self.fill().await?;
        };
        while self.buffer.len() < body.end {
            self.fill().await?;
        }
        self.start = body.end;
        self.body = body;
        Ok(status)
    }

    /// Returns the body of the last response.
    pub(crate) fn body(&self) -> &[u8] {
        self.buffer.get(self.body.clone()).unwrap_or_default()
    }

    async fn fill(&mut self) -> anyhow::Result<()> {
        self.buffer.reserve(READ_AT_ONCE);
        if self.stream.read_buf(&mut self.buffer).await? == 0 {
            bail!("the server closed the connection");
        }
        Ok(())
    }
}

struct Head {
    status: u16,
    /// In bytes, with the empty line.
    length: usize,
    /// The length of the body, in bytes.
    body: usize,
}

/// Parses the head of a response, or returns `None` if it is incomplete.
fn parse(bytes: &[u8]) -> anyhow::Result<Option<Head>> {
    let Some(end) = bytes.windows(END_OF_HEAD.len()).position(|window| window == END_OF_HEAD) else { return Ok(None) };
    let head = std::str::from_utf8(bytes.get(..end).unwrap_or_default())?;
    let mut lines = head.split("\r\n");
    let status =
        lines.next().and_then(|line| line.split(' ').nth(1)).context("a response without a status")?.parse()?;
    let mut body = 0;
    for line in lines {
        let Some((name, value)) = line.split_once(':') else { continue };
        if name.eq_ignore_ascii_case("content-length") {
            body = value.trim().parse()?;
        } else if name.eq_ignore_ascii_case("transfer-encoding") {
            bail!("a response without a length");
        }
    }
    Ok(Some(Head { status, length: end.saturating_add(END_OF_HEAD.len()), body }))
}

/// Formats a request. The token and the idempotency key are omitted if they are empty.
pub(crate) fn request(method: &str, path: &str, token: &str, key: &str, body: &str) -> Vec<u8> {
    let mut text = format!("{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n");
    if !token.is_empty() {
        text.push_str("authorization: Bearer ");
        text.push_str(token);
        text.push_str("\r\n");
    }
    if !key.is_empty() {
        text.push_str("idempotency-key: ");
        text.push_str(key);
        text.push_str("\r\n");
    }
    if method == "POST" {
        text.push_str("content-type: application/json\r\ncontent-length: ");
        text.push_str(&body.len().to_string());
        text.push_str("\r\n");
    }
    text.push_str("\r\n");
    text.push_str(body);
    text.into_bytes()
}

pub(crate) fn get(path: &str, token: &str) -> Vec<u8> {
    request("GET", path, token, "", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_parsed_once_it_is_complete() {
        assert!(parse(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r").unwrap().is_none());
        let head = parse(b"HTTP/1.1 409 Conflict\r\nContent-Length: 5\r\n\r\nhello").unwrap().unwrap();
        assert_eq!((head.status, head.length, head.body), (409, 44, 5));
    }

    #[test]
    fn a_response_without_a_length_is_refused() {
        assert!(parse(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n").is_err());
    }
}
