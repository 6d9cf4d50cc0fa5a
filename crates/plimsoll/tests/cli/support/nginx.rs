//! A real nginx, as Debian has it: its own configuration and log in a scratch directory, and no longer there than the test.

use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::{env, fs};

use tempfile::TempDir;

use super::pki::Pki;
use super::target::{Front, Tls};
use super::{scratch, wait_until};

/// Where it is if it is not on the path of an ordinary user.
const USUAL: [&str; 2] = ["/usr/sbin", "/usr/local/sbin"];

/// Ends nginx with the end of standard input, and so with the process of the tests, whatever ends that. The shell
/// becomes nginx, so that it is nginx which is waited for.
const UNTIL_STDIN_ENDS: &str =
    "exec 3<&0; { cat <&3 >/dev/null; kill $$; } >/dev/null 2>&1 & exec 3<&-; exec \"$@\" </dev/null";

/// A large file that it serves.
pub(crate) const FILE_BYTES: u64 = 5_000_000;

/// A running nginx with one worker.
pub(crate) struct Nginx {
    child: Child,
    stdin: Option<ChildStdin>,
    directory: TempDir,
    pub(crate) address: String,
}

impl Nginx {
    /// Starts one; `more` are lines of its `http` block.
    pub(crate) fn start(pki: &Pki, front: &Front, more: &[&str]) -> Self {
        let directory = scratch();
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let address = listener.local_addr().expect("it is bound").to_string();
        fs::write(directory.path().join("nginx.conf"), configuration(&address, pki, front, more)).expect("written");
        fs::write(directory.path().join("file"), "x".repeat(FILE_BYTES as usize)).expect("written");
        let mut child = command(directory.path(), listener).spawn().expect("a shell can be started");
        let stdin = child.stdin.take();
        let mut nginx = Self { child, stdin, directory, address };
        nginx.await_start();
        nginx
    }

    /// A line for each request.
    pub(crate) fn log(&self) -> PathBuf {
        self.directory.path().join("served.log")
    }

    /// Until it has written its id, connections wait in the socket's queue; after a failure they would wait in vain.
    fn await_start(&mut self) {
        let directory = self.directory.path().to_owned();
        wait_until("nginx has started", || {
            if let Some(status) = self.child.try_wait().expect("the child is ours") {
                let said = fs::read_to_string(directory.join("stderr")).unwrap_or_default();
                panic!("nginx ended with {status}: {said}");
            }
            directory.join("nginx.pid").exists()
        });
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // Not killed: its worker would stay behind.
        drop(self.stdin.take());
        let _ = self.child.wait();
    }
}

/// nginx inherits a socket that is bound already, as it does from itself when it is upgraded while running. No port has
/// to be given up first, which another test might take.
fn command(directory: &Path, listener: TcpListener) -> Command {
    let stderr = fs::File::create(directory.join("stderr")).expect("a file can be made");
    let mut command = Command::new("/bin/sh");
    command.args(["-c", UNTIL_STDIN_ENDS, "sh"]).arg(binary()).arg("-p").arg(directory);
    command.args(["-c", "nginx.conf", "-e", "stderr"]).env("NGINX", "1;");
    command.stdin(Stdio::piped()).stdout(OwnedFd::from(listener)).stderr(stderr);
    command
}

fn binary() -> PathBuf {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders = env::split_paths(&path).chain(USUAL.map(PathBuf::from));
    let found = folders.find_map(|folder| Some(folder.join("nginx")).filter(|file| file.is_file()));
    found.expect("nginx is not installed: `make test` installs it, and then runs the tests")
}

fn configuration(address: &str, pki: &Pki, front: &Front, more: &[&str]) -> String {
    // Its worker would else be a user who may not enter the scratch directory.
    let user = if rustix::process::geteuid().is_root() { "user root;" } else { "" };
    let (tls, http2) = (front.tls.map_or("", |_| " ssl"), if front.http2 { " http2" } else { "" });
    let secure = front.tls.map(|tls| secure(pki, &tls)).unwrap_or_default();
    let temporary: String =
        ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(|name| format!("{name}_temp_path {name};\n")).concat();
    format!(
        "{user}
        daemon off;
        worker_processes 1;
        pid nginx.pid;
        error_log stderr error;
        events {{ worker_connections 512; }}
        http {{
            log_format served '$server_protocol $ssl_protocol $ssl_session_reused $ssl_client_verify $connection $content_length';
            access_log served.log served;
            {temporary}
            client_max_body_size 0;
            {}
            server {{
                listen {address}{tls}{http2};
                {secure}
                location / {{ return 200 'hello\\n'; }}
                location /file {{ root .; }}
            }}
        }}",
        more.join("\n")
    )
}

fn secure(pki: &Pki, tls: &Tls) -> String {
    let versions = tls.version.map_or("TLSv1.2 TLSv1.3".to_owned(), |version| format!("TLSv{version}"));
    let client = if tls.demands_client {
        format!("ssl_verify_client on; ssl_client_certificate {};", pki.authority())
    } else {
        String::new()
    };
    format!(
        "ssl_certificate {}; ssl_certificate_key {}; ssl_protocols {versions}; ssl_session_tickets {}; {client}",
        pki.certificate(tls.certificate),
        pki.key(tls.certificate),
        if tls.resumes { "on" } else { "off" },
    )
}
