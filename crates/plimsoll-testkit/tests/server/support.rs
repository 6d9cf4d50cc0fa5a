//! A server of the built binary, and a client so plain that it hides nothing.

use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A running server; it ends with this value.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
}

/// One answer, as it came.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

/// A kept-alive connection.
pub(crate) struct Client {
    pub(crate) stream: BufReader<Box<dyn Wire>>,
}

/// What a client speaks on: a socket, or TLS on one.
pub(crate) trait Wire: Read + Write {}

impl<T: Read + Write> Wire for T {}

// A test that waits so long has found a bug: this is a deadline, not a measurement.
const DEADLINE: Duration = Duration::from_secs(20);

pub(crate) fn binary() -> Command {
    Command::new(env!("CARGO_BIN_EXE_plimsoll-testkit"))
}

impl Server {
    pub(crate) fn start(options: &[&str]) -> Self {
        let mut child = binary()
            .arg("--exit-with-parent")
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let (_, address) = line.trim().split_once("://").expect("the address");
        Self { child, address: address.parse().expect("an address") }
    }

    pub(crate) fn client(&self) -> Client {
        Client::on(self.connect())
    }

    /// A bare socket.
    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("the server accepts");
        stream.set_read_timeout(Some(DEADLINE)).expect("a time-out");
        stream
    }

    /// One request on a connection of its own.
    pub(crate) fn get(&self, target: &str) -> Answer {
        self.client().get(target)
    }

    /// Everything the server says to these bytes until it closes.
    pub(crate) fn exchange(&self, request: &str) -> Vec<u8> {
        let mut client = self.client();
        client.send(request);
        client.rest()
    }

    /// A number of the server's own count, such as `/requests`.
    pub(crate) fn stat(&self, pointer: &str) -> u64 {
        self.get("/stats").number(pointer)
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Client {
    pub(crate) fn on(wire: impl Wire + 'static) -> Self {
        Self { stream: BufReader::new(Box::new(wire)) }
    }

    pub(crate) fn send(&mut self, bytes: &str) {
        self.stream.get_mut().write_all(bytes.as_bytes()).expect("the server reads");
    }

    pub(crate) fn get(&mut self, target: &str) -> Answer {
        self.send(&format!("GET {target} HTTP/1.1\r\nHost: test\r\n\r\n"));
        self.answer()
    }

    /// The next answer that is framed by a length or by chunks.
    pub(crate) fn answer(&mut self) -> Answer {
        let head = self.head();
        let body = match head.to_lowercase() {
            lower if lower.contains("transfer-encoding: chunked") => self.chunks(),
            lower => {
                let length = lower.split_once("content-length: ").and_then(|(_, rest)| rest.lines().next());
                self.bytes(length.map_or(0, |length| length.parse().expect("a length")))
            }
        };
        Answer { head, body }
    }

    /// Up to the empty line, that included.
    pub(crate) fn head(&mut self) -> String {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            let read = self.stream.read_line(&mut head).expect("a line of a head");
            assert_ne!(read, 0, "closed within a head: {head:?}");
        }
        head
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        self.stream.read_exact(&mut bytes).expect("so many bytes");
        bytes
    }

    /// Everything until the server closes; a reset ends it too.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        let mut rest = Vec::new();
        match self.stream.read_to_end(&mut rest) {
            Err(error) if error.kind() != std::io::ErrorKind::ConnectionReset => panic!("{error}, after {rest:?}"),
            _ => rest,
        }
    }

    /// Asserts that the server closed in good order and said nothing more.
    pub(crate) fn assert_closed(&mut self) {
        let mut rest = Vec::new();
        self.stream.read_to_end(&mut rest).expect("a close, not a reset");
        assert_eq!(rest, b"");
    }

    fn chunks(&mut self) -> Vec<u8> {
        let mut body = Vec::new();
        loop {
            let mut size = String::new();
            self.stream.read_line(&mut size).expect("a chunk size");
            let size = usize::from_str_radix(size.trim(), 16).expect("a hexadecimal size");
            if size == 0 {
                return body;
            }
            body.extend(self.bytes(size));
            assert_eq!(self.bytes(2), b"\r\n");
        }
    }
}

impl Answer {
    pub(crate) fn status(&self) -> u16 {
        self.head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status")
    }

    /// A number in a body of JSON.
    pub(crate) fn number(&self, pointer: &str) -> u64 {
        let body: serde_json::Value = serde_json::from_slice(&self.body).expect("JSON");
        body.pointer(pointer).and_then(|value| value.as_u64()).unwrap_or(0)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}
