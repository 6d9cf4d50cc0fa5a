//! Plan files in TOML.
//!
//! A file goes through five hands: TOML becomes a tree whose values know where they stand (`parse`), `--set` changes
//! it (`set`), `env:NAME` is looked up (`environment`), factors' values are put in (`factors`), and what is left is
//! read key by key into types that hold only what makes sense (`target`, `journey`, `load`, …). Nothing stops at the
//! first mistake: all of them are found, and told in the order in which they stand in the file.
//!
//! This module opens no file but the plan's own text, which is handed in: whether a Hurl file is there is for whoever
//! compiles it. It sends nothing, and knows no default that depends on the machine.

mod data;
mod environment;
mod expansion;
mod explain;
mod factors;
mod field;
mod found;
mod journey;
mod lines;
mod load;
mod nearest;
mod node;
mod parse;
mod plan;
mod process;
mod scenario;
mod schema;
mod set;
mod slo;
mod table;
mod target;
#[cfg(test)]
mod tests;
mod text;
mod transport;
mod variables;

use std::path::Path;

use crate::Mistake;

pub use data::{AtEnd, Data, Format, Pick, Taking};
pub use explain::explain;
pub use factors::Factor;
pub use journey::{Errand, Journey, Per, Session};
pub use load::{Level, Load, Model};
pub use plan::PlanFile;
pub use process::{Cpus, Process, Ready, Signal};
pub use scenario::Scenario;
pub use schema::schema;
pub use slo::Slo;
pub use target::{Command, Target, Watch};
pub use text::Text;
pub use transport::Transport;
pub use variables::{Scalar, Variable};

/// Reads a plan: the text of the file at `path`, with each of `sets` (`load.shape=…`) applied in turn.
///
/// # Errors
/// All mistakes at once, in the order of the file; those of `sets` come last and name `--set` instead of a line.
pub fn read(
    path: &Path,
    text: &str,
    sets: &[String],
    environment: &dyn Fn(&str) -> Option<String>,
) -> Result<PlanFile, Vec<Mistake>> {
    let mut found = found::Mistakes::default();
    let mut tree = parse::document(text, &mut found);
    let source = found::Source {
        file: path.display().to_string(),
        text: text.to_owned(),
        sets: sets.iter().map(|set| set::key(set).to_owned()).collect(),
        secrets: tree.names("secrets"),
    };
    if !found.is_empty() {
        return Err(found.placed(&source));
    }
    for (index, set) in sets.iter().enumerate() {
        set::apply(&mut tree, index, set, &mut found);
    }
    environment::resolve(&mut tree, environment, &found);
    expansion::whole(tree, source, found)
}
