//! The commands of users, and what each server replied. A command whose outcome is unknown is sent again under its key
//! until the outcome is known.

use std::collections::BTreeMap;

use app::commands::{self, Actor, Command, CommandKind};
use app::engine::idempotency::{IdempotencyKey, Response};
use app::talk::{KEPT_OPEN, Outgoing, Talk};
use app::wallet::withdrawals;
use app::{Context, Error};
use domain::assets::AssetId;
use domain::chain::Token;
use domain::clock::Timestamp;
use domain::ids::{OrderId, UserId};
use uuid::Uuid;

use super::{World, unexplained};
use crate::wire::Fault;
use crate::{Bug, Result, takers};

/// How long the product remembers a command.
const REMEMBERED_FOR: chrono::Duration = chrono::Duration::hours(20);

/// What a user wants, under one key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub(crate) enum Intent {
    Trade(Command),
    Withdraw { user: UserId, key: IdempotencyKey, asset: AssetId, token: Token },
    Say { user: UserId, key: IdempotencyKey, order: OrderId, text: String },
}

impl Intent {
    pub(crate) fn key(&self) -> &str {
        match self {
            Self::Trade(Command { actor: Actor::User { key, .. }, .. })
            | Self::Withdraw { key, .. }
            | Self::Say { key, .. } => &key.key,
            Self::Trade(_) => panic!("users have keys"),
        }
    }

    pub(crate) fn user(&self) -> UserId {
        match self {
            Self::Trade(Command { actor: Actor::User { user, .. }, .. })
            | Self::Withdraw { user, .. }
            | Self::Say { user, .. } => *user,
            Self::Trade(_) => panic!("users have IDs"),
        }
    }

    /// The kind of row that the command creates.
    pub(crate) fn creates(&self) -> Option<&'static str> {
        match self {
            Self::Trade(Command { what: CommandKind::PostAdvert(_), .. }) => Some("adverts"),
            Self::Trade(Command { what: CommandKind::PlaceOrder(_), .. }) => Some("orders"),
            Self::Withdraw { .. } => Some("withdrawals"),
            Self::Trade(_) | Self::Say { .. } => None,
        }
    }
}

/// A command whose outcome is known.
pub(crate) struct Judged {
    pub(crate) intent: Intent,
    /// The response; `None` if the command was refused.
    pub(crate) executed: Option<Response>,
}

#[derive(Default)]
pub(crate) struct Commands {
    /// The commands whose outcome became known in this step.
    pub(crate) judged: Vec<Judged>,
    issued: u64,
    /// Commands whose outcome is unknown.
    pub(crate) unknown: Vec<Intent>,
    /// The replies to executed commands, by key.
    pub(crate) executed: BTreeMap<String, (Intent, Response, Timestamp)>,
    /// The IDs of the rows that commands created, by kind.
    pub(crate) created: BTreeMap<&'static str, BTreeMap<Uuid, String>>,
}

impl Commands {
    fn key(&mut self, request: &impl std::fmt::Debug) -> IdempotencyKey {
        self.issued += 1;
        let request_hash = IdempotencyKey::derived(&[&format!("{request:?}")]).request_hash;
        IdempotencyKey { key: format!("key-{}", self.issued), request_hash }
    }

    pub(crate) fn trade(&mut self, user: UserId, what: CommandKind) -> Intent {
        let key = self.key(&what);
        Intent::Trade(Command { actor: Actor::User { user, key }, what })
    }

    pub(crate) fn withdraw(&mut self, user: UserId, asset: AssetId, token: Token) -> Intent {
        Intent::Withdraw { user, key: self.key(&asset), asset, token }
    }

    pub(crate) fn say(&mut self, user: UserId, order: OrderId, text: &str) -> Intent {
        Intent::Say { user, key: self.key(&(order, text)), order, text: text.to_owned() }
    }

    /// The executed commands that the product still remembers.
    pub(crate) fn remembered(&self, now: Timestamp) -> Vec<Intent> {
        let recent = self.executed.values().filter(|(.., at)| now.signed_duration_since(*at) < REMEMBERED_FOR);
        recent.map(|(intent, ..)| intent.clone()).collect()
    }
}

impl World {
    /// Sends commands at once. With a fault, the first server executes them and loses its database connection at the
    /// given request; otherwise, the second one executes them.
    pub(crate) async fn submit(&mut self, intents: Vec<Intent>, fault: Option<(Fault, u32)>) -> Result<()> {
        if let Some((fault, requests)) = fault {
            self.arm(fault, requests).await;
        }
        let server = self.servers[usize::from(fault.is_none())].clone();
        let replies = execute(&server, &intents).await;
        let faulty = self.disarm().await;
        if faulty {
            self.counts.add("database connections lost", 1);
            self.quiet().await;
        }
        for (intent, reply) in intents.into_iter().zip(replies) {
            self.learn(intent, reply, faulty)?;
        }
        Ok(())
    }

