//! What the run is held to.

use std::time::Duration;

use plimsoll_model::{Objective, Objectives};

use super::number::{duration, refused};
use crate::usage::Usage;

/// All objectives of all `--slo` flags.
pub(super) fn objectives(texts: &[String]) -> Result<Objectives, Usage> {
    let mut objectives = Vec::new();
    for text in texts {
        let list = Objective::parse_list(text).map_err(|error| refused("--slo", &error))?;
        if list.is_empty() {
            return Err(Usage::new("`--slo`: it names no objective", "write it like `--slo 'p99<200ms, errors<0.1%'`"));
        }
        objectives.extend(list);
    }
    Ok(objectives)
}

/// Expected refusals: only an error status can be one.
pub(super) fn expect(texts: &[String]) -> Result<Vec<u16>, Usage> {
    let status = |text: &String| {
        text.trim().parse().ok().filter(|status| (400..600).contains(status)).ok_or_else(|| {
            Usage::new(
                format!("`--expect`: `{text}` is not a status from 400 to 599"),
                "it names the refusals that are wanted: `--expect 429,503`",
            )
        })
    };
    texts.iter().map(status).collect()
}

/// Bounds under which shares are reported.
pub(super) fn within(texts: &[String]) -> Result<Vec<Duration>, Usage> {
    texts.iter().map(|text| duration("--within", text)).collect()
}
