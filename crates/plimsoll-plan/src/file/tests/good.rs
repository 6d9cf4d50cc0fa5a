//! Plans that make sense.

use std::path::PathBuf;
use std::time::Duration;

use plimsoll_journey::Think;

use super::{plan, plan_with};
use crate::file::{AtEnd, Model, Per, Pick, PlanFile, Ready, Scalar, Session, Signal, explain};

/// As in the design document.
pub(super) const DESIGN: &str = r#"
name = "checkout"

[target]
url    = "http://127.0.0.1:8080"
before = ["scripts/token add"]          # its output may become a (secret) variable; `after` undoes it, always
watch  = { prometheus = "/metrics", postgres = "env:DATABASE_URL", redis = "env:REDIS_URL" }

[[target.process]]                      # optional: Plimsoll starts, awaits, watches and stops them (whole process trees)
name  = "api"
start = ["target/release/escrow", "--port", "8080", "--workers", "{workers}"]
ready = "/health"
cpus  = "0"

[[journey]]
file   = "journeys/checkout.hurl"     # captures, asserts, retries: standard Hurl
weight = 3
data   = { file = "users.csv", pick = "unique" }     # columns become variables; sequential | random | unique | zipf
think  = "exp(2s)"                                   # between requests; none by default

[load]
model  = "open"                  # open: arrivals a second · closed: users
shape  = ["10/s for 30s", "ramp to 60/s over 2m", "hold 3m", "spike 300/s for 5s"]
       # closed: ["1500 users, spawn 200/s", "ramp to 200 users over 1m", "hold 2m"], or levels = [1, 2, 4, 8]
arrivals = "even"                # or "poisson"
warmup = "10s"
abort  = "errors > 50% for 10s"

[slo]
p99 = "200ms"
errors = "0.1%"
"POST /offers" = { p95 = "500ms" }                   # per step
expect = ["429"]                                     # refusals that are the answer we want

[[scenario]]                     # several in one plan: one command, one suite, one report
name = "E: three-minute hold"
load = { shape = ["27/s for 3m"] }
pause = "10s"                    # before it, so that one queue does not pollute the next

[factors]                        # for experiment: substituted as {name} into start, env, cpus, load
workers = [1, 2]
tracing = ["off", "on"]
commit  = ["v1.0", "HEAD"]       # each built in a worktree of its own
"#;

/// Every key that is not in the design document's plan.
pub(super) const REST: &str = r#"
secrets = ["pin"]

[target]
url = "http://127.0.0.1:8080"
before = [{ run = "scripts/token add", into = "token" }, { run = "date", into = "now", secret = false }]
after = "scripts/token remove"

[[target.process]]
name = "db"
start = ["db"]
ready = "log:ready to accept connections"
ready_timeout = "1m"
env = { DB_PASSWORD = "env:API_TOKEN", CORES = 2 }
dir = "db"
stop = "INT"
grace = "5s"

[[setup]]
file = "create-users.hurl"
per = "user"
data = { file = "users.jsonl", format = "jsonl", pick = "sequential", at_end = "fail", per = "user" }

[[teardown]]
file = "remove-users.hurl"
name = "clean up"

[[journey]]
name = "search"
url = "/search?q={{word}}"
method = "POST"
headers = { Accept = ["text/html", "text/plain"], Authorization = "env:API_TOKEN" }
body = "{}"
user = "me:swordfish"
data = { file = "words.csv", pick = "zipf", exponent = 1.2 }
think = "lognormal(2s, 0.5)"
pace = "10s"
session = "fresh"

[[journey]]
url = "http://127.0.0.1:8081/upload"
body_file = "big.bin"
weight = 0.5

[variables]
token = "env:API_TOKEN"
pin = 1234
limit = 10
ratio = 0.5
strict = true

[load]
users = 50
duration = "1m"
requests = "10k"
seed = 7
threads = 2

[transport]
fresh = true
compressed = true
follow = 3
timeout = "10s"
connect_timeout = "1s"
first_byte_timeout = "5s"
resolve = ["api.example:127.0.0.1"]
proxy = "http://me:tuna@127.0.0.1:3128"
local_addr = "127.0.0.2"
http2 = true
streams = 10
connections = 5
insecure = true
cert = "me.pem"
key = "me.key"
server_name = "api.example"
tls = "1.3"
tls_resume = true

[slo]
mean = "50ms"
max = "2s"
within = ["100ms", "1s"]
"#;

fn words(plan: &PlanFile) -> String {
    explain(plan).into_iter().map(|(label, text)| format!("{label}: {text}\n")).collect()
}

