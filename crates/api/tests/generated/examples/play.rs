//! Plays a scene: sends the commands, mines the blocks, moves the clock.

use app::appeals::{AppealRuling, Rules, Ruling, decide};
use chrono::Duration;
use domain::chain::{Address, SettlementOutcome, Transfer};
use domain::console::Role;
use domain::ids::OrderId;
use domain::orders::{EvidenceKind, NewEvidence, NewEvidenceRequest, OrderCommand, request_evidence};
use domain::trade::Party;
use store::console::evidence_requests;
use testkit::market::{Chain, Contents, mec, minutes, usdt};

use super::scenes::{Before, For, Scene, Step};
use super::set::Set;

/// Plays a scene and returns its order.
pub(super) async fn play(set: &mut Set, scene: &Scene) -> OrderId {
    let advert = set.advertiser.posts(set.offer(scene.offer)).await.unwrap();
    if scene.offer != For::DollarsBought {
        let advertiser = set.advertiser.clone();
        set.chain.brings(&advertiser, set.market.mec, mec("1000")).await;
    }
    let taker = set.taker.clone();
    let dollars = scene.offer == For::Dollars;
    match scene.before {
        Before::Nothing => (),
        Before::Cancellations => {
            for _ in 0..domain::reputation::FREE_CANCELLATIONS {
                let cancelled = set.places(&taker, advert, "100", dollars).await;
                set.advertiser.accepts(cancelled).await.unwrap();
                taker.cancels(cancelled).await.unwrap();
            }
        }
        Before::Balance => {
            let buyer = set.buyer.clone();
            set.chain.brings(&buyer, set.market.usdt, usdt("60")).await;
        }
        Before::Receipt => {
            let cancelled = set.places(&taker, advert, "100", dollars).await;
            set.advertiser.accepts(cancelled).await.unwrap();
            let receipts = vec![set.uploads(Party::Buyer, 2).await];
            let paid = OrderCommand::MarkPaid { method: None, reference: None, hash: None, receipts };
            taker.does(cancelled, paid).await.unwrap();
            app::files::compare(&set.market.context).await.unwrap();
            taker.cancels(cancelled).await.unwrap();
        }
        Before::SameOrder => {
            let same = set.places(&set.other_taker, advert, "100", dollars).await;
            set.advertiser.accepts(same).await.unwrap();
            set.same_order = Some(same);
        }
    }
    let order = set.places(&taker, advert, "100", dollars).await;
    for step in scene.steps {
        set.does(order, *step).await;
    }
    order
}

