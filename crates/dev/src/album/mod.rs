//! The album of the development environment: a contract whose NFTs are pixel gardens, drawn from their numbers.

mod garden;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::nfts::TokenId;
use serde_json::json;

use garden::Garden;

pub(crate) const CODE: &str = "ART";
pub(crate) const NAME: &str = "Pixel Gardens";
pub(crate) const DESCRIPTION: &str = "Small gardens that grow out of their numbers.";
/// The number of gardens, which the people of the environment receive in turn.
pub(crate) const MINTED: u8 = 60;

/// Returns the token ID of a garden.
pub(crate) fn token_id(number: u8) -> TokenId {
    let mut id = [0; 32];
    if let Some(last) = id.last_mut() {
        *last = number;
    }
    TokenId(id)
}

/// Returns the metadata of a garden as a `data:` URI, because the development environment reads nothing from other hosts.
pub(crate) fn metadata(number: u8) -> anyhow::Result<String> {
    let garden = Garden::grow(number);
    let picture = format!("data:image/png;base64,{}", STANDARD.encode(garden.png()?));
    let attributes: Vec<_> =
        garden.traits().iter().map(|(name, value)| json!({ "trait_type": name, "value": value })).collect();
    let metadata = json!({
        "name": format!("Garden {number}"),
        "description": garden.description(),
        "image": picture,
        "attributes": attributes,
    });
    Ok(format!("data:application/json;base64,{}", STANDARD.encode(serde_json::to_vec(&metadata)?)))
}
