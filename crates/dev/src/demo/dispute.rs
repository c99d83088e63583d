//! Leaves an order under appeal: the buyer has marked it as paid without paying, and both sides have added evidence.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use app::Context;
use app::engine::idempotency::IdempotencyKey;
use app::files::{FileSettings, Files};
use chrono::Duration;
use domain::clock::{Timestamp, after};
use domain::ids::FileId;
use domain::orders::{AppealReason, NewEvidence, OrderCommand};
use domain::trade::Payment;
use gateways::{CleanedPictures, ObjectFiles};

use super::acting::{Actors, Posted};
use super::people::Name;
use super::script::Deal;

/// Pages of an invented bank: the buyer's transfer, the seller's bookings of the day, and the seller's search.
const TRANSFER: &[u8] = include_bytes!("evidence/transfer.jpg");
const STATEMENT: &[u8] = include_bytes!("evidence/statement.jpg");
const SEARCH: &[u8] = include_bytes!("evidence/search.jpg");

/// Opens the folder in which the product stores uploaded files.
pub(super) fn files(context: &Context, folder: &Path) -> anyhow::Result<Files> {
    let store = Arc::new(ObjectFiles::local(folder)?);
    // Only pictures are uploaded.
    let settings = FileSettings { most_video_bytes: 0, most_video_seconds: 0, decodes_at_once: 1 };
    Ok(Files::new(context.clone(), store, Arc::new(CleanedPictures), settings))
}

impl Actors {
    /// Places an order that its buyer marks as paid at `paid_at`, and leaves it under appeal.
    pub(super) async fn leave_disputed(
        &mut self,
        deal: &Deal,
        open: &[Posted],
        paid_at: Timestamp,
        files: &Files,
    ) -> anyhow::Result<()> {
        let minute = |count| after(paid_at, Duration::minutes(count));
        self.stage.at(minute(-4)).await?;
        let mut running = self.order(std::slice::from_ref(deal), open).await?;
        self.stage.at(minute(-3)).await?;
        self.answer(&mut running).await?;
        let Some(order) = running.first() else { bail!("no order was placed") };
        let (id, seller, buyer) = (order.id, order.seller(), deal.taker);
        self.say(seller, id, "Hi! I confirm as soon as the transfer is in my account.").await?;
        self.stage.at(paid_at).await?;
        let receipt = self.upload(buyer, files, TRANSFER).await?;
        let terms = self.terms(&running).await?;
        let method = terms.get(&id).and_then(|terms| match &terms.payment {
            Payment::Method(method) => Some(method.id),
            _ => None,
        });
        let reference = Some("GN-7741".to_owned());
        let paid = OrderCommand::MarkPaid { method, reference, hash: None, receipts: vec![receipt] };
        self.act(&mut running, |_| Some((buyer, paid.clone()))).await?;
        self.say(buyer, id, "Paid. Please release, I’m in a hurry.").await?;
        self.stage.at(minute(1)).await?;
        self.say(seller, id, "Nothing has arrived, and nothing is pending.").await?;
        let pictures = vec![self.upload(seller, files, STATEMENT).await?, self.upload(seller, files, SEARCH).await?];
        let appeal = OrderCommand::Appeal {
            reason: AppealReason::PaymentNotReceived,
            description: Some("My account shows no transfer from Goran. The statement is of today.".to_owned()),
            evidence: NewEvidence { pictures, videos: Vec::new() },
        };
        self.act(&mut running, |_| Some((seller, appeal.clone()))).await?;
        self.stage.at(minute(2)).await?;
        let pictures = vec![self.upload(buyer, files, TRANSFER).await?];
        let evidence = OrderCommand::AddEvidence(NewEvidence { pictures, videos: Vec::new() });
        self.act(&mut running, |_| Some((buyer, evidence.clone()))).await?;
        self.say(buyer, id, "My bank has accepted the transfer, see the picture.").await
    }

    async fn upload(&mut self, name: Name, files: &Files, picture: &[u8]) -> anyhow::Result<FileId> {
        let key = IdempotencyKey::derived(&["demo", "upload", &self.next().to_string()]);
        let linked = files.upload_image(&key, self.trader(name)?.user, picture.to_vec()).await;
        Ok(linked.context("cannot upload a picture")?.file.id)
    }
}
