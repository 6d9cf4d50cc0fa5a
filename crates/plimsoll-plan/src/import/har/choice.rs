//! Which entries of a HAR are a user's own requests to the target.

use std::collections::BTreeMap;

use super::super::Options;
use super::super::address::{Address, host_of};
use super::super::notes::Notes;
use super::Timed;
use super::shape::Entry;

/// What a browser fetches by itself, as Chrome calls it.
const ASSET_TYPES: [&str; 6] = ["image", "font", "stylesheet", "script", "media", "manifest"];

/// Types of answers that are assets.
fn is_asset_type(content_type: &str) -> bool {
    let kinds = ["image/", "font/", "video/", "audio/", "application/font", "application/x-font"];
    kinds.iter().any(|kind| content_type.starts_with(kind))
        || content_type == "text/css"
        || content_type.ends_with("javascript")
        || content_type == "application/vnd.ms-fontobject"
}

/// Endings of assets, where nothing else tells.
const ASSET_ENDINGS: [&str; 17] = [
    ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".ico", ".css", ".js", ".mjs", ".map", ".woff",
    ".woff2", ".ttf", ".otf", ".mp4",
];

/// The entries that are kept, and the origin that is the target.
pub(super) fn choose(mut all: Vec<Timed>, options: Options<'_>, notes: &mut Notes) -> (Vec<Timed>, Option<String>) {
    all.retain(|timed| sendable(&timed.entry, notes));
    if !options.assets {
        let before = all.len();
        all.retain(|timed| !is_asset(timed));
        say_assets(before - all.len(), notes);
    }
    let Some(target) = target(&all) else { return (all, None) };
    if !options.other_hosts {
        drop_other_hosts(&mut all, &target, notes);
    }
    (all, Some(target))
}

fn sendable(entry: &Entry, notes: &mut Notes) -> bool {
    let method = entry.request.method.to_ascii_uppercase();
    let upgraded = entry.response.status == 101 || entry.resource_type.as_deref() == Some("websocket");
    match method.as_str() {
        _ if upgraded => {
            notes.count("a WebSocket was left out", "{} WebSockets were left out");
            false
        }
        "CONNECT" => false,
        "OPTIONS"
            if entry
                .request
                .headers
                .iter()
                .any(|pair| pair.name.eq_ignore_ascii_case("access-control-request-method")) =>
        {
            notes.count(
                "a preflight request (CORS) was left out: browsers make it, not users",
                "{} preflight requests (CORS) were left out: browsers make them, not users",
            );
            false
        }
        _ if method.is_empty() || !method.chars().all(|c| c.is_ascii_uppercase()) => {
            notes.count(
                "a request was left out whose method is not made of letters",
                "{} requests were left out whose methods are not made of letters",
            );
            false
        }
        _ => true,
    }
}

fn is_asset(timed: &Timed) -> bool {
    let Timed { entry, address, .. } = timed;
    if !entry.request.method.eq_ignore_ascii_case("GET") {
        return false;
    }
    let by_chrome = entry.resource_type.as_deref().map(str::to_ascii_lowercase);
    if by_chrome.is_some_and(|kind| ASSET_TYPES.contains(&kind.as_str())) {
        return true;
    }
    let content_type = entry.content_type();
    // A 304 has no type of its own.
    let untold =
        content_type.is_empty() || content_type.contains("unknown") || content_type == "application/octet-stream";
    let path = address.path.to_ascii_lowercase();
    is_asset_type(&content_type) || (untold && ASSET_ENDINGS.iter().any(|ending| path.ends_with(ending)))
}

fn say_assets(dropped: usize, notes: &mut Notes) {
    let what = "images, fonts, style sheets and scripts";
    match dropped {
        0 => (),
        1 => notes.say(format!("1 request for {what} was left out: `--assets` keeps it")),
        many => notes.say(format!("{many} requests for {what} were left out: `--assets` keeps them")),
    }
}

/// The origin of the first page, or of the first request: a recording begins at what it is about.
fn target(all: &[Timed]) -> Option<String> {
    let is_page = |timed: &&Timed| timed.entry.content_type() == "text/html" && timed.entry.response.status < 400;
    all.iter().find(is_page).or_else(|| all.first()).map(|timed| timed.address.origin.clone())
}

/// Other hosts are not ours to load. The same host by another scheme or port is.
fn drop_other_hosts(all: &mut Vec<Timed>, target: &str, notes: &mut Notes) {
    let mut dropped: BTreeMap<String, usize> = BTreeMap::new();
    all.retain(|timed: &Timed| {
        let Address { origin, .. } = &timed.address;
        let same = host_of(origin) == host_of(target);
        if !same {
            *dropped.entry(host_of(origin).to_owned()).or_default() += 1;
        }
        same
    });
    if dropped.is_empty() {
        return;
    }
    let times: usize = dropped.values().sum();
    let shown: Vec<String> = dropped.iter().take(10).map(|(host, times)| format!("{host} ({times})")).collect();
    let more =
        if dropped.len() > shown.len() { format!(" and {} more", dropped.len() - shown.len()) } else { String::new() };
    let (requests, were) = if times == 1 { ("request", "was") } else { ("requests", "were") };
    notes.say(format!(
        "{times} {requests} to other hosts {were} left out, so that nobody else receives load: {}{more}; `--other-hosts` keeps them",
        shown.join(", ")
    ));
}
