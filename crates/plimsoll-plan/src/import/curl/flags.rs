//! curl's flags: which there are, which take a value, and what they mean to us.

use super::super::source::Source;
use super::shell::Word;
use crate::Mistake;

/// A command, or what stands between two `--next`.
#[derive(Debug, Default)]
pub(super) struct Command {
    /// Where it begins.
    pub(super) offset: usize,
    pub(super) urls: Vec<String>,
    pub(super) method: Option<String>,
    /// `-I`.
    pub(super) head: bool,
    /// `-G`.
    pub(super) data_in_query: bool,
    /// `-g`.
    pub(super) literal_url: bool,
    /// Everything else, in its order.
    pub(super) settings: Vec<Setting>,
}

/// What a flag sets.
#[derive(Debug, Clone)]
pub(super) enum Setting {
    Header(String),
    User(String),
    Cookie(String),
    /// A line of `[Options]`.
    Option(&'static str, String),
    Data(Piece),
    /// Of no meaning under load.
    Meaningless(String),
    /// Not carried over, and why.
    Lost(String, &'static str),
}

/// A piece of the body.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    /// `-d`; `@file` reads a file.
    Data(String),
    /// `--data-raw`.
    Raw(String),
    /// `--data-urlencode`.
    Encoded(String),
    /// `--json`.
    Json(String),
    /// `-F`.
    Part(String),
    /// `--form-string`.
    PartText(String),
    /// `-T`.
    Upload(String),
}

/// Short flags and the long ones that they are short for; those of the first list take a value.
const SHORT_WITH_VALUE: [(char, &str); 26] = [
    ('X', "request"),
    ('H', "header"),
    ('d', "data"),
    ('F', "form"),
    ('u', "user"),
    ('b', "cookie"),
    ('A', "user-agent"),
    ('e', "referer"),
    ('x', "proxy"),
    ('U', "proxy-user"),
    ('o', "output"),
    ('w', "write-out"),
    ('c', "cookie-jar"),
    ('D', "dump-header"),
    ('m', "max-time"),
    ('T', "upload-file"),
    ('E', "cert"),
    ('r', "range"),
    ('K', "config"),
    ('y', "speed-time"),
    ('Y', "speed-limit"),
    ('z', "time-cond"),
    ('C', "continue-at"),
    ('P', "ftp-port"),
    ('Q', "quote"),
    ('t', "telnet-option"),
];
const SHORT: [(char, &str); 24] = [
    ('G', "get"),
    ('I', "head"),
    ('k', "insecure"),
    ('L', "location"),
    ('g', "globoff"),
    ('0', "http1.0"),
    ('s', "silent"),
    ('S', "show-error"),
    ('v', "verbose"),
    ('i', "include"),
    ('f', "fail"),
    ('N', "no-buffer"),
    ('O', "remote-name"),
    ('J', "remote-header-name"),
    ('R', "remote-time"),
    ('#', "progress-bar"),
    ('n', "netrc"),
    ('q', "disable"),
    ('4', "ipv4"),
    ('6', "ipv6"),
    ('j', "junk-session-cookies"),
    ('a', "append"),
    ('Z', "parallel"),
    ('p', "proxytunnel"),
];
/// Long flags with a value that have no short one, or whose value must be skipped.
const LONG_WITH_VALUE: [&str; 40] = [
    "data-raw",
    "data-binary",
    "data-ascii",
    "data-urlencode",
    "json",
    "form-string",
    "url",
    "oauth2-bearer",
    "connect-timeout",
    "max-redirs",
    "cacert",
    "capath",
    "key",
    "cert-type",
    "key-type",
    "pass",
    "ciphers",
    "tls13-ciphers",
    "tls-max",
    "curves",
    "resolve",
    "connect-to",
    "interface",
    "local-port",
    "unix-socket",
    "abstract-unix-socket",
    "retry",
    "retry-delay",
    "retry-max-time",
    "limit-rate",
    "max-filesize",
    "noproxy",
    "proxy-header",
    "aws-sigv4",
    "trace",
    "trace-ascii",
    "stderr",
    "request-target",
    "rate",
    "output-dir",
];
const LONG: [&str; 24] = [
    "compressed",
    "http1.1",
    "http2",
    "http2-prior-knowledge",
    "http3",
    "http3-only",
    "basic",
    "digest",
    "ntlm",
    "negotiate",
    "anyauth",
    "location-trusted",
    "no-keepalive",
    "tcp-nodelay",
    "tcp-fastopen",
    "path-as-is",
    "fail-with-body",
    "no-progress-meter",
    "create-dirs",
    "tlsv1.2",
    "tlsv1.3",
    "retry-all-errors",
    "retry-connrefused",
    "compressed-ssh",
];

/// A flag without its dashes, and how it was typed.
struct Flag {
    name: String,
    typed: String,
}

/// A flag with the value that is attached to it, or a word that is no flag.
type Typed = (Option<Flag>, Option<String>);

/// The commands that some words are.
pub(super) fn commands(source: &Source<'_>, words: Vec<Word>) -> Result<Vec<Command>, Mistake> {
    let mut all = vec![Command { offset: words.first().map_or(0, |word| word.offset), ..Command::default() }];
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let offset = word.offset;
        if word.text == "--next" || word.text == "-:" {
            all.push(Command { offset, ..Command::default() });
            continue;
        }
        let Some(command) = all.last_mut() else { continue };
        for (flag, attached) in flags(source, &word)? {
            match flag {
                None => command.urls.push(attached.unwrap_or_default()),
                Some(flag) if takes_value(&flag.name) => {
                    let value = attached.or_else(|| words.next().map(|word| word.text));
                    let missing = || source.at(offset, format!("`{}` is given no value", flag.typed), "");
                    with_value(command, flag.name.as_str(), &flag.typed, value.ok_or_else(missing)?);
                }
                Some(flag) => without_value(command, &flag.name, &flag.typed),
            }
        }
    }
    // After a trailing `--next`.
    all.retain(|command| !command.urls.is_empty() || !command.settings.is_empty());
    Ok(all)
}

