//! The minder: a process between us and a process of the target.
//!
//! It starts the process, adopts whoever loses their parent beneath it (`PR_SET_CHILD_SUBREAPER`), and waits for all of
//! them. It is told to end them by the end of its stdin, a socket to us: the kernel says that end even when we are
//! killed. On the same socket it says, a line each, `started PID`, `failed REASON`, `exited CODE`, `killed SIGNAL`. It
//! leaves when nobody is left.
//!
//! A death signal for the process itself (`PR_SET_PDEATHSIG`) would need code between fork and exec, which is unsafe,
//! would not reach grandchildren, and would fire when the thread that started it ends.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, kill_process, kill_process_group, wait};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::cpus::Cpus;
use crate::spec::StopSignal;
use crate::tree;

/// How often it looks whether those that were told to end have ended.
const LOOK: Duration = Duration::from_millis(10);

/// What a minder is told in words: `--stop SIGNAL --grace-ms N [--cpus LIST] -- PROGRAM [WORD…]`.
pub(crate) struct Orders {
    pub(crate) stop: StopSignal,
    pub(crate) grace: Duration,
    pub(crate) cpus: Option<Cpus>,
    pub(crate) start: Vec<OsString>,
}

impl Orders {
    pub(crate) fn words(&self) -> Vec<OsString> {
        let mut words = ["--stop", self.stop.name(), "--grace-ms"].map(OsString::from).to_vec();
        words.push(self.grace.as_millis().to_string().into());
        if let Some(cpus) = &self.cpus {
            words.extend(["--cpus".into(), cpus.to_string().into()]);
        }
        words.push("--".into());
        words.extend(self.start.iter().cloned());
        words
    }

    fn read(mut words: impl Iterator<Item = OsString>) -> Option<Self> {
        let mut orders = Self { stop: StopSignal::default(), grace: Duration::ZERO, cpus: None, start: Vec::new() };
        loop {
            match words.next()?.to_str()? {
                "--stop" => orders.stop = signal_named(words.next()?.to_str()?)?,
                "--grace-ms" => orders.grace = Duration::from_millis(words.next()?.to_str()?.parse().ok()?),
                "--cpus" => orders.cpus = Some(words.next()?.to_str()?.parse().ok()?),
                "--" => break,
                _ => return None,
            }
        }
        orders.start.extend(words);
        (!orders.start.is_empty()).then_some(orders)
    }
}

fn signal_named(name: &str) -> Option<StopSignal> {
    StopSignal::ALL.into_iter().find(|signal| signal.name() == name)
}

/// Minds one process until it and all that it started have ended; the words are its arguments.
pub fn mind(words: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(orders) = Orders::read(words) else { return ExitCode::from(2) };
    let Ok(control) = std::io::stdin().as_fd().try_clone_to_owned().map(UnixStream::from) else {
        return ExitCode::from(2);
    };
    if let Err(reason) = begin(&orders, &control) {
        say(&control, &format!("failed {reason}"));
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn begin(orders: &Orders, control: &UnixStream) -> Result<(), String> {
    // Ctrl-C is for the one who started us. Where we lead a session already, nothing is lost.
    let _ = rustix::process::setsid();
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).map_err(|error| error.to_string())?;
    if let Some(cpus) = &orders.cpus {
        cpus.keep_here()?;
    }
    obey_signals(clone(control)?)?;
    // Whoever hears the end is there before there is something to end.
    let (tell, told) = mpsc::channel();
    let (listener, stop, grace) = (clone(control)?, orders.stop, orders.grace);
    spawn(move || {
        let Ok(main) = told.recv() else { return };
        hear_the_end(listener);
        end_all(main, stop, grace);
    })?;
    let child = Command::new(&orders.start[0])
        .args(&orders.start[1..])
        .stdin(Stdio::null())
        .process_group(0)
        .spawn()
        .map_err(|error| format!("`{}`: {error}", orders.start[0].display()))?;
    let main = Pid::from_child(&child);
    // The listener waits for this, and for nothing else.
    let _ = tell.send(main);
    say(control, &format!("started {}", child.id()));
    wait_for_all(main, control);
    Ok(())
}

fn clone(control: &UnixStream) -> Result<UnixStream, String> {
    control.try_clone().map_err(|error| error.to_string())
}

fn spawn(work: impl FnOnce() + Send + 'static) -> Result<(), String> {
    thread::Builder::new().spawn(work).map(|_| ()).map_err(|error| error.to_string())
}

/// A signal to end means what the end of the control socket means.
fn obey_signals(control: UnixStream) -> Result<(), String> {
    let mut signals = Signals::new([SIGTERM, SIGINT, SIGHUP]).map_err(|error| error.to_string())?;
    spawn(move || {
        for _ in signals.forever() {
            // It only fails where it has been done.
            let _ = control.shutdown(Shutdown::Read);
        }
    })
}

fn hear_the_end(mut control: UnixStream) {
    let mut heard = [0; 16];
    // Nothing is ever said on it; an error is an end too.
    while control.read(&mut heard).is_ok_and(|bytes| bytes > 0) {}
}

/// Until nobody is left.
fn wait_for_all(main: Pid, control: &UnixStream) {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == main => say(control, &in_words(status)),
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => break,
        }
    }
    // Where orphans do not come to us, this is all that can be done for them.
    if cfg!(not(target_os = "linux")) {
        let _ = kill_process_group(main, Signal::KILL);
    }
}

