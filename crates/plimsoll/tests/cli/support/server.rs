//! The testkit: servers of known truth, each a process of its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::{plimsoll, scratch};

/// A testkit server; it ends with its standard input, and so with this value.
pub(crate) struct Server {
    child: Child,
    /// `127.0.0.1:12345`, or the path of a unix socket.
    pub(crate) address: String,
    /// How often this very value asked it something.
    asked: AtomicU64,
}

impl Server {
    /// Starts one on a free port.
    pub(crate) fn start() -> Self {
        Self::with(&[])
    }

    /// Starts one with these options.
    pub(crate) fn with(options: &[&str]) -> Self {
        Self::try_with(options).expect("the testkit says where it listens")
    }

    /// Starts one, unless it cannot listen.
    pub(crate) fn try_with(options: &[&str]) -> Option<Self> {
        let directory = scratch();
        let args = [&["testkit", "--exit-with-parent"], options].concat();
        let mut child = plimsoll(directory.path(), &args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the testkit starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("stdout is piped");
        BufReader::new(stdout).read_line(&mut line).expect("a pipe can be read");
        let address = line.trim().strip_prefix("listening on ").unwrap_or_default();
        let address =
            address.trim_start_matches("http://").trim_start_matches("https://").trim_start_matches("unix:").to_owned();
        // Dropped without an address it is stopped all the same.
        let server = Self { child, address, asked: AtomicU64::new(0) };
        (!server.address.is_empty()).then_some(server)
    }

    /// A URL of this server.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Its own count, such as `/requests` or `/connections/accepted`.
    pub(crate) fn stat(&self, pointer: &str) -> u64 {
        let stats: serde_json::Value = serde_json::from_str(&self.get("/stats")).expect("the stats are JSON");
        stats.pointer(pointer).and_then(serde_json::Value::as_u64).unwrap_or(0)
    }

    /// Connections accepted, without those of the tests themselves.
    pub(crate) fn accepted(&self) -> u64 {
        self.stat("/connections/accepted") - self.asked()
    }

    /// How often the tests asked it something, each time on a connection of its own.
    pub(crate) fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    /// The body of an answer, asked for without plimsoll.
    pub(crate) fn get(&self, target: &str) -> String {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let mut stream = TcpStream::connect(&self.address).expect("the server accepts");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time-out can be set");
        let request = format!("GET {target} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("the server reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("the server answers");
        answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).expect("an answer has a head")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
