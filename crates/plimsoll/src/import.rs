//! `plimsoll import`: what another tool left behind becomes a plan and Hurl files in a folder.
//!
//! What it means is decided by `plimsoll-plan`; here it is read, written down, and told in words.

mod folder;
mod told;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use plimsoll_plan::import::{Format, Imported, Options, SOURCE_BYTES_MAX, import_with};

use crate::args::ImportArgs;
use crate::exit::Exit;
use crate::usage::Usage;
use crate::{output, script};

/// Reads, writes, tells.
pub(crate) fn import(args: &ImportArgs) -> anyhow::Result<Exit> {
    let format: Format = args.format.parse().map_err(|expected: String| {
        Usage::new(format!("`{}` is no format that can be imported", args.format), expected)
    })?;
    let (source, text) = source(args, format)?;
    let imported = imported(args, format, &source, &text)?;
    let folder = args.output.clone().unwrap_or_else(|| folder_named(args.name.as_deref().unwrap_or(&source)));
    folder::write(&folder, &contents(&imported), args.force)?;
    let told = if args.json { told::json(&folder, &imported)? } else { told::words(&folder, &imported) };
    output::result(&told)?;
    Ok(Exit::Passed)
}

/// What people call the source, and what is in it.
fn source(args: &ImportArgs, format: Format) -> Result<(String, Vec<u8>), Usage> {
    match (&args.file, &args.command[..]) {
        (None, []) => Err(Usage::new(
            "there is nothing to import",
            "name a file, or `-` for standard input; `plimsoll import --help` has examples",
        )),
        (Some(file), []) if file.as_os_str() == "-" => {
            let text = read(io::stdin().lock()).map_err(|error| refused("standard input", &error))?;
            Ok((args.format.clone(), text))
        }
        (Some(file), []) => {
            let shown = file.display().to_string();
            let text = File::open(file).and_then(read).map_err(|error| refused(&shown, &error))?;
            Ok((shown, text))
        }
        (Some(file), _) => Err(Usage::new(
            format!("`{}` and the words after `--` are two things to import", file.display()),
            "give one of them",
        )),
        (None, words) if format == Format::Curl => Ok(("curl".to_owned(), command(words).into_bytes())),
        (None, _) => Err(Usage::new(
            format!("only a curl command can stand after `--`, and this is `import {}`", args.format),
            format!("name a file: `plimsoll import {} FILE`", args.format),
        )),
    }
}

/// All of it; of what has no end, enough to be refused for its length.
fn read(from: impl Read) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    from.take(SOURCE_BYTES_MAX as u64 + 1).read_to_end(&mut text)?;
    Ok(text)
}

fn refused(shown: &str, error: &io::Error) -> Usage {
    let reason = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "this user may not read it".to_owned(),
        io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
        _ => error.to_string(),
    };
    Usage::new(format!("`{shown}`: {reason}"), "check the path: it is read from the directory the command runs in")
}

/// The words as a shell would have been given them; `curl` itself may be left out.
fn command(words: &[String]) -> String {
    let named = words.first().is_some_and(|word| word.rsplit('/').next() == Some("curl"));
    let curl = (!named).then(|| "curl".to_owned());
    curl.into_iter().chain(words.iter().map(|word| quoted(word))).collect::<Vec<_>>().join(" ")
}

/// A word that a shell takes as it is.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn imported(args: &ImportArgs, format: Format, source: &str, text: &[u8]) -> Result<Imported, Usage> {
    let options =
        Options { name: args.name.as_deref(), assets: args.assets, delays: args.delays, other_hosts: args.other_hosts };
    import_with(format, source, text, options)
        .map_err(|mistake| script::complaint(&[mistake]).unwrap_or_else(|| Usage::maybe("it cannot be read", None)))
}

/// The plan, and the files it names, by their paths below its folder.
fn contents(imported: &Imported) -> Vec<(&str, &str)> {
    let files = imported.files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    std::iter::once(("plan.toml", imported.plan.as_str())).chain(files).collect()
}

/// `recordings/Shop 2.har` → `Shop-2`, here.
fn folder_named(source: &str) -> PathBuf {
    let stem = Path::new(source).file_stem().unwrap_or_default().to_string_lossy();
    let kept = |c: char| if c.is_alphanumeric() || matches!(c, '.' | '_') { c } else { '-' };
    let name: String = stem.chars().map(kept).collect();
    match name.trim_matches(['-', '.']) {
        "" => PathBuf::from("imported"),
        name => PathBuf::from(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_named_after_the_source_and_lie_here() {
        for (source, folder) in [
            ("shop.har", "shop"),
            ("../recordings/Shop 2.har", "Shop-2"),
            ("petstore.v3.yaml", "petstore.v3"),
            ("curl", "curl"),
            ("/", "imported"),
            ("..", "imported"),
            (".har", "har"),
            ("a\u{1b}[31m.har", "a--31m"),
        ] {
            assert_eq!(folder_named(source), Path::new(folder), "{source}");
        }
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        let command = |words: &[&str]| super::command(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        assert_eq!(command(&["curl", "-d", "it's", "host"]), r"'curl' '-d' 'it'\''s' 'host'");
        assert_eq!(command(&["-I", "$x"]), "curl '-I' '$x'");
    }
}
