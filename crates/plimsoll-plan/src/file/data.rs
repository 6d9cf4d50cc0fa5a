//! `data`: rows that journeys take their variables from.

use std::path::PathBuf;

use schemars::JsonSchema;

use super::field::Field;
use super::table::Table;

/// Rows of a file; columns become variables.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Data {
    /// A CSV file with a first line of names, or JSON Lines.
    pub file: PathBuf,
    /// How the file is written; by its ending where nothing is said.
    pub format: Option<Format>,
    /// Which row is taken (`sequential`).
    #[schemars(default)]
    pub pick: Pick,
    /// What happens when every row was used once (`sequential` begins again, `unique` stops).
    #[schemars(default)]
    pub at_end: AtEnd,
    /// How steep `zipf` is (1): the n-th row is taken in proportion to n to the power of minus this.
    #[schemars(with = "Option<super::schema::Number>", default)]
    pub exponent: f64,
    /// How often a row is taken (`iteration`).
    #[schemars(default)]
    pub per: Taking,
}

/// How a file of rows is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema)]
#[schemars(rename_all = "lowercase")]
pub enum Format {
    /// Comma-separated, the first line names the columns.
    Csv,
    /// A JSON object a line.
    Jsonl,
}

/// Which row is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, JsonSchema)]
#[schemars(rename_all = "lowercase")]
pub enum Pick {
    /// One after the other.
    #[default]
    Sequential,
    /// Any, each as likely.
    Random,
    /// One after the other, each once.
    Unique,
    /// Any, the first ones far more often.
    Zipf,
}

/// What happens when every row was used once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, JsonSchema)]
#[schemars(rename_all = "lowercase")]
pub enum AtEnd {
    /// The run ends.
    #[default]
    Stop,
    /// From the first row again.
    Recycle,
    /// Every further iteration fails.
    Fail,
}

/// How often a row is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, JsonSchema)]
#[schemars(rename_all = "lowercase")]
pub enum Taking {
    /// One for each passage through the journey.
    #[default]
    Iteration,
    /// One for each user, who keeps it.
    User,
}

/// Reads a table, or the name of a file.
pub(super) fn read(field: &Field<'_>) -> Option<Data> {
    field.text_or_table(short, whole).flatten()
}

fn short(field: &Field<'_>) -> Option<Option<Data>> {
    Some(field.path().map(|file| Data {
        file,
        format: None,
        pick: Pick::Sequential,
        at_end: AtEnd::Recycle,
        exponent: 1.0,
        per: Taking::Iteration,
    }))
}

fn whole(table: &Table<'_>) -> Option<Data> {
    let file = table.get("file").required("data = { file = \"users.csv\", pick = \"unique\" }").path();
    let format = table.get("format").choice(&[("csv", Format::Csv), ("jsonl", Format::Jsonl)]);
    let pick = table.get("pick").choice(&PICKS).unwrap_or_default();
    let at_end = table.get("at_end");
    if at_end.is_given() && matches!(pick, Pick::Random | Pick::Zipf) {
        at_end.mistake("rows that are drawn never come to an end", "leave it out, or use `pick = \"unique\"`");
    }
    let exponent = table.get("exponent");
    if exponent.is_given() && pick != Pick::Zipf {
        exponent.mistake("it belongs to `pick = \"zipf\"`", "leave it out");
    }
    let ends = if pick == Pick::Unique { AtEnd::Stop } else { AtEnd::Recycle };
    Some(Data {
        at_end: at_end.choice(&ENDS).unwrap_or(ends),
        exponent: exponent.number().unwrap_or(1.0),
        per: table.get("per").choice(&TAKINGS).unwrap_or_default(),
        file: file?,
        format,
        pick,
    })
}

const PICKS: [(&str, Pick); 4] =
    [("sequential", Pick::Sequential), ("random", Pick::Random), ("unique", Pick::Unique), ("zipf", Pick::Zipf)];
const ENDS: [(&str, AtEnd); 3] = [("stop", AtEnd::Stop), ("recycle", AtEnd::Recycle), ("fail", AtEnd::Fail)];
const TAKINGS: [(&str, Taking); 2] = [("iteration", Taking::Iteration), ("user", Taking::User)];