fn in_words(status: WaitStatus) -> String {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => format!("exited {code}"),
        (None, Some(signal)) => format!("killed {signal}"),
        (None, None) => "exited 0".to_owned(),
    }
}

/// Asks all to end, and ends them when the grace is over. The process leaves when the last one has.
fn end_all(main: Pid, stop: StopSignal, grace: Duration) {
    signal_all(main, stop.signal());
    let deadline = Instant::now() + grace;
    while Instant::now() < deadline {
        thread::sleep(LOOK);
    }
    loop {
        // Again and again: somebody may be starting others meanwhile.
        signal_all(main, Signal::KILL);
        thread::sleep(LOOK);
    }
}

/// To the group of the process, and to those who have left it.
fn signal_all(main: Pid, signal: Signal) {
    let group = main.as_raw_nonzero().get();
    let entries = tree::beneath(rustix::process::getpid().as_raw_nonzero().get());
    // The number of a group that has no member any more may be somebody else's.
    if cfg!(not(target_os = "linux")) || entries.iter().any(|entry| entry.group == group) {
        // Whoever has ended meanwhile cannot be signalled, and need not be.
        let _ = kill_process_group(main, signal);
    }
    for entry in entries.iter().filter(|entry| entry.group != group && !entry.is_dead) {
        if let Some(pid) = Pid::from_raw(entry.pid) {
            let _ = kill_process(pid, signal);
        }
    }
}

fn say(mut control: &UnixStream, line: &str) {
    // Nobody may be there any more to hear it.
    let _ = control.write_all(format!("{}\n", line.replace('\n', " ")).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &[&str], stop: StopSignal, grace_ms: u64, cpus: Option<&str>, start: &[&str]) {
        let orders = Orders::read(words.iter().map(OsString::from)).expect("they are orders");
        assert_eq!(orders.stop, stop);
        assert_eq!(orders.grace, Duration::from_millis(grace_ms));
        assert_eq!(orders.cpus.as_ref().map(ToString::to_string).as_deref(), cpus);
        assert_eq!(orders.start, start);
        assert_eq!(orders.words(), words);
    }

    #[test]
    fn orders_are_read_and_written() {
        let end = |signal| ["--stop", signal, "--grace-ms", "50"];
        check(&[&end("TERM")[..], &["--", "sh"]].concat(), StopSignal::Term, 50, None, &["sh"]);
        let words = [&end("INT")[..], &["--cpus", "0-1", "--", "a", "--", "--cpus"]].concat();
        check(&words, StopSignal::Int, 50, Some("0-1"), &["a", "--", "--cpus"]);
        for words in
            [&[][..], &["sh"], &["--"], &["--grace-ms"], &["--grace-ms", "x", "--", "sh"], &["--cpus", "x", "--", "sh"]]
        {
            assert!(Orders::read(words.iter().map(OsString::from)).is_none(), "{words:?}");
        }
    }
}
