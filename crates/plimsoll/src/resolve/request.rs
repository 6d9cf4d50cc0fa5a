//! The request: method, headers, credentials, body.

use std::fs;
use std::path::Path;

use plimsoll_http::basic_auth;
use plimsoll_model::{RequestSpec, Target};

use super::machine::Machine;
use crate::args::RequestArgs;
use crate::usage::Usage;

/// What is sent to `target`.
pub(super) fn resolve(
    args: &RequestArgs,
    target: &Target,
    url_credentials: Option<String>,
    machine: &Machine,
) -> Result<RequestSpec, Usage> {
    let mut headers = args.headers.iter().map(|text| header(text)).collect::<Result<Vec<_>, _>>()?;
    if let Some(credentials) = credentials(args, url_credentials, machine)? {
        if has(&headers, "authorization") {
            return Err(Usage::new(
                "`-H 'Authorization: …'` and credentials in `-u` or the URL contradict each other",
                "give one of them",
            ));
        }
        headers.push(("Authorization".to_owned(), basic_auth(&credentials)));
    }
    let body = body(args)?;
    if let Some(bytes) = &body
        && !has(&headers, "content-type")
    {
        headers.push(("Content-Type".to_owned(), content_type(bytes).to_owned()));
    }
    let method = method(args, body.is_some())?;
    let path = target.path.split('?').next().unwrap_or("/");
    Ok(RequestSpec { label: format!("{method} {path}"), method, headers, body: body.unwrap_or_default() })
}

fn method(args: &RequestArgs, has_body: bool) -> Result<String, Usage> {
    match args.method.as_deref() {
        Some("") => Err(Usage::new("`-X`: the method is empty", "write it like `-X PUT`")),
        Some("CONNECT") => Err(Usage::new(
            "`-X CONNECT`: it opens a tunnel and has no answer to measure",
            "use `--proxy` to send requests through a proxy",
        )),
        Some(method) => Ok(method.to_owned()),
        None => Ok(if has_body { "POST" } else { "GET" }.to_owned()),
    }
}

/// `Name: value`; as with curl, `Name;` has an empty value.
fn header(text: &str) -> Result<(String, String), Usage> {
    if let Some((name, value)) = text.split_once(':').filter(|(name, _)| !name.trim().is_empty()) {
        return Ok((name.to_owned(), value.trim().to_owned()));
    }
    match text.strip_suffix(';').filter(|name| !name.is_empty()) {
        Some(name) => Ok((name.to_owned(), String::new())),
        // The text is not repeated: it may be a token whose name was forgotten.
        None => Err(Usage::new(
            "`-H`: a header needs a name, a colon and a value",
            "write it like `-H 'Accept: text/html'`",
        )),
    }
}

fn credentials(args: &RequestArgs, from_url: Option<String>, machine: &Machine) -> Result<Option<String>, Usage> {
    let Some(user) = args.user.as_deref() else { return Ok(from_url) };
    if from_url.is_some() {
        return Err(Usage::new("credentials are both in the URL and in `-u`", "give one of them"));
    }
    let Some((user, password)) = user.split_once(':') else {
        return Err(Usage::new(
            "`-u`: the password is missing",
            "write it like `-u user:password`, or `-u user:env:NAME` to take it from the environment",
        ));
    };
    let Some(name) = password.strip_prefix("env:") else { return Ok(Some(format!("{user}:{password}"))) };
    let password = machine.variable(name).ok_or_else(|| {
        let message = format!("`-u {user}:env:{name}`: there is no environment variable `{name}`");
        Usage::new(message, format!("set it first: `export {name}=…`"))
    })?;
    Ok(Some(format!("{user}:{password}")))
}

fn body(args: &RequestArgs) -> Result<Option<Vec<u8>>, Usage> {
    match (&args.data, &args.data_file) {
        (Some(_), Some(_)) => Err(Usage::new("`--data` and `--data-file` are two bodies", "give one of them")),
        (None, None) => Ok(None),
        (None, Some(path)) => read("--data-file", path).map(Some),
        (Some(text), None) => match text.strip_prefix('@') {
            Some(path) => read("--data @", Path::new(path)).map(Some),
            None => Ok(Some(text.clone().into_bytes())),
        },
    }
}

fn read(flag: &str, path: &Path) -> Result<Vec<u8>, Usage> {
    let space = if flag.ends_with('@') { "" } else { " " };
    fs::read(path).map_err(|error| {
        let message = format!("`{flag}{space}{}`: {}", path.display(), reason(&error));
        Usage::new(message, "check the path: it is read from the directory the command runs in")
    })
}

/// The system's words without its error number.
fn reason(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "this user may not read it".to_owned(),
        ErrorKind::IsADirectory => "it is a directory".to_owned(),
        _ => error.to_string(),
    }
}

/// Like curl a form, except for what can only be meant as JSON.
fn content_type(body: &[u8]) -> &'static str {
    match body.trim_ascii_start().first() {
        Some(b'{' | b'[') => "application/json",
        _ => "application/x-www-form-urlencoded",
    }
}

fn has(headers: &[(String, String)], name: &str) -> bool {
    headers.iter().any(|(given, _)| given.trim().eq_ignore_ascii_case(name))
}
