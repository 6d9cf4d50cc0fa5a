//! What parsing costs: `cargo bench -p plimsoll-http`. Prints the best of several rounds; asserts nothing.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use plimsoll_http::h2::hpack::{Encoder, Field, Indexing};
use plimsoll_http::h2::{Client, Events, StreamFailure, StreamId, frame};
use plimsoll_http::{Fed, Request, ResponseParser, Sink, end_chunks, put_chunk};

const ROUNDS: usize = 15;

/// A sink that looks at one header, as a journey with an assertion would.
struct OneHeader(usize);

impl Sink for OneHeader {
    fn head(&mut self, head: &plimsoll_http::Head<'_>) {
        self.0 += head.get("content-type").map_or(0, |h| h.value.len());
    }
}

fn main() {
    // `cargo test --benches` runs this too, and wants no figures.
    let budget = if std::env::args().any(|arg| arg == "--bench") { Duration::from_millis(100) } else { Duration::ZERO };
    let short = b"HTTP/1.1 200 OK\r\nContent-Length: 13\r\nContent-Type: text/plain\r\n\r\nHello, World!";
    let nginx = b"HTTP/1.1 200 OK\r\nServer: nginx/1.26.0\r\nDate: Mon, 29 Jul 2024 12:00:00 GMT\r\n\
        Content-Type: application/json; charset=utf-8\r\nContent-Length: 27\r\nConnection: keep-alive\r\n\
        Vary: Accept-Encoding\r\nX-Request-Id: 6f1c1f0e-7f5e-4a4e-9a54-3b0f3c1f2a11\r\n\r\n\
        {\"message\":\"Hello, World!\"}";
    measure("short, Content-Length", short, usize::MAX, &mut (), budget);
    measure("eight headers, JSON", nginx, usize::MAX, &mut (), budget);
    measure("the same, one header read", nginx, usize::MAX, &mut OneHeader(0), budget);
    measure("the same, in two reads", nginx, 100, &mut (), budget);
    let mut chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    put_chunk(&mut chunked, b"Hello, World!");
    end_chunks(&mut chunked);
    measure("short, chunked", &chunked, usize::MAX, &mut (), budget);
    measure_h2(budget);
}

/// A server's answers in HTTP/2 to streams 1, 3, 5 …, all fields but the date in its table after the first.
fn h2_answers(count: u32) -> Vec<Vec<u8>> {
    let mut encoder = Encoder::new();
    let answer = |nth: u32| {
        let fields = [
            (":status", "200", Indexing::Added),
            ("server", "nginx/1.26.0", Indexing::Added),
            ("date", "Mon, 29 Jul 2024 12:00:00 GMT", Indexing::Plain),
            ("content-type", "application/json; charset=utf-8", Indexing::Added),
            ("content-length", "27", Indexing::Added),
        ];
        let fields = fields.map(|(n, v, indexing)| Field { name: n.as_bytes(), value: v.as_bytes(), indexing });
        let (mut out, mut block) = (Vec::new(), Vec::new());
        encoder.encode(fields, &mut block);
        frame::put_headers(&mut out, StreamId::new(2 * nth + 1), &block, false, 16_384);
        frame::put_data(&mut out, StreamId::new(2 * nth + 1), b"{\"message\":\"Hello, World!\"}", true);
        out
    };
    (0..count).map(answer).collect()
}

/// Both directions of an exchange in HTTP/2: opening the stream, and reading its answer.
fn measure_h2(budget: Duration) {
    let answers = h2_answers(10_000);
    let request = Request::builder("GET", "/").host("localhost:8080").build_h2("http").map(Arc::new);
    let Ok(request) = request else { return };
    let round = || {
        let (mut out, mut events, mut greeting) = (Vec::new(), Count(0), Vec::new());
        let mut client = Client::new(&mut out);
        frame::put_settings(&mut greeting, &[]);
        let greeted = client.feed(&greeting, &mut out, &mut events);
        debug_assert!(greeted.is_ok());
        let start = Instant::now();
        for answer in &answers {
            out.clear();
            client.open(&request, &mut out);
            let fed = client.feed(black_box(answer), &mut out, &mut events);
            debug_assert!(fed.is_ok());
        }
        let spent = start.elapsed();
        assert_eq!(events.0, answers.len());
        spent.as_nanos() as f64 / answers.len() as f64
    };
    let rounds = if budget.is_zero() { 1 } else { ROUNDS };
    let best = (0..rounds).map(|_| round()).fold(f64::INFINITY, f64::min);
    println!("{:28} {:4} bytes {best:8.1} ns", "HTTP/2, request and answer", answers.last().map_or(0, Vec::len));
}

/// Counts the answers that ended.
struct Count(usize);

impl Events for Count {
    fn head(&mut self, _: StreamId, head: &plimsoll_http::Head<'_>) {
        black_box(head.status());
    }
    fn body(&mut self, _: StreamId, bytes: &[u8]) {
        black_box(bytes);
    }
    fn done(&mut self, _: StreamId) {
        self.0 += 1;
    }
    fn failed(&mut self, _: StreamId, _: StreamFailure) {}
}

fn measure(name: &str, answer: &[u8], read_bytes: usize, sink: &mut impl Sink, budget: Duration) {
    let mut parser = ResponseParser::new();
    let best = (0..ROUNDS).map(|_| round(&mut parser, answer, read_bytes, sink, budget)).fold(f64::INFINITY, f64::min);
    println!("{name:28} {:4} bytes {best:8.1} ns", answer.len());
}

fn round(parser: &mut ResponseParser, answer: &[u8], read_bytes: usize, sink: &mut impl Sink, budget: Duration) -> f64 {
    let (start, mut answers) = (Instant::now(), 0_u32);
    loop {
        for _ in 0..1000 {
            parser.begin(false);
            for read in black_box(answer).chunks(read_bytes) {
                let fed = parser.feed(read, sink);
                debug_assert!(matches!(fed, Ok(Fed::More | Fed::Done { .. })), "{fed:?}");
            }
            black_box(parser.keep_alive());
        }
        answers += 1000;
        let spent = start.elapsed();
        if spent >= budget {
            return spent.as_nanos() as f64 / f64::from(answers);
        }
    }
}
