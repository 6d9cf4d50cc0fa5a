//! Secrets inside an XML text, replaced without touching another byte of it.

use super::sensitive::is_secret;
use super::variables::Variables;
use super::words::Words;

/// The text with variables for what stands in elements whose names are secret. Attributes of such names too.
pub(super) fn without_secrets(text: &str, variables: &mut Variables) -> Words {
    let mut words = Words::default();
    let mut rest = text;
    while let Some(end) = rest.find('>') {
        let (tag, after) = rest.split_at(end + 1);
        words.append(attributes(tag, variables));
        rest = after;
        let Some(name) = opened(tag).filter(|name| is_secret(name)) else { continue };
        let content = &after[..after.find('<').unwrap_or(0)];
        if !content.trim().is_empty() {
            words.push_variable(&variables.secret(name, content));
            rest = &after[content.len()..];
        }
    }
    words.push_str(rest);
    words
}

/// The name of the element that a text ending in a tag opens, without its namespace.
fn opened(tag: &str) -> Option<&str> {
    let inside = &tag[tag.rfind('<')? + 1..];
    let name = inside.split([' ', '\t', '\r', '\n', '>', '/']).next()?;
    let empty = inside.ends_with("/>");
    (!name.is_empty() && !empty).then(|| name.rsplit(':').next().unwrap_or(name))
}

fn attributes(tag: &str, variables: &mut Variables) -> Words {
    let mut words = Words::default();
    let mut rest = tag;
    while let Some(at) = rest.find("=\"").map(|at| at + 2) {
        let (before, after) = rest.split_at(at);
        words.push_str(before);
        rest = after;
        let name = before[..at - 2].rsplit([' ', '\t', '\n', ':', '<']).next().unwrap_or_default();
        let Some(end) = after.find('"').filter(|end| *end > 0) else { continue };
        if is_secret(name) {
            words.push_variable(&variables.secret(name, &after[..end]));
            rest = &after[end..];
        }
    }
    words.push_str(rest);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(xml: &str, expected: &str) {
        let words = without_secrets(xml, &mut Variables::default());
        assert_eq!(words.with(|name| format!("[{name}]")), expected);
    }

    #[test]
    fn only_secret_values_are_replaced() {
        check("<a><s:Password x=\"1\">pw</s:Password>t</a>\n", "<a><s:Password x=\"1\">[password]</s:Password>t</a>\n");
        check("<login user=\"ann\" password=\"pw\"/>", "<login user=\"ann\" password=\"[password]\"/>");
        check("<token/>x<token></token>", "<token/>x<token></token>");
        check("<token>", "<token>");
        check("<<>=\"<a ü=\"", "<<>=\"<a ü=\"");
    }
}
