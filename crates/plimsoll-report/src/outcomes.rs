//! What became of the requests: only what occurred.

use plimsoll_model::{Outcome, Run};

use crate::escape::harmless_short;
use crate::paint::{Ink, Style};
use crate::units::{count, length, plural, share};
use crate::wrap::wrap;

/// Labels are as wide as the longest of them.
const LABEL: usize = 10;
/// Reasons that are shown.
const REASONS_MAX: usize = 4;

pub(crate) fn section(run: &Run, style: Style) -> String {
    let mut rows = vec![("requests", requests(run))];
    if run.requests > 0 {
        rows.extend(outcomes(run).map(|text| ("outcomes", text)));
        rows.extend(statuses(run).map(|text| ("statuses", text)));
    }
    if run.refused > 0 {
        let text = format!("{}, as expected: neither errors nor part of the objectives", count(run.refused));
        rows.push(("refused", text));
    }
    rows.extend(reasons(run).map(|text| ("why", text)));
    rows.extend(within(run).map(|text| ("within", text)));
    if run.reconnects > 0 {
        rows.push(("reconnects", format!("{} that the server had closed", plural(run.reconnects, "connection"))));
    }
    rows.iter().map(|(label, text)| row(label, text, style)).collect()
}

fn row(label: &str, text: &str, style: Style) -> String {
    let padded = format!("  {label:<LABEL$}  ");
    let indent = padded.len();
    let body = wrap(text, style.columns(), indent);
    format!("{}{}\n", style.paint(Ink::Dim, &padded), body.trim_start())
}

fn requests(run: &Run) -> String {
    let mut text = plural_total(run);
    if let Some(success) = run.success {
        text += &match success {
            1.0 => ", all of them ok".to_owned(),
            success => format!(", {} ok", share(success)),
        };
    }
    if run.unfinished > 0 {
        text += &format!(", and {} unfinished", count(run.unfinished));
    }
    text
}

fn plural_total(run: &Run) -> String {
    if run.requests == 0 { "none ended".to_owned() } else { count(run.requests) }
}

/// `None` where all were ok: the line above says so.
fn outcomes(run: &Run) -> Option<String> {
    if run.outcomes[Outcome::Ok] == run.requests {
        return None;
    }
    let occurred = run.outcomes.iter().filter(|(_, count)| *count > 0);
    Some(
        occurred
            .map(|(outcome, number)| format!("{} {}", count(number), words(outcome)))
            .collect::<Vec<_>>()
            .join(" · "),
    )
}

/// What people call it.
pub(crate) fn words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ok => "ok",
        Outcome::Limited => "limited",
        Outcome::ClientError => "client error",
        Outcome::ServerError => "server error",
        Outcome::Timeout => "time-out",
        Outcome::Connect => "no connection",
        Outcome::Tls => "TLS",
        Outcome::Reset => "reset",
        Outcome::Protocol => "protocol",
        Outcome::Assertion => "assertion",
        Outcome::Dropped => "dropped, never sent",
    }
}

fn statuses(run: &Run) -> Option<String> {
    let shown =
        run.statuses.iter().map(|(status, number)| format!("{status} × {}", count(*number))).collect::<Vec<_>>();
    (!shown.is_empty()).then(|| shown.join(" · "))
}

fn reasons(run: &Run) -> Option<String> {
    let shown = run.reasons.iter().take(REASONS_MAX);
    let shown: Vec<String> =
        shown.map(|reason| format!("{} × {}", harmless_short(&reason.text, 160), count(reason.count))).collect();
    (!shown.is_empty()).then(|| shown.join(" · "))
}

fn within(run: &Run) -> Option<String> {
    let mut bounds: Vec<(f64, f64)> =
        run.within_ms.iter().filter_map(|(bound, share)| Some((bound.parse().ok()?, *share))).collect();
    bounds.sort_by(|a, b| a.0.total_cmp(&b.0));
    let shown: Vec<String> =
        bounds.iter().map(|(bound, part)| format!("{} {}", length(*bound / 1e3), share(*part))).collect();
    (!shown.is_empty()).then(|| shown.join(" · "))
}
