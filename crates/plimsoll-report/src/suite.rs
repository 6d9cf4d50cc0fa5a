//! Several runs of one plan, a line each.

use plimsoll_model::Run;
use plimsoll_model::run::Verdict;

use crate::escape::harmless_short;
use crate::paint::{Ink, Style};
use crate::units::{count, rate, share, time};

/// Names are cut to this width.
const NAME_MAX: usize = 34;

/// A table of several runs, ending with a newline; each of them was told by itself before.
pub fn suite(name: &str, runs: &[Run], style: Style) -> String {
    let width = runs.iter().map(|run| shown(run, name).chars().count()).max().unwrap_or(0).max("run".len());
    let title = style.paint(Ink::Bold, &harmless_short(name, style.columns()));
    let head =
        format!("  {:<width$}  {:<7}{:>10}{:>11}{:>9}{:>10}", "run", "verdict", "requests", "achieved", "ok", "p99");
    let mut text = format!("\n{title}\n{}\n", style.paint(Ink::Dim, &head));
    for run in runs {
        let (word, ink) = verdict(run);
        let ok = run.success.map_or_else(|| "–".to_owned(), share);
        let p99 = run.response_ms.p99.map_or_else(|| "–".to_owned(), time);
        let figures = format!("{:>10}{:>11}{ok:>9}{p99:>10}", count(run.requests), rate(run.achieved_rate));
        text += &format!("  {:<width$}  {}{figures}\n", shown(run, name), style.paint(ink, &format!("{word:<7}")));
    }
    text
}

/// The name without what all of them have in common.
fn shown(run: &Run, of: &str) -> String {
    let own = run.name.strip_prefix(of).map_or(run.name.as_str(), |rest| rest.trim_start_matches([' ', '/']));
    harmless_short(if own.is_empty() { &run.name } else { own }, NAME_MAX)
}

fn verdict(run: &Run) -> (&'static str, Ink) {
    match run.verdict {
        Verdict::Pass => ("pass", Ink::Good),
        Verdict::Fail => ("fail", Ink::Bad),
        Verdict::None => ("done", Ink::Bold),
        Verdict::Invalid => ("void", Ink::Odd),
    }
}
