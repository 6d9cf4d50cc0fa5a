//! `plimsoll import`: samples of every format become folders that run at once, against a server that answers.

use std::fs;
use std::process::Output;

use insta::assert_snapshot;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Ran, Server, Tap, among_others, assert_harmless, finished, plimsoll, scratch, shown, spawned};

/// A token that must be sent, and must not be written down.
const TOKEN: &str = "tok-5f1e77aa";

/// A server, a tap before it, and a folder for what is imported.
struct Bench {
    tap: Tap,
    folder: TempDir,
    _server: Server,
}

impl Bench {
    fn new() -> Self {
        let server = Server::start();
        Self { tap: Tap::before(&server.address), folder: scratch(), _server: server }
    }

    /// Writes a sample in which `ORIGIN` stands for the server.
    fn sample(&self, name: &str, text: &str) {
        let text = text.replace("ORIGIN", &self.tap.url("")).replace("TOKEN", TOKEN);
        fs::write(self.folder.path().join(name), text).expect("a file can be written");
    }

    /// Runs plimsoll in the folder.
    fn plimsoll(&self, args: &[&str], environment: &[(String, String)]) -> Output {
        let _machine = among_others();
        let mut command = plimsoll(self.folder.path(), args);
        command.envs(environment.iter().cloned());
        finished(spawned(&mut command))
    }

    /// Imports into `made`; what was told of it.
    #[track_caller]
    fn imports(&self, args: &[&str]) -> Value {
        let output = self.plimsoll(&[&["import", "-o", "made", "--json"], args].concat(), &[]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        assert!(stderr.is_empty(), "{stderr}");
        let told: Value = serde_json::from_slice(&output.stdout).expect("stdout is JSON");
        assert_eq!(told["schema"], "plimsoll.import/1");
        for file in told["files"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let text = fs::read_to_string(self.folder.path().join(file)).expect(file);
            assert!(!text.contains(TOKEN), "{file}: {text}");
        }
        told
    }

    /// Imports, checks and runs; what the server heard.
    #[track_caller]
    fn runs(&self, args: &[&str]) -> String {
        let told = self.imports(args);
        let names = told["environment"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let environment: Vec<(String, String)> = names.map(|name| (name.to_owned(), TOKEN.to_owned())).collect();
        let plan = told["plan"].as_str().expect("a plan");
        let check = self.plimsoll(&["check", plan], &environment);
        assert_eq!(check.status.code(), Some(0), "{}", String::from_utf8_lossy(&check.stderr));
        // The plan's own load is one request a second; a little more meets all journeys.
        let ran = Ran::from(&self.plimsoll(&["run", plan, "--rate", "20/s", "-d", "2s", "--json"], &environment));
        let outcomes: Vec<&str> = ran.outcomes().iter().map(|(name, _)| *name).collect();
        assert_eq!(outcomes, ["ok"], "{} {:#}", ran.stderr, ran.json);
        self.tap.sent()
    }
}

#[track_caller]
fn has(sent: &str, parts: &[&str]) {
    for part in parts {
        assert!(sent.contains(part), "no `{part}` in\n{sent}");
    }
}

const CURL: &str = "curl 'ORIGIN/echo?tag=1' -X POST -H 'Accept: application/json' \\\n  \
    -H 'Authorization: Bearer TOKEN' --data-raw '{\"name\": \"Ada\"}' -H 'Content-Type: application/json' --compressed\n";

#[test]
fn a_curl_command_from_a_file() {
    let bench = Bench::new();
    bench.sample("shop.sh", CURL);
    let sent = bench.runs(&["curl", "shop.sh"]);
    let token = format!("Bearer {TOKEN}");
    has(&sent, &["POST /echo?tag=1 HTTP/1.1", &token, "{\"name\": \"Ada\"}"]);
}

#[test]
fn a_curl_command_as_words() {
    let bench = Bench::new();
    let (url, header) = (bench.tap.url("/a b's?tag=$y"), format!("X-Api-Key: {TOKEN}"));
    let sent = bench.runs(&["curl", "--name", "words", "--", "curl", "-H", &header, "-d", "it's=$HOME", &url]);
    has(&sent, &["POST /a%20b's?tag=$y HTTP/1.1", TOKEN, "it's=$HOME"]);
}

#[test]
fn a_recording() {
    let bench = Bench::new();
    let entry = |second: u32, method: &str, url: &str, mime: &str, request: Value| {
        let mut entry = json!({
            "startedDateTime": format!("2026-01-02T03:04:{second:02}.000Z"), "time": 10.0, "cache": {}, "timings": {},
            "request": {"method": method, "url": url, "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
                "queryString": [], "headersSize": -1, "bodySize": 0},
            "response": {"status": 200, "statusText": "OK", "headers": [], "cookies": [], "redirectURL": "",
                "content": {"size": 2, "mimeType": mime}}
        });
        let request = request.as_object().cloned().unwrap_or_default();
        entry["request"].as_object_mut().expect("an object").extend(request);
        entry
    };
    let posted = json!({
        "headers": [{"name": "Authorization", "value": "Bearer TOKEN"}, {"name": "sec-fetch-mode", "value": "cors"}],
        "postData": {"mimeType": "application/json", "text": "{\"item\": 7}"}
    });
    let entries = vec![
        entry(1, "GET", "ORIGIN/shop", "text/html", json!({})),
        entry(2, "GET", "ORIGIN/logo.png", "image/png", json!({})),
        entry(3, "GET", "http://tracker.invalid/t", "text/plain", json!({})),
        entry(4, "POST", "ORIGIN/cart?tag=1", "application/json", posted),
    ];
    let har = json!({"log": {"version": "1.2", "creator": {"name": "test", "version": "1"}, "entries": entries}});
    bench.sample("shop.har", &har.to_string());
    let sent = bench.runs(&["har", "shop.har"]);
    has(&sent, &["GET /shop HTTP/1.1", "POST /cart?tag=1 HTTP/1.1", TOKEN, "{\"item\": 7}"]);
    assert!(!sent.contains("logo.png") && !sent.contains("sec-fetch"), "{sent}");
}

const TARGETS: &str = "GET ORIGIN/health\nX-Api-Key: TOKEN\n\nPOST ORIGIN/echo\nContent-Type: text/plain\n@body.txt\n";
const LINES: &str = "{\"method\": \"GET\", \"url\": \"ORIGIN/health\", \"header\": {\"X-Api-Key\": [\"TOKEN\"]}}\n\
    {\"method\": \"POST\", \"url\": \"ORIGIN/echo\", \"body\": \"aGVsbG8=\"}\n";

#[test]
fn targets_of_vegeta() {
    let bench = Bench::new();
    bench.sample("targets.json", LINES);
    has(&bench.runs(&["vegeta", "targets.json"]), &["GET /health HTTP/1.1", TOKEN, "POST /echo HTTP/1.1", "hello"]);
}

#[test]
fn targets_run_as_they_are() {
    for (name, text) in [("targets.txt", TARGETS), ("targets.json", LINES)] {
        let bench = Bench::new();
        bench.sample(name, text);
        bench.sample("body.txt", "hello");
        let args = ["run", name, "--rate", "50/s", "-d", "1s", "--json"];
        let ran = Ran::from(&bench.plimsoll(&args, &[]));
        assert_eq!(ran.outcomes(), [("ok", 50)], "{name}: {} {:#}", ran.stderr, ran.json);
        has(&bench.tap.sent(), &["GET /health HTTP/1.1", TOKEN, "POST /echo HTTP/1.1", "hello"]);
    }
}

const OPENAPI: &str = "openapi: 3.0.3
info: {title: Shop, version: '1'}
servers: [{url: 'ORIGIN/v1'}]
security: [{key: []}]
paths:
  /items/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer, example: 7}}]
    get:
      operationId: readItem
      parameters: [{name: tag, in: query, required: true, schema: {type: string, enum: [en, de]}}]
      responses: {'200': {description: fine}}
  /items:
    post:
      operationId: addItem
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Item'}}}}
      responses: {'200': {description: fine}}
