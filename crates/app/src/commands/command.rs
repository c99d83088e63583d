//! The commands of trading and their responses.

use std::collections::BTreeMap;

use domain::adverts;
use domain::checks::AdvertRequest;
use domain::clock::Timestamp;
use domain::funding::FundingTarget;
use domain::ids::{AdvertId, OrderId, UserId};
use domain::ledger::VaultAsset;
use domain::money::Amount;
use domain::orders;
use store::idempotency::Record;

use super::Reply;
use crate::Error;
use crate::engine::idempotency::{IdempotencyKey, Response};
use crate::engine::opening::{Opening, OpeningInputs};
use crate::engine::unit_of_work::{Keys, UnitOfWork};
use crate::orders::{PlaceOrder, taker_sends};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    User {
        user: UserId,
        key: IdempotencyKey,
    },
    /// The clock, which applies deadlines and outages. Its commands are safe to repeat, because they depend only on database
    /// rows.
    System,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    pub actor: Actor,
    pub what: CommandKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandKind {
    PostAdvert(AdvertRequest),
    /// A command from the owner of an advert.
    Advert {
        id: AdvertId,
        /// The version that the user saw.
        seen: i64,
        act: adverts::AdvertCommand,
    },
    /// Sets the user and all their adverts online or offline.
    Switch {
        online: bool,
    },
    PlaceOrder(PlaceOrder),
    /// A command from the buyer or seller of an order.
    Order {
        id: OrderId,
        /// The version that the user saw.
        seen: i64,
        act: orders::OrderCommand,
        proofs: orders::Proofs,
        /// The most reputation points that the user accepts to lose; `None` accepts any cost.
        accepted_cost: Option<i32>,
    },
    /// Gives temporary balance to a funding request for the same asset. Needs no version: the required amount of a
    /// funding request never changes, and the same balance cannot be given twice.
    FundFromBalance {
        target: FundingTarget,
        /// The amount that the user offers. Anything above the missing amount is not used.
        amount: Amount,
    },
    /// Applies an advert's deadline if it is due.
    AdvertDue(AdvertId),
    /// Applies an order's deadline if it is due.
    OrderDue(OrderId),
    /// Moves an advert's deadline by an outage.
    AdvertOutage {
        id: AdvertId,
        from: Timestamp,
        until: Timestamp,
    },
    /// Moves an order's deadline by an outage.
    OrderOutage {
        id: OrderId,
        from: Timestamp,
        until: Timestamp,
    },
}

impl CommandKind {
    /// Returns a command for an order from one of its parties, at any cost in reputation.
    pub fn order(id: OrderId, seen: i64, act: orders::OrderCommand, proofs: orders::Proofs) -> Self {
        Self::Order { id, seen, act, proofs, accepted_cost: None }
    }
}

impl Command {
    /// Returns the user who sent the command; `None` for the platform.
    pub(super) fn user(&self) -> Option<UserId> {
        match &self.actor {
            Actor::User { user, .. } => Some(*user),
            Actor::System => None,
        }
    }

    pub(super) fn keys(&self, keys: &mut Keys) {
        if let Actor::User { user, .. } = &self.actor {
            keys.users.insert(*user);
        }
        match &self.what {
            CommandKind::PostAdvert(_) => keys.advert_counts = true,
            CommandKind::Switch { .. } => {}
            CommandKind::Advert { id, .. }
            | CommandKind::AdvertDue(id)
            | CommandKind::AdvertOutage { id, .. }
            | CommandKind::FundFromBalance { target: FundingTarget::Advert(id), .. } => {
                keys.adverts.insert(*id);
            }
            CommandKind::PlaceOrder(order) => {
                keys.adverts.insert(order.advert);
                keys.order_counts = true;
            }
            CommandKind::Order { id, act, .. } => {
                keys.orders.insert(*id);
                // Longer lists are refused.
                match act {
                    orders::OrderCommand::MarkPaid { receipts, .. } => {
                        keys.files.extend(receipts.iter().take(orders::MAX_RECEIPTS));
                    }
                    orders::OrderCommand::Appeal { evidence, .. } | orders::OrderCommand::AddEvidence(evidence) => {
                        keys.files.extend(evidence.pictures.iter().take(orders::MAX_EVIDENCE_PICTURES));
                        keys.files.extend(evidence.videos.iter().take(orders::MAX_EVIDENCE_VIDEOS));
                    }
                    _ => {}
                }
            }
            CommandKind::OrderDue(id)
            | CommandKind::OrderOutage { id, .. }
            | CommandKind::FundFromBalance { target: FundingTarget::Order(id), .. } => {
                keys.orders.insert(*id);
            }
        }
    }

