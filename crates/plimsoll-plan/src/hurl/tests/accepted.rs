//! What is accepted, as the program that becomes of it.

use plimsoll_journey::{Count, HttpVersion, Journey, Names, Setting};

use super::{reading, summary};

fn journey(text: &str) -> (Journey, Names) {
    let mut names = Names::default();
    match reading(text, &mut names) {
        Ok(reading) => (reading.journey, names),
        Err(mistakes) => panic!("{}", mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
    }
}

/// The first step, in lines.
#[track_caller]
fn check(text: &str, wanted: &[&str]) {
    let (journey, names) = journey(text);
    assert_eq!(summary::step(&journey.steps[0], &names), wanted.join("\n"), "{text}");
}

/// A single query with its filters and its predicate, below a request.
#[track_caller]
fn assert_becomes(line: &str, wanted: &str) {
    check(&format!("GET http://h/\nHTTP *\n[Asserts]\n{line}\n"), &["GET http://h/", &format!("assert {wanted}")]);
}

/// The body that is sent, and its type.
#[track_caller]
fn body_becomes(body: &str, wanted: &str, kind: Option<&str>) {
    let kind = kind.map(|kind| format!("type {kind}"));
    let body_line = format!("body {wanted}");
    let lines: Vec<&str> = ["POST http://h/", &body_line].into_iter().chain(kind.as_deref()).collect();
    check(&format!("POST http://h/\n{body}\n"), &lines);
}

#[test]
fn parts_of_a_request() {
    check("GET http://h/{{id}}?a={{b}}", &["GET http://h/{{id}}?a={{b}}"]);
    check("GET http://h/\nX-{{a}}: {{newUuid}} b", &["GET http://h/", "header X-{{a}}: {{newUuid()}} b"]);
    check("GET http://h/\n[Query]\nq: a b\nr: {{c}}", &["GET http://h/", "query q=a b", "query r={{c}}"]);
    check("GET http://h/\n[QueryStringParams]\nq: 1", &["GET http://h/", "query q=1"]);
    check("GET http://h/\n[Cookies]\na: {{b}}", &["GET http://h/", "cookie a={{b}}"]);
    check("GET http://h/\n[BasicAuth]\nada: {{pw}}", &["GET http://h/", "auth ada:{{pw}}"]);
    check("\u{feff}GET http://h/", &["GET http://h/"]);
    check("GET http://h/\r\nA: b\r\n", &["GET http://h/", "header A: b"]);
}

#[test]
fn forms_encode_values_and_leave_names() {
    let wanted = "body a b=%C3%A4%20%26&c={{d|form}}";
    let kind = "type application/x-www-form-urlencoded";
    check("POST http://h/\n[Form]\na\\u{20}b: ä &\nc: {{d}}", &["POST http://h/", wanted, kind]);
    check("POST http://h/\n[FormParams]\n", &["POST http://h/"]);
}

#[test]
fn bodies() {
    body_becomes(
        "{ \"a\" : [ 1, {{n}} ], \"b\": \"x\\n{{t}}\" }",
        "{ \"a\" : [ 1, {{n|json}} ], \"b\": \"x\\n{{t|json-text}}\" }",
        Some("application/json"),
    );
    body_becomes("{\"{{k}}\\u0041\": null}", "{\"{{k}}A\": null}", Some("application/json"));
    body_becomes("<a>{{b}}</a>", "<a>{{b}}</a>", Some("application/xml"));
    body_becomes("`one {{line}}`", "one {{line}}", None);
    body_becomes("```\na {{b}}\n```", "a {{b}}\n", None);
    body_becomes("```raw\na {{b}}\n```", "a {{b}}\n", None);
    body_becomes("```json\n{\"a\": \"{{b}}\"}\n```", "{\"a\": \"{{b}}\"}\n", Some("application/json"));
    body_becomes("```xml\n<a>{{b}}</a>\n```", "<a>{{b}}</a>\n", Some("application/xml"));
    body_becomes("base64,SGk=;", "Hi", None);
    body_becomes("hex,4869;", "Hi", None);
    body_becomes("file,greeting.txt;", "Good morning\n", None);
}

#[test]
fn graphql_becomes_json() {
    let kind = Some("application/json");
    body_becomes("```graphql\n{ a(id: \"{{id}}\") }\n```", "{\"query\":\"{ a(id: \\\"{{id|json-text}}\\\") }\"}", kind);
    body_becomes(
        "```graphql\nquery q { a }\nvariables { \"x\" : {{x}}, \"y\": \"{{y}}\" }\n```",
        "{\"query\":\"query q { a }\",\"variables\":{\"x\":{{x|json}},\"y\":\"{{y|json-text}}\"}}",
        kind,
    );
}

#[test]
fn multipart_has_a_boundary_that_is_always_the_same() {
    let boundary = "----------------------plimsoll0000000000000000";
    let (journey, names) = journey(
        "POST http://h/\n[Multipart]\na\\u{22}: {{b}}\nf: file,greeting.txt;\ng: file,greeting.txt; text/{{kind}}\n",
    );
    let step = summary::step(&journey.steps[0], &names);
    let file = "Good morning\n";
    let wanted = [
        "POST http://h/\nbody --BOUNDARY\r\nContent-Disposition: form-data; name=\"a%22\"\r\n\r\n{{b}}\r\n",
        "--BOUNDARY\r\nContent-Disposition: form-data; name=\"f\"; filename=\"greeting.txt\"\r\n",
        &format!("Content-Type: text/plain\r\n\r\n{file}\r\n"),
        "--BOUNDARY\r\nContent-Disposition: form-data; name=\"g\"; filename=\"greeting.txt\"\r\n",
        &format!("Content-Type: text/{{{{kind}}}}\r\n\r\n{file}\r\n--BOUNDARY--\r\n\n"),
        "type multipart/form-data; boundary=BOUNDARY",
    ];
    assert_eq!(step, wanted.concat().replace("BOUNDARY", boundary));
}

#[test]
fn a_boundary_that_occurs_is_not_taken() {
    let taken = "----------------------plimsoll0000000000000000";
    let (journey, _) = journey(&format!("POST http://h/\n[Multipart]\na: {taken}\n"));
    let kind = journey.steps[0].request.content_type.clone();
    assert_eq!(kind.as_deref(), Some("multipart/form-data; boundary=----------------------plimsoll0000000000000001"));
}

#[test]
fn what_an_answer_must_be_in_order() {
    check(
        "GET http://h/\nHTTP/1.1 200\nA: {{b}}\n[Captures]\nid: jsonpath \"$.id\" toString redact\n[Asserts]\nbody contains \"x\"\n`b`\n",
        &[
            "GET http://h/",
            "capture id: jsonpath $.id | ToText secret",
            "assert version == \"1.1\"",
            "assert status == Number(Integer(200))",
            "assert header A any == \"{{b}}\"",
            "assert body == \"b\"",
            "assert body contains \"x\"",
        ],
    );
    check(
        "GET http://h/\nHTTP 200\nhex,00ff;",
        &["GET http://h/", "assert status == Number(Integer(200))", "assert bytes == [0, 255]"],
    );
    check("GET http://h/\nHTTP/2 *\n", &["GET http://h/", "assert version == \"2\""]);
    check(
        "GET http://h/\nHTTP *\n{\"a\": \"{{b}}\"}\n",
        &["GET http://h/", "assert body == \"{\\\"a\\\": \\\"{{b|json-text}}\\\"}\""],
    );
}

#[test]
fn queries() {
    assert_becomes("status < 300", "status < Number(Integer(300))");
    assert_becomes("version == \"2\"", "version == \"2\"");
    assert_becomes("url endsWith \"/x\"", "url endsWith \"/x\"");
    assert_becomes("header \"A-{{b}}\" exists", "header A-{{b}} is Exists");
    assert_becomes("cookie \"a\" exists", "cookie a Value is Exists");
    assert_becomes("cookie \"a[Max-Age]\" == 3", "cookie a MaxAge == Number(Integer(3))");
    assert_becomes("body isEmpty", "body is Empty");
    assert_becomes("xpath \"//a\" count == 1", "xpath //a | Count == Number(Integer(1))");
    assert_becomes("jsonpath \"$.{{a}}\" isNumber", "jsonpath $.{{a}} is Number");
    assert_becomes("regex \"a(\\\\d+)\" == \"1\"", "regex a(\\d+) == \"1\"");
    assert_becomes("regex /a(\\d+)\\/b/ == \"1\"", "regex a(\\d+)/b == \"1\"");
    assert_becomes("variable \"a\" == 1.5", "variable a == Number(Float(1.5))");
    assert_becomes("duration < 500", "duration < Number(Integer(500))");
    assert_becomes("sha256 == hex,00;", "sha256 == [0]");
    assert_becomes("md5 == base64,AA==;", "md5 == [0]");
    assert_becomes("bytes startsWith hex,efbb;", "bytes startsWith [239, 187]");
    assert_becomes("rawbytes count == 3", "rawbytes | Count == Number(Integer(3))");
    assert_becomes("certificate \"Subject\" contains \"h\"", "certificate Subject contains \"h\"");
    assert_becomes("ip isIpv4", "ip is Ipv4");
    assert_becomes("redirects count == 0", "redirects | Count == Number(Integer(0))");
    assert_becomes("redirects nth 0 location == \"/\"", "redirects | nth 0 | Location == \"/\"");
}

#[test]
fn filters() {
    for filter in [
        "Base64Decode",
        "Base64Encode",
        "Base64UrlSafeDecode",
        "Base64UrlSafeEncode",
        "Count",
        "DaysAfterNow",
        "DaysBeforeNow",
        "First",
        "HtmlEscape",
        "HtmlUnescape",
        "Last",
        "ToFloat",
        "ToHex",
        "ToInt",
        "UrlDecode",
        "UrlEncode",
        "Utf8Decode",
        "Utf8Encode",
    ] {
        let name = filter[..1].to_lowercase() + &filter[1..];
        assert_becomes(&format!("body {name} exists"), &format!("body | {filter} is Exists"));
    }
    assert_becomes("body toString exists", "body | ToText is Exists");
    assert_becomes("bytes decode \"gb2312\" exists", "bytes | charsetDecode gb2312 is Exists");
    assert_becomes("bytes charsetDecode \"{{c}}\" exists", "bytes | charsetDecode {{c}} is Exists");
    assert_becomes("body toDate \"%Y\" format \"%d\" exists", "body | toDate %Y | dateFormat %d is Exists");
    assert_becomes("body toDate \"%Y\" dateFormat \"%d\" exists", "body | toDate %Y | dateFormat %d is Exists");
    assert_becomes("body jsonpath \"$.a\" nth {{i}} exists", "body | jsonpath $.a | nth {{i}} is Exists");
    assert_becomes("body split \",\" nth -1 == \"a\"", "body | split , | nth -1 == \"a\"");
    assert_becomes("body regex /a(.)/ exists", "body | regex a(.) is Exists");
    assert_becomes("body replace \"a\" \"b\" exists", "body | replace a b is Exists");
    assert_becomes("body replaceRegex /a+/ \"{{b}}\" exists", "body | replaceRegex a+ {{b}} is Exists");
    assert_becomes("url urlQueryParam \"q\" exists", "url | urlQueryParam q is Exists");
    assert_becomes("body xpath \"//a\" exists", "body | xpath //a is Exists");
}

#[test]
fn predicates() {
    assert_becomes("body == \"a{{b}}\"", "body == \"a{{b}}\"");
    assert_becomes("body != \"a\"", "body != \"a\"");
    assert_becomes("body not != \"a\"", "body not != \"a\"");
    assert_becomes("body not == \"a\"", "body not == \"a\"");
    assert_becomes("body not contains \"a\"", "body not contains \"a\"");
    assert_becomes("body == {{v}}", "body == {{v}}");
    assert_becomes("body == null", "body == Null");
    assert_becomes("body == true", "body == Bool(true)");
    assert_becomes("body == 99999999999999999999", "body == Number(Big(\"99999999999999999999\"))");
    assert_becomes("body > 1", "body > Number(Integer(1))");
    assert_becomes("body >= 1", "body >= Number(Integer(1))");
    assert_becomes("body <= 1", "body <= Number(Integer(1))");
    assert_becomes("body matches /a\\d/", "body matches a\\d");
    assert_becomes("body matches \"a{{b}}\"", "body matches a{{b}}");
    assert_becomes("body includes 1", "body includes Number(Integer(1))");
    assert_becomes("bytes == file,greeting.txt;", &format!("bytes == {:?}", b"Good morning\n"));
    assert_becomes("body == ```\na\n```", "body == \"a\\n\"");
    for test in [
        "Boolean",
        "Collection",
        "Date",
        "Empty",
        "Float",
        "Integer",
        "Ipv4",
        "Ipv6",
        "IsoDate",
        "List",
        "Number",
        "Object",
        "Uuid",
    ] {
        assert_becomes(&format!("body is{test}"), &format!("body is {test}"));
    }
    assert_becomes("body isString", "body is Text");
}

#[test]
fn options() {
    let (journey, names) = journey(
        "GET http://h/\n[Options]\nvariable: a=1\nvariable: b=x{{a}}\ndelay: 2s\nretry: -1\nretry-interval: {{wait}}\n\
         repeat: 3\nskip: false\nlocation-trusted: true\nmax-redirs: 5\nmax-time: 1m\nconnect-timeout: 500\n\
         compressed: true\ninsecure: true\nhttp2: false\nuser: a:{{p}}\nheader: A: b\nno-header: Accept\n\
         no-jsonpath-coercion: true\nverbose: true\nvery-verbose: true\nverbosity: debug\nfail-with-body: true\n\
         digest: false\nnetrc: false\npath-as-is: false\n",
    );
    let options = &journey.steps[0].options;
    let millis = |setting| match setting {
        Some(Setting::Fixed(duration)) => std::time::Duration::as_millis(&duration),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        (millis(options.delay), millis(options.time_max), millis(options.connect_timeout)),
        (2_000, 60_000, 500)
    );
    assert_eq!(options.retry, Some(Setting::Fixed(Count::Endless)));
    assert_eq!(options.retry_interval, names.find("wait").map(Setting::Variable));
    assert_eq!(options.repeat, Some(Setting::Fixed(Count::Times(3))));
    assert_eq!((options.skip, options.follow), (Some(Setting::Fixed(false)), Some(Setting::Fixed(true))));
    assert_eq!(options.follow_trusted, Some(Setting::Fixed(true)));
    assert_eq!(options.http, Some(HttpVersion::V1_1));
    let variables: Vec<String> =
        options.variables.iter().map(|(slot, value)| format!("{}={value:?}", names.name(*slot))).collect();
    assert_eq!(variables[0], "a=Fixed(Number(Integer(1)))");
    assert!(variables[1].starts_with("b=Text("), "{variables:?}");
    assert_eq!((options.headers.len(), options.no_headers.len()), (1, 1));
}

#[track_caller]
fn label_is(text: &str, wanted: &str) {
    let (journey, _) = journey(text);
    assert_eq!(journey.steps.last().map(|step| step.label.as_str()), Some(wanted), "{text}");
}

#[test]
fn labels() {
    label_is("# log in\nPOST http://h/login", "log in");
    label_is("GET http://h/\nHTTP 200\n\n## Two\n  GET http://h/b", "Two");
    label_is("# far away\n\nGET http://h/b", "GET /b");
    label_is("#\nGET http://h/b", "GET /b");
    label_is("GET http://h", "GET /");
    label_is("GET http://h?a=b", "GET /");
    label_is("GET {{base}}/orders/{{id}}?x={{y}}", "GET /orders/{{id}}");
    label_is("GET http://{{host}}:{{port}}/a#b", "GET /a");
    label_is("GET {{host}}:8080/a", "GET /a");
    label_is("GET {{base}}{{path}}/x", "GET {{path}}/x");
    label_is("GET {{url}}", "GET {{url}}");
}

#[test]
fn places_and_sources() {
    let (journey, _) = journey(
        "# a\nGET http://h/\n\nHTTP 200\n[Captures]\n  id: jsonpath \"$.id\"\n[Asserts]\n\tbody exists # yes\n",
    );
    let step = &journey.steps[0];
    assert_eq!((step.place.line, step.place.column), (2, 1));
    assert_eq!((step.expected.captures[0].place.line, step.expected.captures[0].place.column), (6, 3));
    assert_eq!(step.expected.asserts[0].source, "HTTP 200");
    assert_eq!(step.expected.asserts[1].source, "body exists # yes");
    assert_eq!(step.expected.asserts[1].place.column, 2);
    assert!(step.needs.body && step.needs.headers && !step.needs.raw_body && !step.needs.certificate);
    assert_eq!(journey.name, "test");
}
