//! On a terminal: progress and colours, unless told otherwise. A real one, made by `script`.

use std::process::{Command, Stdio};

use crate::support::{Server, finished, spawned};

/// What a terminal is sent by a run of a second and a half.
fn on_a_terminal(flags: &str, environment: &[(&str, &str)]) -> Option<String> {
    if !cfg!(target_os = "linux") || Command::new("script").arg("--version").stdout(Stdio::null()).status().is_err() {
        eprintln!("SKIPPED: no `script` of util-linux here to make a terminal");
        return None;
    }
    let server = Server::start();
    let run = format!("{} run {} --rate 20/s -d 1500ms {flags}", env!("CARGO_BIN_EXE_plimsoll"), server.url("/"));
    let mut command = Command::new("script");
    command.args(["-qefc", &run, "/dev/null"]).stdin(Stdio::null()).env_remove("NO_COLOR").env("TERM", "xterm");
    command.envs(environment.iter().copied());
    let output = finished(spawned(&mut command));
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn has_colour(text: &str) -> bool {
    text.split("\u{1b}[")
        .skip(1)
        .any(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').starts_with('m'))
}

#[test]
fn progress_and_colours() {
    let Some(text) = on_a_terminal("", &[]) else { return };
    assert!(text.contains(" s █") && text.contains("/s of 20/s"), "{text:?}");
    assert!(has_colour(&text), "{text:?}");
    assert!(text.contains("30, all of them ok"), "{text:?}");
}

#[test]
fn no_colour_where_none_is_wanted() {
    for environment in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let Some(text) = on_a_terminal("", &[environment]) else { return };
        assert!(!has_colour(&text) && text.contains("requests    30"), "{environment:?}: {text:?}");
    }
    // <https://no-color.org>: empty means nothing.
    let Some(text) = on_a_terminal("", &[("NO_COLOR", "")]) else { return };
    assert!(has_colour(&text), "{text:?}");
}

#[test]
fn quiet_is_only_the_result() {
    let Some(text) = on_a_terminal("--quiet", &[("NO_COLOR", "1")]) else { return };
    assert!(!text.contains('\u{1b}') && text.contains("requests    30"), "{text:?}");
}

#[test]
fn a_dumb_terminal_gets_no_escapes_at_all() {
    let Some(text) = on_a_terminal("", &[("TERM", "dumb")]) else { return };
    assert!(!text.contains('\u{1b}'), "{text:?}");
}
