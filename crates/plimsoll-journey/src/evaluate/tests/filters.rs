use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(input: Value, filter: Filter, expected: &str) {
    let (scope, mut draw) = (scope().0, draw());
    let described = input.described();
    let found = filter.apply(input, &mut Env { scope: &scope, draw: &mut draw, plain: false });
    assert_eq!(words(found), expected, "{described} {filter:?}");
}

fn text(text: &str) -> Value {
    Value::text(text)
}

#[test]
fn text_and_bytes() {
    check(text("SGk="), Filter::Base64Decode, "bytes <4869>");
    check(text("SGk"), Filter::Base64Decode, "WRONG expected valid filter input, actual string is not base64");
    check(text("-_8"), Filter::Base64UrlSafeDecode, "bytes <fbff>");
    check(
        text("SGk="),
        Filter::Base64UrlSafeDecode,
        "WRONG expected valid filter input, actual base64 string contains padding",
    );
    check(bytes(b"Hi"), Filter::Base64Encode, "string <SGk=>");
    check(bytes(b"\xfb\xff"), Filter::Base64UrlSafeEncode, "string <-_8>");
    check(text("Hi"), Filter::Base64Encode, "WRONG expected filter input of the kind bytes, actual string");
    check(bytes(b"gr\xfcn"), Filter::CharsetDecode(t("latin1")), "string <grün>");
    check(bytes(b"\xff"), Filter::CharsetDecode(t("utf-8")), "WRONG expected bytes in utf-8, actual other bytes");
    check(bytes(b""), Filter::CharsetDecode(t("x")), "WRONG expected an encoding that is supported, actual x");
    check(bytes(b"\xffa"), Filter::Utf8Decode, "string <\u{fffd}a>");
    check(text("ü"), Filter::Utf8Encode, "bytes <c3bc>");
    check(bytes(b"\x0a\xff"), Filter::ToHex, "string <0aff>");
    check(text("<a> & 'b'"), Filter::HtmlEscape, "string <&lt;a&gt; &amp; &#x27;b&#x27;>");
    check(text("&lt;&eacute;&#33;"), Filter::HtmlUnescape, "string <<é!>");
    check(text("a b/c?ü"), Filter::UrlEncode, "string <a%20b/c%3F%C3%BC>");
    check(text("a%20b+%zz"), Filter::UrlDecode, "string <a b+%zz>");
    check(Value::integer(1), Filter::UrlDecode, "WRONG expected filter input of the kind string, actual integer");
}

