//! The reference price of a pair, as an administrator sets it.

use anyhow::Context as _;
use app::Context;
use app::officers::{ReferencePrice, set_reference};
use clap::Args;
use domain::money::Price;

use crate::planned::Why;

/// Of which pair, which price, why, and who decides: kept for ever.
#[derive(Debug, Args)]
pub(crate) struct Reference {
    /// The code of what is sold.
    base: String,
    /// The code of what is paid.
    quote: String,
    /// What one of the base costs.
    price: String,
    #[command(flatten)]
    why: Why,
}

/// Does it, and says what became of it.
pub(crate) async fn run(context: &Context, reference: Reference) -> anyhow::Result<()> {
    let Reference { base, quote, price, why } = reference;
    let price = Price::parse(&price).with_context(|| format!("{price} is no price"))?;
    let decision =
        ReferencePrice { base: base.clone(), quote: quote.clone(), price, officer: why.officer, reason: why.reason };
    set_reference(context, &decision).await?;
    println!("The reference price of {base}/{quote} is {price} until a day's trades qualify for another one.");
    Ok(())
}
