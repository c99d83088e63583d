//! Changes of a user's bound address.

use serde::Serialize;
use strum::IntoStaticStr;

use crate::ledger::AccountKind;
use crate::money::Amount;

/// Why a user may not change or remove the bound address now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, IntoStaticStr)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum BindingObstacle {
    /// An advert is open, whose escrow returns to the bound address.
    Advert,
    /// An order is open.
    Order,
    /// The user's vault holds coins or NFTs that belong to the user.
    Balance,
    /// A payout is moving coins out of the user's vault.
    Payout,
    /// The user has a debt after a reorganization.
    Debt,
    /// A payout was voided, but the void left the chain. It must be voided again.
    VoidedPayout,
}

/// A nonempty account of the user's vault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holding {
    pub kind: AccountKind,
    pub amount: Amount,
    /// The network fee of a withdrawal, which is kept from the amount.
    pub withdrawal_gas: Amount,
}

/// Facts about a user that decide whether the bound address may change.
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BindingFacts {
    pub open_adverts: bool,
    pub open_orders: bool,
    pub holdings: Vec<Holding>,
    /// Whether a payout out of the vault is not final.
    pub open_payouts: bool,
    /// Whether a payout must be voided again.
    pub superseded_payouts: bool,
}

/// Returns everything that prevents a change of the bound address, in the order of [`BindingObstacle`].
///
/// Temporary balance that does not exceed the network fee is no obstacle: it cannot be withdrawn, and otherwise a stranger could
/// prevent the change by sending dust.
pub fn binding_obstacles(facts: &BindingFacts) -> Vec<BindingObstacle> {
    let holds = |matches: fn(&Holding) -> bool| facts.holdings.iter().any(matches);
    [
        (BindingObstacle::Advert, facts.open_adverts),
        (BindingObstacle::Order, facts.open_orders),
        (BindingObstacle::Balance, holds(is_balance)),
        (BindingObstacle::Payout, facts.open_payouts || holds(|holding| holding.kind == AccountKind::InFlight)),
        (BindingObstacle::Debt, holds(|holding| holding.kind == AccountKind::ReorganisationLoss)),
        (BindingObstacle::VoidedPayout, facts.superseded_payouts),
    ]
    .into_iter()
    .filter_map(|(obstacle, exists)| exists.then_some(obstacle))
    .collect()
}

fn is_balance(holding: &Holding) -> bool {
    match holding.kind {
        AccountKind::Temporary => holding.amount > holding.withdrawal_gas,
        AccountKind::AdvertEscrow | AccountKind::OrderEscrow | AccountKind::Prepayment => true,
        // What the vault holds for the platform, or what other obstacles stand for.
        AccountKind::Custody
        | AccountKind::Fees
        | AccountKind::Gas
        | AccountKind::InFlight
        | AccountKind::ReorganisationLoss => false,
    }
}

#[cfg(test)]
mod tests {
    use super::BindingObstacle as O;
    use super::*;

    fn holding(kind: AccountKind, units: i128) -> Holding {
        Holding { kind, amount: Amount::new(units).unwrap(), withdrawal_gas: Amount::new(3).unwrap() }
    }

    fn none() -> BindingFacts {
        BindingFacts {
            open_adverts: false,
            open_orders: false,
            holdings: Vec::new(),
            open_payouts: false,
            superseded_payouts: false,
        }
    }

    #[test]
    fn each_fact_is_an_obstacle() {
        let with = |kind, units| BindingFacts { holdings: vec![holding(kind, units)], ..none() };
        let cases = [
            (none(), None),
            (BindingFacts { open_adverts: true, ..none() }, Some(O::Advert)),
            (BindingFacts { open_orders: true, ..none() }, Some(O::Order)),
            (BindingFacts { open_payouts: true, ..none() }, Some(O::Payout)),
            (BindingFacts { superseded_payouts: true, ..none() }, Some(O::VoidedPayout)),
            (with(AccountKind::Temporary, 4), Some(O::Balance)),
            (with(AccountKind::Temporary, 3), None),
            (with(AccountKind::AdvertEscrow, 1), Some(O::Balance)),
            (with(AccountKind::OrderEscrow, 1), Some(O::Balance)),
            (with(AccountKind::Prepayment, 1), Some(O::Balance)),
            (with(AccountKind::InFlight, 1), Some(O::Payout)),
            (with(AccountKind::ReorganisationLoss, 1), Some(O::Debt)),
            (with(AccountKind::Custody, 100), None),
            (with(AccountKind::Fees, 100), None),
            (with(AccountKind::Gas, 100), None),
        ];
        for (facts, obstacle) in cases {
            assert_eq!(binding_obstacles(&facts), Vec::from_iter(obstacle), "{facts:?}");
        }
    }

    #[test]
    fn all_obstacles_are_returned_once() {
        let facts = BindingFacts {
            open_adverts: true,
            open_orders: true,
            holdings: vec![
                holding(AccountKind::OrderEscrow, 5),
                holding(AccountKind::Temporary, 5),
                holding(AccountKind::InFlight, 5),
            ],
            open_payouts: true,
            superseded_payouts: false,
        };
        assert_eq!(binding_obstacles(&facts), [O::Advert, O::Order, O::Balance, O::Payout]);
    }
}
