//! Sends the emails about notifications and about what happened during a hold.

use crate::{Next, Result, Worker};

pub async fn step(worker: &Worker) -> Result<Next> {
    let Some(mail) = &worker.mail else { return Ok(Next::Rest) };
    let sent = app::notifications::emails::send_next(&worker.context, mail.as_ref(), &worker.public_url).await?;
    Ok(if sent { Next::Immediately } else { Next::Rest })
}
