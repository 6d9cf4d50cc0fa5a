//! What is refused, with its place and its words.

use plimsoll_journey::Names;
use proptest::prelude::*;

use super::reading;

/// `line:column message` of each mistake.
fn mistakes(text: &str) -> Vec<String> {
    let mistakes = reading(text, &mut Names::default()).err().unwrap_or_default();
    mistakes.iter().map(|one| format!("{}:{} {}", one.place.line, one.place.column, one.message)).collect()
}

#[track_caller]
fn check(text: &str, wanted: &[&str]) {
    assert_eq!(mistakes(text), wanted, "{text}");
}

#[test]
fn syntax() {
    check("GET abc", &["1:5 not a URL: it does not begin with `http://` or `https://`"]);
    check("GET ftp://h/{{a}}", &["1:5 not a URL: it does not begin with `http://` or `https://`"]);
    check("GET http://h:x/", &["1:5 not a URL: invalid port number"]);
    check("GET http{{s}}://h/", &[]);
    check("get http://h/", &["1:1 `get` is not a method"]);
    check("", &["1:1 no request in this file"]);
    check("GET http://h/\n[Opts]\n", &["2:2 unknown section `[Opts]` of a request"]);
    check("GET http://h/\n[Options]\nretri: 1\n", &["3:1 unknown option `retri`"]);
    check("GET http://h/\n[Options]\ndelay: 1d\n", &["3:9 unknown unit `d` of time"]);
    check("GET http://h/\nHTTP two\n", &["2:6 expected a status"]);
    check("GET http://h/\nHTTP/1.2 200\n", &["2:1 unknown version of HTTP"]);
    check("GET http://h/\nHTTP 200\n[Asserts]\nbody is 1\n", &["4:6 expected a predicate"]);
    check("GET http://h/\nHTTP 200\n[Asserts]\nbody matches /(/\n", &["4:15 not a regular expression: unclosed group"]);
    check("POST http://h/\n{\"a\": 1,}\n", &["2:8 a comma after the last element of JSON"]);
    check("GET http://h/\nHTTP 200 x\n", &["2:10 expected the end of the line"]);
    check("GET http://h/\n[Options]\nskip: maybe\n", &["3:7 expected `true` or `false`"]);
    check("GET http://h/{{}}\n", &["1:16 expected a variable's name between `{{` and `}}`"]);
    check("GET http://h/\nA: \\u{00000041}\n", &["2:4 not a character's number"]);
    check("GET http://h/\nA: \\u{0000041}\n", &[]);
    check("POST http://h/\n<a>\n", &["2:4 the XML is not well-formed"]);
}

#[test]
fn a_syntax_error_says_what_was_expected() {
    let mistakes = reading("GET http://h/\n[Options]\nretri: 1\n", &mut Names::default()).err().unwrap_or_default();
    assert_eq!(mistakes[0].hint, "did you mean `retry`?");
    assert_eq!(mistakes[0].line, "retri: 1");
}

#[test]
fn options_that_cannot_be_honoured() {
    for (option, value) in [
        ("http3", "true"),
        ("http3", "{{v}}"),
        ("digest", "true"),
        ("ntlm", "true"),
        ("negotiate", "true"),
        ("netrc", "true"),
        ("netrc-file", "a"),
        ("netrc-optional", "true"),
        ("aws-sigv4", "aws:amz:a:b"),
        ("limit-rate", "1"),
        ("output", "a.bin"),
        ("proxy", "localhost:8"),
        ("resolve", "h:1:127.0.0.1"),
        ("connect-to", "h:1:b:2"),
        ("unix-socket", "a.sock"),
        ("ipv4", "true"),
        ("ipv6", "false"),
        ("pinnedpubkey", "a"),
        ("tls-min", "1.2"),
        ("tls-max", "1.3"),
        ("path-as-is", "true"),
    ] {
        let found = mistakes(&format!("GET http://h/\n[Options]\n {option}: {value}\n"));
        let wanted = format!("3:2 `{option}` cannot be honoured: ");
        assert!(matches!(found.as_slice(), [one] if one.starts_with(&wanted)), "{option}: {found:?}");
        assert!(!found[0].ends_with("it is not known here"), "{option}");
    }
}

#[test]
fn several_at_once_in_the_order_of_the_file() {
    check(
        "GET http://h/\n[Options]\nproxy: a\nhttp2: {{v}}\n\nHTTP/3 200\n[Asserts]\nbody == file,none.txt;\n",
        &[
            "3:1 `proxy` cannot be honoured: a proxy holds for the whole run, not for a step",
            "4:1 the protocol must be known before the run, so no variable can stand for it",
            "6:1 HTTP/3 is not spoken, so no answer can have that version",
            "8:14 cannot read `none.txt`: No such file or directory (os error 2)",
        ],
    );
}

