//! The gas of a release from the seller's vault in a batch of 50, as the contracts' tests measure it.

use std::collections::BTreeMap;

use tokio::process::Command;

use crate::machine::load_average;
use crate::process::output;
use crate::recipients;
use crate::results::Figure;
use crate::stand::Stand;

/// A transfer of an ERC-20 to a recipient who has none of it, and to one who has some.
const TRANSFER_FRESH: f64 = 51_207.0;
const TRANSFER_KNOWN: f64 = 34_107.0;
const TRANSFER_NATIVE: f64 = 21_000.0;
/// The usual way with a deposit address per user: send gas to it, sweep it, transfer from the pool.
const USUAL_ERC20: f64 = 125_000.0;
/// The same for the native coin, which needs no gas sent first.
const USUAL_NATIVE: f64 = 42_000.0;

/// The entries of `contracts/snapshots/gas-per-leg.json`, each with a yardstick.
const LEGS: &[(&str, &str, f64)] = &[
    ("erc20, fresh recipient", "the usual way", USUAL_ERC20),
    ("erc20, fresh recipient", "one plain transfer", TRANSFER_FRESH),
    ("erc20, known recipient", "the usual way", USUAL_ERC20),
    ("erc20, known recipient", "one plain transfer", TRANSFER_KNOWN),
    ("erc20, known recipient, first payout of the vault", "the usual way", USUAL_ERC20),
    ("native, existing recipient", "the usual way", USUAL_NATIVE),
    ("native, existing recipient", "one plain transfer", TRANSFER_NATIVE),
];

pub(crate) async fn run(stand: &mut Stand) -> anyhow::Result<Vec<Figure>> {
    let load_before = load_average();
    let folder = stand.root.join("contracts");
    let mut forge = Command::new(folder.join("tools/forge"));
    output("forge", forge.current_dir(&folder).args(["test", "--match-contract", "Gas"])).await?;
    let text = std::fs::read_to_string(folder.join("snapshots/gas-per-leg.json"))?;
    let gas: BTreeMap<String, String> = serde_json::from_str(&text)?;
    let mut figures = Vec::new();
    for (name, yardstick, of_yardstick) in LEGS {
        let Some(of_leg) = gas.get(*name) else { anyhow::bail!("there is no snapshot of {name}") };
        let of_leg: f64 = of_leg.parse()?;
        figures.push(Figure {
            target: "releases".to_owned(),
            name: format!("{name} ÷ {yardstick}"),
            value: of_leg,
            unit: "gas".to_owned(),
            yardstick: (*yardstick).to_owned(),
            yardstick_value: *of_yardstick,
            ratio: of_leg / of_yardstick,
            details: BTreeMap::new(),
            load_before,
        });
    }
    figures.push(recipients::run(stand).await?);
    Ok(figures)
}
