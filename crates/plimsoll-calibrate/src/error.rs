//! Why a machine cannot be calibrated.

use std::path::PathBuf;

use plimsoll_engine::StartError;

/// Why a machine could not be calibrated.
#[derive(Debug, thiserror::Error)]
pub enum CalibrateError {
    /// The server to measure against could not be started as a process.
    #[error("cannot start the server to measure against")]
    Spawn(#[source] std::io::Error),
    /// The server to measure against ended, or never said where it listens.
    #[error("the server to measure against did not start: it said `{said}`")]
    Server {
        /// Its last words.
        said: String,
    },
    /// The engine refuses to drive it.
    #[error("cannot drive the server to measure against")]
    Start(#[source] StartError),
    /// Not one request was answered over loopback.
    #[error("not one request was answered over loopback while measuring {trial}: {reason}")]
    Unanswered {
        /// What was being measured.
        trial: &'static str,
        /// What became of the requests.
        reason: String,
    },
    /// There is no place for the certificate of the server to measure against.
    #[error("cannot make the folder `{}`", path.display())]
    Scratch {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Somebody asked for the end.
    #[error("interrupted: a calibration that is not whole says nothing")]
    Interrupted,
}

impl CalibrateError {
    /// What to try.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Spawn(_) => Some("the program starts itself again as `plimsoll testkit`: is its file still there?".to_owned()),
            Self::Server { .. } | Self::Unanswered { .. } => Some(
                "loopback is needed: see that the interface `lo` is up (`ip link set lo up`), that 127.0.0.1 is its address, and \
                 that no firewall or sandbox forbids it"
                    .to_owned(),
            ),
            Self::Start(error) => Some(error.hint()),
            Self::Scratch { .. } => Some("set TMPDIR to a folder that may be written to".to_owned()),
            Self::Interrupted => None,
        }
    }
}
