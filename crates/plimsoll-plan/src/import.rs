//! What other tools left behind becomes a plan and Hurl files that run at once.
//!
//! Each format is read into a draft by a module of its own; secrets are taken out on the way, so that none
//! is ever in what is written. From the draft on there is one way: the Hurl writer, the plan, the notes. Nothing is
//! written to a disk and nothing is sent; what could not be carried over is said in words.

mod address;
mod credentials;
mod curl;
mod draft;
mod finish;
mod har;
mod hurl_text;
mod json_text;
mod multipart;
mod notes;
mod openapi;
mod plan_text;
mod postman;
mod sensitive;
mod source;
mod targets;
mod tree;
mod variables;
mod words;
mod xml_text;
mod yaml;

use std::str::FromStr;

use self::source::Source;
use crate::Mistake;

pub use source::SOURCE_BYTES_MAX;
pub use targets::{Weighted, journeys, looks_like_targets};

/// What is imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A curl command line, as browsers copy it.
    Curl,
    /// An HTTP Archive, as browsers save it.
    Har,
    /// vegeta's targets, in its HTTP or its JSON format.
    Vegeta,
    /// An OpenAPI 3 document, in JSON or YAML.
    OpenApi,
    /// A Postman collection, version 2.
    Postman,
}

/// What may be asked of an import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options<'n> {
    /// What to call the plan, whatever the source calls itself.
    pub name: Option<&'n str>,
    /// Images, fonts, style sheets and scripts of a HAR are kept.
    pub assets: bool,
    /// The pauses of a HAR become delays.
    pub delays: bool,
    /// Requests of a HAR to other hosts are kept: they will receive load.
    pub other_hosts: bool,
}

/// What an import yields. Paths are relative to the folder of the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The plan, in TOML.
    pub plan: String,
    /// Paths and contents of the Hurl files that the plan names.
    pub files: Vec<(String, String)>,
    /// What was not carried over, what to set and what to look at; no secret is in them.
    pub notes: Vec<String>,
    /// The environment variables that must be set before a run.
    pub environment: Vec<String>,
}

/// Imports a text with the options that most people want. `name` is what people call it: `shop.har`.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn import(format: Format, name: &str, text: &[u8]) -> Result<Imported, Mistake> {
    import_with(format, name, text, Options::default())
}

/// Imports a text.
///
/// # Errors
/// What is wrong with the text, and where.
pub fn import_with(format: Format, name: &str, text: &[u8], options: Options<'_>) -> Result<Imported, Mistake> {
    // Only where a line is unlikely to hold credentials may it be shown.
    let source = Source::new(name, text, matches!(format, Format::OpenApi))?;
    let mut draft = match format {
        Format::Curl => curl::read(source),
        Format::Har => har::read(source, options),
        Format::Vegeta => targets::read(source),
        Format::OpenApi => openapi::read(source),
        Format::Postman => postman::read(source),
    }?;
    if let Some(name) = options.name {
        draft.name = name.to_owned();
    }
    if draft.name.trim().is_empty() {
        draft.name = plan_name(name);
    }
    Ok(finish::finish(draft))
}

/// `folder/shop.har` → `shop`.
fn plan_name(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = file.split('.').find(|part| !part.is_empty()).unwrap_or("imported");
    stem.to_owned()
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "curl" => Ok(Self::Curl),
            "har" => Ok(Self::Har),
            "vegeta" | "targets" => Ok(Self::Vegeta),
            "openapi" => Ok(Self::OpenApi),
            "postman" => Ok(Self::Postman),
            _ => Err("one of `curl`, `har`, `vegeta`, `openapi`, `postman` is expected".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests;
