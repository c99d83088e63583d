//! The open funding requests of a set's users, and how the set changes them.

use std::collections::BTreeMap;

use domain::funding::{FundingRequest, FundingTarget};
use domain::ids::UserId;
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
    /// By the vault's owner.
    open: BTreeMap<UserId, Vec<Tracked>>,
    owners: BTreeMap<FundingTarget, UserId>,
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
        let mut requests = Self { open: BTreeMap::new(), owners: BTreeMap::new(), ended: Vec::new() };
        for request in stored {
            requests.track(Tracked { stored: Some(request.funded), request });
        }
        requests
    }

    fn track(&mut self, tracked: Tracked) {
        let owner = tracked.request.vault_asset.vault;
        self.owners.insert(tracked.request.target, owner);
        self.open.entry(owner).or_default().push(tracked);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &FundingRequest> {
        self.open.values().flatten().map(|tracked| &tracked.request)
    }

    /// Returns the requests of a vault's owner.
    pub(crate) fn of_owner(&self, owner: UserId) -> impl Iterator<Item = &FundingRequest> {
        self.open.get(&owner).into_iter().flatten().map(|tracked| &tracked.request)
    }

    /// Returns the requests for coins of a vault asset.
    pub(crate) fn of(&self, vault_asset: VaultAsset) -> impl Iterator<Item = &FundingRequest> {
        self.of_owner(vault_asset.vault).filter(move |request| request.vault_asset == vault_asset)
    }

    pub(crate) fn get(&self, target: FundingTarget) -> Option<&FundingRequest> {
        self.of_owner(*self.owners.get(&target)?).find(|request| request.target == target)
    }

    pub(crate) fn vault_assets(&self) -> Vec<VaultAsset> {
        self.iter().map(|request| request.vault_asset).collect()
    }

    pub(crate) fn apply(&mut self, change: FundingChange) {
        match change {
            FundingChange::Open(request) => self.track(Tracked { request, stored: None }),
            FundingChange::Fund(funded) => {
                let mut requests = self.open.get_mut(&funded.vault_asset.vault).into_iter().flatten();
                if let Some(tracked) = requests.find(|tracked| tracked.request.target == funded.target) {
                    tracked.request = funded;
                }
            }
            FundingChange::Fulfill(target) => self.end(target, RequestState::Fulfilled),
            FundingChange::Close(target) => self.end(target, RequestState::Closed),
        }
    }

    fn end(&mut self, target: FundingTarget, state: RequestState) {
        let Some(requests) = self.owners.remove(&target).and_then(|owner| self.open.get_mut(&owner)) else { return };
        self.ended
            .extend(requests.extract_if(.., |tracked| tracked.request.target == target).map(|ended| (ended, state)));
    }

    /// Writes the changes: first to the stored requests, so that a user's old request is closed before a new one for the
    /// same asset opens.
    pub(crate) async fn write(&self, tx: &mut Tx, fresh: impl Fn() -> Uuid) -> store::Result<()> {
        let open = self.open.values().flatten().map(|tracked| (*tracked, RequestState::Open));
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
