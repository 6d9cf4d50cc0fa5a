//! `env:NAME`: a value from the environment, and a secret from then on.

use super::found::{Found, Mistakes};
use super::node::{Node, Value};
use super::text::Text;

/// Says what a variable of the environment holds.
pub(super) type Environment<'e> = dyn Fn(&str) -> Option<String> + 'e;

/// Replaces every `env:NAME` of the tree by what the environment says.
pub(super) fn resolve(tree: &mut Node, environment: &Environment<'_>, found: &Mistakes) {
    tree.for_each_scalar(&mut |node| {
        let Value::Text(text) = &node.value else { return };
        match read(text.reveal(), environment) {
            Ok(None) => {}
            Ok(Some(value)) => node.value = Value::Text(Text::secret(value)),
            Err((message, hint)) => {
                found.add(Found::new(node.origin, message, hint));
                // A secret nobody has: later complaints about it would only repeat this one.
                node.value = Value::Text(Text::secret(MISSING));
            }
        }
    });
}

/// Stands where a value is missing and that was said already; no environment can hold it.
pub(super) const MISSING: &str = "\0";

/// What takes the place of `env:NAME`; none where the text is meant as it is.
fn read(text: &str, environment: &Environment<'_>) -> Result<Option<String>, (String, String)> {
    let Some(name) = text.strip_prefix("env:") else { return Ok(None) };
    if !is_name(name) {
        let message = format!("`{name}` cannot be the name of an environment variable");
        return Err((message, "write it like `env:API_TOKEN`".to_owned()));
    }
    environment(name).map(Some).ok_or_else(|| {
        (format!("there is no environment variable `{name}`"), format!("set it first: `export {name}=…`"))
    })
}

fn is_name(name: &str) -> bool {
    !name.starts_with(|first: char| first.is_ascii_digit())
        && !name.is_empty()
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<Option<&str>, ()>) {
        let environment = |name: &str| (name == "TOKEN").then(|| "swordfish".to_owned());
        let read = read(text, &environment);
        assert_eq!(read.as_ref().map(|value| value.as_deref()).map_err(|_| ()), expected, "{text}");
    }

    #[test]
    fn only_a_whole_text_is_taken_from_the_environment() {
        check("env:TOKEN", Ok(Some("swordfish")));
        check("Bearer env:TOKEN", Ok(None));
        check("environment", Ok(None));
        for text in ["env:", "env:NOBODY", "env:9", "env:TOKEN ", "env:A-B"] {
            check(text, Err(()));
        }
    }
}
