//! HAR files, as browsers save them: one journey, in the order in which its requests were made.
//!
//! A recording holds what a browser did. What only the browser needs (its own headers, preflights, assets, cookies
//! that come back by themselves) is left out, and what belongs to others is too: their hosts must not receive load
//! by accident.

mod choice;
mod cookies;
mod pauses;
mod shape;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use self::cookies::Jar;
use self::shape::{Entry, Har, Param, PostData};
use super::Options;
use super::address::{Address, form_value};
use super::credentials::{put_address, put_bytes, put_header, put_text};
use super::draft::{Body, Content, Draft, Exchange, Part, Route, Status};
use super::sensitive::is_secret;
use super::source::{Source, harmless};
use super::variables::BASE_URL;
use super::words::Words;
use crate::Mistake;

/// An entry with its URL in pieces and its moment in milliseconds.
struct Timed {
    entry: Entry,
    address: Address,
    start_ms: i64,
}

/// Headers that a browser or a connection makes; those that begin with `sec-` and `:` too.
const BROWSER_HEADERS: [&str; 17] = [
    "host",
    "connection",
    "content-length",
    "accept-encoding",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "upgrade-insecure-requests",
    "cookie",
    "dnt",
    "priority",
    "if-none-match",
    "if-modified-since",
    "pragma",
];

/// A plan with one journey.
pub(super) fn read(source: Source<'_>, options: Options<'_>) -> Result<Draft, Mistake> {
    let hint = "save it in a browser's network panel: `Save all as HAR with content`";
    let har: Har = serde_json::from_str(source.text).map_err(|error| source.json(&error, hint))?;
    let mut draft = Draft::default();
    let mut all = timed(har.log.entries, &mut draft);
    // Stable: entries of the same moment stay in the file's order.
    all.sort_by_key(|timed| timed.start_ms);
    let (all, target) = choice::choose(all, options, &mut draft.notes);
    if all.is_empty() {
        return Err(source.whole("there is no request in it that could be sent", hint));
    }
    draft.target = target;
    let exchanges = exchanges(&all, options, &mut draft);
    draft.routes.push(Route { name: super::plan_name(source.name), weight: 1, exchanges });
    Ok(draft)
}

fn timed(entries: Vec<Entry>, draft: &mut Draft) -> Vec<Timed> {
    let mut all = Vec::new();
    for entry in entries {
        let start_ms = pauses::moment(&entry.started_date_time).unwrap_or_else(|| {
            draft.notes.count(
                "an entry has no moment that can be read; it stays where it is",
                "{} entries have no moment that can be read; they stay where they are",
            );
            all.last().map_or(0, |timed: &Timed| timed.start_ms)
        });
        match Address::parse(&entry.request.url) {
            Ok(address) => all.push(Timed { entry, address, start_ms }),
            Err(_) => draft.notes.count(
                "an entry that is not HTTP was left out (`data:`, `blob:`, `wss:`, …)",
                "{} entries that are not HTTP were left out (`data:`, `blob:`, `wss:`, …)",
            ),
        }
    }
    all
}

fn exchanges(all: &[Timed], options: Options<'_>, draft: &mut Draft) -> Vec<Exchange> {
    let mut jar = Jar::default();
    let mut exchanges = Vec::new();
    for timed in all {
        exchanges.push(exchange(timed, &jar, draft));
        jar.keep(&timed.entry);
    }
    pauses::put(&mut exchanges, all, options, &mut draft.notes);
    exchanges
}

fn exchange(timed: &Timed, jar: &Jar, draft: &mut Draft) -> Exchange {
    let Timed { entry, address, .. } = timed;
    let method = entry.request.method.to_ascii_uppercase();
    let mut exchange = Exchange {
        label: format!("{method} {}", address.path),
        method,
        status: status(entry, draft),
        ..Exchange::default()
    };
    for header in &entry.request.headers {
        let name = header.name.trim().to_ascii_lowercase();
        let browsers = name.starts_with(':') || name.starts_with("sec-") || BROWSER_HEADERS.contains(&name.as_str());
        // The type of a body without a body is a leftover.
        let leftover = name == "content-type" && entry.request.post_data.is_none();
        if !browsers && !leftover {
            put_header(&mut exchange, &header.name, &header.value, &mut draft.variables, &mut draft.notes);
        }
    }
    jar.put(&mut exchange, &entry.request.headers, draft);
    let base = base(address, draft);
    put_address(&mut exchange, &base, address, &mut draft.variables);
    if let Some(data) = &entry.request.post_data {
        put_post(&mut exchange, data, draft);
    }
    exchange
}

