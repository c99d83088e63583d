//! A node that queries several nodes and returns an answer when enough of them agree.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::chain::{Address, BlockHash, BlockNumber, ChainId, Token, TxHash};
use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use ruint::aliases::U256;

use crate::node::{
    At, Fees, Header, Log, LogFilter, LogRange, Node, NodeBlock, NodeError, Question, Receipt, SendError,
};

/// How long to wait for the remaining nodes once enough nodes have reported their head.
const GRACE: Duration = Duration::from_millis(500);

/// The error for a quorum that can never be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a quorum of {needed} of {nodes} nodes is impossible")]
pub struct ImpossibleQuorum {
    /// The number of nodes that must agree.
    pub needed: usize,
    pub nodes: usize,
}

/// Several nodes of which `needed` must agree on every answer. `needed` should be more than half, so that two different
/// answers cannot both reach it.
#[derive(Clone)]
pub struct QuorumNode {
    nodes: Vec<Arc<dyn Node>>,
    needed: usize,
}

impl QuorumNode {
    /// Creates a quorum. `needed` must be at least one and at most the number of nodes.
    pub fn new(nodes: Vec<Arc<dyn Node>>, needed: usize) -> Result<Self, ImpossibleQuorum> {
        if (1..=nodes.len()).contains(&needed) {
            Ok(Self { nodes, needed })
        } else {
            Err(ImpossibleQuorum { needed, nodes: nodes.len() })
        }
    }

    fn ask_all<'a, T, E>(
        &'a self,
        ask: impl Fn(&'a dyn Node) -> BoxFuture<'a, Result<T, E>>,
    ) -> FuturesUnordered<BoxFuture<'a, Result<T, E>>> {
        self.nodes.iter().map(|node| ask(node.as_ref())).collect()
    }

    /// Returns the first answer that enough nodes give. Does not wait for the other nodes.
    async fn agreed<'a, T: PartialEq + Send>(
        &'a self,
        what: &'static str,
        ask: impl Fn(&'a dyn Node) -> BoxFuture<'a, Result<T, NodeError>>,
    ) -> Result<T, NodeError> {
        let mut asked = self.ask_all(ask);
        let mut answers: Vec<(T, usize)> = Vec::new();
        let mut failures = Vec::new();
        while let Some(answer) = asked.next().await {
            match answer {
                Err(error) => failures.push(error),
                Ok(answer) => {
                    if let Some((_, votes)) = answers.iter_mut().find(|(known, _)| *known == answer) {
                        *votes = votes.saturating_add(1);
                    } else {
                        answers.push((answer, 1));
                    }
                    if let Some(place) = answers.iter().position(|(_, votes)| *votes >= self.needed) {
                        return Ok(answers.swap_remove(place).0);
                    }
                }
            }
        }
        Err(self.no_agreement(what, answers.len(), failures))
    }

    fn no_agreement(&self, what: &'static str, different: usize, mut failures: Vec<NodeError>) -> NodeError {
        // A contract's failure is an answer as well, so it needs a quorum.
        let (of_contract, others): (Vec<_>, Vec<_>) =
            failures.into_iter().partition(|error| matches!(error, NodeError::Contract(_)));
        let (silent, unanswered) = (of_contract.len(), others.len());
        failures = if silent >= self.needed { of_contract } else { others };
        let answered = self.nodes.len().saturating_sub(unanswered);
        let different = different.saturating_add(usize::from(silent > 0));
        if silent < self.needed && different > 1 && answered >= self.needed {
            tracing::warn!(what, different, "the nodes do not agree");
            return NodeError::Disagreement(what);
        }
        // Prefer `TooMuch`, because all nodes may answer a smaller request. Next, prefer transient errors.
        let preferred = [
            failures.iter().position(|error| matches!(error, NodeError::TooMuch(_))),
            failures.iter().position(NodeError::is_transient),
        ];
        match preferred.into_iter().flatten().next() {
            Some(place) => failures.swap_remove(place),
            None => failures.pop().unwrap_or(NodeError::Disagreement(what)),
        }
    }
}

