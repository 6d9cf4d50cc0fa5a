//! What a step costs beside its exchange: `cargo bench -p plimsoll-journey`. Prints the best of several rounds; asserts
//! nothing.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::DateTime;
use plimsoll_journey::{
    Answer, Assert, Capture, Comparison, Draw, Escape, Expected, Expression, Jar, Names, Needs, Operand, Options,
    Origin, Part, Place, Predicate, Query, Rendered, RequestTemplate, Scope, Slot, Step, Template, Value,
};

const ROUNDS: usize = 15;

const BODY: &[u8] =
    br#"{"id": "6f1c1f0e-7f5e-4a4e-9a54-3b0f3c1f2a11", "status": "open", "total": 1299, "currency": "EUR",
  "items": [{"sku": "A-1", "count": 2, "price": 500}, {"sku": "B-7", "count": 1, "price": 299}],
  "buyer": {"name": "Jane Doe", "mail": "jane@example.com"}, "created": "2024-07-29T12:00:00Z"}"#;

fn main() {
    // `cargo test --benches` runs this too, and wants no figures.
    let budget = if std::env::args().any(|arg| arg == "--bench") { Duration::from_millis(100) } else { Duration::ZERO };
    let mut names = Names::default();
    let (base, token, id) = (names.slot("base"), names.slot("token"), names.slot("id"));
    let mut scope = Scope::of(Arc::new(names));
    scope.set(base, Value::text("http://127.0.0.1:8080"));
    scope.set(token, Value::text("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0"));
    let mut draw = Draw::for_arrival(1, 2, DateTime::UNIX_EPOCH);
    let (mut jar, mut out) = (Jar::default(), Rendered::default());
    let headers = [("Content-Type".to_owned(), b"application/json".to_vec())];
    let answer = Answer { version: "1.1", status: 200, headers: &headers, body: BODY, ..Answer::default() };

    let step = step(base, token, id);
    measure("render, a token and no cookies", budget, || {
        black_box(step.render(&scope, &mut draw, &jar, &mut out)).is_ok()
    });
    jar.set(Origin { host: "127.0.0.1", path: "/", secure: false }, b"session=0123456789abcdef", DateTime::UNIX_EPOCH);
    measure("render, a token and a cookie", budget, || {
        black_box(step.render(&scope, &mut draw, &jar, &mut out)).is_ok()
    });
    let fresh = scope.clone();
    measure("begin an iteration", budget, || {
        scope.clone_from(black_box(&fresh));
        true
    });
    let mut status = step.clone();
    status.expected.captures.clear();
    status.expected.asserts.truncate(1);
    measure("check the status", budget, || black_box(status.check(&answer, &mut scope, &mut draw)).is_ok());
    measure("check, a capture, two JSONPaths", budget, || {
        black_box(step.check(&answer, &mut scope, &mut draw)).is_ok()
    });
}

/// `GET {{base}}/orders` with a token; `id` captured, the status and two places in the body asserted.
fn step(base: Slot, token: Slot, id: Slot) -> Step {
    let text = |text: &str| Part::Text(text.as_bytes().into());
    let gap = |slot| Part::Gap { expression: Expression::Variable(slot), escape: Escape::None };
    let request = RequestTemplate {
        method: "GET".to_owned(),
        url: Template { parts: vec![gap(base), text("/orders?limit=10")] },
        headers: vec![(Template::text("Authorization"), Template { parts: vec![text("Bearer "), gap(token)] })],
        ..RequestTemplate::default()
    };
    let (place, source) = (Place::default(), String::new());
    let assert = |query, value| Assert {
        query,
        filters: Vec::new(),
        predicate: Predicate { not: false, comparison: Comparison::Equals(Operand::Fixed(value)) },
        place: place.clone(),
        source: source.clone(),
    };
    let path = |path: &str| Query::JsonPath(Template::text(path));
    let asserts = vec![
        assert(Query::Status, Value::integer(200)),
        assert(path("$.status"), Value::text("open")),
        assert(path("$.items[1].count"), Value::integer(1)),
    ];
    let (query, filters) = (path("$.id"), Vec::new());
    let capture = Capture { slot: id, query, filters, secret: false, place: place.clone(), source: source.clone() };
    let expected = Expected { asserts, captures: vec![capture] };
    let options = Options::default();
    let needs = Needs::of(&expected, &options);
    Step { label: "GET /orders".to_owned(), place, request, options, expected, needs }
}

fn measure(name: &str, budget: Duration, mut work: impl FnMut() -> bool) {
    let best = (0..ROUNDS).map(|_| round(&mut work, budget)).fold(f64::INFINITY, f64::min);
    println!("{name:34} {best:8.1} ns");
}

fn round(work: &mut impl FnMut() -> bool, budget: Duration) -> f64 {
    let (start, mut done) = (Instant::now(), 0_u32);
    loop {
        for _ in 0..1000 {
            let is_well = work();
            debug_assert!(is_well);
        }
        done += 1000;
        let spent = start.elapsed();
        if spent >= budget {
            return spent.as_nanos() as f64 / f64::from(done);
        }
    }
}
