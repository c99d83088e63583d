//! NFTs: users mint, send, sell and withdraw them. Orders on their adverts, deposits for them, and everything that fails
//! meanwhile, are played like those of coins.

use std::collections::{BTreeMap, BTreeSet};

use app::commands::CommandKind;
use chain::scripted::Wrote;
use domain::adverts::Options;
use domain::chain::{Address, Token};
use domain::checks::AdvertRequest;
use domain::ids::UserId;
use domain::ledger::VaultAsset;
use domain::money::{Amount, Price};
use domain::trade::Side;
use domain::users::User;
use testkit::market::{ALBUM_CONTRACT, mec, usdt};

use crate::draws::Draws;
use crate::wire::Fault;
use crate::world::{Intent, unexplained};
use crate::{Bug, Result, World, takers};

super::actions! {
    "mint NFTs", 60, mint;
    "sell NFTs", 160, sell;
    "send NFTs", 50, send;
    "send a wrong NFT", 15, send_a_wrong_nft;
    "withdraw an NFT", 30, withdraw;
    "log a transfer of an NFT that did not happen", 4, lie;
    "take an NFT out of a vault", 6, seize;
    "stop payouts of NFTs", 6, stop;
}

const STRANGER: Address = Address([0x77; 20]);

/// An NFT of the album. Half of them have the largest possible token IDs.
fn nft(number: u64) -> Token {
    let mut id = [0; 32];
    id[24..].copy_from_slice(&number.to_be_bytes());
    let id = if number.is_multiple_of(2) { id } else { id.map(|byte| !byte) };
    Token::Erc721(ALBUM_CONTRACT, id)
}

/// An NFT that exists or not.
fn any_nft(world: &World, draws: &mut Draws) -> Token {
    nft(u64::try_from(draws.below(3 * world.users.len())).expect("a number"))
}

/// A user, whoever it is.
fn anyone<'a>(world: &'a World, draws: &mut Draws) -> &'a User {
    &draws.pick(&world.users).expect("a user").user
}

fn bound(user: &User) -> Address {
    user.bound.expect("a bound address")
}

/// An NFT that exists.
#[derive(Clone, Copy)]
struct Existing {
    token: Token,
    holder: Address,
    /// The user whose vault or bound address the holder is.
    owner: Option<UserId>,
}

fn existing(world: &World) -> Vec<Existing> {
    let users = world.users.iter().map(|user| &user.user);
    let owners: BTreeMap<_, _> = users.flat_map(|user| [(user.vault, user.id), (bound(user), user.id)]).collect();
    let nfts = world.script.nfts().into_iter();
    nfts.map(|(token, holder)| Existing { token, holder, owner: owners.get(&holder).copied() }).collect()
}

/// Users get NFTs that did not exist: mostly at their bound addresses, some straight in their vaults.
async fn mint(world: &mut World, draws: &mut Draws) -> Result<()> {
    for _ in 0..draws.size(world.size.burst) {
        let token = any_nft(world, draws);
        let user = anyone(world, draws);
        let to = match draws.below(20) {
            0 => STRANGER,
            1..=5 => user.vault,
            _ => bound(user),
        };
        world.script.transfer(token, Address([0; 20]), to, Amount::ONE);
    }
    Ok(())
}

/// Users post adverts of NFTs: mostly their own, in custody or announced. Some recharge first, and some forget to.
async fn sell(world: &mut World, draws: &mut Draws) -> Result<()> {
    let nfts = existing(world);
    let adverts = world.mirror.open_adverts().into_iter();
    let sold: BTreeSet<_> = adverts.map(|advert| world.token(advert.terms.base.asset)).collect();
    let (ready, short): (Vec<_>, Vec<_>) = nfts
        .iter()
        .filter_map(|nft| Some((nft.owner?, nft.token)))
        .filter(|(_, token)| !sold.contains(token))
        .partition(|(owner, _)| !lacks_prepayment(world, *owner));
    let mut set = Vec::new();
    for _ in 0..draws.size(world.size.burst) {
        let chosen = match draws.below(10) {
            0..=5 => draws.pick(&ready).copied(),
            6..=8 => {
                if let Some((owner, _)) = draws.pick(&short) {
                    recharge(world, draws, *owner);
                }
                None
            }
            _ => {
                let owner = if draws.chance(80) { None } else { Some(anyone(world, draws).id) };
                draws.pick(&nfts).and_then(|nft| Some((owner.or(nft.owner)?, nft.token)))
            }
        };
        set.extend(chosen.and_then(|(seller, token)| offer(world, draws, seller, token)));
    }
    let fault = draws.chance(10).then(|| {
        let fault = if draws.chance(50) { Fault::CutBefore } else { Fault::CutAfter };
        (fault, u32::try_from(draws.below(40)).expect("small"))
    });
    world.submit(set, fault).await
}