/// The nodes' answers about one balance.
#[derive(Default)]
struct Tally {
    /// The different answers, with the number of nodes that gave them.
    answers: Vec<(U256, usize)>,
    failures: Vec<NodeError>,
}

impl Tally {
    fn add(&mut self, answer: Result<U256, NodeError>) {
        match answer {
            Err(error) => self.failures.push(error),
            Ok(amount) => match self.answers.iter_mut().find(|(known, _)| *known == amount) {
                Some((_, votes)) => *votes = votes.saturating_add(1),
                None => self.answers.push((amount, 1)),
            },
        }
    }

    fn agreed(&self, needed: usize) -> Option<U256> {
        self.answers.iter().find(|(_, votes)| *votes >= needed).map(|(amount, _)| *amount)
    }
}

#[async_trait]
impl Node for QuorumNode {
    async fn chain_id(&self) -> Result<ChainId, NodeError> {
        self.agreed("the chain ID", |node| node.chain_id()).await
    }

    /// Returns the highest block that enough nodes have reached.
    async fn head(&self) -> Result<BlockNumber, NodeError> {
        let mut asked = self.ask_all(|node| node.head());
        let (mut heads, mut failures) = (Vec::new(), Vec::new());
        let mut take = |answer: Result<BlockNumber, NodeError>, heads: &mut Vec<BlockNumber>| match answer {
            Ok(head) => heads.push(head),
            Err(error) => failures.push(error),
        };
        while heads.len() < self.needed
            && let Some(answer) = asked.next().await
        {
            take(answer, &mut heads);
        }
        // Wait for more answers, so that a lagging node that answers first does not hold the head back, but not
        // forever, so that a hanging node does not block.
        let rest = async {
            while let Some(answer) = asked.next().await {
                take(answer, &mut heads);
            }
        };
        // A timeout is not an error: the nodes that did not answer are ignored.
        let _ = tokio::time::timeout(GRACE, rest).await;
        heads.sort_unstable_by_key(|head| std::cmp::Reverse(*head));
        match heads.get(self.needed.saturating_sub(1)) {
            Some(head) => Ok(*head),
            None => Err(self.no_agreement("the newest block", 0, failures)),
        }
    }

    async fn header(&self, number: BlockNumber) -> Result<Option<Header>, NodeError> {
        self.agreed("a block header", |node| node.header(number)).await
    }

    async fn header_of(&self, hash: BlockHash) -> Result<Option<Header>, NodeError> {
        self.agreed("a block header", |node| node.header_of(hash)).await
    }

    async fn block(&self, number: BlockNumber) -> Result<Option<NodeBlock>, NodeError> {
        self.agreed("a block", |node| node.block(number)).await
    }

    async fn succeeded(&self, block: BlockHash) -> Result<Vec<TxHash>, NodeError> {
        self.agreed("which transactions succeeded", |node| node.succeeded(block)).await
    }

    async fn logs(&self, range: LogRange, filter: &LogFilter) -> Result<Vec<Log>, NodeError> {
        let filter = Arc::new(filter.clone());
        self.agreed("logs", |node| {
            let filter = Arc::clone(&filter);
            async move { node.logs(range, &filter).await }.boxed()
        })
        .await
    }

    async fn holding(&self, token: Token, holder: Address, at: At) -> Result<U256, NodeError> {
        self.agreed("a balance", |node| node.holding(token, holder, at)).await
    }

