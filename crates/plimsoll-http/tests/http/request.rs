//! Requests as bytes, and the ones that cannot be built.

use plimsoll_http::{Request, RequestBuilder};

fn get() -> RequestBuilder<'static> {
    Request::builder("GET", "/").host("h")
}

#[track_caller]
fn check(builder: RequestBuilder<'_>, expected: &str) {
    let agent = concat!("plimsoll/", env!("CARGO_PKG_VERSION"));
    let shown = match builder.build() {
        Ok(request) => String::from_utf8_lossy(request.bytes()).replace(agent, "plimsoll"),
        Err(error) => error.to_string(),
    };
    assert_eq!(shown.replace("\r\n", "|"), expected);
}

#[test]
fn bytes() {
    check(get(), "GET / HTTP/1.1|Host: h|User-Agent: plimsoll|Accept: */*||");
    check(
        Request::builder("GET", "http://h:81/a?b=c").host("h:81").fresh(true),
        "GET http://h:81/a?b=c HTTP/1.1|Host: h:81|User-Agent: plimsoll|Accept: */*|Connection: close||",
    );
    check(
        Request::builder("POST", "/").host("h").body(b"ab\r\n"),
        "POST / HTTP/1.1|Host: h|User-Agent: plimsoll|Accept: */*|Content-Length: 4||ab|",
    );
    check(
        Request::builder("POST", "/").host("h"),
        "POST / HTTP/1.1|Host: h|User-Agent: plimsoll|Accept: */*|Content-Length: 0||",
    );
}

#[test]
fn headers_of_the_user() {
    check(
        get().header("X", " 1 ").header("host", "other").header("USER-AGENT", "me").header("X", "2"),
        "GET / HTTP/1.1|Host: other|Accept: */*|X: 1|USER-AGENT: me|X: 2||",
    );
    check(
        get().omit("accept").omit("User-Agent").header("Connection", "keep-alive").fresh(true),
        "GET / HTTP/1.1|Host: h|Connection: keep-alive||",
    );
    let bare = || Request::builder("PUT", "/").host("h").omit("accept").omit("user-agent");
    check(bare().body(b"ab").header("content-length", "2"), "PUT / HTTP/1.1|Host: h|content-length: 2||ab");
    check(bare().body(b"ab").omit("content-length"), "PUT / HTTP/1.1|Host: h|Content-Length: 2||ab");
    check(
        bare().body(b"ab").header("Transfer-Encoding", "chunked"),
        "PUT / HTTP/1.1|Host: h|Transfer-Encoding: chunked||2|ab|0||",
    );
}

#[test]
fn what_makes_no_request() {
    let line = |method: &'static str, target: &'static str| Request::builder(method, target).host("h");
    check(line("G ET", "/"), "expected a method like `GET`, saw `G ET`");
    check(line("", "/"), "expected a method like `GET`, saw ``");
    let target = "expected a target like `/path?query` without blanks or control characters, saw";
    check(line("GET", ""), &format!("{target} ``"));
    check(line("GET", "/a b"), &format!("{target} `/a b`"));
    check(line("GET", "/\r\nX: y"), &format!("{target} `/\\r\\nX: y`"));
    check(Request::builder("GET", "/"), "expected a host, saw none");
    check(get().header("A B", "c"), "expected a header name without blanks or separators, saw `A B`");
    let value =
        |name: &str, seen: &str| format!("expected the value of `{name}` without control characters, saw `{seen}`");
    check(get().header("A", "b\r\nc: d"), &value("A", "b\\r\\nc: d"));
    check(get().header("A", "b\0"), &value("A", "b\\x00"));
    check(line("GET", "/").host("h\n"), &value("Host", "h\\n"));
    check(get().header("Host", "a").header("Host", "b"), "expected one `Host` header, saw several");
    check(get().header("Content-Length", "9"), "expected `content-length` to be 0, the size of the body, saw `9`");
    let coding = "expected `transfer-encoding` to be `chunked`, without a `content-length`, saw";
    check(get().header("Transfer-Encoding", "gzip"), &format!("{coding} `gzip`"));
    check(get().header("Transfer-Encoding", "chunked").header("Content-Length", "0"), &format!("{coding} `chunked`"));
}

#[test]
fn facts() {
    let facts = |method: &str| {
        let request = Request::builder(method, "/").host("h").build().expect("a good request");
        assert_eq!(request.method(), method);
        (request.is_head(), request.is_idempotent(), request.closes())
    };
    assert_eq!(facts("HEAD"), (true, true, false));
    assert_eq!(facts("DELETE"), (false, true, false));
    assert_eq!(facts("POST"), (false, false, false));
    assert_eq!(facts("get"), (false, false, false));
    let closes = |builder: RequestBuilder<'_>| builder.build().expect("a good request").closes();
    assert!(closes(get().fresh(true)));
    assert!(closes(get().header("Connection", "x, Close")));
    assert!(!closes(get().fresh(true).header("Connection", "keep-alive")));
    assert!(!closes(get().fresh(true).omit("Connection")));
}
