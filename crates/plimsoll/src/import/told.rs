//! What an import made, in words and as `plimsoll.import/1`.

use std::path::Path;

use plimsoll_plan::import::Imported;
use plimsoll_report::harmless;
use serde::Serialize;

/// Files and variables that are named; the rest are counted.
const NAMED_MAX: usize = 20;

/// `plimsoll.import/1`.
#[derive(Serialize)]
struct Document<'i> {
    schema: &'static str,
    /// The plan, as `plimsoll run` takes it.
    plan: String,
    /// All that was written, the plan first.
    files: Vec<String>,
    /// What was not carried over, and what to look at.
    notes: &'i [String],
    /// What must be set in the environment before a run.
    environment: &'i [String],
    /// Runs it.
    command: [String; 3],
}

/// One JSON object.
pub(super) fn json(folder: &Path, imported: &Imported) -> serde_json::Result<String> {
    let plan = in_folder(folder, "plan.toml");
    let files = imported.files.iter().map(|(path, _)| in_folder(folder, path));
    let document = Document {
        schema: "plimsoll.import/1",
        files: std::iter::once(plan.clone()).chain(files).collect(),
        notes: &imported.notes,
        environment: &imported.environment,
        command: ["plimsoll".to_owned(), "run".to_owned(), plan.clone()],
        plan,
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

/// For people.
pub(super) fn words(folder: &Path, imported: &Imported) -> String {
    let plan = in_folder(folder, "plan.toml");
    let mut lines = vec![format!("made `{plan}` with {}:", counted(imported.files.len(), "journey"))];
    lines.extend(named(&imported.files, |(path, _)| format!("  {}", in_folder(folder, path))));
    if !imported.notes.is_empty() {
        lines.extend(["".to_owned(), "what to know:".to_owned()]);
        lines.extend(imported.notes.iter().map(|note| format!("  - {note}")));
    }
    if !imported.environment.is_empty() {
        lines.extend(["".to_owned(), "set before a run:".to_owned()]);
        lines.extend(named(&imported.environment, |name| format!("  export {name}=…")));
    }
    let plan = typed(&plan);
    lines.extend(["".to_owned(), "see what it would send, then run it:".to_owned()]);
    lines.extend(["check", "run"].map(|command| format!("  plimsoll {command} {plan}")));
    lines.iter().map(|line| harmless(line) + "\n").collect()
}

fn named<T>(all: &[T], line: impl Fn(&T) -> String) -> Vec<String> {
    let mut lines: Vec<String> = all.iter().take(NAMED_MAX).map(line).collect();
    if all.len() > NAMED_MAX {
        lines.push(format!("  and {} more", all.len() - NAMED_MAX));
    }
    lines
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn in_folder(folder: &Path, path: &str) -> String {
    folder.join(path).display().to_string()
}

/// As it must be typed: in quotes where a shell would take it apart, behind `./` where it would be taken for a flag.
fn typed(path: &str) -> String {
    let path = if path.starts_with('-') { format!("./{path}") } else { path.to_owned() };
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '+' | ',' | '=' | ':' | '@');
    if path.chars().all(is_plain) { path } else { super::quoted(&path) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imported() -> Imported {
        Imported {
            plan: String::new(),
            files: vec![("journeys/a.hurl".to_owned(), String::new())],
            notes: vec!["12 images were left out".to_owned(), "the \u{1b}[31mproxy was left out".to_owned()],
            environment: vec!["TOKEN".to_owned()],
        }
    }

    #[test]
    fn in_words() {
        insta::assert_snapshot!(words(Path::new("my shop"), &imported()), @r"
    made `my shop/plan.toml` with 1 journey:
      my shop/journeys/a.hurl

    what to know:
      - 12 images were left out
      - the \x1b[31mproxy was left out

    set before a run:
      export TOKEN=…

    see what it would send, then run it:
      plimsoll check 'my shop/plan.toml'
      plimsoll run 'my shop/plan.toml'
    ");
    }

    #[test]
    fn as_json() {
        insta::assert_snapshot!(json(Path::new("shop"), &imported()).expect("it serialises"), @r#"
    {
      "schema": "plimsoll.import/1",
      "plan": "shop/plan.toml",
      "files": [
        "shop/plan.toml",
        "shop/journeys/a.hurl"
      ],
      "notes": [
        "12 images were left out",
        "the \u001b[31mproxy was left out"
      ],
      "environment": [
        "TOKEN"
      ],
      "command": [
        "plimsoll",
        "run",
        "shop/plan.toml"
      ]
    }
    "#);
    }

    #[test]
    fn a_thousand_journeys_are_not_listed() {
        let files = (0..1000).map(|nth| (format!("journeys/{nth}.hurl"), String::new())).collect();
        let text = words(Path::new("shop"), &Imported { files, ..imported() });
        assert!(text.contains("\n  and 980 more\n"), "{text}");
        assert!(text.lines().count() < 40, "{text}");
    }
}
