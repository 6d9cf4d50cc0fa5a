//! Whatever text goes in, the official parser reads the same values back.

use hurl_core::ast::{
    Body as AstBody, Bytes, ExprKind, FilenameParam, HurlFile, JsonValue, KeyValue, MultilineStringKind,
    MultipartParam, Request, SectionValue, StatusValue, Template, TemplateElement,
};
use hurl_core::parser::parse_hurl_file;
use proptest::prelude::*;

use super::super::address::field_name;
use super::super::draft::{Body, Content, Exchange, Part, Status};
use super::super::json_text;
use super::super::tree::Node;
use super::super::variables::Variables;
use super::super::words::{Piece, Words};
use super::write;

#[track_caller]
fn parsed(text: &str) -> HurlFile {
    match parse_hurl_file(text) {
        Ok(file) => file,
        Err(error) => panic!("{:?} at {}:{} in\n{text}", error.kind, error.pos.line, error.pos.column),
    }
}

fn request(exchange: &Exchange) -> Request {
    let text = write(&[exchange.clone(), exchange.clone()]);
    let mut file = parsed(&text);
    assert_eq!(file.entries.len(), 2, "{text}");
    let entry = file.entries.remove(0);
    let status = entry.response.map(|response| response.status.value);
    match exchange.status {
        Status::Exactly(code) => assert_eq!(status, Some(StatusValue::Specific(u64::from(code)))),
        Status::Success => assert_eq!(status, Some(StatusValue::Any)),
    }
    entry.request
}

fn words(template: &Template) -> Words {
    let mut words = Words::default();
    for element in &template.elements {
        match element {
            TemplateElement::String { value, .. } => words.push_str(value),
            TemplateElement::Placeholder(placeholder) => match &placeholder.expr.kind {
                ExprKind::Variable(variable) => words.push_variable(&variable.name),
                ExprKind::Function(_) => panic!("no functions were written"),
            },
        }
    }
    words
}

fn pairs(all: &[KeyValue]) -> Vec<(Words, Words)> {
    all.iter().map(|pair| (words(&pair.key), words(&pair.value))).collect()
}

fn expected(all: &[(String, Words)]) -> Vec<(Words, Words)> {
    all.iter().map(|(name, value)| (name.into(), value.clone())).collect()
}

/// Names of queries and forms stand as they are sent.
fn encoded(all: &[(String, Words)]) -> Vec<(Words, Words)> {
    all.iter().map(|(name, value)| (field_name(name).into(), value.clone())).collect()
}

fn any_words() -> impl Strategy<Value = Words> {
    let piece = prop_oneof![
        any::<String>().prop_map(Piece::Literal),
        "[ -~\n\t]{0,12}".prop_map(Piece::Literal),
        "[{}`#\\\\ \"a:;,\n]{0,8}".prop_map(Piece::Literal),
        "[a-z][a-z0-9_]{0,8}".prop_map(|name| Piece::Variable(format!("v{name}"))),
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| {
        let mut words = Words::default();
        pieces.into_iter().for_each(|piece| words.push(piece));
        words
    })
}

fn any_name() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[ -~]{1,12}", "(HTTP|file|hex|base64|true|null|\\[x\\])"]
        .prop_filter("pairs have names", |name| !name.is_empty())
}

fn any_pairs() -> impl Strategy<Value = Vec<(String, Words)>> {
    prop::collection::vec((any_name(), any_words()), 0..4)
}

fn base() -> Exchange {
    Exchange { method: "POST".to_owned(), url: Words::variable("base_url"), ..Exchange::default() }
}

