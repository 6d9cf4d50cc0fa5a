//! The authority that signed the server's certificate, in a folder of its own for as long as a trial lasts.
//!
//! Taking any certificate would be simpler, and would leave out a good part of what a handshake costs.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::CalibrateError;

/// Tells the folders of one process apart.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// Where the server writes it; gone when dropped.
#[derive(Debug)]
pub(super) struct Authority {
    folder: PathBuf,
    file: PathBuf,
}

impl Authority {
    /// A folder that was not there before and that nobody else may enter, so that nobody can put another one in its place.
    pub(super) fn new() -> Result<Self, CalibrateError> {
        let name = format!("plimsoll-calibrate-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        let failed = |source| CalibrateError::Scratch { path: folder.clone(), source };
        DirBuilder::new().mode(0o700).create(&folder).map_err(failed)?;
        Ok(Self { file: folder.join("ca.pem"), folder })
    }

    pub(super) fn file(&self) -> &Path {
        &self.file
    }
}

impl Drop for Authority {
    fn drop(&mut self) {
        // What stays behind is a public certificate in a folder for temporary things.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_folder_lives_as_long_as_it_does() {
        let (one, other) = (Authority::new().expect("it can be made"), Authority::new().expect("it can be made"));
        assert_ne!(one.file(), other.file());
        let folder = one.folder.clone();
        assert!(folder.is_dir());
        drop(one);
        assert!(!folder.exists());
    }
}