fn offer(world: &mut World, draws: &mut Draws, seller: UserId, token: Token) -> Option<Intent> {
    let Token::Erc721(_, id) = token else { return None };
    let price = Price::parse(&draws.within(50..=150).to_string()).ok()?;
    let totals = (usdt("1"), usdt("1"));
    let request = AdvertRequest::new(world.album.id, Side::Sell, price, Amount::ONE, totals);
    let options = Options { taker: takers::requirements(draws, &world.album), ..Options::default() };
    let request = AdvertRequest { nft: Some(id), automatic: draws.chance(50), options, ..request };
    let request = if draws.chance(95) { request } else { wrong(draws, request) };
    Some(world.commands.trade(seller, CommandKind::PostAdvert(request)))
}

/// A request that is refused.
fn wrong(draws: &mut Draws, request: AdvertRequest) -> AdvertRequest {
    match draws.below(4) {
        0 => AdvertRequest { side: Side::Buy, ..request },
        1 => AdvertRequest { nft: None, ..request },
        2 => AdvertRequest { quantity: usdt("1"), ..request },
        _ => AdvertRequest { nft: Some([0x33; 32]), ..request },
    }
}

fn prepayment(world: &World, user: UserId) -> (VaultAsset, Amount) {
    let prepayment = world.album.prepayment.expect("a prepayment");
    (VaultAsset { vault: user, asset: prepayment.asset }, prepayment.total().expect("a small amount"))
}

fn lacks_prepayment(world: &World, user: UserId) -> bool {
    let (vault_asset, needed) = prepayment(world, user);
    world.mirror.books.balance(vault_asset.temporary()) < needed.units()
}

/// A user sends what an advert prepays, or enough for several, and now and then too little. Most wait until no advert or order
/// of theirs waits for something else, which this deposit would cancel.
fn recharge(world: &mut World, draws: &mut Draws, id: UserId) {
    let waits = world.mirror.requests.values().any(|request| request.vault_asset.vault == id);
    if waits && draws.chance(90) {
        return;
    }
    let (vault_asset, needed) = prepayment(world, id);
    let amount = match draws.below(10) {
        0 => needed.saturating_sub(Amount::ONE),
        1 | 2 => needed,
        _ => mec("20"),
    };
    let user = &world.user(id).user;
    let (from, to) = (bound(user), user.vault);
    world.send(world.token(vault_asset.asset), from, to, amount);
}

/// Users send NFTs that are at their bound addresses: into their vaults without an advert, to others, or to others' vaults.
async fn send(world: &mut World, draws: &mut Draws) -> Result<()> {
    let outside: Vec<_> = existing(world).into_iter().filter(|nft| world.owner(nft.holder).is_none()).collect();
    for _ in 0..draws.size((world.size.burst / 4).max(4)) {
        let Some(Existing { token, holder, owner }) = draws.pick(&outside).copied() else { break };
        let other = anyone(world, draws);
        let to = match (draws.below(10), owner) {
            (0..=5, Some(owner)) => world.user(owner).user.vault,
            (6, _) => STRANGER,
            (7, _) => other.vault,
            _ => bound(other),
        };
        world.send(token, holder, to, Amount::ONE);
        world.counts.add("NFTs sent", 1);
    }
    Ok(())
}

