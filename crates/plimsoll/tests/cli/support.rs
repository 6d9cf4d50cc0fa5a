//! Runs the binary in a scratch directory, and starts the servers it needs.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use tempfile::TempDir;

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
    plimsoll(directory.path(), args).output().expect("the binary runs")
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

/// A testkit server; it ends with its standard input, and so with this value.
pub(crate) struct Server {
    child: Child,
    /// `127.0.0.1:12345`.
    pub(crate) address: String,
}

impl Server {
    /// Starts one on a free port.
    pub(crate) fn start() -> Self {
        let directory = scratch();
        let mut child = plimsoll(directory.path(), &["testkit", "--exit-with-parent"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the testkit starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("stdout is piped");
        BufReader::new(stdout).read_line(&mut line).expect("the testkit says where it listens");
        let address = line.trim().rsplit(' ').next().unwrap_or_default().trim_start_matches("http://");
        Self { address: address.trim_end_matches('/').to_owned(), child }
    }

    /// A URL of this server.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
