//! Classifies errors of nodes by code and message, because few codes and messages are the same for all nodes.

use alloy::transports::{RpcError, TransportError, TransportErrorKind};

use crate::node::{NodeError, SendError};

/// JSON-RPC codes: unknown method, invalid parameters, and a limit of the node.
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const LIMIT_EXCEEDED: i64 = -32005;
/// Codes for reverted calls: the first from most nodes, the second from nodes derived from Parity.
const REVERTED: [i64; 2] = [3, -32015];
/// Messages of nodes when a contract's code fails.
const ENDED: [&str; 14] = [
    "revert",
    "out of gas",
    "gas uint64 overflow",
    "opcode",
    "evm error",
    "vm execution",
    "vm exception",
    "bad instruction",
    "invalid jump",
    "bad jump",
    "stack underflow",
    "stack limit",
    "write protection",
    "return data out of bounds",
];

/// Messages of nodes that are temporarily unable to answer.
const BUSY: [&str; 5] = ["rate limit", "too many requests", "timeout", "timed out", "try again"];

pub(super) fn of_read(error: TransportError) -> NodeError {
    match error {
        RpcError::ErrorResp(payload) => answer(payload.code, &payload.message),
        RpcError::Transport(TransportErrorKind::HttpError(http)) => match http.status {
            // Omit the body, which may come from a proxy. The status is sufficient.
            413 => NodeError::TooMuch(format!("HTTP {}", http.status)),
            408 | 425 | 429 | 500.. => NodeError::Transient(format!("HTTP {}", http.status)),
            status => NodeError::Fatal(format!("HTTP {status}")),
        },
        RpcError::Transport(kind) => NodeError::Transient(chain_of(&kind)),
        // Omit the response's text, which may be arbitrarily long.
        RpcError::DeserError { err, .. } => NodeError::Fatal(format!("malformed response: {err}")),
        RpcError::NullResp => NodeError::Transient("the response is null".to_owned()),
        other => NodeError::Fatal(chain_of(&other)),
    }
}

fn answer(code: i64, message: &str) -> NodeError {
    let lower = message.to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let text = format!("{message} ({code})");
    // Check for a revert first, because the contract chooses the message of a revert.
    if REVERTED.contains(&code) || says(&ENDED) {
        NodeError::Contract(text)
    } else if says(&BUSY)
        || says(&["overloaded", "header not found", "unknown block", "block not found", "resource not found"])
    {
        NodeError::Transient(text)
    } else if code == LIMIT_EXCEEDED
        || says(&["range", "too many results", "more than", "response size", "too large", "limit exceeded"])
    {
        NodeError::TooMuch(text)
    } else if code == METHOD_NOT_FOUND
        || code == INVALID_PARAMS
        || says(&["missing trie node", "pruned", "historical state"])
    {
        NodeError::Fatal(text)
    } else if (-32099..=-32000).contains(&code) || code == -32603 {
        // Nodes use the other codes for any error: retry, and rely on the alert that counts failures.
        NodeError::Transient(text)
    } else {
        NodeError::Fatal(text)
    }
}

pub(super) fn of_send(error: TransportError) -> SendError {
    let RpcError::ErrorResp(payload) = error else {
        return SendError::Unknown(match of_read(error) {
            // The node may have received the transaction despite the error.
            NodeError::Fatal(text) | NodeError::TooMuch(text) => NodeError::Transient(text),
            unanswered => unanswered,
        });
    };
    let message = payload.message.to_string();
    let lower = message.to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if says(&["already known", "already imported", "known transaction", "alreadyknown"]) {
        SendError::AlreadyKnown
    } else if says(&["nonce too low", "nonce is too low", "oldnonce"]) {
        SendError::NonceTooLow
    } else if says(&["underpriced", "max fee per gas less than block base fee", "fee too low", "feetoolow"]) {
        SendError::Underpriced(message)
    } else if says(&["insufficient funds", "insufficient balance"]) {
        SendError::InsufficientFunds(message)
    } else if says(&BUSY) || says(&["pool is full"]) {
        SendError::Unknown(NodeError::Transient(message))
    } else {
        SendError::Refused(message)
    }
}

/// Formats an error with its causes. Replaces URLs, because a node's URL may contain a key.
fn chain_of(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        text.push_str(": ");
        text.push_str(&next.to_string());
        cause = next.source();
    }
    let words = text.split(' ').map(|word| if word.contains("://") { "the node" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_nodes_are_classified() {
        let transient = [(-32000, "header not found"), (429, "Too Many Requests"), (-32603, "internal error")];
        let too_much = [
            (-32005, "query returned more than 10000 results"),
            (-32602, "block range is too wide"),
            (-32000, "eth_getLogs is limited to a 10,000 range"),
        ];
        let contract = [
            (3, "execution reverted"),
            (3, "execution reverted: try again, the rate limit is exceeded"),
            (-32000, "invalid opcode: INVALID"),
            (-32000, "out of gas"),
            (-32000, "stack underflow (0 <=> 1)"),
            (-32015, "VM execution error."),
            (-32003, "EVM error InvalidFEOpcode"),
        ];
        let fatal = [(-32601, "method not found"), (-32000, "missing trie node 0a"), (-1, "?")];
        for (code, message) in transient {
            assert!(matches!(answer(code, message), NodeError::Transient(_)), "{message}");
        }
        for (code, message) in too_much {
            assert!(matches!(answer(code, message), NodeError::TooMuch(_)), "{message}");
        }
        for (code, message) in contract {
            assert!(matches!(answer(code, message), NodeError::Contract(_)), "{message}");
        }
        for (code, message) in fatal {
            assert!(matches!(answer(code, message), NodeError::Fatal(_)), "{message}");
        }
    }
}
