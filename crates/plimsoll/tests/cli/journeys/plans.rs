//! Plan files end to end: data, mixes, setup and teardown, scenarios, processes, overrides and mistakes.

use std::collections::BTreeSet;
use std::net::{TcpListener, TcpStream};

use serde_json::Value;

use super::{Trial, parts, passed};
use crate::support::{Ran, finished, plimsoll, spawned, wait_until};

const WHO: &str = "GET {{target}}/api/echo?who={{name}}\nHTTP 200\n";
const FIVE: &str = "name\nada\nbob\neve\nkim\nzoe\n";

/// A plan with the target's URL in front, and what it needs beside it.
fn trial(plan: &str) -> Trial {
    let trial = Trial::of(WHO);
    let target = format!("[target]\nurl = \"http://{}\"\n", trial.server.address);
    trial.write("plan.toml", &plan.replace("TARGET", &target));
    trial.write("five.csv", FIVE);
    trial
}

fn run(trial: &Trial, args: &str) -> Ran {
    let args: Vec<&str> = ["run", "plan.toml", "--json"].into_iter().chain(args.split_whitespace()).collect();
    Ran::from(&trial.finished(&args))
}

fn refused(trial: &Trial, args: &[&str]) -> String {
    let (code, out, err) = parts(&trial.finished(&[&["run", "plan.toml"], args].concat()));
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    err
}

#[test]
fn unique_rows_are_used_once_and_then_the_users_stop() {
    let plan = "TARGET\n[[journey]]\nfile = \"flow.hurl\"\ndata = { file = \"five.csv\", pick = \"unique\" }\n\
                [load]\nusers = 2\nduration = \"20s\"\n";
    for threads in ["1", "2"] {
        let trial = trial(plan);
        let ran = run(&trial, &format!("--threads {threads}"));
        assert_eq!(passed(&ran), (5, 5));
        let mut lines = trial.lines();
        lines.sort();
        let names = ["ada", "bob", "eve", "kim", "zoe"].map(|name| format!("GET /api/echo?who={name}"));
        assert_eq!(lines, names, "{threads} threads");
    }
}

#[test]
fn the_same_seed_picks_the_same_rows_whatever_the_threads() {
    let plan = "TARGET\n[[journey]]\nfile = \"flow.hurl\"\ndata = { file = \"five.csv\", pick = \"zipf\" }\n\
                [load]\nrate = \"400/s\"\nrequests = 200\n";
    let rows = |seed: &str, threads: &str| {
        let trial = trial(plan);
        assert_eq!(passed(&run(&trial, &format!("--seed {seed} --threads {threads}"))), (200, 200));
        let mut lines = trial.lines();
        lines.sort();
        lines
    };
    let first = rows("3", "1");
    assert_eq!(first, rows("3", "2"));
    assert_ne!(first, rows("4", "1"));
}

#[test]
fn users_are_made_before_load_and_keep_what_was_captured() {
    let plan = "TARGET\n[[setup]]\nfile = \"make.hurl\"\nper = \"user\"\ndata = \"five.csv\"\n\
                [[journey]]\nfile = \"use.hurl\"\n[[teardown]]\nfile = \"end.hurl\"\n[load]\nusers = 3\nrequests = 6\n";
    let trial = trial(plan);
    trial.write(
        "make.hurl",
        "POST {{target}}/api/login\n{\"name\": \"{{name}}\"}\nHTTP 200\n[Captures]\ntoken: jsonpath \"$.token\"\n",
    );
    trial.write("use.hurl", "GET {{target}}/api/echo?use={{token}}\nHTTP 200\n");
    trial.write("end.hurl", "GET {{target}}/api/echo?end\nHTTP 200\n");
    let ran = run(&trial, "");
    assert_eq!(passed(&ran), (6, 6));
    assert_eq!((ran.count("/rites/setup/0/passed"), ran.count("/rites/setup/0/total")), (3, 3));
    assert_eq!(ran.count("/rites/teardown/0/passed"), 1);
    assert_eq!(ran.count("/requests"), 6, "what comes before and after is in no figure");
    let lines = trial.lines();
    assert!(lines[..3].iter().all(|line| line == "POST /api/login"), "{lines:?}");
    let tokens: BTreeSet<&String> = lines[3..9].iter().collect();
    assert_eq!(tokens.len(), 3, "each user has its own: {lines:?}");
    assert_eq!(lines[9], "GET /api/echo?end");
}