    async fn holdings(&self, holders: &[(Token, Address)], at: At) -> Vec<Result<U256, NodeError>> {
        let mut asked = self.ask_all(|node| {
            let holders = holders.to_vec();
            async move { Ok::<_, NodeError>(node.holdings(&holders, at).await) }.boxed()
        });
        let mut tallies: Vec<_> = holders.iter().map(|_| Tally::default()).collect();
        while let Some(Ok(answers)) = asked.next().await {
            for (tally, answer) in tallies.iter_mut().zip(answers) {
                tally.add(answer);
            }
            if tallies.iter().all(|tally| tally.agreed(self.needed).is_some()) {
                break;
            }
        }
        let found = tallies.into_iter().map(|tally| match tally.agreed(self.needed) {
            Some(amount) => Ok(amount),
            None => Err(self.no_agreement("a balance", tally.answers.len(), tally.failures)),
        });
        found.collect()
    }

    async fn code(&self, address: Address, at: At) -> Result<Vec<u8>, NodeError> {
        self.agreed("a contract's code", |node| node.code(address, at)).await
    }

    async fn nonce(&self, account: Address, at: At) -> Result<u64, NodeError> {
        self.agreed("a nonce", |node| node.nonce(account, at)).await
    }

    /// Returns the median of the nodes' fees, so that no single node can make us pay too much or too little.
    async fn fees(&self) -> Result<Fees, NodeError> {
        let answers: Vec<_> = self.ask_all(|node| node.fees()).collect().await;
        let (mut fees, mut failures) = (Vec::new(), Vec::new());
        for answer in answers {
            match answer {
                Ok(fee) => fees.push(fee),
                Err(error) => failures.push(error),
            }
        }
        fees.sort_unstable_by_key(|fee| (fee.max_fee, fee.priority_fee));
        let middle = fees.len().saturating_sub(1).checked_div(2).unwrap_or_default();
        fees.get(middle).copied().ok_or_else(|| self.no_agreement("fees", 0, failures))
    }

    /// Returns the first estimate without a quorum, because it only determines the gas limit.
    async fn estimate(&self, question: &Question) -> Result<u64, NodeError> {
        let question = Arc::new(question.clone());
        let mut asked = self.ask_all(|node| {
            let question = Arc::clone(&question);
            async move { node.estimate(&question).await }.boxed()
        });
        let mut failures = Vec::new();
        while let Some(answer) = asked.next().await {
            match answer {
                Ok(gas) => return Ok(gas),
                Err(error) => failures.push(error),
            }
        }
        Err(self.no_agreement("an estimate", 0, failures))
    }

    async fn ask(&self, question: &Question, at: At) -> Result<Vec<u8>, NodeError> {
        let question = Arc::new(question.clone());
        self.agreed("the result of a call", |node| {
            let question = Arc::clone(&question);
            async move { node.ask(&question, at).await }.boxed()
        })
        .await
    }

    /// Sends to all nodes. Succeeds if at least one of them accepts the transaction.
    async fn send(&self, raw: &[u8]) -> Result<TxHash, SendError> {
        let raw: Arc<[u8]> = raw.into();
        let answers: Vec<_> = self
            .ask_all(|node| {
                let raw = Arc::clone(&raw);
                async move { node.send(&raw).await }.boxed()
            })
            .collect()
            .await;
        let mut worst = Err(SendError::Unknown(NodeError::Transient("no node was asked".to_owned())));
        let mut told = u8::MAX;
        for answer in answers {
            if weight(&answer) < told {
                told = weight(&answer);
                worst = answer;
            }
        }
        worst
    }

    async fn receipt(&self, tx: TxHash) -> Result<Option<Receipt>, NodeError> {
        self.agreed("a receipt", |node| node.receipt(tx)).await
    }
}

/// Ranks the answers to a send; the lowest rank wins. An unknown result takes precedence over a refusal, because that
/// node may have accepted the transaction.
fn weight(answer: &Result<TxHash, SendError>) -> u8 {
    match answer {
        Ok(_) => 0,
        Err(SendError::AlreadyKnown) => 1,
        Err(SendError::Unknown(_)) => 2,
        Err(SendError::NonceTooLow) => 3,
        Err(SendError::Underpriced(_)) => 4,
        Err(SendError::InsufficientFunds(_)) => 5,
        Err(SendError::Refused(_)) => 6,
    }
}
