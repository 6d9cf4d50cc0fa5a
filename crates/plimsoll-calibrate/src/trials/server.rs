//! The testkit as a child process.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::error::CalibrateError;
use crate::pin::Pinned;

/// How the testkit is started: a program, and the words that make it one.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its file.
    pub path: PathBuf,
    /// What comes before the testkit's own options.
    pub words: Vec<String>,
}

/// A running testkit; ended when dropped, and by itself should this process die.
pub(crate) struct Server {
    child: Child,
    address: SocketAddr,
}

/// One thread, because the generator has one; it is the faster of the two.
const OPTIONS: [&str; 5] = ["--listen", "127.0.0.1:0", "--threads", "1", "--exit-with-parent"];

impl Server {
    pub(crate) fn start(program: &Program, words: &[OsString], core: Option<usize>) -> Result<Self, CalibrateError> {
        let mut command = Command::new(&program.path);
        command.args(&program.words).args(OPTIONS).args(words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = {
            let _pinned = Pinned::to(core);
            command.spawn().map_err(CalibrateError::Spawn)?
        };
        match greeting(&mut child) {
            Some(address) => Ok(Self { child, address }),
            None => Err(CalibrateError::Server { said: last_words(child) }),
        }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

/// Waiting for it adds its processor time to ours, by which it is known not to be a neighbour's.
fn end(child: &mut Child) {
    // It may have ended by itself; then there is nothing to stop.
    let _ = child.kill();
    let _ = child.wait();
}

/// The address in its first line.
fn greeting(child: &mut Child) -> Option<SocketAddr> {
    let mut line = String::new();
    BufReader::new(child.stdout.take()?).read_line(&mut line).ok()?;
    let address = line.trim().strip_prefix("listening on ")?;
    // The scheme says whether it speaks TLS, which we know.
    address.rsplit('/').next()?.parse().ok()
}

fn last_words(mut child: Child) -> String {
    end(&mut child);
    let mut said = String::new();
    if let Some(mut stderr) = child.stderr.take() {
        // What cannot be read was not said.
        let _ = stderr.read_to_string(&mut said);
    }
    let last = said.lines().rev().find(|line| !line.trim().is_empty());
    last.unwrap_or("nothing").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, script: &str, expected: &str) {
        let program = Program { path: PathBuf::from(path), words: vec!["-c".to_owned(), script.to_owned()] };
        let error = Server::start(&program, &[], None).err().expect("it is no testkit");
        assert_eq!(error.to_string(), expected);
        assert!(error.hint().is_some());
    }

    #[test]
    fn what_is_no_testkit_is_an_error_with_its_last_words() {
        let said = |words: &str| format!("the server to measure against did not start: it said `{words}`");
        check("/nowhere/plimsoll", "", "cannot start the server to measure against");
        check("/bin/sh", "echo usage >&2; echo 'cannot listen' >&2; exit 2", &said("cannot listen"));
        check("/bin/sh", "exit 1", &said("nothing"));
        check("/bin/sh", "echo listening on the moon; exec sleep 60", &said("nothing"));
    }

    #[test]
    fn a_server_says_where_it_listens() {
        for url in ["http://127.0.0.1:8080", "https://127.0.0.1:8080"] {
            let words = vec!["-c".to_owned(), format!("echo listening on {url}; exec sleep 60")];
            let program = Program { path: PathBuf::from("/bin/sh"), words };
            let server = Server::start(&program, &[], None).expect("it says so");
            assert_eq!(server.address().port(), 8080);
        }
    }
}
