//! Secrets inside a multipart text, replaced without touching another byte of it.

use super::sensitive::is_secret;
use super::variables::Variables;
use super::words::Words;

/// The text with variables for the values of secret fields.
pub(super) fn without_secrets(text: &str, content_type: &str, variables: &mut Variables) -> Words {
    let Some(boundary) = boundary(content_type) else { return text.into() };
    let delimiter = format!("--{boundary}");
    let mut words = Words::default();
    for (index, part) in text.split(delimiter.as_str()).enumerate() {
        if index > 0 {
            words.push_str(&delimiter);
        }
        words.append(part_without_secrets(part, variables));
    }
    words
}

fn part_without_secrets(part: &str, variables: &mut Variables) -> Words {
    let split = ["\r\n\r\n", "\n\n"].iter().find_map(|gap| part.find(gap).map(|at| part.split_at(at + gap.len())));
    let Some((head, rest)) = split else { return part.into() };
    let value = rest.strip_suffix("\r\n").or_else(|| rest.strip_suffix('\n')).unwrap_or(rest);
    match field(head) {
        Some(name) if is_secret(name) && !value.is_empty() => {
            let mut words = Words::from(head);
            words.push_variable(&variables.secret(name, value));
            words.push_str(&rest[value.len()..]);
            words
        }
        _ => part.into(),
    }
}

fn boundary(content_type: &str) -> Option<&str> {
    let at = content_type.to_ascii_lowercase().find("boundary=")? + "boundary=".len();
    let rest = content_type.get(at..)?;
    let boundary = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next()?,
        None => rest.split(';').next()?.trim(),
    };
    (!boundary.is_empty()).then_some(boundary)
}

fn field(head: &str) -> Option<&str> {
    let at = head.find(" name=\"")? + " name=\"".len();
    head.get(at..)?.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_secret_fields_are_replaced() {
        let part = |name: &str, value: &str| {
            format!("--xx\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        };
        let text = part("user", "ann") + &part("password", "pw") + "--xx--\r\n";
        let words = without_secrets(&text, "multipart/form-data; boundary=xx", &mut Variables::default());
        assert_eq!(words.with(|name| format!("<{name}>")), text.replace("pw", "<password>"));
    }
}
