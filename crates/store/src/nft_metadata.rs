//! The metadata of NFTs, as fetched last, and when to fetch it again.

use std::collections::BTreeMap;

use domain::assets::AssetId;
use domain::chain::{Address, ChainId, MetadataUpdate};
use domain::clock::Timestamp;
use domain::files::MediaType;
use domain::nfts::{MetadataFault, PictureSize};
use uuid::Uuid;

use crate::columns::{column, vault_address};
use crate::{Error, Result, Tx};

/// What the metadata of an NFT says besides its name and picture.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Metadata {
    /// Where it is, in the words of the album's contract.
    pub uri: Option<String>,
    pub description: Option<String>,
    /// Names and values.
    pub traits: Vec<(String, String)>,
    /// Whether it has changed since it was first fetched.
    pub changed: bool,
    pub fetched_at: Option<Timestamp>,
}

/// Returns the metadata of an NFT; empty before it is fetched.
pub async fn of(tx: &mut Tx, nft: AssetId) -> Result<Metadata> {
    let row = sqlx::query!(
        "select uri, description, trait_names, trait_values, changed, fetched_at from nft_metadata where asset_id = $1",
        nft.0
    )
    .fetch_optional(tx.connection())
    .await?;
    let Some(row) = row else { return Ok(Metadata::default()) };
    Ok(Metadata {
        uri: row.uri,
        description: row.description,
        traits: row.trait_names.into_iter().zip(row.trait_values).collect(),
        changed: row.changed,
        fetched_at: row.fetched_at,
    })
}

/// Returns the traits of NFTs, as [`Metadata::traits`]. Omits NFTs without traits.
pub async fn traits(tx: &mut Tx, nfts: &[AssetId]) -> Result<BTreeMap<AssetId, Vec<(String, String)>>> {
    if nfts.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rows = sqlx::query!(
        "select asset_id, trait_names, trait_values from nft_metadata where asset_id = any($1) and trait_names <> '{}'",
        &column(nfts, |nft| nft.0)
    )
    .fetch_all(tx.connection())
    .await?;
    let traits = rows
        .into_iter()
        .map(|row| (AssetId(row.asset_id), row.trait_names.into_iter().zip(row.trait_values).collect()));
    Ok(traits.collect())
}

/// An NFT whose metadata is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    pub nft: AssetId,
    pub contract: Address,
    pub token_id: [u8; 32],
}

/// Returns the NFTs whose metadata has been due for longest.
pub async fn due(tx: &mut Tx, now: Timestamp, most: i64) -> Result<Vec<Due>> {
    let rows = sqlx::query!(
        r#"select m.asset_id, a.contract as "contract!", a.token_id as "token_id!"
           from nft_metadata m join assets a on a.id = m.asset_id where m.due_at <= $1 order by m.due_at, m.asset_id limit $2"#,
        now,
        most
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let token_id = row.token_id.try_into().map_err(|_| Error::row("assets", row.asset_id, "token id"))?;
            Ok(Due { nft: AssetId(row.asset_id), contract: vault_address(&row.contract, row.asset_id)?, token_id })
        })
        .collect()
}

/// A stored encoding of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredPicture {
    pub object: Uuid,
    pub media: MediaType,
    pub bytes: u64,
}

/// What was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    pub uri: Option<String>,
    pub name: Option<String>,
    pub description: Option<String>,
    pub traits: Vec<(String, String)>,
    /// SHA-256 of all that was fetched.
    pub digest: [u8; 32],
    /// The picture in both sizes, small first, with the beginning of the digest of the large one; or why there is none.
    pub picture: std::result::Result<(String, [StoredPicture; 2]), MetadataFault>,
    pub at: Timestamp,
}

