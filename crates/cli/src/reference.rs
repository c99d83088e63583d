//! The reference price of a pair, set by an officer.

use anyhow::Context as _;
use app::Context;
use app::officers::{ReferencePrice, set_reference};
use clap::Args;
use domain::money::Price;

use crate::planned::Why;

#[derive(Debug, Args)]
pub(crate) struct Reference {
    /// The code of the base
    base: String,
    /// The code of the quote
    quote: String,
    /// The price of one unit of the base, in the quote
    price: String,
    #[command(flatten)]
    why: Why,
}

pub(crate) async fn run(context: &Context, reference: Reference) -> anyhow::Result<()> {
    let Reference { base, quote, price, why } = reference;
    let price = Price::parse(&price).with_context(|| format!("{price} is not a valid price"))?;
    let decision = ReferencePrice {
        base: base.clone(),
        quote: quote.clone(),
        price,
        officer: why.officer.into(),
        reason: why.reason,
    };
    set_reference(context, &decision).await?;
    println!("The reference price of {base}/{quote} is {price} until a day's trades qualify for another one.");
    Ok(())
}
