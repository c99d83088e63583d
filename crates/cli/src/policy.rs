//! Parses the settings of pairs: the defaults of new pairs, and the changes by officers.

use anyhow::{Context as _, anyhow, bail};
use app::Context;
use app::officers::{self, PairAct, PairDecision, PairSet};
use clap::{Args, Subcommand};
use domain::assets::Pair;
use serde::Deserialize;

use crate::planned::Why;

/// The defaults of new pairs and currencies.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Policy {
    coin: Settings,
    fiat: Settings,
    pub(crate) currencies: Currencies,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Currencies {
    /// The codes of the currencies without decimals.
    pub(crate) whole: Vec<String>,
}

impl Policy {
    pub(crate) fn shipped() -> anyhow::Result<Self> {
        toml::from_str(include_str!("../../../policy.default.toml")).context("policy.default.toml")
    }

    /// Applies the defaults to a new pair.
    pub(crate) fn apply(&self, pair: &mut Pair) -> anyhow::Result<()> {
        let settings = if pair.is_fiat() { &self.fiat } else { &self.coin };
        let name = format!("policy.default.toml: {}/{}", pair.base.code, pair.quote.code);
        settings.apply(pair).with_context(|| name.clone())?;
        match pair.problem() {
            Some(problem) => bail!("{name}: {problem}"),
            None => Ok(()),
        }
    }
}

/// The settings of a pair. Settings that are not given keep their values.
#[derive(Debug, Default, Args, Deserialize)]
#[group(required = true, multiple = true)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    /// The fee as a share of the base quantity: 0.001 is 0.1%
    #[arg(long)]
    fee_rate: Option<String>,
    /// The minimum fee, in the base; `return_gas` stands for the network fee of a return
    #[arg(long)]
    fee_minimum: Option<String>,
    /// The minimum total of an order, in the quote
    #[arg(long)]
    order_minimum: Option<String>,
    /// The maximum total of an order, in the quote
    #[arg(long)]
    order_maximum: Option<String>,
    /// The maximum distance of a price from the reference price, as a share of it: 0.1 is 10%
    #[arg(long)]
    price_band: Option<String>,
    /// The maximum number of decimals of a price; +2 means two more than the quote has
    #[arg(long)]
    price_decimals: Option<String>,
    /// Minutes for the advertiser to accept
    #[arg(long)]
    acceptance_window: Option<u32>,
    /// Minutes for the owner of a new ad to deposit its escrow
    #[arg(long)]
    advert_deposit_window: Option<u32>,
    /// Minutes for the seller to deposit an order's escrow
    #[arg(long)]
    order_deposit_window: Option<u32>,
    /// Minutes for the buyer to pay, unless the ad has its own payment window
    #[arg(long)]
    payment_window: Option<u32>,
    /// Minutes for the seller to confirm the payment
    #[arg(long)]
    confirmation_window: Option<u32>,
    /// Minutes after a deadline in which a late deposit or payment is still accepted
    #[arg(long)]
    grace_period: Option<u32>,
    /// Whether the pair takes new ads and new orders: on or off
    #[arg(long)]
    trading: Option<String>,
}

