//! Looking whether a process is ready.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use plimsoll_http::{Request, ResponseParser};
use url::{Position, Url};

use crate::output::Output;
use crate::spec::Ready;

/// A server that is about to be ready answers late, or not at all; it is asked again soon.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is looked at.
pub(crate) enum Probe {
    Nothing,
    Line(String),
    Port(u16),
    Get { url: Url, request: Request },
}

impl Probe {
    /// # Errors
    /// In words, where it cannot be looked at.
    pub(crate) fn new(ready: &Ready, target: &Url) -> Result<Self, String> {
        match ready {
            Ready::Started => Ok(Self::Nothing),
            Ready::Line(text) => Ok(Self::Line(text.clone())),
            Ready::Port(port) => Ok(Self::Port(*port)),
            Ready::Url(url) => Self::get(url.clone()),
            Ready::Path(path) if path.starts_with('/') => {
                Self::get(target.join(path).map_err(|error| error.to_string())?)
            }
            Ready::Path(path) => Err(format!("expected a path like `/health`, saw `{path}`")),
        }
    }

    fn get(url: Url) -> Result<Self, String> {
        if url.scheme() != "http" {
            return Err(format!("only http:// can be asked, and `{}` is {}://", shown(&url), url.scheme()));
        }
        let authority = &url[Position::BeforeHost..Position::AfterPort];
        let target = &url[Position::BeforePath..Position::AfterQuery];
        let request = Request::builder("GET", target).host(authority).fresh(true).build();
        Ok(Self::Get { request: request.map_err(|error| error.to_string())?, url })
    }

    /// Where somebody answers already, before the process that should is started.
    pub(crate) fn occupied(&self) -> Option<String> {
        let addresses = self.addresses().ok()?;
        let taken = addresses.iter().find(|address| TcpStream::connect_timeout(address, PATIENCE).is_ok())?;
        Some(taken.to_string())
    }

    /// # Errors
    /// What is lacking, in words.
    pub(crate) fn look(&self, output: &Output) -> Result<(), String> {
        match self {
            Self::Nothing => Ok(()),
            Self::Line(_) if output.came() => Ok(()),
            Self::Line(text) => Err(format!("no line with `{text}` came")),
            Self::Port(port) => self.connect().map(|_| ()).map_err(|reason| format!("port {port}: {reason}")),
            Self::Get { url, request } => match self.connect().and_then(|stream| status(stream, request)) {
                Ok(200..300) => Ok(()),
                Ok(status) => Err(format!("{} answered {status}", shown(url))),
                Err(reason) => Err(format!("{}: {reason}", shown(url))),
            },
        }
    }

    fn connect(&self) -> Result<TcpStream, String> {
        let mut reason = "no address".to_owned();
        for address in self.addresses()? {
            match TcpStream::connect_timeout(&address, PATIENCE) {
                Ok(stream) => return Ok(stream),
                Err(error) => reason = error.to_string(),
            }
        }
        Err(reason)
    }

    fn addresses(&self) -> Result<Vec<SocketAddr>, String> {
        match self {
            Self::Nothing | Self::Line(_) => Ok(Vec::new()),
            // Servers listen on either, and rarely say on which.
            Self::Port(port) => Ok(vec![([127, 0, 0, 1], *port).into(), ([0, 0, 0, 0, 0, 0, 0, 1], *port).into()]),
            Self::Get { url, .. } => url.socket_addrs(|| None).map_err(|error| error.to_string()),
        }
    }
}

/// Credentials are nobody's business.
fn shown(url: &Url) -> &str {
    &url[Position::BeforeHost..Position::AfterPath]
}

fn status(mut stream: TcpStream, request: &Request) -> Result<u16, String> {
    let words = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::WouldBlock => "no answer yet".to_owned(),
        _ => error.to_string(),
    };
    stream.set_read_timeout(Some(PATIENCE)).map_err(words)?;
    stream.set_write_timeout(Some(PATIENCE)).map_err(words)?;
    stream.write_all(request.bytes()).map_err(words)?;
    let mut parser = ResponseParser::new();
    parser.begin(request.is_head());
    let mut buffer = [0; 4096];
    // The body is of no interest, and the connection is not used again.
    while parser.status() == 0 {
        let bytes = stream.read(&mut buffer).map_err(words)?;
        if bytes == 0 {
            return Err("the connection was closed without an answer".to_owned());
        }
        parser.feed(&buffer[..bytes], &mut ()).map_err(|error| error.to_string())?;
    }
    Ok(parser.status())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ready: Ready, target: &str, expected: Result<&str, &str>) {
        let asked = Probe::new(&ready, &target.parse().expect("it is a URL")).map(|probe| match probe {
            Probe::Get { url, request } => {
                let head = String::from_utf8_lossy(request.bytes()).into_owned();
                let lines: Vec<&str> = head.lines().take(2).collect();
                format!("{}: {}", shown(&url), lines.join(", "))
            }
            _ => "nothing".to_owned(),
        });
        assert_eq!(asked, expected.map(str::to_owned).map_err(str::to_owned));
    }

    #[test]
    fn a_path_is_one_on_the_target() {
        let path = |path: &str| Ready::Path(path.to_owned());
        let health = "127.0.0.1:8080/health: GET /health HTTP/1.1, Host: 127.0.0.1:8080";
        check(path("/health"), "http://127.0.0.1:8080", Ok(health));
        check(path("/health"), "http://127.0.0.1:8080/api/v1?x=1", Ok(health));
        check(path("/up?deep=1"), "http://u:p@[::1]", Ok("[::1]/up: GET /up?deep=1 HTTP/1.1, Host: [::1]"));
        check(path("health"), "http://h", Err("expected a path like `/health`, saw `health`"));
        check(path("/health"), "https://h", Err("only http:// can be asked, and `h/health` is https://"));
        check(Ready::Port(1), "https://h", Ok("nothing"));
    }
}