impl Set {
    async fn does(&mut self, order: OrderId, step: Step) {
        let total = usdt("48.18");
        let (buyer, seller) = (self.buyer.clone(), self.seller.clone());
        self.chain.time = self.market.now().await;
        match step {
            Step::Accept => {
                self.advertiser.accepts(order).await.unwrap();
            }
            Step::Reject => {
                let reason = Some("My bank is closed today.".to_owned());
                self.advertiser.does(order, OrderCommand::Reject { reason }).await.unwrap();
            }
            Step::Deposit => {
                self.chain.brings(&seller, self.market.mec, mec("100")).await;
            }
            Step::Pay => self.pays(order, Vec::new(), None).await,
            Step::PayWithReceipts => {
                let receipts = vec![self.uploads(Party::Buyer, 1).await, self.uploads(Party::Buyer, 2).await];
                self.pays(order, receipts, None).await;
                app::files::compare(&self.market.context).await.unwrap();
            }
            Step::PayWithHash => {
                let hash = self.chain.block(self.chain.head()).transfers[0].tx.to_string();
                self.pays(order, Vec::new(), Some(hash.clone())).await;
                let (method, reference, receipts) = (None, None, Vec::new());
                let same = OrderCommand::MarkPaid { method, reference, hash: Some(hash), receipts };
                self.other_taker.does(self.same_order.unwrap(), same).await.unwrap();
            }
            Step::Confirm => {
                seller.confirms(order).await.unwrap();
            }
            Step::Cancel(party) => {
                self.party(party).cancels(order).await.unwrap();
            }
            Step::AskCancel => {
                seller.asks_to_cancel(order).await.unwrap();
            }
            Step::AgreeCancel => {
                buyer.agrees_to_cancel(order).await.unwrap();
            }
            Step::Appeal(party, reason) => {
                let evidence = NewEvidence { pictures: vec![self.uploads(party, 3).await], videos: Vec::new() };
                let description = Some("Nothing has happened for too long.".to_owned());
                self.party(party).does(order, OrderCommand::Appeal { reason, description, evidence }).await.unwrap();
            }
            Step::WithdrawAppeal(party) => {
                self.party(party).does(order, OrderCommand::WithdrawAppeal).await.unwrap();
            }
            Step::AskForEvidence(party) => self.is_asked_for_evidence(order, party).await,
            Step::Decide(winner) => self.is_decided(order, winner).await,
            Step::SendToEscrow => {
                self.chain.shows(&buyer, self.market.usdt, total).await;
            }
            Step::SendToSeller | Step::StrangerSends => {
                let to: Address = seller.user.receiving.as_ref().unwrap().address.parse().unwrap();
                let coins = Transfer { to, ..self.chain.coins(&buyer, self.market.usdt, total) };
                let stranger = matches!(step, Step::StrangerSends);
                let coins = if stranger { Chain::from_a_stranger(&coins) } else { coins };
                self.chain.mines_coins([coins]).await;
            }
            Step::ReturnDeposit => {
                let advertiser = self.advertiser.clone();
                self.chain.brings(&advertiser, self.market.mec, mec("1000")).await;
            }
            Step::Finalize => {
                self.chain.confirms().await;
            }
            Step::PayOut => {
                self.chain.pays().await;
            }
            Step::Void => {
                let mut contents = self.chain.signs().await;
                contents.settlements.iter_mut().for_each(|one| one.outcome = SettlementOutcome::Voided);
                contents.transfers.clear();
                self.chain.mines_blocks([contents]).await;
                self.chain.confirms().await;
            }
            Step::Reorganize(depth) => {
                self.chain.reorganises(depth, vec![Contents::default(); depth + 1]).await;
            }
            Step::Wait(count, seconds) => {
                self.market.waits(minutes(count) + Duration::seconds(seconds)).await;
                self.market.clock_strikes().await;
            }
        }
    }

    async fn pays(&self, order: OrderId, receipts: Vec<domain::ids::FileId>, hash: Option<String>) {
        let reference = Some("TX 48.35 / 0091".to_owned());
        self.buyer.does(order, OrderCommand::MarkPaid { method: None, reference, hash, receipts }).await.unwrap();
    }

    async fn is_asked_for_evidence(&self, order: OrderId, party: Party) {
        let details = "Of the account that you paid from, with your name and all transfers since Monday.";
        let details = Some(details.to_owned());
        let new = NewEvidenceRequest { party, kind: EvidenceKind::BankStatement, details, hours: 24 };
        let olga = self.market.officer("olga", Role::AppealOfficer).await;
        let (appeal, now) = (self.market.order(order).await.appeal.unwrap(), self.market.now().await);
        let due = request_evidence(&appeal, &new, now).unwrap();
        let to = (appeal.id, appeal.evidence.len(), self.party(party).id());
        let mut tx = self.market.database.store.begin().await.unwrap();
        evidence_requests::insert(&mut tx, to, &new, (olga.id, "olga"), (now, due)).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn is_decided(&self, order: OrderId, winner: Party) {
        let ruling = Ruling::Verdict { winner, malicious: false };
        for name in ["olga", "otto"] {
            let officer = self.market.officer(name, Role::AppealOfficer).await;
            let payment = if winner == Party::Seller { "no payment" } else { "the payment" };
            let note = format!("The bank statement shows {payment} from the buyer.");
            decide(&self.market.context, &Rules::default(), &AppealRuling { order, ruling, officer, note })
                .await
                .unwrap();
        }
    }
}
