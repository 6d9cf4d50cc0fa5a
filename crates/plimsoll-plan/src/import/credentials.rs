//! Puts URL, headers and body into an exchange, with variables where credentials stood.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::address::{Address, form_value, pairs};
use super::draft::{Body, Exchange};
use super::json_text;
use super::multipart;
use super::notes::Notes;
use super::sensitive::is_secret;
use super::variables::Variables;
use super::words::Words;

/// The URL: `{{base}}`, path and query. Credentials in it become basic authentication.
pub(super) fn put_address(exchange: &mut Exchange, base: &str, address: &Address, variables: &mut Variables) {
    exchange.url = Words::variable(base);
    exchange.url.push_str(&address.path);
    if let Some((user, password)) = &address.credentials {
        put_basic(exchange, user, password, variables);
    }
    let Some(query) = &address.query else { return };
    if !query.split('&').any(|pair| is_secret(name_of(pair))) {
        exchange.url.push_str("?");
        exchange.url.push_str(query);
        return;
    }
    match pairs(query) {
        // Written decoded, so that whoever sets the variable need not escape it.
        Some(pairs) => exchange.query = pairs_without_secrets(pairs, variables),
        None => {
            exchange.url.push_str("?");
            exchange.url.append(raw_pairs(query, variables));
        }
    }
}

/// One header, as it was sent.
pub(super) fn put_header(
    exchange: &mut Exchange,
    name: &str,
    value: &str,
    variables: &mut Variables,
    notes: &mut Notes,
) {
    let lower = name.trim().to_ascii_lowercase();
    match lower.as_str() {
        "" => notes.count("a header without a name was left out", "{} headers without a name were left out"),
        "authorization" => put_authorization(exchange, name, value, variables),
        "proxy-authorization" => notes.count(
            "a `Proxy-Authorization` header was left out: it is for a proxy",
            "{} `Proxy-Authorization` headers were left out: they are for a proxy",
        ),
        "set-cookie" => notes.count(
            "a `Set-Cookie` header was left out: requests have none",
            "{} `Set-Cookie` headers were left out: requests have none",
        ),
        _ => {
            let secret = is_secret(name) && !value.is_empty();
            let words = if secret { Words::variable(variables.secret(name, value)) } else { Words::from(value) };
            exchange.headers.push((name.trim().to_owned(), words));
        }
    }
}

fn put_authorization(exchange: &mut Exchange, name: &str, value: &str, variables: &mut Variables) {
    let (scheme, rest) = value.trim().split_once(' ').unwrap_or((value.trim(), ""));
    let rest = rest.trim();
    if scheme.eq_ignore_ascii_case("basic")
        && let Some((user, password)) = basic_pair(rest)
        && exchange.basic.is_none()
    {
        return put_basic(exchange, &user, &password, variables);
    }
    let words = match rest {
        "" if value.trim().is_empty() => Words::default(),
        "" => Words::variable(variables.secret("authorization", value.trim())),
        _ => {
            let mut words = Words::from(format!("{scheme} "));
            let wanted = if scheme.eq_ignore_ascii_case("bearer") { "bearer_token" } else { "authorization" };
            words.push_variable(&variables.secret(wanted, rest));
            words
        }
    };
    exchange.headers.push((name.trim().to_owned(), words));
}

fn basic_pair(encoded: &str) -> Option<(String, String)> {
    let text = String::from_utf8(STANDARD.decode(encoded).ok()?).ok()?;
    text.split_once(':').map(|(user, password)| (user.to_owned(), password.to_owned()))
}

/// Basic authentication; a user without a name has no place in a Hurl file, so the header is a secret as a whole then.
pub(super) fn put_basic(exchange: &mut Exchange, user: &str, password: &str, variables: &mut Variables) {
    if user.is_empty() {
        let encoded = STANDARD.encode(format!("{user}:{password}"));
        let mut words = Words::from("Basic ");
        words.push_variable(&variables.secret("basic_credentials", &encoded));
        exchange.headers.push(("Authorization".to_owned(), words));
        return;
    }
    let password = match password {
        "" => Words::default(),
        _ => Words::variable(variables.secret(&format!("{user}_password"), password)),
    };
    exchange.basic = Some((Words::from(user), password));
}

/// A body of text, in the shape that its type asks for. Headers are in place already.
pub(super) fn put_text(exchange: &mut Exchange, text: &str, variables: &mut Variables) {
    let content_type = exchange.header("content-type").unwrap_or_default().to_owned();
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    exchange.body = match essence.as_str() {
        _ if text.is_empty() => Body::None,
        "application/x-www-form-urlencoded" => form_body(exchange, text, variables),
        "multipart/form-data" => Body::Text(multipart::without_secrets(text, &content_type, variables)),
        // Hurl would add a type of its own to a body of JSON that has none.
        "" => json_text::without_secrets(text, variables).map_or_else(|| Body::Text(text.into()), Body::Text),
        _ => match json_text::without_secrets(text, variables) {
            Some(words) => Body::Json(words),
            None => Body::Text(raw_text(text, variables)),
        },
    };
}

/// Bytes are text where they can be.
pub(super) fn put_bytes(exchange: &mut Exchange, bytes: Vec<u8>, variables: &mut Variables) {
    match String::from_utf8(bytes) {
        Ok(text) => put_text(exchange, &text, variables),
        Err(error) => exchange.body = Body::Bytes(error.into_bytes()),
    }
}

