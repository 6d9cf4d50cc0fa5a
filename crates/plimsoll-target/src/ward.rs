//! A process that a minder minds, seen from our side.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, PipeWriter};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::error::{Ending, Said, TargetError};
use crate::minder::Orders;
use crate::output::Output;
use crate::program::Program;
use crate::tree::{self, Use};

/// How long a minder may take beyond the grace of what it minds. Killing takes milliseconds.
const MINDER_GRACE: Duration = Duration::from_secs(10);

/// Where a process runs, and who reads what it says.
#[derive(Default)]
pub(crate) struct Setting {
    pub(crate) dir: Option<PathBuf>,
    pub(crate) env: Vec<(String, String)>,
    /// Gets stdout, which is then no part of the output.
    pub(crate) stdout: Option<PipeWriter>,
    pub(crate) log: Option<File>,
    pub(crate) awaited_line: Option<String>,
}

/// A process that a minder minds; ended when dropped, with all that it started.
pub(crate) struct Ward {
    minder: Child,
    control: UnixStream,
    course: Arc<Course>,
    output: Arc<Output>,
    grace: Duration,
    pid: i32,
    begun: Instant,
}

/// What the minder has said so far.
#[derive(Default)]
struct Course {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default, Clone)]
struct State {
    pid: Option<i32>,
    refused: Option<String>,
    ending: Option<Ending>,
    /// The minder has left: nobody of them is left.
    gone: bool,
}

impl Ward {
    /// Starts a process; `what` is what complaints call it.
    pub(crate) fn start(program: &Program, what: &str, orders: &Orders, setting: Setting) -> Result<Self, TargetError> {
        let begun = Instant::now();
        let failed = |error: io::Error| TargetError::Minder { what: what.to_owned(), reason: error.to_string() };
        let (control, theirs) = UnixStream::pair().map_err(failed)?;
        let listener = control.try_clone().map_err(failed)?;
        let (said, saying) = io::pipe().map_err(failed)?;
        let stdout = match setting.stdout {
            Some(writer) => writer,
            None => saying.try_clone().map_err(failed)?,
        };
        if let Some(dir) = setting.dir.as_ref().filter(|dir| !dir.is_dir()) {
            let reason = format!("there is no folder `{}`", dir.display());
            return Err(TargetError::Start { what: what.to_owned(), reason });
        }
        let words: Vec<OsString> = orders.words();
        let mut command = Command::new(&program.path);
        command.args(&program.words).args(words).envs(setting.env);
        command.stdin(Stdio::from(OwnedFd::from(theirs))).stdout(stdout).stderr(saying);
        if let Some(dir) = &setting.dir {
            command.current_dir(dir);
        }
        let minder = command.spawn().map_err(failed)?;
        // The command holds our copies of what the minder says on; while they live, there is no end of it.
        drop(command);
        // Should these fail, our end of the socket goes, and the minder with all that it minds.
        let output = Output::follow(said, setting.log, setting.awaited_line).map_err(failed)?;
        let course = Course::follow(listener).map_err(failed)?;
        let mut ward = Self { minder, control, course, output, grace: orders.grace, pid: 0, begun };
        ward.pid = ward.started(what)?;
        Ok(ward)
    }

    /// The process's number, once the minder has started it.
    fn started(&self, what: &str) -> Result<i32, TargetError> {
        let state = self.course.wait(None, |state| state.pid.is_some() || state.gone);
        let reason = state.refused.unwrap_or_else(|| "its minder ended".to_owned());
        state.pid.ok_or_else(|| TargetError::Start { what: what.to_owned(), reason })
    }

    /// Waits that long for the process to end.
    pub(crate) fn wait(&self, at_most: Duration) {
        self.course.wait(Some(at_most), |state| state.ending.is_some() || state.gone);
    }

    /// Whether nobody of them is left, or will be in a moment.
    pub(crate) fn is_gone_within(&self, moment: Duration) -> bool {
        self.course.wait(Some(moment), |state| state.gone).gone
    }

    /// Waits that long for it to fail.
    pub(crate) fn wait_for_failure(&self, at_most: Duration) {
        self.course.wait(Some(at_most), |state| state.failure().is_some());
    }

    /// How the process itself ended, if it has; what it started may live on.
    pub(crate) fn ending(&self) -> Option<Ending> {
        self.course.state().ending()
    }

    /// How it ended, if there is nothing left that could do its work: a process that ended well and left others
    /// behind has gone into the background.
    pub(crate) fn failure(&self) -> Option<Ending> {
        self.course.state().failure()
    }

    pub(crate) fn pid(&self) -> i32 {
        self.pid
    }

    /// Since it was started.
    pub(crate) fn age(&self) -> Duration {
        self.begun.elapsed()
    }

    pub(crate) fn output(&self) -> &Output {
        &self.output
    }

    /// The last that it said.
    pub(crate) fn said(&self) -> Said {
        Said::new(self.output.last_lines(self.ending().is_some()))
    }

    pub(crate) fn used(&self) -> Use {
        tree::used_beneath(self.minder.id() as i32)
    }

    /// Ends it with all that it started; returns when they are gone.
    pub(crate) fn end(&mut self) {
        // The minder may have left by itself, and then there is nobody to tell.
        let _ = self.control.shutdown(Shutdown::Write);
        let state = self.course.wait(Some(self.grace + MINDER_GRACE), |state| state.gone);
        if !state.gone || (state.pid.is_some() && state.ending.is_none()) {
            self.end_without_minder();
        }
        // It has ended: this only takes its place off the system's list.
        let _ = self.minder.wait();
    }

    /// The minder was killed, or hangs. Whom it would have known we may not know any more.
    fn end_without_minder(&mut self) {
        let wards = tree::beneath(self.minder.id() as i32);
        for pid in wards.iter().filter_map(|ward| Pid::from_raw(ward.pid)) {
            // Whoever has ended meanwhile need not be killed.
            let _ = kill_process(pid, Signal::KILL);
        }
        if let Some(group) = Pid::from_raw(self.pid).filter(|_| self.pid > 0) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.minder.kill();
    }
}

impl Drop for Ward {
    fn drop(&mut self) {
        self.end();
    }
}

impl Course {
    /// Listens until the minder leaves, on a thread of its own.
    fn follow(control: UnixStream) -> io::Result<Arc<Self>> {
        let course = Arc::new(Self::default());
        let follower = Arc::clone(&course);
        thread::Builder::new().spawn(move || {
            for line in BufReader::new(control).lines().map_while(Result::ok) {
                follower.change(|state| state.hear(&line));
            }
            follower.change(|state| state.gone = true);
        })?;
        Ok(course)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }

    fn state(&self) -> State {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The state when it is as wanted, or when that much time has passed.
    fn wait(&self, at_most: Option<Duration>, wanted: impl Fn(&State) -> bool) -> State {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let at_most = at_most.unwrap_or(Duration::from_secs(3600));
        let waited = self.changed.wait_timeout_while(state, at_most, |state| !wanted(state));
        waited.unwrap_or_else(PoisonError::into_inner).0.clone()
    }
}

impl State {
    fn ending(&self) -> Option<Ending> {
        self.ending.or(self.gone.then_some(Ending::Unknown))
    }

    fn failure(&self) -> Option<Ending> {
        self.ending().filter(|ending| self.gone || *ending != Ending::Code(0))
    }

    fn hear(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let number = rest.parse().ok();
        match word {
            "started" => self.pid = number,
            "failed" => self.refused = Some(rest.to_owned()),
            "exited" => self.ending = number.map(Ending::Code),
            "killed" => self.ending = number.map(Ending::Signal),
            _ => {}
        }
    }
}
