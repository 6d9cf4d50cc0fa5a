//! Journeys end to end: Hurl files against servers that tell what they saw.

mod bodies;
mod cookies;
mod failures;
mod mistakes;
mod options;
mod plans;
mod redirects;
mod repeats;
mod several;
mod shop;
mod tls;

use std::fs;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Ran, Server, among_others, finished, plimsoll, scratch, spawned};

/// Hurl files in a folder, and a server for them.
pub(crate) struct Trial {
    pub(crate) server: Server,
    folder: TempDir,
}

impl Trial {
    /// With one file, `flow.hurl`.
    fn of(hurl: &str) -> Self {
        let trial = Self { server: Server::start(), folder: scratch() };
        trial.write("flow.hurl", hurl);
        trial
    }

    /// Writes a file into the folder, or into one below it.
    fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).expect("a file that was written")
    }

    /// Runs `plimsoll run ARGS --variable host=…`; `args` are separated by blanks.
    fn output(&self, args: &str) -> Output {
        let host = format!("host=http://{}", self.server.address);
        let args: Vec<&str> = args.split_whitespace().collect();
        let args = [&["run"], &args[..], &["--variable", &host]].concat();
        self.finished(&args)
    }

    /// Runs it with arguments that may contain blanks.
    fn finished(&self, args: &[&str]) -> Output {
        let _machine = among_others();
        finished(spawned(&mut plimsoll(self.folder.path(), args)))
    }

    /// The same with `--json`.
    #[track_caller]
    fn ran(&self, args: &str) -> Ran {
        Ran::from(&self.output(&format!("{args} --json")))
    }

    /// Goes through `flow.hurl` once, and all is well.
    #[track_caller]
    fn passes(&self) -> Ran {
        let ran = self.ran("flow.hurl");
        assert_eq!(ran.json["failures"], Value::Array(vec![]), "{:#} {:?}", ran.json["failures"], ran.reasons());
        assert_eq!(passed(&ran), (1, 1), "{:?}", ran.reasons());
        ran.assert_exit(0);
        ran
    }

    /// Goes through `flow.hurl` once, and one step fails; what is said of that.
    #[track_caller]
    fn fails(&self) -> Value {
        let ran = self.ran("flow.hurl");
        assert_eq!(passed(&ran), (0, 1), "{:#}", ran.json);
        ran.assert_exit(1);
        ran.json["failures"][0].clone()
    }

    /// What the server's API received, in order.
    fn seen(&self) -> Vec<Value> {
        serde_json::from_str(&self.server.get("/seen")).expect("it is JSON")
    }

    /// `GET /path?query` of each of them.
    fn lines(&self) -> Vec<String> {
        let word = |seen: &Value, key: &str| seen[key].as_str().unwrap_or_default().to_owned();
        self.seen().iter().map(|seen| format!("{} {}", word(seen, "method"), word(seen, "target"))).collect()
    }

    /// A header of each of them.
    fn headers(&self, name: &str) -> Vec<Option<String>> {
        self.seen().iter().map(|seen| seen["headers"][name].as_str().map(str::to_owned)).collect()
    }
}

/// How many flows of all journeys passed, and how many ended.
fn passed(ran: &Ran) -> (u64, u64) {
    let journeys = ran.json["journeys"].as_array().expect("journeys");
    let sum = |key: &str| journeys.iter().filter_map(|journey| journey[key].as_u64()).sum();
    (sum("passed"), sum("total"))
}

/// Exit code, stdout and stderr.
fn parts(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}
