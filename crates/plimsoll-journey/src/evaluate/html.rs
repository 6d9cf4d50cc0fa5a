//! Text into HTML and back, by the rules of HTML 5.

use html_escape::NAMED_ENTITIES;

/// The longest named reference has fewer characters.
const NAME_CHARS_MAX: usize = 32;

/// Names that need no semicolon, because documents of old leave it out.
const LENIENT: &str = " AElig AMP Aacute Acirc Agrave Aring Atilde Auml COPY Ccedil ETH Eacute Ecirc Egrave Euml GT \
    Iacute Icirc Igrave Iuml LT Ntilde Oacute Ocirc Ograve Oslash Otilde Ouml QUOT REG THORN Uacute Ucirc Ugrave Uuml \
    Yacute aacute acirc acute aelig agrave amp aring atilde auml brvbar ccedil cedil cent copy curren deg divide eacute \
    ecirc egrave eth euml frac12 frac14 frac34 gt iacute icirc iexcl igrave iquest iuml laquo lt macr micro middot nbsp \
    not ntilde oacute ocirc ograve ordf ordm oslash otilde ouml para plusmn pound quot raquo reg sect shy sup1 sup2 \
    sup3 szlig thorn times uacute ucirc ugrave uml uuml yacute yen yuml ";

/// What the numbers 0x80 to 0x9f mean: Windows-1252, and themselves where that has nothing.
const WINDOWS_1252: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2c6}', '\u{2030}',
    '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}', '\u{90}', '\u{2018}', '\u{2019}', '\u{201c}',
    '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}', '\u{153}', '\u{9d}',
    '\u{17e}', '\u{178}',
];

/// Makes text safe between tags and inside quotes.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#x27;"),
            _ => out.push(c),
        }
    }
    out
}

/// Replaces character references; what is none stays.
pub(super) fn unescape(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let len = if rest.starts_with('#') { numeric(rest, &mut out) } else { named(rest, &mut out) };
        rest = &rest[len..];
    }
    out + rest
}

/// Writes what `#65;` stands for and says how long it is.
fn numeric(text: &str, out: &mut String) -> usize {
    let digits = &text[1..];
    let (digits, radix) = match digits.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16),
        None => (digits, 10),
    };
    let len = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    if len == 0 {
        out.push('&');
        return 0;
    }
    out.extend(u32::from_str_radix(&digits[..len], radix).map_or(Some('\u{fffd}'), character));
    let end = text.len() - digits.len() + len;
    end + usize::from(text[end..].starts_with(';'))
}

/// None for what stands for nothing.
fn character(number: u32) -> Option<char> {
    match number {
        0 => Some('\u{fffd}'),
        0x80..=0x9f => WINDOWS_1252.get(number as usize - 0x80).copied(),
        0x1..=0x8 | 0xb | 0xe..=0x1f | 0x7f | 0xfdd0..=0xfdef => None,
        _ if number <= 0x10_ffff && number & 0xfffe == 0xfffe => None,
        _ => Some(char::from_u32(number).unwrap_or('\u{fffd}')),
    }
}

/// Writes what `amp;` stands for and says how long it is.
fn named(text: &str, out: &mut String) -> usize {
    let ends = |c: char| matches!(c, '\t' | '\n' | '\u{c}' | ' ' | '<' | '&' | '#' | ';');
    let end = text.char_indices().take(NAME_CHARS_MAX).find(|(_, c)| ends(*c)).map(|(at, _)| at);
    let end = end.or_else(|| text.char_indices().nth(NAME_CHARS_MAX).map(|(at, _)| at)).unwrap_or(text.len());
    if text[end..].starts_with(';')
        && let Some(meaning) = meaning(&text[..end])
    {
        out.push_str(meaning);
        return end + 1;
    }
    // The longest name that needs no semicolon wins: `&notit` is `¬it`.
    for len in (1..=end).rev().filter(|&len| text.is_char_boundary(len)) {
        let name = &text[..len];
        if let Some(meaning) = is_lenient(name).then(|| meaning(name)).flatten() {
            out.push_str(meaning);
            return len;
        }
    }
    out.push('&');
    0
}

fn meaning(name: &str) -> Option<&'static str> {
    let found = NAMED_ENTITIES.binary_search_by(|(known, _)| (*known).cmp(name.as_bytes()));
    found.ok().and_then(|at| NAMED_ENTITIES.get(at)).map(|(_, meaning)| *meaning)
}

fn is_lenient(name: &str) -> bool {
    // Names have no spaces, so one between spaces is one of the list.
    name.bytes().all(|byte| byte.is_ascii_alphanumeric()) && LENIENT.contains(&format!(" {name} "))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(unescape(text), expected, "{text}");
    }

    #[test]
    fn references() {
        check("a &amp;&lt; b", "a &< b");
        check("&AMP &copy2024 &notit; &notin; &eacutex", "& ©2024 ¬it; ∉ éx");
        check("&Amp; &nosuch; & &; &&", "&Amp; &nosuch; & &; &&");
        check("&#65;&#x41;&#X41 &#65b", "AAA Ab");
        check("&#0;&#xD800;&#99999999999;", "\u{fffd}\u{fffd}\u{fffd}");
        check("&#x80;&#1;&#xffff;|", "€|");
        check("&#;&#x;&#", "&#;&#x;&#");
        check("&acE;", "\u{223e}\u{333}");
        check("&acE", "&acE");
        check("&CounterClockwiseContourIntegral;", "∳");
        check("&ünot", "&ünot");
        check(&"&".repeat(5), "&&&&&");
    }

    #[test]
    fn all_lenient_names_are_known() {
        assert_eq!(LENIENT.split_whitespace().count(), 106);
        assert!(LENIENT.split_whitespace().all(|name| meaning(name).is_some() && is_lenient(name)));
        assert!(NAMED_ENTITIES.is_sorted());
    }

    proptest! {
        #[test]
        fn what_is_escaped_comes_back(text: String) {
            prop_assert_eq!(unescape(&escape(&text)), text);
        }

        #[test]
        fn any_text_is_taken(text in "[&#xX;0-9a-zéA-Z ]{0,60}") {
            unescape(&text);
        }
    }
}
