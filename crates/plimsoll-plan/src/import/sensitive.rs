//! Which names hold credentials. In doubt a value is one: a variable too many is set once, a leaked key is not unsaid.

/// Whatever holds one of these in its name, letters only and in lower case.
const TELLING: [&str; 20] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "secret",
    "token",
    "apikey",
    "accesskey",
    "privatekey",
    "authkey",
    "subscriptionkey",
    "credential",
    "authorization",
    "sessionid",
    "sessionkey",
    "signature",
    "bearer",
    "jwt",
    "cookie",
    "csrf",
];

/// Whatever is named exactly so.
const EXACT: [&str; 14] =
    ["pwd", "pass", "auth", "key", "sig", "sid", "session", "otp", "pin", "cvv", "cvc", "ssn", "xsrf", "phpsessid"];

/// Whatever holds one of these holds no credential, though a word above is in it.
const HARMLESS: [&str; 10] = [
    "maxtoken",
    "tokentype",
    "tokencount",
    "tokenlimit",
    "pagetoken",
    "pagingtoken",
    "continuationtoken",
    "nexttoken",
    "cookieconsent",
    "acceptcookie",
];

/// Whether what has this name is a credential: a header, a field of a form, a key of JSON, a part of a query.
pub(super) fn is_secret(name: &str) -> bool {
    let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    if HARMLESS.iter().any(|harmless| letters.contains(harmless)) {
        return false;
    }
    TELLING.iter().any(|telling| letters.contains(telling)) || EXACT.contains(&letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(secret: bool, names: &[&str]) {
        for name in names {
            assert_eq!(is_secret(name), secret, "{name}");
        }
    }

    #[test]
    fn credentials_are_known_by_their_names() {
        check(
            true,
            &["Authorization", "X-Api-Key", "x-auth-token", "api_key", "apiKey", "user[password]", "pwd", "key"],
        );
        check(true, &["client_secret", "refresh_token", "Ocp-Apim-Subscription-Key", "X-CSRF-Token", "Set-Cookie"]);
    }

    #[test]
    fn other_names_are_not() {
        check(false, &["keyboard", "author", "max_tokens", "token_type", "pageToken", "passenger", "assignee", "q"]);
    }
}
