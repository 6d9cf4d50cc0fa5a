//! What a command is pointed at: a URL, or files that say what is to be done.

use std::fs;
use std::path::{Path, PathBuf};

use crate::usage::Usage;

/// What a command is pointed at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum What {
    /// One request, again and again.
    Url(String),
    /// A plan.
    Plan(PathBuf),
    /// Hurl files: a journey each.
    Hurl(Vec<PathBuf>),
    /// A list of targets as vegeta reads it.
    Targets(PathBuf),
}

impl What {
    /// Tells by endings and by what there is on the disk; whatever is no file is a URL.
    pub(crate) fn of(words: &[String]) -> Result<Self, Usage> {
        match words {
            [] => Err(Usage::new(
                "there is nothing to send requests to",
                "give a URL, a plan or Hurl files: `plimsoll run http://127.0.0.1:8080/`",
            )),
            [one] if is_plan(one) => Ok(Self::Plan(existing(one)?)),
            [one] if is_hurl(one) => hurl(words),
            [one] if is_targets(one) => Ok(Self::Targets(PathBuf::from(one))),
            [one] => Ok(Self::Url(one.clone())),
            several => match several.iter().find(|word| !is_hurl(word)) {
                None => hurl(several),
                Some(other) => Err(Usage::new(
                    format!(
                        "`{other}` cannot stand beside other words: several can only be Hurl files or folders of them"
                    ),
                    "give one URL, one plan, or Hurl files; put a URL with blanks into quotes",
                )),
            },
        }
    }
}

fn ends_with(word: &str, ending: &str) -> bool {
    Path::new(word).extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

fn is_plan(word: &str) -> bool {
    ends_with(word, "toml") && !word.contains("://")
}

fn is_hurl(word: &str) -> bool {
    !word.contains("://") && (ends_with(word, "hurl") || Path::new(word).is_dir())
}

/// A file that is neither: only what reads like targets.
fn is_targets(word: &str) -> bool {
    let path = Path::new(word);
    path.is_file() && fs::read_to_string(path).is_ok_and(|text| plimsoll_plan::import::looks_like_targets(&text))
}

fn existing(word: &str) -> Result<PathBuf, Usage> {
    let path = PathBuf::from(word);
    if path.is_file() {
        return Ok(path);
    }
    let hint = nearest(&path).map_or_else(
        || "check the path: it is read from the directory the command runs in".to_owned(),
        |other| format!("did you mean `{}`?", other.display()),
    );
    Err(Usage::new(format!("`{word}`: there is no such file"), hint))
}

/// A file beside it whose name is nearly the same.
fn nearest(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let others = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let near = others.filter_map(|other| {
        let far = strsim::damerau_levenshtein(name, other.file_name()?.to_str()?);
        Some((far, other))
    });
    near.filter(|(far, _)| *far <= 2).min().map(|(_, other)| folder.join(other.file_name().unwrap_or_default()))
}

/// Files as they are named; of folders, all Hurl files below them, in the order of their names.
fn hurl(words: &[String]) -> Result<What, Usage> {
    let mut files = Vec::new();
    for word in words {
        let path = Path::new(word);
        if !path.is_dir() {
            files.push(existing(word)?);
            continue;
        }
        files.extend(hurl_files(path)?);
    }
    Ok(What::Hurl(files))
}

/// All Hurl files in a folder and below it, in the order of their names.
pub(crate) fn hurl_files(folder: &Path) -> Result<Vec<PathBuf>, Usage> {
    let shown = folder.display();
    let mut files = Vec::new();
    collect(folder, &mut files)
        .map_err(|error| Usage::new(format!("`{shown}`: {error}"), "check that it may be read"))?;
    if files.is_empty() {
        return Err(Usage::new(format!("`{shown}`: there is no Hurl file in it"), "their names end with `.hurl`"));
    }
    files.sort();
    Ok(files)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "hurl") {
            files.push(path);
        }
    }
    Ok(())
}
