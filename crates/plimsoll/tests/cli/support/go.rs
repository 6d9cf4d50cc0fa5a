//! A real server of Go's net/http (`tests/servers/go`), built once for all tests of a run.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::{env, fs};

use tempfile::TempDir;

use super::pki::Pki;
use super::scratch;
use super::target::Front;

/// Where it is if it is not on the path.
const USUAL: [&str; 2] = ["/usr/local/go/bin", "/usr/lib/go/bin"];

/// A running Go server; it ends with its standard input, and so with this value.
pub(crate) struct Go {
    child: Child,
    directory: TempDir,
    pub(crate) address: String,
}

impl Go {
    /// Starts one with these options besides.
    pub(crate) fn start(pki: &Pki, front: &Front, more: &[&str]) -> Self {
        Self::try_start(pki, front, more).unwrap_or_else(|said| panic!("the Go server did not start: {said}"))
    }

    /// Starts one, or tells what it said instead.
    pub(crate) fn try_start(pki: &Pki, front: &Front, more: &[&str]) -> Result<Self, String> {
        let directory = scratch();
        let stderr = fs::File::create(directory.path().join("stderr")).expect("a file can be made");
        let mut child = Command::new(built())
            .args(options(pki, front))
            .args(more)
            .current_dir(directory.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .expect("the Go server runs");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("stdout is piped");
        BufReader::new(stdout).read_line(&mut line).expect("a pipe can be read");
        let address = line.trim().strip_prefix("listening on ").unwrap_or_default().to_owned();
        let go = Self { child, directory, address };
        if go.address.is_empty() {
            return Err(fs::read_to_string(go.directory.path().join("stderr")).unwrap_or_default());
        }
        Ok(go)
    }

    /// A line for each request.
    pub(crate) fn log(&self) -> PathBuf {
        self.directory.path().join("served.log")
    }
}

impl Drop for Go {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn options(pki: &Pki, front: &Front) -> Vec<String> {
    let mut options = vec![format!("-http2={}", front.http2)];
    if let Some(tls) = front.tls {
        options.push(format!("-cert={}", pki.certificate(tls.certificate)));
        options.push(format!("-key={}", pki.key(tls.certificate)));
        options.push(format!("-tickets={}", tls.resumes));
        options.extend(tls.version.map(|version| format!("-tls={version}")));
        options.extend(tls.demands_client.then(|| format!("-client-ca={}", pki.authority())));
    } else {
        options.push(format!("-prior-knowledge={}", front.http2));
    }
    options
}

/// The binary. Whoever comes first builds it, and the others wait for that.
fn built() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(build)
}

fn build() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    // Built aside and put in place at once: another run of the tests may be using the old one.
    let (binary, fresh) = (folder.join("go-server"), folder.join(format!("go-server-{}", std::process::id())));
    let output = Command::new(compiler())
        .args(["build", "-o"])
        .arg(&fresh)
        .arg(".")
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/servers/go"))
        // Nothing is fetched, nothing is left outside of the target folder, and no C compiler is asked.
        .env("GOCACHE", folder.join("go-cache"))
        .envs([("GOTOOLCHAIN", "local"), ("GOWORK", "off"), ("GOFLAGS", ""), ("CGO_ENABLED", "0")])
        .output()
        .expect("the Go compiler runs");
    assert!(output.status.success(), "go build: {}", String::from_utf8_lossy(&output.stderr));
    fs::rename(fresh, &binary).expect("the folder is ours");
    binary
}

fn compiler() -> PathBuf {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders = env::split_paths(&path).chain(USUAL.map(PathBuf::from));
    let found = folders.find_map(|folder| Some(folder.join("go")).filter(|file| file.is_file()));
    found.expect("Go is not installed: `make test` installs it, and then runs the tests")
}