impl Settings {
    /// Applies the given settings to a pair, without checking that the result is valid ([`Pair::problem`]).
    pub(crate) fn apply(&self, pair: &mut Pair) -> anyhow::Result<()> {
        let minutes = |window: Option<u32>| window.map(|minutes| minutes.to_string());
        for (option, value) in [
            ("fee-rate", self.fee_rate.clone()),
            ("fee-minimum", self.fee_minimum.clone()),
            ("order-minimum", self.order_minimum.clone()),
            ("order-maximum", self.order_maximum.clone()),
            ("price-band", self.price_band.clone()),
            ("price-decimals", self.price_decimals.clone()),
            ("acceptance-window", minutes(self.acceptance_window)),
            ("advert-deposit-window", minutes(self.advert_deposit_window)),
            ("order-deposit-window", minutes(self.order_deposit_window)),
            ("payment-window", minutes(self.payment_window)),
            ("confirmation-window", minutes(self.confirmation_window)),
            ("grace-period", minutes(self.grace_period)),
            ("trading", self.trading.clone()),
        ] {
            if let Some(value) = value {
                let set = pair.set(&option.replace('-', "_"), &value);
                set.map_err(|expected| anyhow!("{option}: {value} is {expected}"))?;
            }
        }
        Ok(())
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Act {
    /// Changes settings. New ads and all new orders, also those on existing ads, use them at once. Existing orders keep
    /// their terms; existing ads keep their price and windows.
    #[command(override_usage = "mec2c officer pair set [SETTINGS] --reason <REASON> --officer <OFFICER> <BASE/QUOTE>")]
    Set(Box<Change>),
    /// Lists the settings and their changes.
    Show(Named),
}

#[derive(Debug, Args)]
pub(crate) struct Named {
    /// The codes of the base and the quote, such as MEC/USDT
    #[arg(value_name = "BASE/QUOTE", value_parser = codes)]
    pair: (String, String),
}

fn codes(text: &str) -> Result<(String, String), String> {
    let codes = text.split_once('/').map(|(base, quote)| (base.to_owned(), quote.to_owned()));
    codes.ok_or_else(|| "must be BASE/QUOTE, such as MEC/USDT".to_owned())
}

#[derive(Debug, Args)]
pub(crate) struct Change {
    #[command(flatten)]
    named: Named,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    why: Why,
}

pub(crate) async fn run(context: &Context, act: Act) -> anyhow::Result<()> {
    match act {
        Act::Set(change) => set(context, *change).await,
        Act::Show(named) => show(context, &named).await,
    }
}

async fn find(context: &Context, Named { pair: (base, quote) }: &Named) -> anyhow::Result<(Pair, Vec<PairAct>)> {
    officers::pair(context, base, quote).await?.with_context(|| format!("there is no pair {base}/{quote}"))
}

async fn set(context: &Context, Change { named, settings, why }: Change) -> anyhow::Result<()> {
    let (before, _) = find(context, &named).await?;
    let mut after = before.clone();
    settings.apply(&mut after)?;
    let Named { pair: (base, quote) } = named;
    let decision = PairDecision { before, after, officer: why.officer.into(), reason: why.reason };
    match officers::set_pair(context, &decision).await? {
        PairSet::Done => println!("The settings of {base}/{quote} are changed."),
        PairSet::Already => println!("{base}/{quote} already has these settings; nothing was changed."),
        PairSet::Outdated => bail!("{base}/{quote} was changed by another officer meanwhile; check it and try again"),
        PairSet::Invalid(problem) => bail!("{base}/{quote} was not changed: {problem}"),
    }
    Ok(())
}

async fn show(context: &Context, named: &Named) -> anyhow::Result<()> {
    let (pair, acts) = find(context, named).await?;
    for (name, value) in pair.settings() {
        println!("{name}\t{value}");
    }
    for PairAct { setting, before, after, officer, reason, at } in acts {
        // One line for each change.
        let reason = reason.replace('\n', " ");
        println!("{}\t{setting}\t{before} -> {after}\t{officer}\t{reason}", at.to_rfc3339());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use domain::assets::{Asset, AssetId, Home, PairId, Windows};
    use domain::chain::{ChainId, Token};
    use domain::money::Amount;
    use testkit::market::Market;

    use super::*;

    #[derive(Debug, Parser)]
    struct Arguments {
        #[command(subcommand)]
        act: Act,
    }

    async fn set(market: &Market, pair: &str, settings: &str) -> Result<(), String> {
        let words = ["mec2c", "set", pair, "--reason", "the season", "--officer", "olga"];
        let arguments = Arguments::try_parse_from(words.into_iter().chain(settings.split_whitespace()));
        let act = arguments.map_err(|error| error.to_string())?.act;
        run(&market.context, act).await.map_err(|error| format!("{error:#}"))
    }

    async fn present(market: &Market) -> (Pair, Vec<PairAct>) {
        officers::pair(&market.context, "MEC", "KRW").await.unwrap().unwrap()
    }

    #[tokio::test]
    async fn bad_input_is_refused_by_name_and_changes_nothing() {
        let market = Market::open().await;
        let before = present(&market).await;
        for (pair, settings, named) in [
            ("MEC/KRW", "", "--fee-rate"),
            ("MECKRW", "--fee-rate 0.1", "BASE/QUOTE"),
            ("MEC/XXX", "--fee-rate 0.1", "there is no pair MEC/XXX"),
            ("MEC/KRW", "--fee-rate 0,1", "fee-rate: 0,1"),
            ("MEC/KRW", "--fee-rate 0.0000001", "fee-rate: 0.0000001"),
            ("MEC/KRW", "--fee-rate -0.1", "-0"),
            ("MEC/KRW", "--fee-rate 1", "the fee rate must be below 1"),
            ("MEC/KRW", "--fee-minimum much", "fee-minimum: much"),
            ("MEC/KRW", "--order-minimum 0.5", "order-minimum: 0.5"),
            ("MEC/KRW", "--order-minimum 9 --order-maximum 8", "must not exceed"),
            ("MEC/KRW", "--price-decimals +9", "at most 8 decimals"),
            ("MEC/KRW", "--price-decimals 300", "price-decimals: 300"),
            ("MEC/KRW", "--payment-window 4", "5 to 120"),
            ("MEC/KRW", "--grace-period 1.5", "--grace-period"),
            ("MEC/KRW", "--trading maybe", "trading: maybe is neither on nor off"),
            // A single invalid setting makes the whole command fail.
            ("MEC/KRW", "--fee-rate 0.1 --price-band 2", "the price band"),
        ] {
            let refused = set(&market, pair, settings).await.unwrap_err();
            assert!(refused.contains(named), "{pair} {settings}: {refused}");
        }
        assert_eq!(present(&market).await, before);
    }

    #[tokio::test]
    async fn each_setting_is_set_under_its_name_and_recorded() {
        let market = Market::open().await;
        let all = "--fee-rate 0.002 --fee-minimum return_gas --order-minimum 5 --order-maximum 6 --price-band 0.2 \
                   --price-decimals +2 --acceptance-window 11 --advert-deposit-window 12 --order-deposit-window 13 \
                   --payment-window 14 --confirmation-window 17 --grace-period 18 --trading off";
        set(&market, "MEC/KRW", all).await.unwrap();
        let (pair, acts) = present(&market).await;
        let values = ["0.002", "0.001", "5", "6", "0.2", "2", "11", "12", "13", "14", "17", "18", "off"];
        assert_eq!(pair.settings().map(|(_, value)| value), values);
        let recorded: Vec<_> = acts.iter().map(|act| (act.setting.as_str(), act.after.clone())).collect();
        assert_eq!(recorded, pair.settings());
        assert!(acts.iter().all(|act| act.officer == "olga" && act.reason == "the season"));
        run(&market.context, Act::Show(Named { pair: ("MEC".to_owned(), "KRW".to_owned()) })).await.unwrap();
    }

    fn asset(code: &str, decimals: u8, return_gas: &str) -> Asset {
        let return_gas = Amount::parse(return_gas, decimals).unwrap();
        Asset { id: AssetId(0), code: code.to_owned(), decimals, home: Home::Fiat, dust: Amount::ZERO, return_gas }
    }

    #[test]
    fn new_pairs_have_every_setting_of_the_defaults_file() {
        let chain = Home::Chain { chain: ChainId(1), token: Token::Native };
        for (quote, decimals, payment) in [
            (Asset { home: chain, ..asset("USDT", 6, "0") }, "4", "15"),
            (asset("EUR", 2, "0"), "4", "30"),
            (asset("KRW", 0, "0"), "2", "30"),
        ] {
            let mut pair = Pair {
                id: PairId(0),
                base: asset("MEC", 18, "0.001"),
                quote,
                enabled: true,
                fee_rate_ppm: 0,
                fee_minimum: Amount::ZERO,
                min_total: Amount::ZERO,
                max_total: Amount::ZERO,
                price_band_ppm: 0,
                price_decimals: 0,
                windows: Windows::default(),
                chain_types: Vec::new(),
                automatic_chain_type: None,
            };
            Policy::shipped().unwrap().apply(&mut pair).unwrap();
            let common =
                ["0.001", "0.001", "1", "1000000000", "0.1", decimals, "5", "30", "15", payment, payment, "10", "on"];
            assert_eq!(pair.settings().map(|(_, value)| value), common, "{}", pair.quote.code);
        }
    }
}
