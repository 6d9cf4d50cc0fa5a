//! Plans that make no sense, and what is said of them.

use super::{attempt, mistakes};

const JOURNEY: &str = "[[journey]]\nurl = 'http://h/'\n";

/// Mistakes in a plan that is fine otherwise.
fn of(text: &str) -> String {
    mistakes(&format!("{JOURNEY}{text}"), &[])
}

#[test]
fn all_mistakes_are_told_at_once_and_in_order() {
    insta::assert_snapshot!(mistakes(
        r#"nam = "checkout"
[target]
url = "ftp://example.org"
watch = { postgres = "env:NOBODY" }
[[target.process]]
start = "api --port 80"
ready = "health"
cpus = "3-1"
stop = "SIGTERM"
[[journey]]
file = "a.hurl"
weigth = 3
method = "PUT"
think = "exp(2)"
pace = 10
data = { pick = "uniqe", exponent = 2 }
[[journey]]
weight = -1
[[setup]]
per = "users"
[load]
model = "opn"
shape = ["10/s for 30s", "ramp to 60 over 2m"]
warmup = 10
abort = "errors > 50%"
[transport]
htpt2 = true
streams = 0
cert = "me.pem"
local_addr = ["home"]
tls = "1.1"
[slo]
p99 = 200
eror = "1%"
expect = [200]
"POST /offers" = { p100 = "1s" }
[[scenario]]
pause = "soon"
[factors]
workers = []
"#,
        &["load.in_flight_max=none", "journey.7.weight=1", "slo.p95.x=1", "rate", "..=1"],
    ), @r#"
    plan.toml:1:1: unknown key `nam`
     1 | nam = "checkout"
       | ^
    hint: did you mean `name`?
    plan.toml:3:7: `target.url`: `ftp` is not a scheme that is understood
     3 | url = "ftp://example.org"
       |       ^
    hint: write `http://` or `https://`
    plan.toml:4:22: there is no environment variable `NOBODY`
     4 | watch = { postgres = "env:NOBODY" }
       |                      ^
    hint: set it first: `export NOBODY=…`
    plan.toml:5:1: `target.process.name` is missing
     5 | [[target.process]]
       | ^
    hint: write it like `name = "api"`
    plan.toml:6:9: `target.process.start`: a list is expected: the program, then each argument
     6 | start = "api --port 80"
       |         ^
    hint: write it like `start = ["target/release/api", "--port", "8080"]`
    plan.toml:7:9: `target.process.ready`: `health` is not a sign that a process is ready
     7 | ready = "health"
       |         ^
    hint: write it like `/health`, a URL, `port:5432` or `log:listening`
    plan.toml:8:8: `target.process.cpus`: `3-1` is not a list of processors
     8 | cpus = "3-1"
       |        ^
    hint: write it like `0` or `0-3,6`
    plan.toml:9:8: `target.process.stop`: `SIGTERM` is not `TERM`, `INT`, `QUIT`, `HUP` or `KILL`
     9 | stop = "SIGTERM"
       |        ^
    hint: use one of these
    plan.toml:12:1: unknown key `journey.weigth`
     12 | weigth = 3
        | ^
    hint: did you mean `weight`?
    plan.toml:13:10: `journey.method`: it belongs to a single request, and this journey is a file
     13 | method = "PUT"
        |          ^
    hint: write it into the Hurl file
    plan.toml:14:9: `journey.think`: `exp(2)` is not right: `2` is not a duration with a unit
     14 | think = "exp(2)"
        |         ^
    hint: write it like `250ms`, `30s` or `1m30s`
    plan.toml:15:8: `journey.pace`: `10` is not a duration with a unit
     15 | pace = 10
        |        ^
    hint: write it like `250ms`, `30s` or `1m30s`
    plan.toml:16:1: `journey.data.file` is missing
     16 | data = { pick = "uniqe", exponent = 2 }
        | ^
    hint: write it like `data = { file = "users.csv", pick = "unique" }`
    plan.toml:16:17: `journey.data.pick`: `uniqe` is not `sequential`, `random`, `unique` or `zipf`
     16 | data = { pick = "uniqe", exponent = 2 }
        |                 ^
    hint: did you mean `unique`?
    plan.toml:16:37: `journey.data.exponent`: it belongs to `pick = "zipf"`
     16 | data = { pick = "uniqe", exponent = 2 }
        |                                     ^
    hint: leave it out
    plan.toml:17:1: this journey does nothing
     17 | [[journey]]
        | ^
    hint: give it `file = "checkout.hurl"` or `url = "/path"`
    plan.toml:18:10: `journey.weight`: it must be a number that is not below zero
     18 | weight = -1
        |          ^
    hint: write it like `1.5`
    plan.toml:19:1: `setup.file` is missing
     19 | [[setup]]
        | ^
    hint: write it like `file = "journeys/create-users.hurl"`
    plan.toml:20:7: `setup.per`: `users` is not `run` or `user`
     20 | per = "users"
        |       ^
    hint: did you mean `user`?
    plan.toml:22:9: `load.model`: `opn` is not `open` or `closed`
     22 | model = "opn"
        |         ^
    hint: did you mean `open`?
    plan.toml:23:26: `load.shape`: `60` is not a rate with a unit
     23 | shape = ["10/s for 30s", "ramp to 60 over 2m"]
        |                          ^
    hint: write it like `10/s for 30s, ramp to 60/s over 2m, hold 1m, spike 300/s for 5s`
    plan.toml:24:10: `load.warmup`: `10` is not a duration with a unit
     24 | warmup = 10
        |          ^
    hint: write it like `250ms`, `30s` or `1m30s`
    plan.toml:25:9: `load.abort`: `errors > 50%` is not an abort rule
     25 | abort = "errors > 50%"
        |         ^
    hint: write it like `errors > 50% for 10s`
    plan.toml:27:1: unknown key `transport.htpt2`
     27 | htpt2 = true
        | ^
    hint: did you mean `http2`?
    plan.toml:28:11: `transport.streams`: it means nothing without `http2 = true`
     28 | streams = 0
        |           ^
    hint: add `http2 = true`, or leave it out
    plan.toml:28:11: `transport.streams`: it must be at least 1
     28 | streams = 0
        |           ^
    hint: use a larger number, or leave the key out
    plan.toml:29:8: `transport.cert`: it means nothing without `key`
     29 | cert = "me.pem"
        |        ^
    hint: add `key`, or leave it out
    plan.toml:30:15: `transport.local_addr`: `home` is not an address
     30 | local_addr = ["home"]
        |               ^
    hint: write it like `127.0.0.2`
    plan.toml:31:7: `transport.tls`: `1.1` is not a version of TLS that is spoken here
     31 | tls = "1.1"
        |       ^
    hint: write it like `1.2` or `1.3`
    plan.toml:33:7: `slo.p99`: `200` is not a time
     33 | p99 = 200
        |       ^
    hint: write it like `200ms`
    plan.toml:34:8: `slo.eror`: this is not a measure
     34 | eror = "1%"
        |        ^
    hint: did you mean `errors`?
    plan.toml:35:11: `slo.expect`: 200 is not a status from 400 to 599
     35 | expect = [200]
        |           ^
    hint: it names the refusals that are wanted: `[429]`
    plan.toml:36:27: `slo."POST /offers".p100`: this is not a measure
     36 | "POST /offers" = { p100 = "1s" }
        |                           ^
    hint: a step's objectives are a table: `"POST /offers" = { p95 = "500ms" }`
    plan.toml:37:1: `scenario.name` is missing
     37 | [[scenario]]
        | ^
    hint: write it like `name = "three-minute hold"`
    plan.toml:38:9: `scenario.pause`: `soon` is not a duration with a unit
     38 | pause = "soon"
        |         ^
    hint: write it like `250ms`, `30s` or `1m30s`
    plan.toml:40:11: `factors.workers`: a factor needs values
     40 | workers = []
        |           ^
    hint: write it like `workers = [1, 2]`
    --set load.in_flight_max: `load.in_flight_max`: `none` is not a whole number
    hint: write it like `10000` or `10k`
    --set journey.7.weight: there is no `7` in this list of 2; the first is 0
    hint: write it like `--set load.rate=50/s` or `--set journey.0.weight=3`
    --set slo.p95.x: `slo.p95`: text is expected, and this is a table
    --set rate: a key, `=` and a value are expected
    hint: write it like `--set load.rate=50/s` or `--set journey.0.weight=3`
    --set ..: `..` is not a path of keys
    hint: write it like `--set load.rate=50/s` or `--set journey.0.weight=3`
    "#);
}

#[test]
fn text_that_is_no_toml_is_shown() {
    insta::assert_snapshot!(mistakes("name = \"a\nurl = \n[load\nusers = 5", &[]), @r#"
    plan.toml:1:10: this is not TOML: invalid basic string, expected `"`
     1 | name = "a
       |          ^
    hint: text is written in quotes, `key = "value"`; a section begins with `[name]`
    plan.toml:2:7: this is not TOML: string values must be quoted, expected literal string
     2 | url = 
       |       ^
    hint: text is written in quotes, `key = "value"`; a section begins with `[name]`
    plan.toml:3:6: this is not TOML: unclosed table, expected `]`
     3 | [load
       |      ^
    hint: text is written in quotes, `key = "value"`; a section begins with `[name]`
    "#);
    insta::assert_snapshot!(mistakes("[load]\nusers = 5\nusers = 6\n", &[]), @r#"
    plan.toml:3:1: this is not TOML: duplicate key
     3 | users = 6
       | ^
    hint: text is written in quotes, `key = "value"`; a section begins with `[name]`
    "#);
    insta::assert_snapshot!(mistakes("", &[]), @r#"
    plan.toml: a plan without a `[[journey]]` would do nothing
    hint: add `[[journey]]` with `file = "checkout.hurl"` or `url = "/path"`
    "#);
}

#[test]
fn loads_that_contradict_themselves_are_refused() {
    insta::assert_snapshot!(of("[load]\nrate = '5/s'\nusers = 5\n"), @r#"
    plan.toml:5:9: `load.users`: it and `load.rate` ask for two different loads
     5 | users = 5
       |         ^
    hint: leave one of them out
    "#);
    insta::assert_snapshot!(of("[load]\nusers = 5\narrivals = 'poisson'\nin_flight_max = 7\n"), @r#"
    plan.toml:5:12: `load.arrivals`: it belongs to the open model, and this load is users who wait
     5 | arrivals = 'poisson'
       |            ^
    hint: ask for a rate: `rate = "200/s"`
    plan.toml:6:17: `load.in_flight_max`: it belongs to the open model, and this load is users who wait
     6 | in_flight_max = 7
       |                 ^
    hint: users have at most one request in flight each
    "#);
    insta::assert_snapshot!(of("[load]\nmodel = 'closed'\nshape = '10/s for 1m'\n"), @r#"
    plan.toml:5:9: `load.shape`: `10/s` is not a number of users
     5 | shape = '10/s for 1m'
       |         ^
    hint: write it like `1500 users, spawn 200/s, hold 1m, ramp to 200 users over 30s`
    "#);
    insta::assert_snapshot!(of("[load]\nshape = '0/s for 1m'\n"), @r#"
    plan.toml:4:9: `load.shape`: it never rises above zero, so nothing would be sent
     4 | shape = '0/s for 1m'
       |         ^
    hint: ask for more than nothing
    "#);
    insta::assert_snapshot!(of("[load]\nrate = '5/s'\nduration = '5s'\nwarmup = '5s'\n"), @r#"
    plan.toml:6:10: `load.warmup`: it is as long as the whole run, so nothing would be measured
     6 | warmup = '5s'
       |          ^
    hint: the warm-up is the first part of the run: make the run longer than it
    "#);
    insta::assert_snapshot!(of("[load]\nlevels = [1, '2/s']\n"), @r#"
    plan.toml:4:10: `load.levels`: levels of the two models are mixed
     4 | levels = [1, '2/s']
       |          ^
    hint: users are `levels = [1, 2, 4]`, rates are `levels = ["10/s", "20/s"]`
    "#);
    insta::assert_snapshot!(of("[load]\nshape = ['hold 3m', '10/s for 1m']\n"), @r#"
    plan.toml:4:10: `load.shape`: `hold 3m` is not preceded by a level to hold
     4 | shape = ['hold 3m', '10/s for 1m']
       |          ^
    hint: write it like `10/s for 30s, ramp to 60/s over 2m, hold 1m, spike 300/s for 5s`
    "#);
}

#[test]
fn journeys_without_sense_are_refused() {
    insta::assert_snapshot!(mistakes("[[journey]]\nfile = 'a.hurl'\nweight = 0\n", &[]), @r#"
    plan.toml:1:1: `journey`: the weights add up to nothing
     1 | [[journey]]
       | ^
    hint: give one of the journeys a weight above zero
    "#);
    insta::assert_snapshot!(mistakes("[[journey]]\nurl = '/a'\n", &[]), @r#"
    plan.toml: a journey's `url` is a path, and nothing says on which target
    hint: add `[target]` with `url = …`
    "#);
    insta::assert_snapshot!(mistakes("[journey]\nurl = '/a'\n", &[]), @r#"
    plan.toml:1:1: `journey`: `[[journey]]`, with two brackets is expected, and this is a table
     1 | [journey]
       | ^
    "#);
    insta::assert_snapshot!(mistakes("[[journey]]\nfile = 'a.hurl'\npace = '1s'\n[load]\nrate = '1/s'\n", &[]), @r#"
    plan.toml:1:1: `journey`: `pace` belongs to users of the closed model
     1 | [[journey]]
       | ^
    hint: leave it out: the rate is the pace
    "#);
}

#[test]
fn names_tell_things_apart() {
    let process = "[[target.process]]\nname = 'api'\nstart = ['api']\n";
    insta::assert_snapshot!(of(&process.repeat(2)), @r#"
    plan.toml:7:8: `target.process.name`: another one is called `api` too
     7 | name = 'api'
       |        ^
    hint: give each a name of its own
    "#);
    insta::assert_snapshot!(of("[[scenario]]\nname = 'a'\n[[scenario]]\nname = 'a'\n"), @r#"
    plan.toml:6:8: `scenario.name`: another one is called `a` too
     6 | name = 'a'
       |        ^
    hint: give each a name of its own
    "#);
}

#[test]
fn variants_are_looked_at_too() {
    insta::assert_snapshot!(
        of(
            "[load]\nrate = '5/s'\nduration = '5s'\nwarmup = '4s'\n[[scenario]]\nname = 'E'\nload = { duration = '3s' }\n"
        ), @r#"
    plan.toml:6:10: `load.warmup`: it is as long as the whole run, so nothing would be measured (in the run `E`)
     6 | warmup = '4s'
       |          ^
    hint: the warm-up is the first part of the run: make the run longer than it
    "#);
    insta::assert_snapshot!(
        of("[load]\nusers = '{users}'\nrequests = '{usres}'\n[factors]\nusers = [5, 'many']\n"), @r#"
    plan.toml:4:9: `load.users`: `many` is not a whole number (with `users = many`)
     4 | users = '{users}'
       |         ^
    hint: write it like `10000` or `10k`
    plan.toml:5:12: there is no factor and no variable `usres`
     5 | requests = '{usres}'
       |            ^
    hint: did you mean `{users}`?
    "#);
}

#[test]
fn what_is_wrong_in_itself_is_told_once() {
    insta::assert_snapshot!(of("[[scenario]]\nname = 'a'\nload = { users = 5, arrivals = 'even' }\n"), @r#"
    plan.toml:5:32: `scenario.load.arrivals`: it belongs to the open model, and this load is users who wait
     5 | load = { users = 5, arrivals = 'even' }
       |                                ^
    hint: ask for a rate: `rate = "200/s"`
    "#);
}

#[test]
fn a_secret_is_not_quoted() {
    let text =
        mistakes("[[journey]]\nurl = 'http://h/'\nthink = 'env:API_TOKEN'\n[load]\nusers = 'env:API_TOKEN'\n", &[]);
    assert!(!text.contains("swordfish"), "{text}");
    let text = mistakes(JOURNEY, &["load.users=swordfish", "variables.a.b=tuna", "tuna"]);
    assert!(!text.contains("=tuna"), "{text}");
}

#[test]
fn deep_lists_are_refused_and_do_no_harm() {
    for open in ["[", "{a="] {
        assert!(attempt(&format!("a = {}", open.repeat(100_000)), &[]).is_err());
        assert!(attempt(JOURNEY, &[&format!("variables.a={}", open.repeat(100_000))]).is_ok());
    }
}

#[test]
fn deep_keys_are_refused_and_do_no_harm() {
    let deep = format!("a{}", ".a".repeat(100_000));
    assert!(attempt(&format!("{deep} = 1"), &[]).is_err());
    assert!(attempt(&format!("[{deep}]"), &[]).is_err());
    assert!(attempt(&format!("a = {{ {deep} = 1 }}"), &[]).is_err());
    assert!(attempt(&"[[a.b]]\n[a.b.c.d]\n".repeat(1000), &[]).is_err());
    assert!(attempt(JOURNEY, &[&format!("{deep}=1")]).is_err());
    assert!(attempt(JOURNEY, &[&format!("variables.a={{ {deep} = 1 }}")]).is_ok(), "it is text then");
}

#[test]
fn absurd_numbers_do_no_harm() {
    for load in [
        "shape = ['1/s for 200000000000000d', 'hold 200000000000000d']",
        "shape = '9000000M users, spawn 0.0000000000001/h'",
        "users = 9223372036854775807",
        "rate = '99999999999999999999/s'\nduration = '200000000000000d'",
        "users = 0xFFFFFFFFFFFFFFFF",
        "levels = [-1]",
        "threads = 100000",
    ] {
        let read = attempt(&format!("{JOURNEY}[load]\n{load}\n"), &[]);
        read.iter().for_each(|plan| drop(crate::file::explain(plan)));
        assert_eq!(read.is_ok(), load.contains("hold"), "{load}");
    }
}