/// A user whose advert or order waits for something sends an NFT that it does not wait for.
async fn send_a_wrong_nft(world: &mut World, draws: &mut Draws) -> Result<()> {
    let waiting: Vec<_> = world.mirror.requests.values().copied().collect();
    let (of_nfts, of_coins): (Vec<_>, Vec<_>) =
        waiting.into_iter().partition(|request| world.mirror.nfts.contains_key(&request.vault_asset.asset));
    let targets = if of_nfts.is_empty() || draws.chance(20) { of_coins } else { of_nfts };
    let Some(request) = draws.pick(&targets) else { return Ok(()) };
    let user = &world.user(request.vault_asset.vault).user;
    let (from, to) = (bound(user), user.vault);
    let wanted = world.token(request.vault_asset.asset);
    let others: Vec<_> =
        world.script.nfts().into_iter().filter(|(token, holder)| *holder == from && *token != wanted).collect();
    let new = any_nft(world, draws);
    let token = draws.pick(&others).map_or(new, |(token, _)| *token);
    if token != wanted {
        world.send(token, from, to, Amount::ONE);
        world.counts.add("wrong NFTs sent", 1);
    }
    Ok(())
}

/// Users withdraw NFTs. Users who trade may not, so mostly others do.
async fn withdraw(world: &mut World, draws: &mut Draws) -> Result<()> {
    let busy = busy(world);
    let mut free = world.mirror.books.temporary();
    free.retain(|vault_asset| world.mirror.nfts.contains_key(&vault_asset.asset));
    let idle: Vec<_> = free.iter().copied().filter(|vault_asset| !busy.contains(&vault_asset.vault)).collect();
    let known: Vec<_> = world.mirror.nfts.keys().copied().collect();
    let mut set = Vec::new();
    for _ in 0..draws.size((world.size.burst / 8).max(2)) {
        let held = match draws.below(10) {
            0 => draws.pick(&known).map(|asset| VaultAsset { vault: anyone(world, draws).id, asset: *asset }),
            1 => draws.pick(&free).copied(),
            _ => draws.pick(&idle).copied(),
        };
        let Some(VaultAsset { vault: user, asset }) = held else { continue };
        if lacks_prepayment(world, user) && draws.chance(30) {
            recharge(world, draws, user);
        }
        set.push(world.commands.withdraw(user, asset, world.token(asset)));
    }
    world.submit(set.clone(), None).await?;
    for intent in set.iter().filter(|intent| world.commands.executed.contains_key(intent.key())) {
        if busy.contains(&intent.user()) {
            return Err(Bug(format!("{intent:?} was executed, although the user trades")));
        }
        world.counts.add("NFTs withdrawn", 1);
    }
    Ok(())
}

/// The users who have open adverts or orders.
fn busy(world: &World) -> BTreeSet<UserId> {
    let (orders, adverts) = world.open_trades();
    let parties = orders.iter().flat_map(|order| [order.terms.advertiser, order.terms.taker]);
    parties.chain(adverts.iter().map(|advert| advert.terms.owner)).collect()
}

/// The album logs that an NFT has come into a vault, and it has not.
async fn lie(world: &mut World, draws: &mut Draws) -> Result<()> {
    let user = anyone(world, draws);
    let (from, to) = (bound(user), user.vault);
    let elsewhere: Vec<_> = world.script.nfts().into_iter().filter(|(_, holder)| *holder != to).collect();
    if let Some((token, _)) = draws.pick(&elsewhere) {
        world.script.write(Wrote::transfer(*token, from, to, Amount::ONE));
        world.lied.insert((to, *token));
        world.counts.add("lies of tokens", 1);
    }
    Ok(())
}

/// The album moves an NFT out of a vault, or burns it, and logs that.
async fn seize(world: &mut World, draws: &mut Draws) -> Result<()> {
    let nfts = world.script.nfts().into_iter();
    let inside: Vec<_> = nfts.filter(|(_, holder)| world.owner(*holder).is_some()).collect();
    if let Some((token, vault)) = draws.pick(&inside) {
        let to = if draws.chance(30) { Address([0; 20]) } else { STRANGER };
        world.script.transfer(*token, *vault, to, Amount::ONE);
        world.mirror.seized.insert(*token);
        world.counts.add("NFTs taken by the album", 1);
    }
    Ok(())
}

/// An alarm stops the payouts of the album, and so of all its NFTs.
async fn stop(world: &mut World, _draws: &mut Draws) -> Result<()> {
    let stopped = app::chain::stop_payouts(&world.servers[1], world.album.base.id, "simulated").await;
    stopped.map_err(|error| unexplained("stopping payouts of NFTs", &error))
}
