//! Sends the emails about what happened during a hold.

use crate::{Next, Result, Worker};

pub async fn step(worker: &Worker) -> Result<Next> {
    let Some(mail) = &worker.mail else { return Ok(Next::Rest) };
    let sent = app::identity::hold_emails::send_next(&worker.context, mail.as_ref()).await?;
    Ok(if sent { Next::Immediately } else { Next::Rest })
}
