//! Requests as fields, and the ones that cannot be built for HTTP/2.

use plimsoll_http::h2::hpack::Indexing;
use plimsoll_http::{Request, RequestBuilder};

fn get() -> RequestBuilder<'static> {
    Request::builder("GET", "/a?b").host("h:1").omit("accept").omit("user-agent")
}

#[track_caller]
fn check(builder: RequestBuilder<'_>, expected: &str) {
    let shown = match builder.build_h2("https") {
        Ok(request) => {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let fields = request.fields().map(|f| format!("{}={}|", text(f.name), text(f.value)));
            fields.collect::<String>() + &text(request.body())
        }
        Err(error) => error.to_string(),
    };
    assert_eq!(shown, expected);
}

const START: &str = ":method=GET|:scheme=https|:authority=h:1|:path=/a?b|";
const POST: &str = ":method=POST|:scheme=https|:authority=h|:path=/|";

#[test]
fn fields() {
    check(get(), START);
    check(get().header("X-Name", " 1 ").header("X-Name", "2"), &format!("{START}x-name=1|x-name=2|"));
    check(get().header("HOST", "other"), &START.replace("h:1", "other"));
    let agent = concat!("user-agent=plimsoll/", env!("CARGO_PKG_VERSION"));
    let post = || Request::builder("POST", "/").host("h").body(b"ab");
    check(post(), &format!("{POST}{agent}|accept=*/*|content-length=2|ab"));
    check(Request::builder("OPTIONS", "*").host("h").omit("accept").omit("user-agent"), &{
        POST.replace("POST", "OPTIONS").replace(":path=/", ":path=*")
    });
}

#[test]
fn what_is_about_the_connection_is_left_out() {
    let get = |name: &'static str, value: &'static str| get().header(name, value);
    for name in ["Connection", "Keep-Alive", "Proxy-Connection", "Upgrade"] {
        check(get(name, "x"), START);
    }
    check(get("TE", "gzip"), START);
    check(get("TE", "Trailers"), &format!("{START}te=Trailers|"));
    check(get("X", "y").fresh(true), &format!("{START}x=y|"));
    // A body of unannounced length: its end is that of the stream.
    check(get("Transfer-Encoding", "chunked").body(b"ab"), &format!("{START}ab"));
}

#[test]
fn what_makes_no_request() {
    check(Request::builder("GET", "/"), "expected a host, saw none");
    check(get().header("a b", "c"), "expected a header name without blanks or separators, saw `a b`");
    let path = "expected a target that starts with `/`, or `*`, for HTTP/2, saw";
    check(Request::builder("GET", "http://h/").host("h"), &format!("{path} `http://h/`"));
    check(Request::builder("CONNECT", "h:1").host("h"), &format!("{path} `h:1`"));
}

#[test]
fn short_secrets_are_never_indexed() {
    let request = get().header("Cookie", "a=b").header("Authorization", "Bearer 0123456789abcdef").build_h2("http");
    let request = request.expect("a good request");
    let indexing: Vec<Indexing> = request.fields().skip(4).map(|field| field.indexing).collect();
    assert_eq!(indexing, [Indexing::Never, Indexing::Added]);
}
