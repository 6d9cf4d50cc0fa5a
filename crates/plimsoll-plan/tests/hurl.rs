//! A Hurl file of ours, as a person would write it, and the table of features.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use plimsoll_journey::{Names, Slot};
use plimsoll_plan::hurl;

fn shop() -> (hurl::Reading, Names) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hurl/shop.hurl");
    let text = fs::read_to_string(&path).expect("the file is there");
    let mut names = Names::default();
    let reading = hurl::read_with_variables(&path, &text, &mut names).expect("the file can be read");
    (reading, names)
}

#[test]
fn a_file_becomes_a_journey() {
    let (reading, names) = shop();
    let journey = &reading.journey;
    assert_eq!(journey.name, "shop");
    let labels: Vec<&str> = journey.steps.iter().map(|step| step.label.as_str()).collect();
    let wanted = [
        "log in",
        "POST /orders",
        "poll until it is paid",
        "GET /orders/{{order}}/invoice",
        "PUT /orders/{{order}}/letter",
        "DELETE /orders/{{order}}",
    ];
    assert_eq!(labels, wanted);
    let counts: Vec<(usize, usize)> =
        journey.steps.iter().map(|step| (step.expected.captures.len(), step.expected.asserts.len())).collect();
    assert_eq!(counts, [(1, 1), (1, 4), (0, 3), (0, 2), (0, 2), (0, 1)]);
    assert!(journey.steps[0].expected.captures[0].secret);
    let set: BTreeSet<&str> = reading.variables.sets().into_iter().map(|slot| names.name(slot)).collect();
    assert_eq!(set, BTreeSet::from(["order", "token"]));
}

#[test]
fn what_it_wants_from_outside() {
    let (reading, mut names) = shop();
    let wants: BTreeSet<&str> = reading.variables.wants().into_iter().map(|slot| names.name(slot)).collect();
    assert_eq!(wants, BTreeSet::from(["base", "password", "sku", "user"]));
    let given: BTreeSet<Slot> = ["base", "user", "pasword", "sku"].iter().map(|name| names.slot(name)).collect();
    let missing = reading.variables.missing(&names, &given);
    assert_eq!(missing.len(), 1);
    assert_eq!((missing[0].place.line, missing[0].place.column), (5, 13));
    assert_eq!(missing[0].hint, "did you mean `pasword`?");
}

/// Each name that hurl has for something stands in the table.
#[test]
fn the_table_names_every_option_query_filter_and_predicate() {
    let table = include_str!("../../../docs/hurl.md");
    let options = "aws-sigv4 cacert cert compressed connect-timeout connect-to delay digest fail-with-body header http1.0 \
        http1.1 http2 http2-prior-knowledge http3 insecure ipv4 ipv6 key limit-rate location location-trusted max-redirs \
        max-time negotiate netrc netrc-file netrc-optional no-header no-jsonpath-coercion ntlm output path-as-is \
        pinnedpubkey proxy repeat resolve retry retry-interval skip tls-max tls-min unix-socket user variable verbose \
        verbosity very-verbose";
    let queries = "status version url header cookie body xpath jsonpath regex variable duration bytes rawbytes sha256 md5 \
        certificate ip redirects";
    let filters = "base64Decode base64Encode base64UrlSafeDecode base64UrlSafeEncode charsetDecode count dateFormat \
        daysAfterNow daysBeforeNow decode first format htmlEscape htmlUnescape jsonpath last location nth regex replace \
        replaceRegex split toDate toFloat toHex toInt toString urlDecode urlEncode urlQueryParam utf8Decode utf8Encode xpath";
    let predicates = "== != > >= < <= startsWith endsWith contains includes matches exists isBoolean isCollection isDate \
        isEmpty isFloat isInteger isIpv4 isIpv6 isIsoDate isList isNumber isObject isString isUuid";
    for name in [options, queries, filters, predicates].iter().flat_map(|names| names.split_whitespace()) {
        assert!(table.contains(&format!("`{name}`")), "`{name}` is not in docs/hurl.md");
    }
}
