//! The NFTs of the demo world: some are sold in the last weeks, some are for sale, and some only lie in custody.

use anyhow::{Context as _, bail};
use app::commands::CommandKind;
use app::orders::{PlaceOrder, Size};
use chrono::Duration;
use domain::adverts::Options;
use domain::assets::{Home, Pair};
use domain::chain::Token;
use domain::checks::AdvertRequest;
use domain::clock::{Timestamp, after};
use domain::ids::AdvertId;
use domain::money::{Amount, Price};
use domain::trade::Side;

use super::acting::{Actors, Running};
use super::people::{Name, PEOPLE};
use crate::album;

/// A garden for sale.
pub(super) struct Garden {
    pub(super) seller: Name,
    price: &'static str,
    automatic: bool,
    remark: Option<&'static str>,
}

const fn garden(seller: Name, price: &'static str, automatic: bool, remark: Option<&'static str>) -> Garden {
    Garden { seller, price, automatic, remark }
}

/// The gardens that were sold, each with its buyer, oldest first.
pub(super) const SOLD: [(Garden, Name); 4] = [
    (garden(Name::Chen, "28", true, None), Name::Minjun),
    (garden(Name::Emeka, "35", false, None), Name::Dalia),
    (garden(Name::Amina, "31.5", true, None), Name::Goran),
    (garden(Name::Mei, "42", true, None), Name::Minjun),
];

/// The gardens that are for sale at the end.
pub(super) const FOR_SALE: [Garden; 6] = [
    garden(Name::Hana, "38", true, None),
    garden(Name::Goran, "45", true, Some("My favorite, so no bargains.")),
    garden(Name::Dalia, "29.9", true, None),
    garden(Name::Farida, "33", false, Some("I confirm within minutes.")),
    garden(Name::Linh, "52.5", true, None),
    garden(Name::Bruno, "40", true, None),
];

/// Those whose gardens only lie in custody.
pub(super) const KEPT: [Name; 2] = [Name::Minjun, Name::Hana];

impl Actors {
    fn gallery(&self) -> anyhow::Result<&Pair> {
        self.pairs().iter().find(|pair| pair.of_nfts()).context("no album is traded")
    }

    /// Returns the number of a user's garden: everybody got one in turn when the album was made, and then another one.
    fn number(name: Name, another: bool) -> anyhow::Result<u8> {
        let who = PEOPLE.iter().find(|who| who.name == name).with_context(|| format!("{name:?} is nobody"))?;
        let turn = if another { usize::try_from(crate::node::ACCOUNTS)? } else { 0 };
        let number =
            who.account.checked_add(1).and_then(|number| number.checked_add(turn)).context("too many people")?;
        Ok(u8::try_from(number)?)
    }

    /// Sends a garden, and the coins that its sale costs, into the custody of its owner.
    async fn bring(&mut self, name: Name, another: bool) -> anyhow::Result<u8> {
        let pair = self.gallery()?;
        let Home::Album { contract, .. } = pair.base.home else { bail!("{} is no album", pair.base.code) };
        let prepayment = pair.prepayment.context("nothing is prepaid")?;
        let (number, owner) = (Self::number(name, another)?, self.trader(name)?);
        let token = Token::Erc721(contract, album::token_id(number).0);
        self.stage.send(token, owner.account, owner.vault, Amount::ONE).await?;
        self.stage.send(Token::Native, owner.account, owner.vault, prepayment.total()?).await?;
        Ok(number)
    }

    /// Puts gardens up for sale.
    pub(super) async fn put_up(&mut self, gardens: &[&Garden], at: Timestamp) -> anyhow::Result<Vec<AdvertId>> {
        self.stage.at(at).await?;
        let mut wishes = Vec::new();
        for garden in gardens {
            let number = self.bring(garden.seller, false).await?;
            let (pair, price) = (self.gallery()?, Price::parse(garden.price)?);
            let request = AdvertRequest {
                nft: Some(album::token_id(number).0),
                automatic: garden.automatic,
                options: Options::with_remark(garden.remark.map(str::to_owned)),
                ..AdvertRequest::new(pair.id, Side::Sell, price, Amount::ONE, (pair.min_total, pair.max_total))
            };
            wishes.push((garden.seller, CommandKind::PostAdvert(request)));
        }
        self.stage.settle().await?;
        self.stage.at(after(at, Duration::minutes(2))).await?;
        let answers = self.ask(wishes).await?;
        answers.into_iter().map(|answer| answer.id.map(AdvertId).context("no advert ID returned")).collect()
    }

    /// Lets a garden be sold.
    pub(super) async fn sell(&mut self, garden: &Garden, buyer: Name, at: Timestamp) -> anyhow::Result<()> {
        let advert = self.put_up(&[garden], at).await?.pop().context("no advert")?;
        self.stage.at(after(at, Duration::minutes(9))).await?;
        let price = Price::parse(garden.price)?;
        let order = PlaceOrder::new(advert, Size::Quantity(Amount::ONE), price);
        let answer = self.ask(vec![(buyer, CommandKind::PlaceOrder(order))]).await?.pop().context("no answer")?;
        let mut running = [Running::of_sale(garden.seller, garden.automatic, buyer, &answer)?];
        self.answer(&mut running).await?;
        self.pay(&mut running).await?;
        self.stage.at(after(at, Duration::minutes(12))).await?;
        self.stage.settle().await?;
        self.confirm(&mut running).await?;
        self.stage.at(after(at, Duration::minutes(14))).await?;
        self.stage.settle().await?;
        Ok(())
    }

    /// Brings gardens that nobody sells into custody.
    pub(super) async fn keep(&mut self, names: &[Name], at: Timestamp) -> anyhow::Result<()> {
        self.stage.at(at).await?;
        for name in names {
            self.bring(*name, true).await?;
        }
        self.stage.settle().await
    }
}
