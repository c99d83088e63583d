//! A mail server that stores the emails that it receives.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

#[derive(Clone)]
pub struct Emails {
    pub address: SocketAddr,
    taken: Arc<Mutex<Vec<String>>>,
}

impl Emails {
    pub async fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let emails = Self { address: listener.local_addr().unwrap(), taken: Arc::default() };
        let taken = Arc::clone(&emails.taken);
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(take(stream, Arc::clone(&taken)));
            }
        });
        emails
    }

    /// Returns the received emails with their headers, oldest first.
    pub fn texts(&self) -> Vec<String> {
        self.taken.lock().unwrap().clone()
    }

    /// Returns the codes of six digits in the received emails, oldest first.
    pub fn codes(&self) -> Vec<String> {
        let code = |message: &String| {
            let words = message.split(|c: char| !c.is_ascii_digit());
            words.filter(|word| word.len() == 6).map(str::to_owned).next_back().expect("a code")
        };
        self.taken.lock().unwrap().iter().map(code).collect()
    }
}

async fn take(stream: TcpStream, taken: Arc<Mutex<Vec<String>>>) {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    let mut message: Option<String> = None;
    if write.write_all(b"220 test\r\n").await.is_err() {
        return;
    }
    while let Ok(Some(line)) = lines.next_line().await {
        let answer: &[u8] = match (&mut message, line.as_str()) {
            (Some(_), ".") => {
                taken.lock().unwrap().extend(message.take());
                b"250 taken\r\n"
            }
            (Some(text), line) => {
                text.push_str(line);
                text.push('\n');
                continue;
            }
            (None, "DATA") => {
                message = Some(String::new());
                b"354 go on\r\n"
            }
            (None, _) => b"250 ok\r\n",
        };
        if write.write_all(answer).await.is_err() {
            return;
        }
    }
}
