//! Files written into a folder: all of them, or none.
//!
//! They are written aside first, on the same disk, and then put in their places by renaming. What is in the way is never
//! replaced unless that is asked for; if one file cannot be placed, those before it are taken back.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::usage::Usage;

/// Writes `files`, whose paths are below `folder`.
pub(super) fn write(folder: &Path, files: &[(&str, &str)], force: bool) -> Result<(), Usage> {
    for (path, _) in files {
        refuse_outside(path)?;
    }
    if !force {
        refuse_overwriting(folder, files)?;
    }
    let failed = |error: io::Error| {
        Usage::new(
            format!("`{}`: cannot write there: {error}", folder.display()),
            "name a folder that may be written to: `-o FOLDER`",
        )
    };
    let is_new = fs::symlink_metadata(folder).is_err();
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside = if is_new { parent } else { folder };
    fs::create_dir_all(beside).map_err(failed)?;
    let aside = tempfile::Builder::new().prefix(".plimsoll-import-").tempdir_in(beside).map_err(failed)?;
    // Below the one that only this user may enter, so that it has the usual permissions when it is moved.
    let written = aside.path().join("new");
    write_all(&written, files).map_err(failed)?;
    if is_new {
        return fs::rename(&written, folder).map_err(failed);
    }
    place(&written, folder, &aside.path().join("old"), files).map_err(failed)
}

/// Paths come from the source's own words.
fn refuse_outside(path: &str) -> Result<(), Usage> {
    let inside = !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    if inside { Ok(()) } else { Err(Usage::maybe(format!("`{path}` would not be in the folder"), None)) }
}

fn refuse_overwriting(folder: &Path, files: &[(&str, &str)]) -> Result<(), Usage> {
    let mut paths = files.iter().map(|(path, _)| folder.join(path));
    match paths.find(|path| fs::symlink_metadata(path).is_ok()) {
        None => Ok(()),
        Some(path) => Err(Usage::new(
            format!("`{}` is there already, and nothing was written", path.display()),
            "name another folder with `-o FOLDER`, or overwrite with `--force`",
        )),
    }
}

fn write_all(folder: &Path, files: &[(&str, &str)]) -> io::Result<()> {
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, text)?;
    }
    Ok(())
}

/// Moves each file to its place, and what was there to `old`.
fn place(written: &Path, folder: &Path, old: &Path, files: &[(&str, &str)]) -> io::Result<()> {
    let mut moved = Vec::new();
    let result = files.iter().try_for_each(|(path, _)| {
        make_parents(folder, Path::new(path))?;
        let (from, to, kept) = (written.join(path), folder.join(path), old.join(path));
        if fs::symlink_metadata(&to).is_ok() {
            fs::create_dir_all(kept.parent().unwrap_or(old))?;
            move_to(&to, &kept, &mut moved)?;
        }
        move_to(&from, &to, &mut moved)
    });
    if result.is_err() {
        for (from, to) in moved.iter().rev() {
            // What cannot be taken back stays; the error that is told came first.
            let _ = fs::rename(to, from);
        }
    }
    result
}

fn move_to(from: &Path, to: &Path, moved: &mut Vec<(PathBuf, PathBuf)>) -> io::Result<()> {
    fs::rename(from, to)?;
    moved.push((from.to_owned(), to.to_owned()));
    Ok(())
}

/// Makes the folders down to a file; a link among them could lead anywhere.
fn make_parents(folder: &Path, path: &Path) -> io::Result<()> {
    let mut below = folder.to_owned();
    for part in path.parent().into_iter().flat_map(Path::components) {
        below.push(part);
        match fs::symlink_metadata(&below) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err(io::Error::other(format!("`{}` is no folder of its own", below.display()))),
            Err(_) => fs::create_dir(&below)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [(&str, &str); 2] = [("plan.toml", "plan"), ("journeys/a.hurl", "a")];

    /// What is in a folder, with the paths below it.
    fn listed(folder: &Path) -> Vec<String> {
        let mut all = Vec::new();
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            match entry.file_type().expect("a type").is_dir() {
                true => all.extend(listed(&entry.path()).into_iter().map(|below| format!("{name}/{below}"))),
                false => all.push(format!("{name}={}", fs::read_to_string(entry.path()).expect("text"))),
            }
        }
        all.sort();
        all
    }

    #[test]
    fn a_folder_is_made_or_added_to() {
        let scratch = tempfile::tempdir().expect("a folder");
        let whole = ["journeys/a.hurl=a", "plan.toml=plan"];
        write(&scratch.path().join("x/y"), &FILES, false).expect("it is new");
        assert_eq!(listed(&scratch.path().join("x/y")), whole);
        let there = scratch.path().join("there");
        fs::create_dir_all(there.join("journeys")).expect("a folder");
        write(&there, &FILES, false).expect("nothing is in the way");
        assert_eq!(listed(&there), whole);
        assert_eq!(fs::read_dir(scratch.path()).expect("a folder").count(), 2, "nothing else is left");
    }

    #[test]
    fn nothing_is_overwritten_unless_that_is_asked_for() {
        let scratch = tempfile::tempdir().expect("a folder");
        fs::write(scratch.path().join("plan.toml"), "mine").expect("written");
        let error = write(scratch.path(), &FILES, false).expect_err("it is in the way");
        assert!(error.to_string().contains("plan.toml` is there already"), "{error}");
        assert_eq!(listed(scratch.path()), ["plan.toml=mine"]);
        write(scratch.path(), &FILES, true).expect("asked for");
        assert_eq!(listed(scratch.path()), ["journeys/a.hurl=a", "plan.toml=plan"]);
    }

    #[test]
    fn what_cannot_be_written_whole_is_not_written() {
        let scratch = tempfile::tempdir().expect("a folder");
        fs::write(scratch.path().join("plan.toml"), "mine").expect("written");
        fs::write(scratch.path().join("journeys"), "a file").expect("written");
        write(scratch.path(), &FILES, true).expect_err("there is no folder for it");
        assert_eq!(listed(scratch.path()), ["journeys=a file", "plan.toml=mine"]);
    }

    #[test]
    fn nothing_is_written_outside() {
        let scratch = tempfile::tempdir().expect("a folder");
        let (folder, outside) = (scratch.path().join("folder"), scratch.path().join("outside"));
        for path in ["../x", "/x", "a/../../x", "", "."] {
            write(&folder, &[(path, "x")], true).expect_err(path);
        }
        fs::create_dir_all(&folder).expect("a folder");
        fs::create_dir_all(&outside).expect("a folder");
        std::os::unix::fs::symlink(&outside, folder.join("journeys")).expect("a link");
        write(&folder, &FILES, true).expect_err("it leads elsewhere");
        assert!(listed(&outside).is_empty());
    }
}