#[test]
fn files() {
    check(
        "POST http://h/\nfile,{{name}};\n",
        &["2:6 a file's name must be known before the run, so no variable can stand in it"],
    );
    check(
        "POST http://h/\nfile,../../Cargo.toml;\n",
        &["2:6 cannot read `../../Cargo.toml`: it lies outside that folder"],
    );
    check("POST http://h/\nfile,.;\n", &["2:6 cannot read `.`: it is not a file"]);
    check(
        "POST http://h/\n[Multipart]\na: file,none.png;\n",
        &["3:9 cannot read `none.png`: No such file or directory (os error 2)"],
    );
    check(
        "GET http://h/\n[Options]\ncacert: none.pem\n",
        &["3:9 cannot read `none.pem`: No such file or directory (os error 2)"],
    );
    check(
        "GET http://h/\n[Options]\ncert: a.pem:secret\n",
        &["3:7 a certificate with a password, which cannot be opened here"],
    );
}

#[test]
fn what_cannot_be_meant() {
    check("POST http://h/\n[Form]\na: b\n`c`\n", &["4:1 a body beside `[Form]`: a request has one body"]);
    check(
        "POST http://h/\n[Form]\na: b\n[Multipart]\nc: d\n",
        &["4:1 `[Multipart]` beside `[Form]`: a request has one body"],
    );
    check(
        "GET http://h/\nHTTP 200\n[Captures]\n{{a}}: body\n",
        &["4:1 a capture's name must be known before the run, so no variable can stand in it"],
    );
    check(
        "GET http://h/\nHTTP 200\n[Asserts]\nbody == /a/\n",
        &["4:6 a value compared with a regular expression, which it never equals"],
    );
    check(
        "GET http://h/\nHTTP 200\n[Asserts]\nbody == {{newUuid}}\n",
        &["4:11 a value compared with `newUuid`, which is another one each time"],
    );
    check("GET http://h/\n[Options]\nskip: {{newUuid}}\n", &["3:9 `newUuid` cannot be the value of an option"]);
    check("GET http://h/\n[Options]\nheader: a\n", &["3:9 a header without `:`"]);
    check(
        "GET http://h/\nHTTP 200\n[Asserts]\nregex \"(\" exists\n",
        &["4:7 not a regular expression: unclosed group"],
    );
    check(
        "GET http://h/\nHTTP 200\n[Asserts]\nxpath \"//a[\" exists\n",
        &["4:7 not an XPath expression: invalid expression"],
    );
    check(
        "# @cookie_storage_clear\nGET http://h/\n",
        &["1:2 a comment that changes hurl's cookies, which is not done here"],
    );
    check(
        "POST http://h/\n```graphql\n{ a }\nvariables { \"{{k}}\": 1 }\n```\n",
        &["4:14 a variable in a name of GraphQL variables, which hurl would send as the text `{{…}}`"],
    );
}

/// Pieces of Hurl, put together at random.
fn anything() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "GET http://h/",
        "POST {{a}}/b",
        "\n",
        "\n\n",
        "HTTP 200",
        "HTTP/1.1 *",
        "[Options]",
        "[Asserts]",
        "[Captures]",
        "[Form]",
        "[Multipart]",
        "[Query]",
        "delay: 1",
        "a: b",
        "{{",
        "}}",
        "\"",
        "{",
        "}",
        "[",
        "]",
        ",",
        "```",
        "```graphql",
        "variables {",
        "file,greeting.txt;",
        "hex,0",
        ";",
        "body",
        " contains ",
        "jsonpath \"$.a\"",
        "#",
        "\\u{",
        "\\",
        "é",
        "\t",
        "\r\n",
        "\0",
        "status == 1",
        "<a>",
        "</a>",
        "`x`",
        "/(/",
        "1e99",
        "-",
        "99999999999999999999",
    ]);
    let beginnings = prop::sample::select(vec![
        "",
        "POST http://h/\n",
        "POST http://h/\n[Options]\n",
        "POST http://h/\n[Multipart]\n",
        "GET http://h/\nHTTP 200\n",
        "GET http://h/\nHTTP 200\n[Captures]\na: ",
        "GET http://h/\nHTTP 200\n[Asserts]\nbody ",
    ]);
    (beginnings, prop::collection::vec(pieces, 0..12))
        .prop_map(|(beginning, pieces)| beginning.to_owned() + &pieces.concat())
}

proptest! {
    #[test]
    fn nothing_panics_and_every_mistake_has_a_place(text in anything()) {
        if let Err(mistakes) = reading(&text, &mut Names::default()) {
            prop_assert!(!mistakes.is_empty());
            for mistake in mistakes {
                prop_assert!(mistake.place.line >= 1 && mistake.place.column >= 1);
                prop_assert!(!mistake.to_string().is_empty());
            }
        }
    }

    #[test]
    fn nothing_panics_on_text_of_any_kind(text in "\\PC{0,200}") {
        let _ = reading(&text, &mut Names::default());
    }
}
