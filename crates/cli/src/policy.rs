//! The default settings of new pairs, from `policy.default.toml`.

use anyhow::{Context as _, anyhow, bail};
use domain::assets::Pair;
use serde::Deserialize;

/// The defaults of new pairs and currencies.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Policy {
    coin: PolicySettings,
    fiat: PolicySettings,
    nft: PolicySettings,
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
        let settings = match (pair.of_nfts(), pair.is_fiat()) {
            (true, _) => &self.nft,
            (false, true) => &self.fiat,
            (false, false) => &self.coin,
        };
        let name = format!("policy.default.toml: {}/{}", pair.base.code, pair.quote.code);
        settings.apply(pair).with_context(|| name.clone())?;
        match pair.problem() {
            Some(problem) => bail!("{name}: {problem}"),
            None => Ok(()),
        }
    }
}

/// The settings of new pairs; without one, a setting keeps what a pair begins with.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PolicySettings {
    /// The fee as a share of the base quantity: 0.001 is 0.1%
    fee_rate: Option<String>,
    /// The minimum fee, in the base; `return_gas` stands for the network fee of a return
    fee_minimum: Option<String>,
    /// The minimum total of an order, in the quote
    order_minimum: Option<String>,
    /// The maximum total of an order, in the quote
    order_maximum: Option<String>,
    /// The maximum distance of a price from the reference price, as a share of it: 0.1 is 10%
    price_band: Option<String>,
    /// The maximum number of decimals of a price; +2 means two more than the quote has
    price_decimals: Option<String>,
    /// Minutes for the advertiser to accept
    acceptance_window: Option<u32>,
    /// Minutes for the owner of a new ad to deposit its escrow
    advert_deposit_window: Option<u32>,
    /// Minutes for the seller to deposit an order's escrow
    order_deposit_window: Option<u32>,
    /// Minutes for the buyer to pay, unless the ad has its own payment window
    payment_window: Option<u32>,
    /// Minutes for the seller to confirm the payment
    confirmation_window: Option<u32>,
    /// Minutes after a deadline in which a late deposit or payment is still accepted
    grace_period: Option<u32>,
    /// Whether the pair takes new ads and new orders: on or off
    trading: Option<String>,
}

impl PolicySettings {
    /// Applies the given settings to a pair, without checking that the result is valid ([`Pair::problem`]).
    pub(crate) fn apply(&self, pair: &mut Pair) -> anyhow::Result<()> {
        let minutes = |window: Option<u32>| window.map(|minutes| minutes.to_string());
        for (setting, value) in [
            ("fee_rate", self.fee_rate.clone()),
            ("fee_minimum", self.fee_minimum.clone()),
            ("order_minimum", self.order_minimum.clone()),
            ("order_maximum", self.order_maximum.clone()),
            ("price_band", self.price_band.clone()),
            ("price_decimals", self.price_decimals.clone()),
            ("acceptance_window", minutes(self.acceptance_window)),
            ("advert_deposit_window", minutes(self.advert_deposit_window)),
            ("order_deposit_window", minutes(self.order_deposit_window)),
            ("payment_window", minutes(self.payment_window)),
            ("confirmation_window", minutes(self.confirmation_window)),
            ("grace_period", minutes(self.grace_period)),
            ("trading", self.trading.clone()),
        ] {
            if let Some(value) = value {
                pair.set(setting, &value).map_err(|expected| anyhow!("{setting}: {value} is {expected}"))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use domain::assets::{Asset, AssetId, Home, PairId, Windows};
    use domain::chain::{ChainId, Token};
    use domain::money::Amount;

    use super::*;

    fn asset(code: &str, decimals: u8, return_gas: &str) -> Asset {
        let return_gas = Amount::parse(return_gas, decimals).unwrap();
        let code = code.to_owned();
        Asset { id: AssetId(0), code, decimals, home: Home::Fiat, album: None, dust: Amount::ZERO, return_gas }
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
                prepayment: None,
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