/// A cached answer was whole once: without the browser's condition it is again.
fn status(entry: &Entry, draft: &mut Draft) -> Status {
    match u16::try_from(entry.response.status) {
        Ok(304) => Status::Exactly(200),
        Ok(status @ 100..=599) => Status::Exactly(status),
        _ => {
            draft.notes.count(
                "a request had no answer when it was recorded: any status below 400 is accepted",
                "{} requests had no answer when they were recorded: any status below 400 is accepted",
            );
            Status::Success
        }
    }
}

fn base(address: &Address, draft: &mut Draft) -> String {
    if draft.target.as_deref() == Some(address.origin.as_str()) {
        return BASE_URL.to_owned();
    }
    draft.notes.say(format!("requests to `{}` are among them: that origin has a variable of its own", address.origin));
    draft.variables.written(&format!("url_{}", address.authority()), &address.origin)
}

fn put_post(exchange: &mut Exchange, data: &PostData, draft: &mut Draft) {
    if let Some(kind) = data.mime_type.as_deref().filter(|kind| !kind.is_empty())
        && !exchange.has_header("content-type")
    {
        exchange.headers.push(("Content-Type".to_owned(), kind.into()));
    }
    let text = data.text.as_deref().unwrap_or_default();
    let base64 = data.encoding.as_deref().is_some_and(|encoding| encoding.eq_ignore_ascii_case("base64"));
    match data.params.as_deref() {
        _ if base64 => match STANDARD.decode(text) {
            Ok(bytes) => put_bytes(exchange, bytes, &mut draft.variables),
            Err(_) => draft.notes.count(
                "a body that claims to be base64 and is not was left out",
                "{} bodies that claim to be base64 and are not were left out",
            ),
        },
        _ if !text.is_empty() => put_recorded_text(exchange, text, draft),
        Some(params) if !params.is_empty() => put_params(exchange, params, draft),
        _ => (),
    }
}

fn put_recorded_text(exchange: &mut Exchange, text: &str, draft: &mut Draft) {
    if text.contains('\u{fffd}') {
        draft.notes.count(
            "a body has bytes that the browser did not save as they were: look at it",
            "{} bodies have bytes that the browser did not save as they were: look at them",
        );
    }
    put_text(exchange, text, &mut draft.variables);
}

fn put_params(exchange: &mut Exchange, params: &[Param], draft: &mut Draft) {
    let multipart = exchange.header("content-type").is_some_and(|kind| kind.starts_with("multipart/"));
    if !multipart {
        let pair = |param: &Param| {
            format!("{}={}", form_value(&param.name), form_value(param.value.as_deref().unwrap_or_default()))
        };
        let text = params.iter().map(pair).collect::<Vec<_>>().join("&");
        return put_text(exchange, &text, &mut draft.variables);
    }
    exchange.remove_header("content-type");
    exchange.body =
        Body::Multipart(params.iter().filter(|param| !param.name.is_empty()).map(|param| part(param, draft)).collect());
}

fn part(param: &Param, draft: &mut Draft) -> Part {
    let value = param.value.as_deref().unwrap_or_default();
    let content = match param.file_name.as_deref().filter(|name| !name.is_empty()) {
        Some(name) => {
            // A recording names the file only; where it lay is nobody's business.
            let path = harmless(name.rsplit(['/', '\\']).next().unwrap_or(name));
            Content::File { path, content_type: param.content_type.clone().filter(|kind| !kind.is_empty()) }
        }
        None if is_secret(&param.name) && !value.is_empty() => {
            Content::Text(Words::variable(draft.variables.secret(&param.name, value)))
        }
        None => Content::Text(value.into()),
    };
    Part { name: param.name.clone(), content }
}

#[cfg(test)]
mod tests;
