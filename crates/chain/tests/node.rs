//! Failures of real nodes: unreachable nodes, unresponsive nodes, and invalid responses.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use chain::node::{Node, NodeError, SendError};
use chain::rpc::RpcNode;

/// Starts a server that sends these bytes for every request. Returns a client whose URL contains a key.
fn answering(answer: &'static str) -> RpcNode {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/key-that-is-secret", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let mut request = [0; 4096];
            let _ = connection.read(&mut request);
            let _ = connection.write_all(answer.as_bytes());
        }
    });
    RpcNode::new(&address, Duration::from_secs(20)).unwrap()
}

fn text(error: &NodeError) -> String {
    let text = error.to_string();
    assert!(!text.contains("secret"), "{text}");
    text
}

#[tokio::test]
async fn an_unreachable_node_is_a_transient_error() {
    let address = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}/key-that-is-secret", listener.local_addr().unwrap())
    };
    let node = RpcNode::new(&address, Duration::from_secs(20)).unwrap();
    let error = node.head().await.unwrap_err();
    assert!(error.is_transient(), "{}", text(&error));
    let Err(SendError::Unknown(error)) = node.send(&[1]).await else { unreachable!("it may have been taken") };
    assert!(error.is_transient(), "{}", text(&error));
}

#[tokio::test]
async fn an_unresponsive_node_times_out() {
    // The operating system accepts connections, but no program responds.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/key-that-is-secret", listener.local_addr().unwrap());
    let node = RpcNode::new(&address, Duration::from_millis(100)).unwrap();
    let error = node.head().await.unwrap_err();
    assert!(error.is_transient(), "{}", text(&error));
}

#[tokio::test]
async fn unexpected_responses_are_classified() {
    let busy = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    let error = answering(busy).head().await.unwrap_err();
    assert_eq!(error, NodeError::Transient("HTTP 503".to_owned()));

    let denied = "HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    let error = answering(denied).head().await.unwrap_err();
    assert_eq!(error, NodeError::Fatal("HTTP 401".to_owned()));

    let elsewhere =
        "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    let error = answering(elsewhere).head().await.unwrap_err();
    assert_eq!(error, NodeError::Fatal("HTTP 302".to_owned()));

    let nonsense = "HTTP/1.1 200 OK\r\ncontent-length: 9\r\nconnection: close\r\n\r\nnonsense!";
    let error = answering(nonsense).head().await.unwrap_err();
    assert!(matches!(error, NodeError::Fatal(_)), "{}", text(&error));
}

#[test]
fn only_http_urls_are_accepted() {
    for address in ["", "127.0.0.1:8545", "ftp://127.0.0.1/", "file:///etc/passwd"] {
        assert!(RpcNode::new(address, Duration::from_secs(1)).is_err(), "{address}");
    }
}