#[test]
fn the_plan_of_the_design_document_is_read_whole() {
    let plan = plan(DESIGN);
    assert_eq!(plan.name.as_deref(), Some("checkout"));
    assert_eq!(plan.target.before[0].run.reveal(), "scripts/token add");
    assert_eq!(plan.target.watch.postgres.as_ref().map(|text| text.is_secret()), Some(true));
    let process = &plan.target.processes[0];
    assert_eq!((process.ready.clone(), process.stop), (Some(Ready::Path("/health".to_owned())), Signal::Term));
    assert_eq!(process.start.last().map(|word| word.reveal()), Some("1"), "the first value of the factor");
    let journey = &plan.journeys[0];
    assert_eq!(journey.think, Some(Think::Exponential { mean: Duration::from_secs(2) }));
    let data = journey.data.as_ref().expect("data");
    assert_eq!((data.pick, data.at_end), (Pick::Unique, AtEnd::Stop));
    assert_eq!(plan.load.shape().and_then(|shape| shape.length()), Some(Duration::from_secs(335)));
    assert_eq!((plan.slo.objectives.len(), plan.slo.steps.len(), plan.slo.expect.as_slice()), (2, 1, &[429][..]));
    insta::assert_snapshot!(words(&plan), @r#"
    plan: checkout
    target: http://127.0.0.1:8080
    before: `scripts/token add`
    process: api: `target/release/escrow --port 8080 --workers 1`, on processors 0; ready when /health answers, within 30s
    journey: journeys/checkout.hurl, 100% of the iterations, each row of users.csv once (the run ends after the last), think time exp(2s)
    load: arrivals a second: 10 for 30s, 10 to 60 over 2m, 60 for 3m, 300 for 5s, even arrivals; whatever the target does
    warm-up: the first 10s, in no figure
    abort: when more than 50% of the requests fail for 10s
    objectives: p99 < 200ms, errors < 0.1%
    objectives: POST /offers: p95 < 500ms
    expected: 429, which is no error
    factor: `workers` is one of 1, 2; a single run takes the first
    factor: `tracing` is one of off, on; a single run takes the first
    factor: `commit` is one of v1.0, HEAD; a single run takes the first
    scenario: checkout / E: three-minute hold, after a pause of 10s: arrivals a second: 27 for 3m, even arrivals; whatever the target does
    "#);
}

#[test]
fn every_other_key_is_read() {
    let plan = plan(REST);
    assert_eq!(plan.load.model(), Some(Model::Closed));
    assert_eq!(plan.setup[0].per, Per::User);
    assert_eq!(plan.journeys[0].session, Session::Fresh);
    assert_eq!(plan.journeys[0].headers.len(), 3);
    assert_eq!(plan.target.before[0].into.as_deref(), Some("token"));
    assert!(plan.variables["pin"].is_secret() && *plan.variables["pin"].reveal() == Scalar::Integer(1234));
    assert_eq!(plan.load.requests, Some(10_000));
    insta::assert_snapshot!(words(&plan), @r#"
    target: http://127.0.0.1:8080
    before: `scripts/token add`, and what it prints is the secret variable `token`
    before: `date`, and what it prints is the variable `now`
    process: db: `db`; ready when it prints `ready to accept connections`, within 1m
    setup: create-users.hurl, once for each user, before measuring, rows of users.jsonl one after the other (after the last every iteration fails), one for each user
    journey: search (POST /search?q={{word}}), 66.7% of the iterations, rows of words.csv, the first ones far more often (exponent 1.2), think time lognormal(2s, 0.5), once in 10s for each user, each time as a new visitor
    journey: POST http://127.0.0.1:8081/upload, 33.3% of the iterations
    load: 50 users, for 1m, until 10000 requests; each waits for its answer before it asks again
    objectives: mean < 50ms, max < 2s
    variable: `limit` is 10
    variable: `pin` is [redacted]
    variable: `ratio` is 0.5
    variable: `strict` is true
    variable: `token` is [redacted]
    teardown: clean up, once, after measuring
    after: `scripts/token remove`, whatever became of the run
    "#);
}

#[test]
fn no_secret_is_in_what_is_shown_or_kept() {
    let plan = plan(REST);
    let shown = format!("{}{:?}{plan:?}", words(&plan), plan.lines());
    for secret in ["swordfish", "1234", "tuna"] {
        assert!(!shown.contains(secret), "{secret} in {shown}");
    }
    let sent = &plan.journeys[0].headers;
    assert!(sent.iter().any(|(name, value)| name == "Authorization" && value.reveal() == "swordfish"));
}

#[test]
fn lines_depend_on_what_is_said_and_not_on_how() {
    let one =
        plan("[[journey]]\nurl = 'http://h/'\nweight = 2\n[load]\nusers = 5 # five\nwarmup = '1s'\nduration = '9s'\n");
    let other =
        plan("load = { duration = '9s', users = 5, warmup = \"1s\" }\njourney = [{ weight = 2, url = 'http://h/' }]\n");
    assert_eq!(one.lines(), other.lines());
    let changed = plan_with("[[journey]]\nurl = 'http://h/'\n", &["load.users=6"]);
    assert_ne!(one.lines(), changed.lines());
}

#[test]
fn any_key_can_be_set_from_outside() {
    let sets = [
        "load.shape=10/s for 5s, hold 5s",
        "load.warmup=2s",
        "journey.0.weight=7",
        "journey.\"journeys/checkout.hurl\".think=\"1s\"",
        "slo.\"POST /offers\".p95=1s",
        "target.process.api.cpus=0-1",
        "transport.http2=true",
        "variables.item=4711",
        "name=42",
        "scenario=[]",
    ];
    let plan = plan_with(DESIGN, &sets);
    assert_eq!(plan.load.shape().and_then(|shape| shape.length()), Some(Duration::from_secs(10)));
    assert_eq!((plan.journeys[0].weight, plan.journeys[0].think), (7.0, Some(Think::Constant(Duration::from_secs(1)))));
    assert_eq!(plan.target.processes[0].cpus.as_ref().map(|cpus| cpus.numbers().to_vec()), Some(vec![0, 1]));
    assert_eq!(plan.slo.steps["POST /offers"][0].bound, 1.0);
    assert!(plan.transport.http2);
    assert_eq!(plan.name.as_deref(), Some("42"));
    assert_eq!(plan.journeys[0].file, Some(PathBuf::from("journeys/checkout.hurl")));
    assert!(plan.scenarios.is_empty());
}
