//! Runs as text for people: what can be read in ten seconds.
//!
//! Pure functions from a judged [`Run`], or from a calibration, to text. Nothing here measures, judges or writes; what a server said is
//! made harmless ([`harmless`]) before it becomes part of the text.

mod calibration;
mod escape;
mod failure;
mod headline;
mod histogram;
mod journeys;
mod notes;
mod objectives;
mod once;
mod outcomes;
mod paint;
mod phases;
mod remarks;
mod suite;
mod table;
#[cfg(test)]
mod tests;
pub mod units;
mod wrap;

use plimsoll_model::Run;

pub use calibration::calibration;
pub use escape::harmless;
pub use once::once;
pub use paint::Style;
pub use suite::suite;
pub use wrap::marked;

/// The whole report, ending with a newline.
pub fn text(run: &Run, style: Style) -> String {
    let sections = [
        headline::section(run, style),
        journeys::rites(run, style),
        outcomes::section(run, style),
        journeys::section(run, style),
        journeys::steps(run, style),
        table::section(run, style),
        phases::section(run, style),
        histogram::section(run, style),
        objectives::section(run, style),
        journeys::failures(run, style),
        remarks::section(run, style),
        notes::section(run, style),
    ];
    let sections: Vec<String> = sections.into_iter().filter(|section| !section.is_empty()).collect();
    sections.join("\n")
}
