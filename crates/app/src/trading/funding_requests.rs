//! The open funding requests of a set's users, and how the set changes them.

use domain::funding::{FundingRequest, FundingTarget};
use domain::ledger::VaultAsset;
use domain::money::Amount;
use store::Tx;
use store::funding::RequestState;
use uuid::Uuid;

#[derive(Debug, Clone, Copy)]
pub(crate) enum FundingChange {
    Open(FundingRequest),
    /// Replaces the funded amount.
    Fund(FundingRequest),
    Fulfill(FundingTarget),
    Close(FundingTarget),
}

#[derive(Debug)]
pub(crate) struct FundingRequests {
    open: Vec<Tracked>,
    ended: Vec<(Tracked, RequestState)>,
}

#[derive(Debug, Clone, Copy)]
struct Tracked {
    request: FundingRequest,
    /// The funded amount in the database; `None` for a request that the set opens.
    stored: Option<Amount>,
}

impl FundingRequests {
    pub(crate) fn new(stored: Vec<FundingRequest>) -> Self {
        let tracked = |request: FundingRequest| Tracked { stored: Some(request.funded), request };
        Self { open: stored.into_iter().map(tracked).collect(), ended: Vec::new() }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &FundingRequest> {
        self.open.iter().map(|tracked| &tracked.request)
    }

    pub(crate) fn get(&self, target: FundingTarget) -> Option<&FundingRequest> {
        self.iter().find(|request| request.target == target)
    }

    pub(crate) fn vault_assets(&self) -> Vec<VaultAsset> {
        self.iter().map(|request| request.vault_asset).collect()
    }

    pub(crate) fn apply(&mut self, change: FundingChange) {
        match change {
            FundingChange::Open(request) => self.open.push(Tracked { request, stored: None }),
            FundingChange::Fund(funded) => {
                if let Some(tracked) = self.open.iter_mut().find(|tracked| tracked.request.target == funded.target) {
                    tracked.request = funded;
                }
            }
            FundingChange::Fulfill(target) => self.end(target, RequestState::Fulfilled),
            FundingChange::Close(target) => self.end(target, RequestState::Closed),
        }
    }

    fn end(&mut self, target: FundingTarget, state: RequestState) {
        self.ended
            .extend(self.open.extract_if(.., |tracked| tracked.request.target == target).map(|ended| (ended, state)));
    }

    /// Writes the changes: first to the stored requests, so that a user's old request is closed before a new one for the
    /// same asset opens.
    pub(crate) async fn write(&self, tx: &mut Tx, fresh: impl Fn() -> Uuid) -> store::Result<()> {
        let open = self.open.iter().map(|tracked| (*tracked, RequestState::Open));
        let mut updated = Vec::new();
        let mut opened = Vec::new();
        for (Tracked { request, stored }, state) in self.ended.iter().copied().chain(open) {
            match stored {
                None => opened.push((fresh(), request, state)),
                Some(funded) if state != RequestState::Open || funded != request.funded => {
                    updated.push((request, state));
                }
                Some(_) => {}
            }
        }
        store::funding::update(tx, &updated).await?;
        store::funding::insert(tx, &opened).await
    }
}