#[test]
fn a_setup_that_fails_ends_the_run_and_the_teardown_is_done_all_the_same() {
    let plan = "TARGET\n[[setup]]\nfile = \"make.hurl\"\n[[journey]]\nfile = \"flow.hurl\"\n\
                [[teardown]]\nfile = \"end.hurl\"\n[variables]\nname = \"ada\"\n";
    let trial = trial(plan);
    trial.write("make.hurl", "GET {{target}}/api/echo?make\nHTTP 201\n");
    trial.write("end.hurl", "GET {{target}}/api/echo?end\nHTTP 200\n");
    let ran = run(&trial, "");
    ran.assert_exit(3);
    assert!(ran.reasons()[0].contains("the setup failed"), "{:?}", ran.reasons());
    assert_eq!(trial.lines(), ["GET /api/echo?make", "GET /api/echo?end"]);
}

#[test]
fn scenarios_are_one_suite() {
    let plan = "name = \"shop\"\nTARGET\n[[journey]]\nurl = \"/api/echo?word={{word}}\"\n[variables]\nword = \"one\"\n\
                [load]\nusers = 1\nrequests = 3\n[[scenario]]\nname = \"first\"\n\
                [[scenario]]\nname = \"second\"\nvariables = { word = \"two\" }\npause = \"10ms\"\n";
    let trial = trial(plan);
    let (code, out, err) = parts(&trial.finished(&["run", "plan.toml", "--json"]));
    let suite: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{code} {out} {err}"));
    assert_eq!(suite["schema"], "plimsoll.suite/1");
    let names: Vec<&str> =
        suite["runs"].as_array().into_iter().flatten().filter_map(|run| run["name"].as_str()).collect();
    assert_eq!(names, ["shop / first", "shop / second"]);
    let words = |word: &str| trial.lines().iter().filter(|line| line.ends_with(word)).count();
    assert_eq!((words("word=one"), words("word=two")), (3, 3));
}

#[test]
fn a_session_is_kept_or_begun_anew() {
    for (session, with_cookie) in [("keep", 2), ("fresh", 0)] {
        let plan = format!(
            "TARGET\n[[journey]]\nfile = \"cookie.hurl\"\nsession = \"{session}\"\n[load]\nusers = 1\nrequests = 3\n"
        );
        let trial = trial(&plan);
        trial.write("cookie.hurl", "GET {{target}}/api/cookie?set=a%3Db\nHTTP 200\n");
        assert_eq!(passed(&run(&trial, "")), (3, 3), "{session}");
        assert_eq!(trial.headers("cookie").iter().flatten().count(), with_cookie, "{session}");
    }
}

#[test]
fn flags_and_sets_override_the_plan() {
    let plan = "TARGET\n[[journey]]\nfile = \"flow.hurl\"\n[variables]\nname = \"ada\"\n[load]\nrate = \"1/s\"\n";
    let trial = trial(plan);
    let ran = run(&trial, "-c 2 -n 4 --variable name=eve --set name=\"other\"");
    assert_eq!((ran.json["model"].as_str(), ran.json["name"].as_str()), (Some("closed"), Some("other")));
    assert_eq!(trial.lines(), vec!["GET /api/echo?who=eve".to_owned(); 4]);
}