/// The flags of one word, the last with a value that is attached to it; a word that is no flag is a URL.
fn flags(source: &Source<'_>, word: &Word) -> Result<Vec<Typed>, Mistake> {
    let text = word.text.as_str();
    if let Some(name) = text.strip_prefix("--").filter(|name| !name.is_empty()) {
        return long(source, word, name).map(|flag| vec![(Some(flag), None)]);
    }
    let Some(short) = text.strip_prefix('-').filter(|short| !short.is_empty()) else {
        return Ok(vec![(None, Some(text.to_owned()))]);
    };
    let mut flags = Vec::new();
    for (index, c) in short.char_indices() {
        let typed = format!("-{c}");
        if let Some((_, name)) = SHORT_WITH_VALUE.iter().find(|(known, _)| *known == c) {
            let rest = &short[index + c.len_utf8()..];
            let attached = (!rest.is_empty()).then(|| rest.to_owned());
            flags.push((Some(Flag { name: (*name).to_owned(), typed }), attached));
            return Ok(flags);
        }
        match SHORT.iter().find(|(known, _)| *known == c) {
            Some((_, name)) => flags.push((Some(Flag { name: (*name).to_owned(), typed }), None)),
            None => return Err(unknown(source, word, &typed)),
        }
    }
    Ok(flags)
}

fn long(source: &Source<'_>, word: &Word, name: &str) -> Result<Flag, Mistake> {
    let known = |name: &str| {
        LONG.contains(&name)
            || LONG_WITH_VALUE.contains(&name)
            || SHORT.iter().chain(&SHORT_WITH_VALUE).any(|(_, long)| *long == name)
    };
    let positive = name.strip_prefix("no-").unwrap_or(name);
    if known(name) || known(positive) {
        return Ok(Flag { name: name.to_owned(), typed: format!("--{name}") });
    }
    Err(unknown(source, word, "this flag"))
}

/// Whether it takes a value cannot be guessed, so neither can the rest of the command.
fn unknown(source: &Source<'_>, word: &Word, typed: &str) -> Mistake {
    source.at(word.offset, format!("{typed} of curl is not known here"), "take it out if the request does not need it")
}

