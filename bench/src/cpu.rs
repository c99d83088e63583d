//! The processor time of processes, from `/proc`.

use std::fs;
use std::time::Duration;

use anyhow::Context as _;

/// The unit of times in `/proc/PID/stat`: 100 per second on every architecture that Linux supports today.
const TICKS_PER_SECOND: u64 = 100;

/// Returns the processor time of a process so far, and of its children: those that run, and those that have ended.
pub(crate) fn used(pid: u32) -> anyhow::Result<Duration> {
    let mut ticks = times(pid)?.total;
    for child in children(pid) {
        // A child may end in between; its time is then part of its parent's at the next call.
        ticks = ticks.saturating_add(times(child).map_or(0, |times| times.own));
    }
    let milliseconds = ticks.saturating_mul(1000).checked_div(TICKS_PER_SECOND).unwrap_or_default();
    Ok(Duration::from_millis(milliseconds))
}

struct Times {
    own: u64,
    /// With children that have ended.
    total: u64,
}

fn times(pid: u32) -> anyhow::Result<Times> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The second field is the name in parentheses, which may contain spaces.
    let (_, rest) = text.rsplit_once(')').context("/proc/PID/stat")?;
    let fields: Vec<u64> = rest.split_whitespace().skip(11).take(4).filter_map(|field| field.parse().ok()).collect();
    let [user, system, child_user, child_system] = fields.as_slice() else { anyhow::bail!("/proc/{pid}/stat") };
    let own = user.saturating_add(*system);
    Ok(Times { own, total: own.saturating_add(*child_user).saturating_add(*child_system) })
}

fn children(pid: u32) -> Vec<u32> {
    let list = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    list.split_whitespace().filter_map(|child| child.parse().ok()).collect()
}

/// Returns the resident memory of a process, in bytes.
pub(crate) fn resident(pid: u32) -> anyhow::Result<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("/proc/PID/status")?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kilobytes.saturating_mul(1024))
}