#[test]
fn secrets_from_the_environment_are_sent_and_never_shown() {
    let plan = "TARGET\n[[journey]]\nfile = \"secret.hurl\"\n[variables]\npass = \"env:SHOP_PASS\"\n[load]\nusers = 1\nrequests = 1\n";
    let trial = trial(plan);
    trial.write("secret.hurl", "POST {{target}}/api/echo\n`{{pass}}`\nHTTP 201\n");
    let secret = "s3cret-w0rd";
    for args in [&["run", "plan.toml", "--json"][..], &["run", "plan.toml"], &["check", "plan.toml"]] {
        let mut command = plimsoll(trial.folder.path(), args);
        let (_, out, err) = parts(&finished(spawned(command.env("SHOP_PASS", secret))));
        assert!(!out.contains(secret) && !err.contains(secret), "{args:?}\n{out}{err}");
    }
    assert!(trial.seen()[0].to_string().contains(secret));
    assert!(refused(&trial, &[]).contains("SHOP_PASS"), "without it nothing begins");
}

/// A port that nobody listens on.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port()
}

#[test]
fn the_target_is_started_awaited_and_put_away() {
    let (trial, port) = (Trial::of(WHO), free_port());
    let binary = env!("CARGO_BIN_EXE_plimsoll");
    trial.write(
        "plan.toml",
        &format!(
            "[target]\nurl = \"http://127.0.0.1:{port}\"\n\
             before = [{{ run = \"echo ada\", into = \"name\" }}]\nafter = [\"echo over > after.txt\"]\n\
             [[target.process]]\nname = \"api\"\nstart = [\"{binary}\", \"testkit\", \"--listen\", \"127.0.0.1:{port}\"]\n\
             ready = \"/stats\"\n[[journey]]\nfile = \"flow.hurl\"\n[load]\nusers = 2\nrequests = 10\n"
        ),
    );
    let ran = run(&trial, "");
    assert_eq!(passed(&ran), (10, 10), "{:?}", ran.reasons());
    assert_eq!(ran.json["target"]["processes"][0]["name"], "api");
    assert_eq!(trial.read("after.txt"), "over\n");
    wait_until("nobody listens any more", || TcpStream::connect(("127.0.0.1", port)).is_err());
}

#[test]
fn a_process_that_never_gets_ready_shows_its_last_words() {
    let plan = "TARGET\n[[target.process]]\nname = \"api\"\nstart = [\"sh\", \"-c\", \"echo no database; sleep 60\"]\n\
                ready = \"log:listening\"\nready_timeout = \"300ms\"\n[[journey]]\nfile = \"flow.hurl\"\n\
                [variables]\nname = \"ada\"\n";
    let said = refused(&trial(plan), &[]);
    assert!(said.contains("`api`") && said.contains("no database"), "{said}");
}

#[test]
fn mistakes_are_placed() {
    for (plan, words) in [
        ("TARGET\n[[journey]]\nfile = \"flow.hurl\"\nweigth = 3\n", &["plan.toml:6:1", "weigth", "`weight`"][..]),
        ("TARGET\n[[journey]]\nfile = \"flow.hurl\"\nweight = 0\n", &["the weights add up to nothing"]),
        ("TARGET\n[[journey]]\nfile = \"gone.hurl\"\n", &["gone.hurl", "no such file"]),
        ("TARGET\n[[journey]]\nfile = \"flow.hurl\"\n", &["flow.hurl:1:", "nobody sets the variable `name`"]),
        ("TARGET\n[[journey]]\nfile = \"flow.hurl\"\ndata = \"none.csv\"\n", &["none.csv"]),
        ("TARGET\n[[journey]]\nurl = \"/api/echo?w={{word}}\"\n", &["word"]),
        ("TARGET\n[[journey]\n", &["plan.toml:4:"]),
    ] {
        let trial = trial(plan);
        let said = refused(&trial, &[]);
        assert!(trial.seen().is_empty(), "nothing was sent");
        assert!(words.iter().all(|word| said.contains(word)), "{plan}\n{said}");
    }
}
