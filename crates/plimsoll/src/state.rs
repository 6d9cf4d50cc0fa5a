//! What is kept between two commands: the last calibration, in `$XDG_STATE_HOME/plimsoll` or `~/.local/state/plimsoll`.
//!
//! A file that is missing, unreadable, or of another machine or version says nothing, and is no error.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use anyhow::Context;
use plimsoll_model::Calibration;

use crate::identity;

const FILE: &str = "calibration.json";
/// No calibration is larger; something else is not read.
const BYTES_MAX: u64 = 1 << 20;

/// The last calibration, if it is of this machine and this version.
pub(crate) fn last_calibration() -> Option<Calibration> {
    let calibration = read(&folder()?.join(FILE))?;
    calibration.holds_for(&plimsoll_calibrate::here(), &identity::tool()).then_some(calibration)
}

/// Keeps it in place of the one before; returns where.
pub(crate) fn keep(calibration: &Calibration) -> anyhow::Result<PathBuf> {
    let folder = folder().context("neither XDG_STATE_HOME nor HOME names a folder")?;
    let path = folder.join(FILE);
    write(&folder, &path, &serde_json::to_vec_pretty(calibration)?)?;
    Ok(path)
}

fn folder() -> Option<PathBuf> {
    folder_of(std::env::var_os("XDG_STATE_HOME"), std::env::var_os("HOME"))
}

/// As the XDG base directory specification has it: a path that is not absolute is ignored.
fn folder_of(state_home: Option<OsString>, home: Option<OsString>) -> Option<PathBuf> {
    let absolute = |path: Option<OsString>| path.map(PathBuf::from).filter(|path| path.is_absolute());
    let state = absolute(state_home).or_else(|| absolute(home).map(|home| home.join(".local/state")));
    state.map(|state| state.join("plimsoll"))
}

fn read(path: &Path) -> Option<Calibration> {
    let small = fs::metadata(path).is_ok_and(|facts| facts.is_file() && facts.len() <= BYTES_MAX);
    let text = small.then(|| fs::read(path).ok()).flatten()?;
    serde_json::from_slice(&text).ok()
}

/// Whoever reads meanwhile finds the old file or the new one, never half of one.
fn write(folder: &Path, path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let cannot = |what: &Path| format!("cannot write `{}`", what.display());
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).with_context(|| cannot(folder))?;
    let half = folder.join(format!("{FILE}.{}", std::process::id()));
    let write = || {
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&half)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&half, path)
    };
    write().inspect_err(|_| _ = fs::remove_file(&half)).with_context(|| cannot(path))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[track_caller]
    fn check(state_home: Option<&str>, home: Option<&str>, expected: Option<&str>) {
        assert_eq!(folder_of(state_home.map(OsString::from), home.map(OsString::from)), expected.map(PathBuf::from));
    }

    #[test]
    fn the_folder_is_where_state_belongs() {
        check(Some("/s"), Some("/h"), Some("/s/plimsoll"));
        check(None, Some("/h"), Some("/h/.local/state/plimsoll"));
        check(Some(""), Some("/h"), Some("/h/.local/state/plimsoll"));
        check(Some("relative"), None, None);
        check(None, None, None);
    }

    #[test]
    fn a_file_is_written_whole_and_for_its_owner_only() {
        let scratch = tempfile::tempdir().expect("a scratch directory can be made");
        let folder = scratch.path().join("state/plimsoll");
        let path = folder.join(FILE);
        for bytes in [&b"{}"[..], b"[1]"] {
            write(&folder, &path, bytes).expect("it can be written");
            assert_eq!(fs::read(&path).expect("it is there"), bytes);
        }
        assert_eq!(fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 1);
    }

    #[test]
    fn what_is_no_calibration_is_no_error() {
        let scratch = tempfile::tempdir().expect("a scratch directory can be made");
        let path = scratch.path().join(FILE);
        assert_eq!(read(&path), None);
        for text in ["", "{", "{}", "[]", "\u{0}"] {
            fs::write(&path, text).expect("it can be written");
            assert_eq!(read(&path), None, "{text:?}");
        }
        assert_eq!(read(scratch.path()), None);
    }
}
