//! What comes from the environment is neither shown, nor kept, nor quoted in a complaint.

use super::good::DESIGN;
use super::keys::of_schema;
use super::{attempt, rendered};
use crate::file::explain;

/// A plan with one of each kind of table, so that every key has a place.
fn whole() -> String {
    format!("{DESIGN}\n[transport]\n[variables]\n[[setup]]\nfile = 'a.hurl'\n[[teardown]]\nfile = 'b.hurl'\n")
}

/// Every key of the schema, as `--set` writes it.
fn keys() -> Vec<String> {
    let path = |path: String| path.replace("[].", ".0.").replace("[]", ".0").replace(".*", ".any").replace('^', "p9");
    of_schema().into_keys().map(path).collect()
}

#[test]
fn no_complaint_quotes_the_environment() {
    let mut refused = 0;
    for key in keys() {
        let Err(mistakes) = attempt(&whole(), &[&format!("{key}=env:API_TOKEN")]) else { continue };
        let text = rendered(&mistakes);
        assert!(!text.contains("swordfish"), "{key}: {text}");
        refused += 1;
    }
    assert!(refused > 80, "{refused}");
}

/// Values that are sent or run; names, paths and numbers are shown wherever they come from.
#[test]
fn what_is_sent_or_run_is_not_shown() {
    for key in [
        "target.before",
        "target.after",
        "target.watch.postgres",
        "target.process.0.start.0",
        "target.process.0.env.ANY",
        "journey.0.url",
        "journey.0.body",
        "journey.0.headers.Any",
        "variables.any",
        "transport.proxy",
    ] {
        // A journey is a file or a single request.
        let text = whole().replace("file   = \"journeys/checkout.hurl\"", "url = \"/\"");
        let plan = attempt(&text, &[&format!("{key}=env:API_TOKEN")])
            .unwrap_or_else(|mistakes| panic!("{key}: {}", rendered(&mistakes)));
        let shown = format!("{plan:?} {:?} {:?} {:?}", plan.lines(), explain(&plan), plan.scenarios());
        assert!(!shown.contains("swordfish"), "{key}: {shown}");
    }
}
