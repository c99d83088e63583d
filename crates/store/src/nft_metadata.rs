//! The metadata of NFTs, as fetched last, and when to fetch it again.

use std::collections::BTreeMap;

use chrono::Duration;
use domain::assets::AssetId;
use domain::chain::{Address, ChainId, MetadataUpdate};
use domain::clock::Timestamp;
use domain::files::MediaType;
use domain::nfts::{MetadataFault, PictureSize, Royalty};
use uuid::Uuid;

use crate::columns::{column, signed, vault_address};
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
    /// As the album's contract states it; `None` if it states none.
    pub royalty: Option<Royalty>,
    pub fetched_at: Option<Timestamp>,
}

/// Returns the metadata of an NFT; empty before it is fetched.
pub async fn of(tx: &mut Tx, nft: AssetId) -> Result<Metadata> {
    let row = sqlx::query!(
        r#"select uri, description, trait_names, trait_values, texts_changed or picture_changed as "changed!", royalty_receiver,
                  royalty_basis_points, fetched_at
           from nft_metadata where asset_id = $1"#,
        nft.0
    )
    .fetch_optional(tx.connection())
    .await?;
    let Some(row) = row else { return Ok(Metadata::default()) };
    let royalty = row.royalty_receiver.zip(row.royalty_basis_points).map(|(receiver, basis_points)| {
        let wrong = || Error::row("nft_metadata", nft.0, "royalty");
        Ok::<_, Error>(Royalty {
            receiver: Address::from_slice(&receiver).ok_or_else(wrong)?,
            basis_points: u16::try_from(basis_points).map_err(|_| wrong())?,
        })
    });
    Ok(Metadata {
        uri: row.uri,
        description: row.description,
        traits: row.trait_names.into_iter().zip(row.trait_values).collect(),
        changed: row.changed,
        royalty: royalty.transpose()?,
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

/// An NFT whose metadata is being fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    pub nft: AssetId,
    pub contract: Address,
    pub token_id: [u8; 32],
    /// Since when it was due.
    pub since: Timestamp,
    /// The fetch of it that has begun.
    pub fetch: Uuid,
}

/// Begins a fetch of the NFTs whose metadata has been due for longest. Albums take turns, so that one with many NFTs does not
/// keep the others waiting.
///
/// No other fetch of them begins until it ends, or until `lease` if it never ends. It waits for no lock: NFTs that another
/// transaction changes have their turn later.
pub async fn begin(tx: &mut Tx, fetch: Uuid, now: Timestamp, lease: Timestamp, most: i64) -> Result<Vec<Due>> {
    let rows = sqlx::query!(
        r#"with due as materialized (
               select m.asset_id, m.due_at, a.contract, a.token_id
               from (select n.*, row_number() over (partition by n.album order by n.due_at, n.asset_id) as turn
                     from albums l cross join lateral (
                         select asset_id, album, due_at from nft_metadata where album = l.asset_id and due_at <= $2
                         order by due_at, asset_id limit $4 for update skip locked) n) m
               join assets a on a.id = m.asset_id order by m.turn, m.due_at, m.asset_id limit $4)
           update nft_metadata m set fetching = $1, due_at = $3 from due d where d.asset_id = m.asset_id
           returning m.asset_id, d.contract as "contract!", d.token_id as "token_id!", d.due_at as "since!""#,
        fetch,
        now,
        lease,
        most
    )
    .fetch_all(tx.connection())
    .await?;
    rows.into_iter()
        .map(|row| {
            let token_id = row.token_id.try_into().map_err(|_| Error::row("assets", row.asset_id, "token id"))?;
            let contract = vault_address(&row.contract, row.asset_id)?;
            Ok(Due { nft: AssetId(row.asset_id), contract, token_id, since: row.since, fetch })
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

/// What was fetched, besides the picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts {
    pub uri: Option<String>,
    pub name: Option<String>,
    pub description: Option<String>,
    pub traits: Vec<(String, String)>,
    /// SHA-256 of all of them.
    pub digest: [u8; 32],
    pub at: Timestamp,
}

/// The fetched picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedPicture {
    /// SHA-256 of the large picture, or of the name of the fault.
    pub digest: [u8; 32],
    /// The picture in both sizes, small first, with the beginning of the digest of the large one; or why there is none.
    pub picture: std::result::Result<(String, [StoredPicture; 2]), MetadataFault>,
}

/// Replaces the picture of an NFT. Its former picture becomes loose, and the new one is no longer loose.
pub async fn put_picture(tx: &mut Tx, nft: AssetId, fetched: &FetchedPicture, at: Timestamp) -> Result<()> {
    let picture = fetched.picture.as_ref().ok();
    let part = |place: usize| picture.and_then(|(_, parts)| parts.get(place));
    let bytes = |place| part(place).map(|part| signed(part.bytes)).transpose();
    sqlx::query!(
        "insert into loose_objects (object, since)
         select o, $2 from nft_metadata m, unnest(array[m.small_object, m.large_object]) o where m.asset_id = $1 and o is not null",
        nft.0,
        at
    )
    .execute(tx.connection())
    .await?;
    sqlx::query!(
        "update nft_metadata
         set first_picture = coalesce(first_picture, $2), picture_changed = first_picture is not null and first_picture <> $2,
             picture = $3, small_object = $4, small_media = $5, small_bytes = $6, large_object = $7, large_media = $8,
             large_bytes = $9, refused = $10
         where asset_id = $1",
        nft.0,
        &fetched.digest[..],
        picture.map(|(version, _)| version),
        part(0).map(|part| part.object),
        part(0).map(|part| part.media.name()),
        bytes(0)?,
        part(1).map(|part| part.object),
        part(1).map(|part| part.media.name()),
        bytes(1)?,
        fetched.picture.as_ref().err().map(MetadataFault::into_str)
    )
    .execute(tx.connection())
    .await?;
    let objects: Vec<_> = [part(0), part(1)].into_iter().flatten().map(|part| part.object).collect();
    sqlx::query!("delete from loose_objects where object = any($1)", &objects).execute(tx.connection()).await?;
    Ok(())
}

/// Replaces what the album's contract states about the royalty. Changes nothing if another fetch has begun since.
pub async fn put_royalty(tx: &mut Tx, due: &Due, royalty: Option<Royalty>) -> Result<()> {
    let basis_points = royalty.map(|royalty| i16::try_from(royalty.basis_points)).transpose();
    sqlx::query!(
        "update nft_metadata set royalty_receiver = $2, royalty_basis_points = $3
         where asset_id = $1 and (fetching is null or fetching = $4)",
        due.nft.0,
        royalty.map(|royalty| royalty.receiver.as_slice().to_vec()),
        basis_points.map_err(|_| Error::row("nft_metadata", due.nft.0, "royalty"))?,
        due.fetch
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Notes why there is no picture yet, if none was fetched before.
pub async fn lack_picture(tx: &mut Tx, nft: AssetId, fault: MetadataFault) -> Result<()> {
    sqlx::query!(
        "update nft_metadata set refused = $2 where asset_id = $1 and first_picture is null",
        nft.0,
        fault.into_str()
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Ends a fetch: replaces what the metadata of the NFT says. Adverts that sell the NFT count as changed. Returns `false` and changes
/// nothing if another fetch has begun since: roll back.
///
/// Call [`put_picture`] or [`lack_picture`] before, because fetched metadata has a picture or the reason why there is none (a check
/// constraint). The metadata is due again at `again`. If the album has reported a change since the fetch began, it is due after
/// `rest` at the latest.
pub async fn put(tx: &mut Tx, due: &Due, fetched: &Texts, again: Option<Timestamp>, rest: Duration) -> Result<bool> {
    let (names, values): (Vec<_>, Vec<_>) = fetched.traits.iter().cloned().unzip();
    let done = sqlx::query!(
        "update nft_metadata
         set uri = $2, name = $3, description = $4, trait_names = $5, trait_values = $6, fetched_at = $8::timestamptz,
             first_texts = coalesce(first_texts, $7), texts_changed = first_texts is not null and first_texts <> $7,
             due_at = least($9, case when fetching is null then $8::timestamptz + make_interval(secs => $11) end),
             fetching = null
         where asset_id = $1 and (fetching is null or fetching = $10)",
        due.nft.0,
        fetched.uri,
        fetched.name,
        fetched.description,
        &names,
        &values,
        &fetched.digest[..],
        fetched.at,
        again,
        due.fetch,
        rest.as_seconds_f64()
    )
    .execute(tx.connection())
    .await?;
    changed(tx, due.nft).await?;
    Ok(done.rows_affected() > 0)
}

/// Ends a fetch that has failed: the metadata is due again at `until`. If it was never fetched, notes why. Changes nothing if another
/// fetch has begun since.
pub async fn postpone(tx: &mut Tx, due: &Due, until: Timestamp, fault: MetadataFault) -> Result<()> {
    sqlx::query!(
        "update nft_metadata set due_at = $2, fetching = null, refused = case when fetched_at is null then $3 else refused end
         where asset_id = $1 and (fetching is null or fetching = $4)",
        due.nft.0,
        until,
        fault.into_str(),
        due.fetch
    )
    .execute(tx.connection())
    .await?;
    changed(tx, due.nft).await
}

/// Ends a fetch that has asked nobody: the metadata is due as before. Changes nothing if another fetch has begun since.
pub async fn give_back(tx: &mut Tx, due: &Due) -> Result<()> {
    sqlx::query!(
        "update nft_metadata set due_at = $2, fetching = null where asset_id = $1 and (fetching is null or fetching = $3)",
        due.nft.0,
        due.since,
        due.fetch
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Asks for the metadata of NFTs again, but not within `rest` of the last time. A fetch that has begun counts as older than the
/// updates, and its lease stays.
pub async fn ask_again(
    tx: &mut Tx,
    chain: ChainId,
    updates: &[MetadataUpdate],
    now: Timestamp,
    rest: Duration,
) -> Result<()> {
    if updates.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "update nft_metadata m
         set due_at = coalesce(m.due_at, greatest($5, m.fetched_at + make_interval(secs => $6))), fetching = null
         from assets a join unnest($2::bytea[], $3::bytea[], $4::bytea[]) as u (contract, first, last)
              on a.contract = u.contract and a.token_id between u.first and u.last
         where a.id = m.asset_id and a.chain_id = $1 and a.kind = 'erc721' and (m.due_at is null or m.fetching is not null)",
        signed(chain.0)?,
        &column(updates, |update| update.album.as_slice().to_vec()),
        &column(updates, |update| update.ids.0.to_vec()),
        &column(updates, |update| update.ids.1.to_vec()),
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