components:
  schemas:
    Item: {type: object, required: [name], properties: {name: {type: string, example: Ada}}}
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Api-Key}
";

#[test]
fn an_openapi_document() {
    let bench = Bench::new();
    bench.sample("shop.yaml", OPENAPI);
    let sent = bench.runs(&["openapi", "shop.yaml"]);
    has(&sent, &["GET /v1/items/7?tag=en HTTP/1.1", "POST /v1/items HTTP/1.1", TOKEN, "Ada"]);
}

#[test]
fn a_postman_collection() {
    let bench = Bench::new();
    let collection = json!({
        "info": {"name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
        "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "TOKEN", "type": "string"}]},
        "variable": [{"key": "base", "value": "ORIGIN"}],
        "item": [{"name": "Cart", "item": [{"name": "Add", "request": {
            "method": "POST", "header": [{"key": "X-Off", "value": "1", "disabled": true}],
            "url": {"raw": "{{base}}/echo?tag=1", "host": ["{{base}}"], "path": ["echo"],
                "query": [{"key": "tag", "value": "1"}]},
            "body": {"mode": "urlencoded", "urlencoded": [{"key": "name", "value": "Ada L"}]}
        }}]}]
    });
    bench.sample("shop.json", &collection.to_string());
    let sent = bench.runs(&["postman", "shop.json"]);
    let token = format!("Bearer {TOKEN}");
    has(&sent, &["POST /echo?tag=1 HTTP/1.1", &token, "name=Ada%20L"]);
    assert!(!sent.contains("X-Off"), "{sent}");
}

#[test]
fn what_is_told_is_for_people() {
    let bench = Bench::new();
    let text = "curl http://127.0.0.1:8080/a -H 'Authorization: Bearer TOKEN' -x proxy:3128 --http3";
    bench.sample("my shop.txt", text);
    let output = bench.plimsoll(&["import", "curl", "my shop.txt"], &[]);
    let stdout = String::from_utf8(output.stdout).expect("stdout is UTF-8");
    assert_harmless(&stdout);
    assert_snapshot!(stdout, @"
    made `my-shop/plan.toml` with 1 journey:
      my-shop/journeys/get-a.hurl

    what to know:
      - `-x` was left out: say `--proxy` when the plan is run
      - `--http3` was left out: HTTP/3 is not spoken here
      - secrets were left out: set these environment variables before a run: BEARER_TOKEN

    set before a run:
      export BEARER_TOKEN=…

    see what it would send, then run it:
      plimsoll check my-shop/plan.toml
      plimsoll run my-shop/plan.toml
    ");
    assert!(bench.folder.path().join("my-shop/journeys").is_dir());
}

#[test]
fn from_standard_input() {
    let bench = Bench::new();
    bench.sample("shop.sh", CURL);
    let mut command = plimsoll(bench.folder.path(), &["import", "curl", "-", "-o", "a/b", "--name", "shop"]);
    command.stdin(fs::File::open(bench.folder.path().join("shop.sh")).expect("it is there"));
    let output = finished(spawned(&mut command));
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let plan = fs::read_to_string(bench.folder.path().join("a/b/plan.toml")).expect("the plan was written");
    assert!(plan.starts_with("name = \"shop\"\n"), "{plan}");
}

#[test]
fn nothing_is_overwritten_or_half_written() {
    let bench = Bench::new();
    bench.sample("shop.sh", CURL);
    fs::create_dir(bench.folder.path().join("made")).expect("a folder");
    fs::write(bench.folder.path().join("made/plan.toml"), "mine").expect("a file");
    let args = ["import", "curl", "shop.sh", "-o", "made"];
    let output = bench.plimsoll(&args, &[]);
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        stderr,
        "error: `made/plan.toml` is there already, and nothing was written\n\
         hint: name another folder with `-o FOLDER`, or overwrite with `--force`\n"
    );
    let there: Vec<_> = fs::read_dir(bench.folder.path().join("made")).expect("a folder").flatten().collect();
    assert_eq!(there.len(), 1, "{there:?}");
    let output = bench.plimsoll(&[&args[..], &["--force"]].concat(), &[]);
    assert_eq!(output.status.code(), Some(0));
    let text = |path: &str| fs::read_to_string(bench.folder.path().join(path)).expect(path);
    assert!(text("made/plan.toml").contains("[target]"));
    assert!(bench.folder.path().join("made/journeys").is_dir());
}

#[test]
fn bad_input() {
    assert_snapshot!(shown(&["import", "har", "none.har"]), @"
    exit 2
    --- stderr
    error: `none.har`: there is no such file
    hint: check the path: it is read from the directory the command runs in
    ");
    assert_snapshot!(shown(&["import", "har"]), @"
    exit 2
    --- stderr
    error: there is nothing to import
    hint: name a file, or `-` for standard input; `plimsoll import --help` has examples
    ");
    assert_snapshot!(shown(&["import", "har", "--", "curl", "http://h/"]), @"
    exit 2
    --- stderr
    error: only a curl command can stand after `--`, and this is `import har`
    hint: name a file: `plimsoll import har FILE`
    ");
    assert_snapshot!(shown(&["import", "curl", "--", "curl", "-H", "a: b"]), @"
    exit 2
    --- stderr
    error: curl:1:8: curl is given no URL
    hint: write it like `curl http://host/path`
    ");
    assert_snapshot!(shown(&["import", "jmeter", "x.jmx"]), @"
    exit 2
    --- stderr
    error: invalid value 'jmeter' for '<FORMAT>'
      [possible values: curl, har, vegeta, openapi, postman]

    For more information, try '--help'.
    ");
}

#[test]
fn a_mistake_says_where_it_stands() {
    let bench = Bench::new();
    bench.sample("shop.yaml", "openapi: 3.0.3\ninfo: {title: Shop}\npaths:\n  /a: [\n");
    let output = bench.plimsoll(&["import", "openapi", "shop.yaml"], &[]);
    assert_eq!(output.status.code(), Some(2));
    assert_snapshot!(String::from_utf8_lossy(&output.stderr), @"
    error: shop.yaml:5:1: while parsing a node, did not find expected node content
    hint: this is not YAML
    ");
    assert!(!bench.folder.path().join("shop").exists());
}
