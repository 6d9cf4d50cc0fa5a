//! `[target]`: what is tested, and what is done around a run.

use std::collections::BTreeMap;

use schemars::JsonSchema;

use super::field::Field;
use super::process::{self, Process};
use super::table::Table;
use super::text::Text;

/// What is tested, and what is done around a run.
#[derive(Debug, Clone, PartialEq, Default, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Target {
    /// Where requests go: `http://127.0.0.1:8080`. Shown wherever it comes from, but for a password in it.
    pub url: Option<Text>,
    /// Commands before the run, in this order; what one prints may become a variable.
    #[schemars(with = "super::schema::OneOrMany<super::schema::TextOr<Command>>")]
    #[schemars(default)]
    pub before: Vec<Command>,
    /// Commands after the run, whatever became of it.
    #[schemars(with = "super::schema::OneOrMany<Text>")]
    #[schemars(default)]
    pub after: Vec<Text>,
    /// What of the target is observed.
    #[schemars(default)]
    pub watch: Watch,
    /// What is started before the run, awaited, and stopped after it, in this order.
    #[schemars(rename = "process", default)]
    pub processes: Vec<Process>,
}

/// A command before the run.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Command {
    /// The command line, for a shell.
    pub run: Text,
    /// What it prints becomes the value of this variable.
    pub into: Option<String>,
    /// That value is a secret, which it is unless this is false.
    #[schemars(with = "Option<super::schema::Switch>", default)]
    pub secret: bool,
}

/// What of the target is observed.
#[derive(Debug, Clone, PartialEq, Default, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Watch {
    /// Its metrics: a path on the target, or a URL.
    pub prometheus: Option<Text>,
    /// Its database: `env:DATABASE_URL`.
    pub postgres: Option<Text>,
    /// Its cache: `env:REDIS_URL`.
    pub redis: Option<Text>,
}

pub(super) fn read(table: &Table<'_>) -> Target {
    table.get("process").names_differ();
    Target {
        url: table.get("url").url(),
        before: table.get("before").one_or_many(|field| field.text_or_table(plain_command, command).flatten()),
        after: table.get("after").one_or_many(Field::text),
        watch: table.get("watch").table(watch).unwrap_or_default(),
        processes: table.get("process").tables(process::read).into_iter().flatten().collect(),
    }
}

/// Reads names and texts.
pub(super) fn texts(table: &Table<'_>) -> BTreeMap<String, Text> {
    let text = |(name, field): (&str, Field<'_>)| Some((name.to_owned(), field.argument()?));
    table.rest("*").into_iter().filter_map(text).collect()
}

fn plain_command(field: &Field<'_>) -> Option<Option<Command>> {
    field.text().map(|run| Some(Command { run, into: None, secret: true }))
}

fn command(table: &Table<'_>) -> Option<Command> {
    let run = table.get("run").required("run = \"scripts/token add\"").text();
    let into = table.get("into").word();
    let secret = table.get("secret").switch().unwrap_or(true);
    Some(Command { run: run?, into, secret })
}

fn watch(table: &Table<'_>) -> Watch {
    Watch {
        prometheus: table.get("prometheus").text(),
        postgres: table.get("postgres").text(),
        redis: table.get("redis").text(),
    }
}

impl Field<'_> {
    /// A URL of the kind that requests go to; the scheme may be left out.
    fn url(&self) -> Option<Text> {
        let text = self.word()?;
        let with_scheme = if text.contains("://") { text.clone() } else { format!("http://{text}") };
        let example = "a URL looks like `http://127.0.0.1:8080`";
        match url::Url::parse(&with_scheme) {
            Ok(url) if !matches!(url.scheme(), "http" | "https") => {
                self.mistake(
                    format!("`{}` is not a scheme that is understood", url.scheme()),
                    "write `http://` or `https://`",
                );
                None
            }
            Ok(url) if url.host().is_some_and(|host| !host.to_string().is_empty()) => Some(Text::plain(text)),
            Ok(_) => {
                self.mistake("it has no host", example);
                None
            }
            Err(error) => {
                self.mistake(format!("this is not a URL: {error}"), example);
                None
            }
        }
    }
}
