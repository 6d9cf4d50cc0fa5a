//! Files that a Hurl file names: read once, before the run, and only inside its folder.

use std::fs;
use std::path::{Path, PathBuf};

use hurl_core::ast::Template as AstTemplate;

use super::reader::Reader;

/// A file that was read.
pub(super) struct Named {
    /// As it was written.
    pub(super) name: String,
    pub(super) content: Vec<u8>,
}

impl Reader<'_> {
    /// The file of that name in the Hurl file's folder; none if it cannot be had, which is said then.
    pub(super) fn file(&mut self, name: &AstTemplate) -> Option<Named> {
        let written = self.known(name, "a file's name")?;
        match inside(self.folder, &written).and_then(|path| fs::read(path).map_err(|error| error.to_string())) {
            Ok(content) => Some(Named { name: written, content }),
            Err(reason) => {
                let message = format!("cannot read `{written}`: {reason}");
                let hint = format!("files are looked for in the Hurl file's folder, `{}`", shown(self.folder));
                self.mistake(name.source_info.start, message, hint);
                None
            }
        }
    }

    /// A certificate or a key. Like hurl, from the working directory; opened by whoever connects.
    pub(super) fn existing(&mut self, name: &AstTemplate, what: &str) -> Option<PathBuf> {
        let written = self.known(name, what)?;
        match fs::metadata(&written) {
            Ok(_) => Some(PathBuf::from(written)),
            Err(error) => {
                let message = format!("cannot read `{written}`: {error}");
                self.mistake(name.source_info.start, message, "the name is taken from the working directory");
                None
            }
        }
    }
}

/// Like hurl, which sends no file that lies elsewhere: a Hurl file may come from somebody else.
fn inside(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let path = folder.join(name).canonicalize().map_err(|error| error.to_string())?;
    let root = folder.canonicalize().map_err(|error| error.to_string())?;
    if !path.starts_with(root) {
        return Err("it lies outside that folder".to_owned());
    }
    if !path.is_file() {
        return Err("it is not a file".to_owned());
    }
    Ok(path)
}

fn shown(folder: &Path) -> String {
    if folder.as_os_str().is_empty() { ".".to_owned() } else { folder.display().to_string() }
}
