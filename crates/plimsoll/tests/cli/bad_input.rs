//! Bad input: one clear line, a hint, exit code 2, and nothing on stdout unless JSON is asked for.

use insta::assert_snapshot;

use crate::support::shown;

#[test]
fn no_users() {
    assert_snapshot!(shown(&["run", "localhost:1", "-c", "0"]), @"
    exit 2
    --- stderr
    error: `-c 0`: without a user nothing would be sent
    hint: try `-c 1`, or leave it out for 10 users
    ");
}

#[test]
fn a_rate_without_its_unit() {
    assert_snapshot!(shown(&["run", "localhost:1", "--rate", "200"]), @"
    exit 2
    --- stderr
    error: `--rate`: `200` is not a rate with a unit
    hint: write it like `200/s`, `60/m` or `1000/h`
    ");
}

#[test]
fn a_bad_url() {
    assert_snapshot!(shown(&["run", "http://[::1/"]), @"
    exit 2
    --- stderr
    error: `http://[::1/`: invalid IPv6 address
    hint: a URL looks like `http://127.0.0.1:8080/path`
    ");
}

#[test]
fn tls_flags_without_tls() {
    assert_snapshot!(shown(&["run", "http://127.0.0.1/", "--tls-resume"]), @"
    exit 2
    --- stderr
    error: `--tls-resume` means nothing to a target that is spoken to in the clear
    hint: write the URL with `https://`, or leave the flag out
    ");
}

#[test]
fn a_certificate_file_that_is_none() {
    assert_snapshot!(shown(&["run", "https://127.0.0.1/", "--cacert", "/dev/null/ca.pem"]), @"
    exit 2
    --- stderr
    error: `--cacert /dev/null/ca.pem`: Not a directory (os error 20)
    hint: check the path of the PEM file
    ");
}

#[test]
fn a_missing_file() {
    assert_snapshot!(shown(&["run", "localhost:1", "--data-file", "order.json"]), @"
    exit 2
    --- stderr
    error: `--data-file order.json`: there is no such file
    hint: check the path: it is read from the directory the command runs in
    ");
}

#[test]
fn an_unknown_host() {
    let text = shown(&["run", "http://no-such-host.invalid/"]);
    assert!(text.starts_with("exit 2\n--- stderr\nerror: cannot find the host `no-such-host.invalid`"), "{text}");
    assert!(text.contains("\nhint: "), "{text}");
}

#[test]
fn a_bad_header() {
    let text = shown(&["run", "localhost:1", "-H", "a b: c"]);
    assert!(text.starts_with("exit 2\n--- stderr\nerror: "), "{text}");
}

#[test]
fn two_results_on_stdout() {
    assert_snapshot!(shown(&["run", "localhost:1", "--json", "--stream", "-"]), @r#"
    exit 2
    --- stdout
    {
      "schema": "plimsoll.error/1",
      "message": "`--json` and `--stream -` both want stdout",
      "hint": "give the stream a file: `--stream ticks.jsonl`"
    }
    --- stderr
    error: `--json` and `--stream -` both want stdout
    hint: give the stream a file: `--stream ticks.jsonl`
    "#);
}

#[test]
fn an_unwritable_stream_is_noticed_before_the_run() {
    assert_snapshot!(shown(&["run", "localhost:1", "--stream", "none/ticks"]), @"
    exit 2
    --- stderr
    error: `--stream none/ticks`: cannot write there: No such file or directory (os error 2)
    hint: name a file in a directory that exists and may be written to
    ");
}

#[test]
fn an_unknown_flag() {
    assert_snapshot!(shown(&["run", "localhost:1", "--usres", "3"]), @"
    exit 2
    --- stderr
    error: unexpected argument '--usres' found

      tip: a similar argument exists: '--users'

    Usage: plimsoll run --users <N> <URL|FILE>...

    For more information, try '--help'.
    ");
}

#[test]
fn errors_as_json() {
    assert_snapshot!(shown(&["check", "localhost:1", "--rate", "0/s", "--json"]), @r#"
    exit 2
    --- stdout
    {
      "schema": "plimsoll.error/1",
      "message": "`--rate 0/s`: nothing would ever be sent",
      "hint": "try `--rate 1/s`"
    }
    --- stderr
    error: `--rate 0/s`: nothing would ever be sent
    hint: try `--rate 1/s`
    "#);
}

#[test]
fn hostile_arguments_do_no_harm() {
    let text = shown(&["run", "localhost:1", "--rate", "\u{1b}[2J\n"]);
    assert!(text.contains("\\x1b[2J"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
}