/// Replaces the metadata of an NFT. Its former picture becomes loose, and the new one is no longer loose. Adverts that sell the NFT
/// count as changed.
pub async fn put(tx: &mut Tx, nft: AssetId, fetched: &Fetched) -> Result<()> {
    let (names, values): (Vec<_>, Vec<_>) = fetched.traits.iter().cloned().unzip();
    let picture = fetched.picture.as_ref().ok();
    let part = |place: usize| picture.and_then(|(_, parts)| parts.get(place));
    let bytes = |place| part(place).map(|part| crate::columns::signed(part.bytes)).transpose();
    sqlx::query!(
        "insert into loose_objects (object, since)
         select o, $2 from nft_metadata m, unnest(array[m.small_object, m.large_object]) o where m.asset_id = $1 and o is not null",
        nft.0,
        fetched.at
    )
    .execute(tx.connection())
    .await?;
    sqlx::query!(
        "insert into nft_metadata as m (asset_id, uri, name, description, trait_names, trait_values, first_digest, picture,
                                        small_object, small_media, small_bytes, large_object, large_media, large_bytes, refused,
                                        fetched_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
         on conflict (asset_id) do update
             set uri = excluded.uri, name = excluded.name, description = excluded.description,
                 trait_names = excluded.trait_names, trait_values = excluded.trait_values,
                 first_digest = coalesce(m.first_digest, excluded.first_digest),
                 changed = m.first_digest is not null and m.first_digest <> excluded.first_digest,
                 picture = excluded.picture, small_object = excluded.small_object, small_media = excluded.small_media,
                 small_bytes = excluded.small_bytes, large_object = excluded.large_object, large_media = excluded.large_media,
                 large_bytes = excluded.large_bytes, refused = excluded.refused, fetched_at = excluded.fetched_at,
                 due_at = null",
        nft.0,
        fetched.uri,
        fetched.name,
        fetched.description,
        &names,
        &values,
        &fetched.digest[..],
        picture.map(|(digest, _)| digest),
        part(0).map(|part| part.object),
        part(0).map(|part| part.media.name()),
        bytes(0)?,
        part(1).map(|part| part.object),
        part(1).map(|part| part.media.name()),
        bytes(1)?,
        fetched.picture.as_ref().err().map(MetadataFault::into_str),
        fetched.at
    )
    .execute(tx.connection())
    .await?;
    let objects: Vec<_> = [part(0), part(1)].into_iter().flatten().map(|part| part.object).collect();
    sqlx::query!("delete from loose_objects where object = any($1)", &objects).execute(tx.connection()).await?;
    changed(tx, nft).await
}

/// Fetches the metadata of an NFT later. If it was never fetched, notes why.
pub async fn postpone(tx: &mut Tx, nft: AssetId, until: Timestamp, fault: MetadataFault) -> Result<()> {
    sqlx::query!(
        "update nft_metadata set due_at = $2, refused = case when fetched_at is null then $3 else refused end where asset_id = $1",
        nft.0,
        until,
        fault.into_str()
    )
    .execute(tx.connection())
    .await?;
    changed(tx, nft).await
}

/// Asks for the metadata of an album's NFTs with these token IDs again, but not within `rest` of the last time.
pub async fn ask_again(
    tx: &mut Tx,
    chain: ChainId,
    update: &MetadataUpdate,
    now: Timestamp,
    rest: chrono::Duration,
) -> Result<()> {
    sqlx::query!(
        "update nft_metadata m set due_at = greatest($5, m.fetched_at + make_interval(secs => $6))
         from assets a where a.id = m.asset_id and a.chain_id = $1 and a.kind = 'erc721' and a.contract = $2
              and a.token_id between $3 and $4 and m.due_at is null",
        crate::columns::signed(chain.0)?,
        update.album.as_slice(),
        &update.ids.0[..],
        &update.ids.1[..],
        now,
        rest.as_seconds_f64()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Notes that what everybody sees of an NFT has changed.
async fn changed(tx: &mut Tx, nft: AssetId) -> Result<()> {
    sqlx::query!(
        "insert into changes (kind, id) select 'advert', id from adverts
         where base_asset = $1 and prepaid_asset is not null and is_open on conflict do nothing",
        nft.0
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the stored picture of an NFT, and the digest under which pages know it.
pub async fn picture(tx: &mut Tx, nft: AssetId, size: PictureSize) -> Result<Option<(String, StoredPicture)>> {
    let row = sqlx::query!(
        r#"select picture as "picture!", small_object as "small_object!", small_media as "small_media!", small_bytes as "small_bytes!",
                  large_object as "large_object!", large_media as "large_media!", large_bytes as "large_bytes!"
           from nft_metadata where asset_id = $1 and picture is not null"#,
        nft.0
    )
    .fetch_optional(tx.connection())
    .await?;
    let Some(row) = row else { return Ok(None) };
    let (object, media, bytes) = match size {
        PictureSize::Small => (row.small_object, row.small_media, row.small_bytes),
        PictureSize::Large => (row.large_object, row.large_media, row.large_bytes),
    };
    let wrong = |why| Error::row("nft_metadata", nft.0, why);
    let media = MediaType::named(&media).ok_or_else(|| wrong("media"))?;
    let bytes = u64::try_from(bytes).map_err(|_| wrong("bytes"))?;
    Ok(Some((row.picture, StoredPicture { object, media, bytes })))
}