#[test]
fn pieces_of_text() {
    let replace = |old, new| Filter::Replace { old: t(old), new: t(new) };
    let replace_regex = |pattern, new| Filter::ReplaceRegex { pattern: t(pattern), new: t(new) };
    check(text("a-b-c"), Filter::Split(t("-")), "list <[a,b,c]>");
    check(text("abc"), Filter::Split(t("")), "list <[,a,b,c,]>");
    check(text("a.b.c"), replace(".", ""), "string <abc>");
    check(text("a1b22"), replace_regex("\\d+", "<$0>"), "string <a<1>b<22>>");
    check(text("a1"), replace_regex("(", ""), "WRONG expected a regular expression, actual (");
    check(text("id=42;"), Filter::Regex(t("id=(\\d+)")), "string <42>");
    check(text("id=x"), Filter::Regex(t("id=(\\d+)")), "none");
    check(text(r#"{"a": {"b": true}}"#), Filter::JsonPath(t("$.a.b")), "boolean <true>");
    check(text("{"), Filter::JsonPath(t("$")), "WRONG expected valid filter input, actual value is not a valid JSON");
    let param = |name: &str| Filter::UrlQueryParam(t(name));
    check(text("http://h/?a=1&b=x%20+y"), param("b"), "string <x  y>");
    check(text("http://h/"), param("b"), "none");
    check(
        text("h/?b=1"),
        param("b"),
        "WRONG expected a URL, actual h/?b=1 (it begins neither with http:// nor with https://)",
    );
}

#[test]
fn lists() {
    let three = || list(&[Value::integer(1), text("b"), Value::Null]);
    check(three(), Filter::Count, "integer <3>");
    check(bytes(b"ab"), Filter::Count, "integer <2>");
    check(Value::Nodes(4), Filter::Count, "integer <4>");
    check(text("ab"), Filter::Count, "WRONG expected filter input of the kind list, bytes or nodeset, actual string");
    check(three(), Filter::First, "integer <1>");
    check(three(), Filter::Last, "null <null>");
    check(list(&[]), Filter::First, "WRONG expected valid filter input, actual list is empty");
    check(three(), Filter::Nth(t("1")), "string <b>");
    check(three(), Filter::Nth(t("-3")), "integer <1>");
    check(three(), Filter::Nth(t("3")), "WRONG expected valid filter input, actual out of bound - size is 3");
    check(
        three(),
        Filter::Nth(t("-9223372036854775808")),
        "WRONG expected valid filter input, actual out of bound - size is 3",
    );
    let slots = scope().1;
    check(three(), Filter::Nth(gap(slots[0])), "WRONG expected valid filter input, actual out of bound - size is 3");
    check(three(), Filter::Nth(gap(slots[1])), "WRONG expected an integer, actual string <word>");
    let hop = Hop { url: "http://h/1".to_owned(), status: 302, location: "http://h/2".to_owned() };
    check(Value::Hop(Arc::new(hop)), Filter::Location, "string <http://h/2>");
    check(text("x"), Filter::Location, "WRONG expected filter input of the kind http response, actual string");
}

#[test]
fn numbers() {
    let big = || Value::Number(Number::Big("99999999999999999999".into()));
    check(text("42"), Filter::ToInt, "integer <42>");
    check(text(" 42"), Filter::ToInt, "WRONG expected valid filter input, actual string < 42>");
    check(float(-1.9), Filter::ToInt, "integer <-1>");
    check(float(1e300), Filter::ToInt, "integer <9223372036854775807>");
    check(big(), Filter::ToInt, "WRONG expected filter input of the kind float, integer or string, actual integer");
    check(text("1e3"), Filter::ToFloat, "float <1000.0>");
    check(Value::integer(2), Filter::ToFloat, "float <2.0>");
    check(
        big(),
        Filter::ToFloat,
        "WRONG expected valid filter input, actual integer <99999999999999999999> is too big to be cast as a float",
    );
    check(
        Value::Null,
        Filter::ToFloat,
        "WRONG expected filter input of the kind float, integer or string, actual null",
    );
    check(float(1.0), Filter::ToText, "string <1.0>");
    check(Value::Bool(false), Filter::ToText, "string <false>");
    check(
        list(&[]),
        Filter::ToText,
        "WRONG expected valid filter input, actual list <[]> can not be converted to a string",
    );
}

#[test]
fn dates() {
    let day = || Value::Date(moment());
    check(text("2024-02-29"), Filter::ToDate(t("%Y-%m-%d")), "date <2024-02-29 00:00:00 UTC>");
    check(text("29.02.2024 13:14"), Filter::ToDate(t("%d.%m.%Y %H:%M")), "date <2024-02-29 13:14:00 UTC>");
    check(text("2024-02-29T12:00:00+02:00"), Filter::ToDate(t("%+")), "date <2024-02-29 10:00:00 UTC>");
    check(text("x"), Filter::ToDate(t("%Y")), "WRONG expected a date in the format <%Y>, actual x");
    check(day(), Filter::DateFormat(t("%A %H:%M")), "string <Thursday 12:00>");
    check(day(), Filter::DateFormat(t("%")), "WRONG expected a date format, actual %");
    check(text("x"), Filter::DateFormat(t("%Y")), "WRONG expected filter input of the kind date, actual string");
    let later = || Value::Date(moment() + chrono::TimeDelta::hours(50));
    check(later(), Filter::DaysAfterNow, "integer <2>");
    check(later(), Filter::DaysBeforeNow, "integer <-2>");
}

#[test]
fn a_filter_needs_something_to_work_on() {
    let answer = Answer { body: br#"{"a": "x"}"#, ..Answer::default() };
    let yields = |path: &str, filters: &[Filter]| yielded(&Query::JsonPath(t(path)), filters, &answer, false);
    assert_eq!(yields("$.a", &[Filter::Utf8Encode, Filter::ToHex]), "string <78>");
    assert_eq!(yields("$.b", &[Filter::Count]), "WRONG expected a value to apply the filter to, actual none");
    assert_eq!(yields("$.a", &[Filter::Regex(t("(y)"))]), "none");
    assert_eq!(
        yields("$.a", &[Filter::Regex(t("(y)")), Filter::Count]),
        "WRONG expected a value to apply the filter to, actual none"
    );
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        Just(Value::Unit),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::integer),
        any::<f64>().prop_map(float),
        "-?[0-9]{1,30}".prop_map(|digits| Value::Number(Number::Big(digits.into()))),
        "\\PC{0,20}".prop_map(|text| Value::text(&text)),
        "[%&#;=+/?:{}\\[\\]\"0-9a-f]{0,20}".prop_map(|text| Value::text(&text)),
        any::<Vec<u8>>().prop_map(|value| bytes(&value)),
        any::<i64>().prop_map(|ms| DateTime::from_timestamp_millis(ms).map_or(Value::Null, Value::Date)),
        any::<usize>().prop_map(Value::Nodes),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| prop::collection::vec(inner, 0..4).prop_map(|values| list(&values)))
}

fn any_filter() -> impl Strategy<Value = Filter> {
    let words =
        prop_oneof![Just(""), Just("-1"), Just("%"), Just("%Y-%m-%d"), Just("(a)?"), Just("$..*"), Just("utf-16")];
    (0_usize..31, words).prop_map(|(which, word)| {
        let plain = [
            Filter::Base64Decode,
            Filter::Base64Encode,
            Filter::Base64UrlSafeDecode,
            Filter::Base64UrlSafeEncode,
            Filter::Count,
            Filter::DaysAfterNow,
            Filter::DaysBeforeNow,
            Filter::First,
            Filter::HtmlEscape,
            Filter::HtmlUnescape,
            Filter::Last,
            Filter::Location,
            Filter::ToFloat,
            Filter::ToHex,
            Filter::ToInt,
            Filter::ToText,
            Filter::UrlDecode,
            Filter::UrlEncode,
            Filter::Utf8Decode,
            Filter::Utf8Encode,
            Filter::CharsetDecode(t(word)),
            Filter::DateFormat(t(word)),
            Filter::JsonPath(t(word)),
            Filter::Nth(t(word)),
            Filter::Regex(t(word)),
            Filter::Split(t(word)),
            Filter::ToDate(t(word)),
            Filter::UrlQueryParam(t(word)),
            Filter::Replace { old: t(word), new: t("$0") },
            Filter::ReplaceRegex { pattern: t(word), new: t("$0$") },
        ];
        plain.get(which % plain.len()).cloned().unwrap_or(Filter::Count)
    })
}

proptest! {
    #[test]
    fn any_value_is_taken(value in any_value(), other in any_value(), filters in prop::collection::vec(any_filter(), 1..4)) {
        let (scope, mut draw) = (scope().0, draw());
        let mut env = Env { scope: &scope, draw: &mut draw, plain: false };
        prop_assert_eq!(value == other, other == value);
        let mut value = value;
        for filter in filters {
            let Ok(Some(next)) = filter.apply(value, &mut env) else { break };
            let _ = next.described();
            value = next;
        }
    }
}
