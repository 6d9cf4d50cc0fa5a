//! curl command lines, as browsers copy them and documents show them. Several become the steps of one journey.

mod data;
mod flags;
mod form;
mod shell;

use self::flags::{Command, Setting};
use super::address::Address;
use super::credentials::{put_address, put_basic, put_header, put_text};
use super::draft::{Body, Draft, Exchange, Route};
use super::source::Source;
use super::variables::BASE_URL;
use crate::Mistake;

/// A plan with one journey.
pub(super) fn read(source: Source<'_>) -> Result<Draft, Mistake> {
    let mut draft = Draft::default();
    let mut exchanges = Vec::new();
    for words in shell::commands(source, &mut draft)? {
        for command in flags::commands(&source, words)? {
            exchanges.extend(requests(&source, &command, &mut draft)?);
        }
    }
    let Some(first) = exchanges.first() else {
        return Err(source.whole("there is no curl command in it", "paste what `Copy as cURL (bash)` gives"));
    };
    let name = match exchanges.len() {
        1 => first.label.clone(),
        _ => "curl".to_owned(),
    };
    draft.routes.push(Route { name, weight: 1, exchanges });
    Ok(draft)
}

/// A request for each URL of a command.
fn requests(source: &Source<'_>, command: &Command, draft: &mut Draft) -> Result<Vec<Exchange>, Mistake> {
    if command.urls.is_empty() {
        return Err(source.at(command.offset, "curl is given no URL", "write it like `curl http://host/path`"));
    }
    command.urls.iter().map(|url| request(source, command, url, draft)).collect()
}

fn request(source: &Source<'_>, command: &Command, url: &str, draft: &mut Draft) -> Result<Exchange, Mistake> {
    let mut exchange = Exchange::default();
    let body = settings(&mut exchange, command, draft);
    let address = address(source, command, url, &body, draft)?;
    let base = base(draft, &address);
    put_address(&mut exchange, &base, &address, &mut draft.variables);
    exchange.method = method(source, command, &body)?;
    exchange.label = format!("{} {}", exchange.method, address.path);
    put_body(&mut exchange, body, command, draft);
    Ok(exchange)
}

/// What the flags say besides the body, which is collected.
fn settings(exchange: &mut Exchange, command: &Command, draft: &mut Draft) -> data::Collected {
    let mut body = data::Collected::default();
    let (variables, notes) = (&mut draft.variables, &mut draft.notes);
    for setting in &command.settings {
        match setting {
            Setting::Header(text) => match text.split_once(':') {
                Some((name, value)) if !value.trim().is_empty() => {
                    put_header(exchange, name, value.trim(), variables, notes);
                }
                // `Name:` asks curl to leave its own header out.
                Some((name, _)) => exchange.remove_header(name),
                None => exchange.headers.extend(text.strip_suffix(';').map(|name| (name.to_owned(), "".into()))),
            },
            Setting::User(text) => {
                let (user, password) = text.split_once(':').unwrap_or((text, ""));
                put_basic(exchange, user, password, variables);
            }
            Setting::Cookie(text) if text.contains('=') => put_header(exchange, "Cookie", text, variables, notes),
            Setting::Cookie(_) => {
                notes.say(
                    "the file of cookies (`-b`) was left out: users begin without cookies and keep those they get",
                );
            }
            Setting::Option(name, value) => exchange.options.push((*name, value.clone())),
            Setting::Data(piece) => body.add(piece, notes),
            Setting::Meaningless(flag) => {
                notes.say(format!("`{flag}` was left out: it means nothing to a Hurl file under load"));
            }
            Setting::Lost(flag, why) => notes.say(format!("`{flag}` was left out: {why}")),
        }
    }
    body
}

fn address(
    source: &Source<'_>,
    command: &Command,
    url: &str,
    body: &data::Collected,
    draft: &mut Draft,
) -> Result<Address, Mistake> {
    let whole = if url.contains("://") { url.to_owned() } else { format!("http://{url}") };
    if !command.literal_url && url.contains(['{', '[']) && !url.contains("://[") {
        draft.notes.say("curl would make several URLs of the `{…}` or `[…]` in one; here it is sent as it stands");
    }
    let hint = "give the whole URL, as in `curl http://host/path`";
    let mut address = Address::parse(&whole).map_err(|error| source.at(command.offset, error, hint))?;
    if shell::is_stand_in(&address.origin) {
        let message = "the host is a variable, which only a shell knows";
        return Err(source.at(command.offset, message, "write the host out; paths and values may be variables"));
    }
    if command.data_in_query
        && let Some(data) = body.text()
        && !data.is_empty()
    {
        address.query = Some(match address.query.take() {
            Some(query) => format!("{query}&{data}"),
            None => data,
        });
    }
    Ok(address)
}

fn base(draft: &mut Draft, address: &Address) -> String {
    match &draft.target {
        None => draft.target = Some(address.origin.clone()),
        Some(target) if *target == address.origin => (),
        Some(_) => {
            draft.notes.say("the commands go to several hosts: those after the first have variables in the plan");
            return draft.variables.written(BASE_URL, &address.origin);
        }
    }
    BASE_URL.to_owned()
}

fn method(source: &Source<'_>, command: &Command, body: &data::Collected) -> Result<String, Mistake> {
    let implied = match () {
        () if command.head => "HEAD",
        () if command.data_in_query => "GET",
        () if body.is_upload() => "PUT",
        () if body.is_empty() => "GET",
        () => "POST",
    };
    let method = command.method.as_deref().unwrap_or(implied).to_ascii_uppercase();
    if method.is_empty() || !method.chars().all(|c| c.is_ascii_uppercase()) {
        return Err(source.at(command.offset, "`-X`: a Hurl file knows methods of letters only", ""));
    }
    Ok(method)
}

fn put_body(exchange: &mut Exchange, body: data::Collected, command: &Command, draft: &mut Draft) {
    if command.data_in_query || body.is_empty() {
        return;
    }
    if body.json {
        for name in ["Content-Type", "Accept"].into_iter().filter(|name| !exchange.has_header(name)).collect::<Vec<_>>()
        {
            exchange.headers.push((name.to_owned(), "application/json".into()));
        }
    }
    if let Some(path) = body.file() {
        if !exchange.has_header("content-type") && !body.is_upload() {
            exchange.headers.push(("Content-Type".to_owned(), "application/x-www-form-urlencoded".into()));
        }
        exchange.body = Body::File(path.to_owned());
    } else if !body.parts.is_empty() {
        exchange.remove_header("content-type");
        exchange.body = Body::Multipart(form::parts(&body.parts, draft));
    } else if let Some(text) = body.text() {
        if !exchange.has_header("content-type") {
            exchange.headers.push(("Content-Type".to_owned(), "application/x-www-form-urlencoded".into()));
        }
        put_text(exchange, &text, &mut draft.variables);
    }
}

#[cfg(test)]
mod tests;