    /// The first server stalls at the given request of a set while the second executes another.
    pub(crate) async fn submit_to_both(
        &mut self,
        first: Vec<Intent>,
        second: Vec<Intent>,
        requests: u32,
    ) -> Result<()> {
        let servers = self.servers.clone();
        let (replies, others, held) =
            self.overlap(requests, execute(&servers[0], &first), execute(&servers[1], &second)).await;
        self.counts.add("servers stalled", usize::from(held));
        for (intent, reply) in first.into_iter().zip(replies).chain(second.into_iter().zip(others)) {
            self.learn(intent, reply, false)?;
        }
        Ok(())
    }

    fn learn(&mut self, intent: Intent, reply: app::Result<Response>, faulty: bool) -> Result<()> {
        self.observe(&(intent.key(), reply.as_ref().map_err(ToString::to_string)));
        self.counts.add("commands", 1);
        let sent_before = self.commands.unknown.iter().any(|unknown| unknown.key() == intent.key())
            || self.commands.executed.contains_key(intent.key());
        match &reply {
            _ if sent_before => {}
            Ok(response) => takers::check(self, &intent, Ok(response))?,
            Err(Error::Refused(refusal)) => takers::check(self, &intent, Err(refusal))?,
            Err(_) => {}
        }
        self.commands.unknown.retain(|unknown| unknown.key() != intent.key());
        match reply {
            Ok(response) => {
                self.commands.judged.push(Judged { intent: intent.clone(), executed: Some(response) });
                self.executed(intent, response)
            }
            Err(Error::Refused(refusal)) => {
                if self.commands.executed.contains_key(intent.key()) {
                    return Err(Bug(format!("{intent:?} was executed, and its repetition was refused: {refusal:?}")));
                }
                let name = format!("{refusal:?}");
                let name = name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
                self.counts.add(&format!("refused: {name}"), 1);
                self.commands.judged.push(Judged { intent, executed: None });
                Ok(())
            }
            Err(Error::Unavailable { .. }) if faulty => {
                self.counts.add("outcomes unknown", 1);
                self.commands.unknown.push(intent);
                Ok(())
            }
            Err(error) => Err(unexplained(&format!("{intent:?}"), &error)),
        }
    }

    fn executed(&mut self, intent: Intent, response: Response) -> Result<()> {
        let now = self.now();
        if let Some((_, first, _)) = self.commands.executed.get(intent.key()) {
            self.counts.add("replays", 1);
            if *first != response {
                return Err(Bug(format!("{intent:?} was answered with {first:?}, then with {response:?}")));
            }
            return Ok(());
        }
        if let Some(kind) = intent.creates() {
            let id = response.id.ok_or_else(|| Bug(format!("{intent:?} has created nothing")))?;
            self.counts.add(kind, 1);
            if let Some(other) = self.commands.created.entry(kind).or_default().insert(id, intent.key().to_owned()) {
                return Err(Bug(format!("{kind} {id} belongs to {other} and {}", intent.key())));
            }
        }
        self.commands.executed.insert(intent.key().to_owned(), (intent, response, now));
        Ok(())
    }
}

async fn execute(server: &Context, intents: &[Intent]) -> Vec<app::Result<Response>> {
    let set: Vec<_> = intents
        .iter()
        .filter_map(|intent| match intent {
            Intent::Trade(command) => Some(command.clone()),
            Intent::Withdraw { .. } | Intent::Say { .. } => None,
        })
        .collect();
    let mut traded = commands::execute(server, &set).await.into_iter();
    let mut replies = Vec::new();
    for intent in intents {
        replies.push(match intent {
            Intent::Trade(_) => traded.next().expect("a reply to each command"),
            Intent::Withdraw { user, key, asset, token } => {
                let payout = match token {
                    Token::Erc721(..) => withdrawals::withdraw_nft(server, key, *user, *asset).await,
                    Token::Native | Token::Erc20(_) => withdrawals::withdraw(server, key, *user, *asset).await,
                };
                payout.map(|payout| Response { id: Some(payout.0), version: 0 })
            }
            Intent::Say { user, key, order, text } => {
                let message = Outgoing { text: text.clone(), files: Vec::new(), despite_warnings: true };
                let said = Talk::new(server.clone(), KEPT_OPEN).send(key, *user, *order, &message).await;
                said.map(|entry| Response { id: Some(order.0), version: entry.number })
            }
        });
    }
    replies
}