    /// Returns the user whom the command sets online or offline.
    pub(super) fn switches(&self) -> Option<UserId> {
        match (&self.actor, &self.what) {
            (Actor::User { user, .. }, CommandKind::Switch { .. }) => Some(*user),
            _ => None,
        }
    }

    /// Returns the order that the command may cancel because its advertiser has not answered, which may take the advertiser
    /// offline.
    pub(super) fn may_miss_acceptance(&self) -> Option<OrderId> {
        match &self.what {
            CommandKind::OrderDue(id) | CommandKind::Order { id, act: orders::OrderCommand::Cancel, .. } => Some(*id),
            _ => None,
        }
    }

    /// Returns the order that the command accepts.
    pub(super) fn accepts(&self) -> Option<OrderId> {
        match &self.what {
            CommandKind::Order { id, act: orders::OrderCommand::Accept, .. } => Some(*id),
            _ => None,
        }
    }

    /// Returns the advert or order that the command opens.
    pub(super) fn opens(&self) -> Option<Opening> {
        let user = self.user()?;
        match &self.what {
            CommandKind::PostAdvert(wanted) => {
                Some(Opening::Advert { user, nft: wanted.nft.map(|nft| (wanted.pair, nft)) })
            }
            CommandKind::PlaceOrder(order) => Some(Opening::Order { user, advert: order.advert }),
            _ => None,
        }
    }

    /// Returns the temporary balances from which the command funds an advert or order.
    pub(super) fn offers(&self, work: &UnitOfWork, opening: &OpeningInputs) -> Vec<VaultAsset> {
        let prefunding = |user: UserId, advert: &AdvertId| {
            let advert = work.adverts.get(advert).filter(|advert| advert.terms.automatic)?;
            let coin = taker_sends(advert)?;
            work.must_prefund(user).is_ok_and(|must| must).then_some(VaultAsset { vault: user, asset: coin.asset })
        };
        match (&self.what, self.user()) {
            (CommandKind::FundFromBalance { target, .. }, _) => {
                work.request(*target).map(|request| request.vault_asset).into_iter().collect()
            }
            (CommandKind::PlaceOrder(order), Some(user)) => prefunding(user, &order.advert).into_iter().collect(),
            // The prepayment, and the NFT itself if it is in custody already.
            (CommandKind::PostAdvert(wanted), Some(user)) => {
                let pair = opening.pair(work, wanted).filter(|pair| pair.prepayment.is_some());
                let assets = pair.iter().flat_map(|pair| [pair.prepayment.map(|one| one.asset), Some(pair.base.id)]);
                assets.flatten().map(|asset| VaultAsset { vault: user, asset }).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the recorded response to this command if it was executed before.
    pub(super) fn replay(&self, remembered: &BTreeMap<(UserId, String), Record>) -> Option<Reply> {
        let Actor::User { user, key } = &self.actor else { return None };
        Some(key.replay(remembered.get(&(*user, key.key.clone()))?).map_err(Error::from))
    }

    pub(super) fn record(&self, response: Response) -> Option<Record> {
        let Actor::User { user, key } = &self.actor else { return None };
        Some(key.record(*user, response))
    }
}
