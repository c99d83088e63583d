//! The published figures about appeals.

use std::sync::Arc;

use chrono::{Days, Duration};
use domain::clock::{Timestamp, after};
use store::appeals::Counted;
use tokio::sync::Mutex;

use crate::{Context, Result};

/// The days over which appeals are counted.
pub const DAYS: u32 = 30;
/// The number of decided appeals below which no figures are published, because they could say something about single orders.
pub const MIN_DECIDED: u32 = 20;
/// The figures say how many appeals were decided within this time.
const IN_TIME: Duration = Duration::hours(24);
/// How long figures are kept before they are computed again.
const CACHED_FOR: Duration = Duration::minutes(15);

/// The figures of the last [`DAYS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures {
    pub filed: u32,
    pub for_buyer: u32,
    pub for_seller: u32,
    pub rejected: u32,
    pub withdrawn: u32,
    /// The time from the filing of an appeal to its decision, in seconds: the median and the 95th percentile. An appeal that
    /// has waited for longer than 24 hours counts with the time that it has waited so far.
    pub median: u32,
    pub ninety_fifth: u32,
    /// The share of the appeals that were decided within 24 hours, in percent, rounded down. An appeal that has waited for
    /// longer counts as late, and one that may still be decided in time does not count.
    pub percent_in_time: u32,
}

/// Figures, and when they were computed.
type Kept = (Timestamp, Option<Figures>);

/// Publishes figures about appeals. They are kept in memory, because everybody may ask for them.
#[derive(Clone)]
pub struct AppealFigures {
    context: Context,
    kept: Arc<Mutex<Option<Kept>>>,
}

impl AppealFigures {
    pub fn new(context: Context) -> Self {
        Self { context, kept: Arc::default() }
    }

    /// Returns the figures; `None` if too few appeals were decided.
    pub async fn current(&self) -> Result<Option<Figures>> {
        let now = self.context.now().await?;
        // Held while the figures are computed, so that requests at the same time compute them once.
        let mut kept = self.kept.lock().await;
        if let Some((at, figures)) = *kept
            && at <= now
            && now < after(at, CACHED_FOR)
        {
            return Ok(figures);
        }
        let (mut tx, now) = self.context.begin().await?;
        let from = now.checked_sub_days(Days::new(u64::from(DAYS))).unwrap_or(now);
        let counted = store::appeals::count(&mut tx, from, IN_TIME.num_seconds(), now).await?;
        let figures = published(&counted);
        *kept = Some((now, figures));
        Ok(figures)
    }
}

fn published(counted: &Counted) -> Option<Figures> {
    let (Some(median), Some(ninety_fifth)) = (counted.median, counted.ninety_fifth) else { return None };
    if counted.timed < MIN_DECIDED {
        return None;
    }
    let all = u64::from(counted.timed).saturating_add(u64::from(counted.waiting));
    let percent = u64::from(counted.in_time).saturating_mul(100).checked_div(all)?;
    Some(Figures {
        filed: counted.filed,
        for_buyer: counted.for_buyer,
        for_seller: counted.for_seller,
        rejected: counted.rejected,
        withdrawn: counted.withdrawn,
        median,
        ninety_fifth,
        percent_in_time: u32::try_from(percent).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_a_few_appeals_are_not_published() {
        let counted = Counted {
            filed: 25,
            for_buyer: 12,
            for_seller: 5,
            rejected: 3,
            withdrawn: 4,
            timed: MIN_DECIDED,
            in_time: MIN_DECIDED - 1,
            waiting: 0,
            median: Some(60),
            ninety_fifth: Some(90_000),
        };
        assert_eq!(published(&counted).map(|figures| figures.percent_in_time), Some(95));
        // 19 of 25.
        let waiting = published(&Counted { waiting: 5, ..counted });
        assert_eq!(waiting.map(|figures| figures.percent_in_time), Some(76));
        assert_eq!(published(&Counted { timed: MIN_DECIDED - 1, ..counted }), None);
        assert_eq!(
            published(&Counted { timed: MIN_DECIDED - 1, waiting: 5, ..counted }),
            None,
            "waiting appeals are not decided"
        );
        assert_eq!(published(&Counted::default()), None);
    }
}
