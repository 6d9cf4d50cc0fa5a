//! Starting things, and looking who lives.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use plimsoll_target::{Begun, Failed, Process, Program, Ready, Surroundings};

/// A target that nobody asks.
pub(crate) const URL: &str = "http://127.0.0.1:9/";
/// Makes a test binary a parent that is killed; holds the script that it starts.
pub(crate) const PARENT: &str = "PLIMSOLL_TEST_PARENT";

pub(crate) fn program() -> Program {
    Program { path: PathBuf::from(env!("CARGO_BIN_EXE_plimsoll-mind")), words: Vec::new() }
}

pub(crate) fn shell(script: &str) -> Vec<String> {
    ["/bin/sh", "-c", script].map(str::to_owned).to_vec()
}

pub(crate) fn start(surroundings: Surroundings) -> Result<Begun, Failed> {
    let url = URL.parse().expect("it is a URL");
    plimsoll_target::start(surroundings, &url, &program(), &|| false, &mut |_| {})
}

pub(crate) fn start_process(words: Vec<String>, ready: Ready) -> Result<Begun, Failed> {
    let process = Process { ready, grace: Duration::from_millis(300), ..Process::new("api", words) };
    start(Surroundings { processes: vec![process], ..Surroundings::default() })
}

/// What is said when it cannot be set up.
#[track_caller]
pub(crate) fn message(surroundings: Surroundings) -> String {
    start(surroundings).expect_err("it cannot be set up").to_string()
}

pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("it has one").port()
}

/// Waits for a state with a deadline that no machine should miss.
#[track_caller]
pub(crate) fn await_that(state: impl Fn() -> bool, otherwise: impl Fn() -> String) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !state() {
        assert!(Instant::now() < deadline, "{}", otherwise());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A number that only the processes of one test have among their words.
pub(crate) struct Marker(String);

impl Marker {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Self(format!("1000.{:07}{:03}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)))
    }

    /// A command that takes longer than any test, and carries the marker.
    pub(crate) fn sleep(&self) -> String {
        format!("sleep {}", self.0)
    }

    /// The words of all who carry it, minders included.
    pub(crate) fn alive(&self) -> Vec<String> {
        let folder = std::fs::read_dir("/proc").expect("this is Linux");
        let words = folder.flatten().filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
        let words = words.map(|words| String::from_utf8_lossy(&words).replace('\0', " "));
        // The parent that is killed has the script in its environment, not among its words.
        words.filter(|words| words.contains(&self.0)).collect()
    }
}

/// A process that starts the script as a target, and waits for its end.
pub(crate) fn parent_of(script: &str) -> Child {
    let mut command = Command::new(std::env::current_exe().expect("it has a file"));
    command.args(["--exact", "parent_to_be_killed"]).env(PARENT, script);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")
}

pub(crate) fn kill(pid: i32) {
    let pid = rustix::process::Pid::from_raw(pid).expect("it is one");
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("it lives");
}

/// The parent of a process.
pub(crate) fn parent(pid: i32) -> i32 {
    field(&format!("/proc/{pid}/status"), "PPid:").parse().expect("it is a number")
}

/// A core that this process may run on.
pub(crate) fn usable_core() -> String {
    let list = field("/proc/self/status", "Cpus_allowed_list:");
    list.split([',', '-']).next().expect("there is one").to_owned()
}

fn field(path: &str, name: &str) -> String {
    let text = std::fs::read_to_string(path).expect("it is there");
    let rest = text.lines().find_map(|line| line.strip_prefix(name)).expect("it has the field");
    rest.trim().to_owned()
}
