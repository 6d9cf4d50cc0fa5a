//! Runs the binary in a scratch directory, starts the servers it needs, and waits with deadlines.

mod go;
mod nginx;
mod pki;
mod ran;
mod secure_client;
mod server;
mod tap;
mod target;

use std::cell::Cell;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

pub(crate) use go::Go;
pub(crate) use nginx::FILE_BYTES;
pub(crate) use pki::{Certificate, OTHER_HOST, Pki};
pub(crate) use ran::{Ran, assert_harmless};
pub(crate) use secure_client::SecureClient;
pub(crate) use server::Server;
pub(crate) use tap::Tap;
pub(crate) use target::{BODY_BYTES, Brand, CLIENT, Front, Served, TLS_VERSION, Target, Tls};

/// Whatever takes so long has hung: a deadline, not a measurement.
pub(crate) const DEADLINE: Duration = Duration::from_secs(60);

static MACHINE: RwLock<()> = RwLock::new(());

thread_local! {
    static IS_ALONE: Cell<bool> = const { Cell::new(false) };
}

/// While this lives, no load runs but those of its own thread.
pub(crate) struct Alone {
    _machine: RwLockWriteGuard<'static, ()>,
}

/// For a load whose figures another load would spoil, or that would spoil theirs.
pub(crate) fn alone() -> Alone {
    let machine = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
    IS_ALONE.set(true);
    Alone { _machine: machine }
}

impl Drop for Alone {
    fn drop(&mut self) {
        IS_ALONE.set(false);
    }
}

/// Waits until nobody needs the machine alone, except this thread.
pub(crate) fn among_others() -> Option<RwLockReadGuard<'static, ()>> {
    (!IS_ALONE.get()).then(|| MACHINE.read().unwrap_or_else(PoisonError::into_inner))
}

/// A directory of its own, gone at the end.
pub(crate) fn scratch() -> TempDir {
    tempfile::tempdir().expect("a scratch directory can be made")
}

/// The binary in `directory`, with a bare environment.
pub(crate) fn plimsoll(directory: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plimsoll"));
    command.args(args).current_dir(directory).env_clear().stdin(Stdio::null());
    command
}

/// Runs it to its end.
pub(crate) fn output(args: &[&str]) -> Output {
    let directory = scratch();
    finished(spawned(&mut plimsoll(directory.path(), args)))
}

/// Starts it with its output in pipes.
pub(crate) fn spawned(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs")
}

/// Starts `plimsoll run URL ARGS --json` in a directory.
pub(crate) fn started(directory: &Path, url: &str, args: &[&str]) -> Child {
    spawned(&mut plimsoll(directory, &[&["run", url, "--json"], args].concat()))
}

/// Awaits its end; what hangs is killed, and fails.
#[track_caller]
pub(crate) fn finished(child: Child) -> Output {
    let pid = Pid::from_child(&child);
    let (sender, receiver) = channel();
    let waiter = thread::spawn(move || sender.send(child.wait_with_output()));
    let output = match receiver.recv_timeout(DEADLINE) {
        Ok(output) => output.expect("its output can be read"),
        Err(RecvTimeoutError::Timeout) => {
            // Not reaped yet, so the id is still this child's.
            kill_process(pid, Signal::KILL).expect("the child is ours");
            panic!("it hangs: no end within {DEADLINE:?}");
        }
        Err(RecvTimeoutError::Disconnected) => panic!("nobody waits for the child"),
    };
    waiter.join().expect("the waiter does not panic").expect("the output was taken");
    output
}

/// Sends a signal to a child that has not been waited for.
pub(crate) fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("the child is ours");
}

/// Waits until something holds.
#[track_caller]
pub(crate) fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + DEADLINE;
    while !holds() {
        assert!(Instant::now() < deadline, "waited in vain until {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Exit code, stdout and stderr as one text.
pub(crate) fn shown(args: &[&str]) -> String {
    let output = output(args);
    let code = output.status.code().map_or_else(|| "none".to_owned(), |code| code.to_string());
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let mut text = format!("exit {code}\n");
    for (name, stream) in [("stdout", stdout), ("stderr", stderr)] {
        if !stream.is_empty() {
            text += &format!("--- {name}\n{stream}");
        }
    }
    text
}
