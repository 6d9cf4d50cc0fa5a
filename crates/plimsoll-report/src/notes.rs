//! The last lines: what the model hides, what the generator used, what answered.

use plimsoll_model::Run;
use plimsoll_model::run::Verdict;

use crate::escape::{harmless, harmless_short};
use crate::journeys;
use crate::paint::{Ink, Style};
use crate::units::{bytes, count, plural, rate, share, time};
use crate::wrap::wrap;

pub(crate) fn section(run: &Run, style: Style) -> String {
    let lines = [closed_model(run).into_iter().collect(), vec![generator(run)], calibration(run), vec![identity(run)]];
    let lines = lines.into_iter().flatten().map(|line| wrap(&line, style.columns(), 2));
    lines.map(|line| style.paint(Ink::Dim, &line) + "\n").collect()
}

fn closed_model(run: &Run) -> Option<String> {
    if run.model != "closed" || run.achieved_rate <= 0.0 {
        return None;
    }
    // The rate of journeys is of flows, and how many there were a second is no figure of this run.
    let how = if journeys::is_journeys(run) {
        "`--rate`, in flows a second,".to_owned()
    } else {
        format!("`--rate {}`", rate(run.achieved_rate).replace(',', ""))
    };
    Some(format!("users who wait ask a slow server less, so these times hide what others would wait: {how} shows it"))
}

fn generator(run: &Run) -> String {
    let generator = &run.generator;
    let mut text = format!(
        "generator: {}, the busiest ran or waited for a core {} of the time, {} of memory",
        plural(generator.threads as u64, "thread"),
        share((generator.thread_share * 100.0).round() / 100.0),
        bytes(generator.rss_bytes)
    );
    if let Some(cost) = generator.requests_per_cpu_s {
        text += &format!(", {} requests per CPU second", count(cost.round() as u64));
    }
    text
}

/// What this machine was calibrated to, and what follows for the run; for a void run without that, where to get it.
fn calibration(run: &Run) -> Vec<String> {
    let Some(calibrated) = &run.generator.calibration else {
        let advice = "`plimsoll calibrate` says which results this machine can give, and what spoils them here";
        return if run.verdict == Verdict::Invalid { vec![advice.to_owned()] } else { Vec::new() };
    };
    let open = calibrated.open_rate_max.map_or_else(|| "no rate".to_owned(), rate);
    let figures = format!(
        "calibrated {}: {} closed and {} open per core, latency floor {}",
        harmless_short(&calibrated.at, 10).replace('…', ""),
        rate(calibrated.closed_rate_per_core),
        open,
        time(calibrated.latency_floor_ms.p50)
    );
    let cited = calibrated.cited.iter().map(|sentence| format!("calibration: {}", harmless(sentence)));
    std::iter::once(figures).chain(cited).collect()
}

fn identity(run: &Run) -> String {
    let server = run.target.server.as_deref().map(|server| format!(" · server {}", harmless_short(server, 60)));
    let commit =
        run.commit.as_deref().map(|commit| format!(" · commit {}", harmless_short(commit, 12).replace('…', "")));
    format!(
        "run {}{}{} · seed {}",
        harmless_short(&run.id, 40),
        server.unwrap_or_default(),
        commit.unwrap_or_default(),
        run.seed
    )
}