proptest! {
    #[test]
    fn heads_come_back(label in any::<String>(), url in any_words(), headers in any_pairs(), query in any_pairs(),
                       cookies in any_pairs(), basic in proptest::option::of((any_name(), any_words()))) {
        let mut whole = Words::variable("base_url");
        whole.append(url);
        let basic = basic.map(|(user, password)| (Words::from(user), password));
        let exchange = Exchange { label, url: whole, headers, query, cookies, basic, ..base() };
        let request = request(&exchange);
        prop_assert_eq!(words(&request.url), exchange.url.clone());
        prop_assert_eq!(pairs(&request.headers), expected(&exchange.headers));
        let (mut query, mut cookies, mut basic) = (Vec::new(), Vec::new(), None);
        for section in &request.sections {
            match &section.value {
                SectionValue::QueryParams(all, _) => query = pairs(all),
                SectionValue::Cookies(all) => {
                    cookies = all.iter().map(|cookie| (words(&cookie.name), words(&cookie.value))).collect();
                }
                SectionValue::BasicAuth(pair) => basic = pair.as_ref().map(|pair| (words(&pair.key), words(&pair.value))),
                other => panic!("{other:?}"),
            }
        }
        prop_assert_eq!(query, encoded(&exchange.query));
        prop_assert_eq!(cookies, expected(&exchange.cookies));
        prop_assert_eq!(basic, exchange.basic.clone());
    }

    #[test]
    fn texts_come_back(text in any_words(), headers in any_pairs()) {
        let exchange = Exchange { headers, body: Body::Text(text.clone()), ..base() };
        let request = request(&exchange);
        prop_assert_eq!(text_of(request.body), text);
    }

    #[test]
    fn bytes_come_back(bytes in any::<Vec<u8>>()) {
        let request = request(&Exchange { body: Body::Bytes(bytes.clone()), ..base() });
        match request.body.map(|body| body.value) {
            Some(Bytes::Base64(base64)) => prop_assert_eq!(base64.value, bytes),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn files_come_back(path in any::<String>().prop_filter("a name", |path| !path.is_empty())) {
        let request = request(&Exchange { body: Body::File(path.clone()), ..base() });
        match request.body.map(|body| body.value) {
            Some(Bytes::File(file)) => prop_assert_eq!(words(&file.filename), Words::from(path)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn forms_come_back(fields in any_pairs()) {
        let request = request(&Exchange { body: Body::Form(fields.clone()), ..base() });
        let found = request.sections.iter().find_map(|section| match &section.value {
            SectionValue::FormParams(all, _) => Some(pairs(all)),
            _ => None,
        });
        prop_assert_eq!(found.unwrap_or_default(), encoded(&fields));
    }

    #[test]
    fn parts_come_back(parts in prop::collection::vec(any_part(), 0..4)) {
        let request = request(&Exchange { body: Body::Multipart(parts.clone()), ..base() });
        let found = request.sections.iter().find_map(|section| match &section.value {
            SectionValue::MultipartFormData(all, _) => Some(all.iter().map(shown_param).collect::<Vec<_>>()),
            _ => None,
        });
        prop_assert_eq!(found.unwrap_or_default(), parts.iter().map(shown_part).collect::<Vec<_>>());
    }

    #[test]
    fn json_comes_back(node in any_json(), spaced in any::<bool>()) {
        let text = if spaced { node.to_json() } else { node.to_json().replace('\n', "") };
        let words = json_text::without_secrets(&text, &mut Variables::default()).expect("JSON");
        let request = request(&Exchange { body: Body::Json(words.clone()), ..base() });
        match request.body.map(|body| body.value) {
            Some(Bytes::Json(value)) => {
                let read = json(&value);
                let meant: Node = serde_json::from_str(&words.with(|name| format!("{{{{{name}}}}}"))).expect("JSON");
                prop_assert_eq!(read, meant);
            }
            other => panic!("{other:?}"),
        }
    }
}

fn any_part() -> impl Strategy<Value = Part> {
    let file = (
        any::<String>().prop_filter("a name", |path| !path.is_empty()),
        proptest::option::of("[a-z]{1,5}/[a-z#]{1,5}"),
    )
        .prop_map(|(path, content_type)| Content::File { path, content_type });
    let text = prop_oneof![any_words(), Just(Words::from("file,x;"))].prop_map(Content::Text);
    (any_name(), prop_oneof![text, file]).prop_map(|(name, content)| Part { name, content })
}

fn shown_part(part: &Part) -> String {
    match &part.content {
        Content::Text(text) => format!("{:?} {text:?}", Words::from(&part.name)),
        Content::File { path, content_type } => {
            format!(
                "{:?} {:?} {:?}",
                Words::from(&part.name),
                Words::from(path),
                content_type.as_ref().map(Words::from)
            )
        }
    }
}

fn shown_param(param: &MultipartParam) -> String {
    match param {
        MultipartParam::Param(pair) => format!("{:?} {:?}", words(&pair.key), words(&pair.value)),
        MultipartParam::FilenameParam(FilenameParam { key, value, .. }) => {
            format!("{:?} {:?} {:?}", words(key), words(&value.filename), value.content_type.as_ref().map(words))
        }
    }
}

fn text_of(body: Option<AstBody>) -> Words {
    match body.map(|body| body.value) {
        Some(Bytes::OnelineString(template)) => words(&template),
        Some(Bytes::MultilineString(text)) => match text.kind {
            MultilineStringKind::Text(template) => words(&template),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn json(value: &JsonValue) -> Node {
    let text = |template: &Template| words(template).with(|name| format!("{{{{{name}}}}}"));
    match value {
        JsonValue::Placeholder(_) => panic!("variables stand inside of strings"),
        JsonValue::Null => Node::Null,
        JsonValue::Boolean(value) => Node::Bool(*value),
        JsonValue::Number(number) => Node::Number(number.clone()),
        JsonValue::String(template) => Node::Text(text(template)),
        JsonValue::List { elements, .. } => Node::List(elements.iter().map(|element| json(&element.value)).collect()),
        JsonValue::Object { elements, .. } => {
            Node::Object(elements.iter().map(|element| (text(&element.name), json(&element.value))).collect())
        }
    }
}

fn any_json() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        Just(Node::Null),
        any::<bool>().prop_map(Node::Bool),
        any::<i64>().prop_map(|number| Node::Number(number.to_string())),
        any::<String>().prop_map(Node::Text),
        "[{}\\\\\"a]{0,6}".prop_map(Node::Text),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let key = prop_oneof![Just("password".to_owned()), any::<String>(), "[{]{0,4}"];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Node::List),
            prop::collection::vec((key, inner), 0..4).prop_map(Node::Object),
        ]
    })
}

#[test]
fn a_file_reads_well() {
    let mut exchange = base();
    exchange.label = "POST /login".to_owned();
    exchange.url.push_str("/login?x={1}#a");
    exchange.headers = vec![("Content-Type".to_owned(), "application/json".into()), ("X-Empty".to_owned(), "".into())];
    exchange.body = Body::Json(r#"{"a": "{{x}}"}"#.into());
    exchange.status = Status::Exactly(201);
    let expected = "\
# POST /login
POST {{base_url}}/login?x=\\u{7b}1}\\#a
Content-Type: application/json
X-Empty:
{\"a\": \"\\u007b\\u007bx}}\"}
HTTP 201
";
    assert_eq!(write(&[exchange]), expected);
}
