//! The fiat currencies and pairs that a new database begins with. Administrators change pairs; what is there stays.

use anyhow::Context as _;
use chrono::Duration;
use domain::assets::{Asset, Home, Pair, PairId, Windows};
use domain::money::Amount;
use store::Tx;
use store::catalog::{assets, put_asset, put_pair};

use crate::config::Config;

/// Currencies of which nobody pays a smaller unit, though the norm may name one (IDR). All others have hundredths.
const WHOLE: [&str; 10] = ["CLP", "IDR", "ISK", "JPY", "KRW", "PYG", "UGX", "VND", "XAF", "XOF"];
/// 0.1 %.
const FEE_PPM: u32 = 1_000;
/// 10 % around the reference price.
const PRICE_BAND_PPM: u32 = 100_000;
/// What is paid for with a coin; a fiat price has two more decimals than the currency, because a coin costs little of it.
const COIN_PRICE_DECIMALS: u8 = 4;
/// The least and the largest total of an order, in the quote: wide, because a dong is not a dollar.
const TOTALS: [&str; 2] = ["1", "1000000000"];

/// Writes the fiat currencies of the configuration, and a pair for each two coins and for each coin and currency. The
/// first coin of the configuration is never a quote.
pub(crate) async fn write(tx: &mut Tx, config: &Config) -> anyhow::Result<()> {
    for code in &config.market.fiat {
        let decimals = if WHOLE.contains(&code.as_str()) { 0 } else { 2 };
        put_asset(tx, code, decimals, Home::Fiat, Amount::ZERO, Amount::ZERO).await?;
    }
    let all = assets(tx).await?;
    let find = |code: &str| {
        all.iter().find(|asset| asset.code == code).cloned().with_context(|| format!("{code} is not in the database"))
    };
    let coins = config.assets.iter().map(|asset| find(&asset.code)).collect::<anyhow::Result<Vec<_>>>()?;
    let fiat = config.market.fiat.iter().map(|code| find(code)).collect::<anyhow::Result<Vec<_>>>()?;
    for (index, base) in coins.iter().enumerate() {
        for quote in coins.iter().skip(index.saturating_add(1)).chain(&fiat) {
            put_pair(tx, &pair(config, base, quote)?).await?;
        }
    }
    Ok(())
}

fn pair(config: &Config, base: &Asset, quote: &Asset) -> anyhow::Result<Pair> {
    let fiat = matches!(quote.home, Home::Fiat);
    let [min_total, max_total] = TOTALS.map(|total| Amount::parse(total, quote.decimals));
    let own = &config.market.escrow_chain_type;
    Ok(Pair {
        // The database numbers it.
        id: PairId(0),
        base: base.clone(),
        quote: quote.clone(),
        enabled: true,
        fee_ppm: FEE_PPM,
        fee_floor: base.return_gas,
        min_total: min_total?,
        max_total: max_total?,
        price_band_ppm: PRICE_BAND_PPM,
        price_decimals: if fiat { quote.decimals.saturating_add(2) } else { COIN_PRICE_DECIMALS },
        windows: windows(fiat),
        chain_types: if fiat { Vec::new() } else { config.chain_types.iter().map(|kind| kind.name.clone()).collect() },
        automatic_chain_type: (!fiat && !own.is_empty()).then(|| own.clone()),
    })
}

fn windows(fiat: bool) -> Windows {
    let payment = Duration::minutes(if fiat { 30 } else { 15 });
    Windows {
        acceptance: Duration::minutes(5),
        advert_deposit: Duration::minutes(30),
        order_deposit: Duration::minutes(15),
        payment,
        confirmation: payment,
        grace: Duration::minutes(10),
    }
}
