//! Sends mail over SMTP.

use std::time::Duration;

use app::mail::{Delivery, EmailMessage, Mail};
use app::{Error, Result};
use async_trait::async_trait;
use lettre::message::{Mailbox, header::ContentType};
use lettre::transport::smtp::PoolConfig;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SmtpSettings {
    /// The server: `smtp://host:port`, `smtps://user:password@host`, or `smtp://…?tls=required`.
    pub url: String,
    /// The sender, for example `MEC2C <no-reply@example.org>`.
    pub from: String,
    /// The time limit for sending one email. If it is exceeded, the server counts as unavailable.
    pub patience: Duration,
}

/// An SMTP client with a connection pool.
#[derive(Debug, Clone)]
pub struct SmtpMail {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
    patience: Duration,
}

impl SmtpMail {
    /// Parses the settings. Connects only when the first email is sent.
    pub fn new(settings: &SmtpSettings) -> Result<Self> {
        let wrong = |what: &str, error: &dyn std::fmt::Display| Error::Internal(format!("{what}: {error}"));
        let builder =
            AsyncSmtpTransport::<Tokio1Executor>::from_url(&settings.url).map_err(|error| wrong("mail URL", &error))?;
        let transport = builder.timeout(Some(settings.patience)).pool_config(PoolConfig::new().max_size(4)).build();
        let from = settings.from.parse().map_err(|error| wrong("mail sender", &error))?;
        Ok(Self { transport, from, patience: settings.patience })
    }

    /// Returns whether the mail server responds.
    pub async fn answers(&self) -> bool {
        let asked = tokio::time::timeout(self.patience, self.transport.test_connection()).await;
        asked.is_ok_and(|answer| answer.unwrap_or(false))
    }
}

#[async_trait]
impl Mail for SmtpMail {
    async fn send(&self, message: EmailMessage) -> Result<Delivery> {
        let to: Mailbox = message.to.parse().map_err(|error| Error::Internal(format!("mail recipient: {error}")))?;
        let message = Message::builder()
            .from(self.from.clone())
            .to(to)
            .subject(message.subject)
            .header(ContentType::TEXT_PLAIN)
            .body(message.text)
            .map_err(|error| Error::Internal(format!("mail message: {error}")))?;
        let gone = |why: &dyn std::fmt::Display| {
            tracing::warn!(%why, "cannot send mail");
            Error::Unavailable { what: "the mail server" }
        };
        // The transport's own timeout applies to each line of the server's response, so a server that trickles lines
        // could hold up the call indefinitely.
        match tokio::time::timeout(self.patience, self.transport.send(message)).await {
            Ok(Ok(_)) => Ok(Delivery::Accepted),
            // The errors contain the server's response but no part of the email.
            Ok(Err(error)) if error.is_permanent() => {
                tracing::warn!(%error, "the mail server refuses an email");
                Ok(Delivery::Refused)
            }
            Ok(Err(error)) => Err(gone(&error)),
            Err(_) => Err(gone(&"timed out")),
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
    use tokio::net::TcpListener;

    use super::*;

    fn message() -> EmailMessage {
        EmailMessage { to: "ann@example.org".into(), subject: "验证码".into(), text: "code 123456\n".into() }
    }

    fn mail(port: u16) -> SmtpMail {
        SmtpMail::new(&SmtpSettings {
            url: format!("smtp://127.0.0.1:{port}"),
            from: "MEC2C <no-reply@example.org>".into(),
            patience: Duration::from_secs(5),
        })
        .unwrap()
    }

    /// Receives one email over real SMTP and returns what the client sent.
    async fn take_one(listener: TcpListener) -> String {
        let (stream, _) = listener.accept().await.unwrap();
        let (read, mut write) = stream.into_split();
        let mut lines = BufReader::new(read).lines();
        let mut taken = String::new();
        let mut in_data = false;
        write.write_all(b"220 test\r\n").await.unwrap();
        while let Some(line) = lines.next_line().await.unwrap() {
            taken.push_str(&line);
            taken.push('\n');
            let answer: &[u8] = match line.as_str() {
                "." => b"250 taken\r\n",
                _ if in_data => continue,
                "DATA" => b"354 go on\r\n",
                _ => b"250 ok\r\n",
            };
            write.write_all(answer).await.unwrap();
            in_data = line == "DATA";
            if line == "." {
                break;
            }
        }
        taken
    }

    #[tokio::test]
    async fn an_email_reaches_the_server() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = tokio::spawn(take_one(listener));
        mail(port).send(message()).await.unwrap();
        let taken = server.await.unwrap();
        assert!(taken.contains("RCPT TO:<ann@example.org>") && taken.contains("code 123456"), "{taken}");
        assert!(taken.contains("Subject: =?utf-8?"), "{taken}");
    }

    #[tokio::test]
    async fn a_silent_server_is_unavailable() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mail = SmtpMail { patience: Duration::from_millis(50), ..mail(listener.local_addr().unwrap().port()) };
        assert!(matches!(mail.send(message()).await, Err(Error::Unavailable { what: "the mail server" })));
        assert!(!mail.answers().await);
    }

    #[tokio::test]
    async fn a_missing_server_is_unavailable() {
        let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
        assert!(matches!(mail(port).send(message()).await, Err(Error::Unavailable { what: "the mail server" })));
    }
}