fn form_body(exchange: &mut Exchange, text: &str, variables: &mut Variables) -> Body {
    match pairs(text) {
        Some(pairs) if rejoined(&pairs) == text => {
            if exchange.header("content-type") == Some("application/x-www-form-urlencoded") {
                exchange.remove_header("content-type");
            }
            Body::Form(pairs_without_secrets(pairs, variables))
        }
        // Some other way of escaping, or JSON sent under this name, as curl does.
        _ => Body::Text(json_text::without_secrets(text, variables).unwrap_or_else(|| raw_pairs(text, variables))),
    }
}

fn rejoined(pairs: &[(String, String)]) -> String {
    let pair = |(name, value): &(String, String)| format!("{}={}", form_value(name), form_value(value));
    pairs.iter().map(pair).collect::<Vec<_>>().join("&")
}

/// Pairs with variables for secret values.
pub(super) fn pairs_without_secrets(pairs: Vec<(String, String)>, variables: &mut Variables) -> Vec<(String, Words)> {
    let pair = |(name, value): (String, String)| {
        let secret = is_secret(&name) && !value.is_empty();
        let words = if secret { Words::variable(variables.secret(&name, &value)) } else { Words::from(&value) };
        (name, words)
    };
    pairs.into_iter().map(pair).collect()
}

/// `a=1&token=x` as it stands, with variables for secret values.
fn raw_pairs(text: &str, variables: &mut Variables) -> Words {
    let mut words = Words::default();
    for (index, pair) in text.split('&').enumerate() {
        if index > 0 {
            words.push_str("&");
        }
        match pair.split_once('=') {
            Some((name, value)) if !value.is_empty() && !name.contains(char::is_whitespace) && is_secret(name) => {
                words.push_str(&format!("{name}="));
                words.push_variable(&variables.secret(name, value));
            }
            _ => words.push_str(pair),
        }
    }
    words
}

/// Text of no known shape may be a form, or XML.
fn raw_text(text: &str, variables: &mut Variables) -> Words {
    if text.trim_start().starts_with('<') {
        super::xml_text::without_secrets(text, variables)
    } else {
        raw_pairs(text, variables)
    }
}

fn name_of(pair: &str) -> &str {
    pair.split('=').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(words: &Words) -> String {
        words.with(|name| format!("<{name}>"))
    }

    #[track_caller]
    fn check_header(name: &str, value: &str, expected: &str) {
        let (mut exchange, mut notes) = (Exchange::default(), Notes::default());
        put_header(&mut exchange, name, value, &mut Variables::default(), &mut notes);
        let basic = exchange.basic.iter().map(|(user, password)| format!("basic {} {}", shown(user), shown(password)));
        let headers = exchange.headers.iter().map(|(name, value)| format!("{name}: {}", shown(value)));
        assert_eq!(basic.chain(headers).chain(notes.lines()).collect::<Vec<_>>().join("\n"), expected);
    }

    #[test]
    fn headers_lose_their_secrets() {
        check_header("authorization", "Bearer abc", "authorization: Bearer <bearer_token>");
        check_header("Authorization", "Basic YW5uOnB3", "basic ann <ann_password>");
        check_header("Authorization", "Basic ?", "Authorization: Basic <authorization>");
        check_header("Authorization", "abc", "Authorization: <authorization>");
        check_header("Cookie", "a=1; b=2", "Cookie: <cookie>");
        check_header("X-Api-Key", "k", "X-Api-Key: <x_api_key>");
        check_header("Accept", "*/*", "Accept: */*");
        check_header("Proxy-Authorization", "x", "a `Proxy-Authorization` header was left out: it is for a proxy");
    }

    #[track_caller]
    fn check_url(url: &str, expected: &str) {
        let mut exchange = Exchange::default();
        let address = Address::parse(url).expect("a URL");
        put_address(&mut exchange, "base_url", &address, &mut Variables::default());
        let query = exchange.query.iter().map(|(name, value)| format!(" {name}: {}", shown(value)));
        assert_eq!(shown(&exchange.url) + &query.collect::<String>(), expected);
    }

    #[test]
    fn urls_lose_their_secrets() {
        check_url("http://h/a?b=c%20d&e", "<base_url>/a?b=c%20d&e");
        check_url("http://h/a?b=c%20d&api_key=x", "<base_url>/a b: c d api_key: <api_key>");
        check_url("http://h/a?b&api_key=x", "<base_url>/a?b&api_key=<api_key>");
    }

    #[track_caller]
    fn check_body(content_type: &str, text: &str, expected: &str) {
        let mut exchange = Exchange::default();
        if !content_type.is_empty() {
            exchange.headers.push(("Content-Type".to_owned(), content_type.into()));
        }
        put_text(&mut exchange, text, &mut Variables::default());
        let body = match &exchange.body {
            Body::Json(words) => format!("json {}", shown(words)),
            Body::Text(words) => format!("text {}", shown(words)),
            Body::Form(pairs) => pairs.iter().map(|(name, value)| format!("{name}: {};", shown(value))).collect(),
            other => format!("{other:?}"),
        };
        assert_eq!(body, expected);
    }

    #[test]
    fn bodies_lose_their_secrets() {
        check_body("application/json", r#"{"password":"x"}"#, r#"json {"password":"<password>"}"#);
        check_body("", r#"{"password":"x"}"#, r#"text {"password":"<password>"}"#);
        check_body("application/x-www-form-urlencoded", "a=b+c&password=x", "a: b c;password: <password>;");
        check_body("application/x-www-form-urlencoded", "a=b%20c&password=x", "text a=b%20c&password=<password>");
        check_body("text/plain", "password=x", "text password=<password>");
        check_body(
            "text/xml",
            "<a><Password t='1'>x</Password></a>",
            "text <a><Password t='1'><password></Password></a>",
        );
        check_body("application/json", "", "None");
    }
}
