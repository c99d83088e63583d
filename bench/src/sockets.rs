//! Websocket clients that report what they receive.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::bail;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc;

use crate::world::{token, user_id};

/// How often a client shows that it is still there.
const PING_EVERY: Duration = Duration::from_secs(15);
/// An empty ping with a mask of zeros.
const PING: [u8; 6] = [0x89, 0x80, 0, 0, 0, 0];
const TEXT: u8 = 0x81;
const CLOSE: u8 = 0x88;

/// A socket that has been opened.
pub(crate) struct Socket {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Socket {
    pub(crate) async fn open(address: SocketAddr, user: u64) -> anyhow::Result<Self> {
        let mut stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let id = user_id(user);
        let place = URL_SAFE_NO_PAD.encode(format!(r#"{{"userId":"{id}","way":"WEB","unique":"bench"}}"#));
        let [_, _, .., c, b, a] = user.to_be_bytes();
        // The server allows a limited number of sockets per network address.
        let request = format!(
            "GET /api/fiat/{place} HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\nx-forwarded-for: 10.{c}.{b}.{a}\r\n\
             cookie: MEC2C-token={}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
             sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
            token(user)
        );
        stream.write_all(request.as_bytes()).await?;
        let mut buffer = Vec::with_capacity(512);
        loop {
            if stream.read_buf(&mut buffer).await? == 0 {
                bail!("the server closed the connection");
            }
            if let Some(end) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                if !buffer.starts_with(b"HTTP/1.1 101") {
                    bail!("no websocket: {}", String::from_utf8_lossy(&buffer));
                }
                buffer.drain(..end.saturating_add(4));
                return Ok(Self { stream, buffer });
            }
        }
    }

    /// Reports when each message arrived, until the server closes the socket, which is counted.
    pub(crate) async fn listen(mut self, closed: Arc<AtomicUsize>, arrivals: mpsc::UnboundedSender<Instant>) {
        let mut ping = tokio::time::interval(PING_EVERY);
        loop {
            while let Some((kind, length)) = frame(&self.buffer) {
                if kind == TEXT {
                    let _ = arrivals.send(Instant::now());
                }
                if kind == CLOSE {
                    closed.fetch_add(1, Ordering::Relaxed);
                    return;
                }
                self.buffer.drain(..length);
            }
            let alive = tokio::select! {
                read = self.stream.read_buf(&mut self.buffer) => read.is_ok_and(|bytes| bytes > 0),
                _ = ping.tick() => self.stream.write_all(&PING).await.is_ok(),
            };
            if !alive {
                closed.fetch_add(1, Ordering::Relaxed);
                return;
            }
        }
    }
}

/// Returns the first byte and the length of the first frame, if it is complete. Servers send unmasked frames.
fn frame(bytes: &[u8]) -> Option<(u8, usize)> {
    let (&kind, &short) = (bytes.first()?, bytes.get(1)?);
    let (head, body) = match short {
        126 => (4, usize::from(u16::from_be_bytes([*bytes.get(2)?, *bytes.get(3)?]))),
        127.. => return None,
        short => (2, usize::from(short)),
    };
    let length = body.saturating_add(head);
    (bytes.len() >= length).then_some((kind, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_found_once_it_is_complete() {
        assert_eq!(frame(&[0x81, 2, b'h', b'i', 0x89]), Some((0x81, 4)));
        assert_eq!(frame(&[0x81, 2, b'h']), None);
        let mut long = vec![0x81, 126, 0, 200];
        long.extend([b'x'; 200]);
        assert_eq!(frame(&long), Some((0x81, 204)));
    }
}