fn takes_value(name: &str) -> bool {
    LONG_WITH_VALUE.contains(&name) || SHORT_WITH_VALUE.iter().any(|(_, long)| *long == name)
}

fn with_value(command: &mut Command, name: &str, typed: &str, value: String) {
    let lost = |why| Setting::Lost(typed.to_owned(), why);
    let header = |name: &str, value: &str| Setting::Header(format!("{name}: {value}"));
    let setting = match name {
        "url" => return command.urls.push(value),
        "request" => return command.method = Some(value),
        "header" if value.starts_with('@') => lost("headers from a file are not read"),
        "header" => Setting::Header(value),
        "user-agent" => header("User-Agent", &value),
        "referer" => header("Referer", value.trim_end_matches(";auto")),
        "range" => header("Range", &format!("bytes={value}")),
        "oauth2-bearer" => header("Authorization", &format!("Bearer {value}")),
        "user" => Setting::User(value),
        "cookie" => Setting::Cookie(value),
        "data" | "data-ascii" | "data-binary" => Setting::Data(Piece::Data(value)),
        "data-raw" => Setting::Data(Piece::Raw(value)),
        "data-urlencode" => Setting::Data(Piece::Encoded(value)),
        "json" => Setting::Data(Piece::Json(value)),
        "form" => Setting::Data(Piece::Part(value)),
        "form-string" => Setting::Data(Piece::PartText(value)),
        "upload-file" => Setting::Data(Piece::Upload(value)),
        "max-time" => seconds("max-time", &value).unwrap_or_else(|| lost("it is not a number of seconds")),
        "connect-timeout" => {
            seconds("connect-timeout", &value).unwrap_or_else(|| lost("it is not a number of seconds"))
        }
        "max-redirs" if value.parse::<u32>().is_ok() => Setting::Option("max-redirs", value),
        "proxy" | "proxy-user" | "proxy-header" | "noproxy" => lost("say `--proxy` when the plan is run"),
        "cacert" | "cert" | "key" | "capath" | "cert-type" | "key-type" | "pass" => {
            lost("say `--cacert`, `--cert` and `--key` when the plan is run")
        }
        "resolve" | "connect-to" | "unix-socket" | "abstract-unix-socket" | "interface" | "local-port" => {
            lost("how connections are made is said when the plan is run")
        }
        "aws-sigv4" => lost("each request would have to be signed anew"),
        "config" => lost("further flags are not read from a file"),
        _ => Setting::Meaningless(typed.to_owned()),
    };
    command.settings.push(setting);
}

fn without_value(command: &mut Command, name: &str, typed: &str) {
    let option = |name| Setting::Option(name, "true".to_owned());
    let setting = match name {
        "get" => return command.data_in_query = true,
        "head" => return command.head = true,
        "globoff" => return command.literal_url = true,
        "basic" => return,
        "insecure" => option("insecure"),
        "location" => option("location"),
        "location-trusted" => option("location-trusted"),
        "compressed" => option("compressed"),
        "http1.0" => option("http1.0"),
        "http1.1" => option("http1.1"),
        "http2" => option("http2"),
        "http2-prior-knowledge" => option("http2-prior-knowledge"),
        "http3" | "http3-only" => Setting::Lost(typed.to_owned(), "HTTP/3 is not spoken here"),
        "digest" | "ntlm" | "negotiate" | "anyauth" => {
            Setting::Lost(typed.to_owned(), "of the ways to authenticate only Basic and Bearer are carried over")
        }
        "netrc" => Setting::Lost(typed.to_owned(), "credentials are not read from a file"),
        _ => Setting::Meaningless(typed.to_owned()),
    };
    command.settings.push(setting);
}

/// curl's seconds may have a fraction.
fn seconds(option: &'static str, value: &str) -> Option<Setting> {
    let seconds: f64 = value.parse().ok()?;
    let milliseconds = (seconds * 1000.0).round();
    (1.0..1e12).contains(&milliseconds).then(|| Setting::Option(option, format!("{milliseconds}ms")))
}
