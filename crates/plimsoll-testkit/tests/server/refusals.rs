//! Refusals: exact limits, and what is no request.

use crate::support::Server;
use std::thread;

/// Statuses of requests sent at once by several clients.
fn statuses(server: &Server, target: &str, clients: usize, each: usize) -> Vec<u16> {
    thread::scope(|scope| {
        let ask = || {
            let mut client = server.client();
            (0..each).map(|_| client.get(target).status()).collect::<Vec<_>>()
        };
        let threads: Vec<_> = (0..clients).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    })
}

fn count(statuses: &[u16], status: u16) -> usize {
    statuses.iter().filter(|&&found| found == status).count()
}

#[test]
fn a_rate_limit_is_exact_across_threads() {
    let server = Server::start(&["--threads", "2"]);
    let statuses = statuses(&server, "/?limit=120/10m", 8, 50);
    assert_eq!((count(&statuses, 200), count(&statuses, 429)), (120, 280));
    let refused = server.get("/other/path?limit=120/10m").head;
    for header in ["Retry-After: ", "RateLimit-Limit: 120\r\n", "RateLimit-Remaining: 0\r\n", "RateLimit-Reset: "] {
        assert!(refused.contains(header), "{refused}");
    }
    assert_eq!(server.get("/?limit=120/10m&queue=mine").status(), 200);
}

#[test]
fn shares_are_what_the_seed_draws() {
    let draw = |seed| {
        let server = Server::start(&[]);
        statuses(&server, &format!("/?error=0.3:502&limit_share=0.2&seed={seed}"), 1, 300)
    };
    let drawn = draw(7);
    assert_eq!(drawn, draw(7));
    assert_ne!(drawn, draw(8));
    assert!(count(&drawn, 502) > 30 && count(&drawn, 429) > 30 && count(&drawn, 200) > 100);
}

#[test]
fn at_most_so_many_are_in_service() {
    let server = Server::start(&["--threads", "2"]);
    let mut clients: Vec<_> = (0..12).map(|_| server.client()).collect();
    // All are sent before the first answer is due.
    for client in &mut clients {
        client.send("GET /?at_most=5&service=2s HTTP/1.1\r\n\r\n");
    }
    let statuses: Vec<u16> = clients.iter_mut().map(|client| client.answer().status()).collect();
    assert_eq!((count(&statuses, 200), count(&statuses, 503)), (5, 7));
}

#[test]
fn at_most_so_many_flows_are_open() {
    let server = Server::start(&["--threads", "2"]);
    let mut clients: Vec<_> = (0..5).map(|_| server.client()).collect();
    let first: Vec<u16> = clients.iter_mut().map(|client| client.get("/?flows=3").status()).collect();
    let second: Vec<u16> = clients.iter_mut().map(|client| client.get("/x?flows=3").status()).collect();
    assert_eq!((&first, &second), (&vec![200, 200, 200, 503, 503], &vec![200, 200, 200, 503, 503]));
    clients.remove(0);
    // The server learns of the close in its own time.
    while server.stat("/connections/open") > 5 {
        thread::yield_now();
    }
    assert_eq!(clients[3].get("/?flows=3").status(), 200);
}

#[test]
fn unknown_keys_are_refused_with_a_suggestion() {
    let server = Server::start(&[]);
    for (query, why) in [
        ("servise=2ms", "unknown key `servise`; did you mean `service`?"),
        ("service=2", "expected a duration such as `2ms`, found `2`"),
        ("bad=nonsense", "found `nonsense`"),
        ("metastable=1,2", "`metastable` wants `servers` and `service`"),
        ("body=%zz", "are broken"),
        ("status=200&status=201", "cannot be used multiple times"),
    ] {
        let answer = server.get(&format!("/?{query}"));
        assert_eq!(answer.status(), 400);
        assert!(answer.text().contains(why), "{query}: {}", answer.text());
    }
    assert_eq!(server.get("/bad/nonsense").status(), 400);
    let lenient = Server::start(&["--lenient"]);
    assert_eq!(lenient.get("/?page=3&body=hi").text(), "hi");
}

#[test]
fn what_is_no_request_gets_a_400_and_a_close() {
    let server = Server::start(&["--no-http2"]);
    for request in [
        "\x16\x03\x01\x02\0\x01\0\x01\u{fc}",
        "GET\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
    ] {
        let answer = server.exchange(request);
        assert!(answer.starts_with(b"HTTP/1.1 400 "), "{request:?}: {:?}", String::from_utf8_lossy(&answer));
    }
    assert_eq!(server.stat("/malformed_requests"), 7);
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(100_000));
    assert!(server.exchange(&long).starts_with(b"HTTP/1.1 431 "));
    let large = format!("POST /echo HTTP/1.1\r\nContent-Length: 1100000\r\n\r\n{}", "x".repeat(1_100_000));
    assert!(server.exchange(&large).starts_with(b"HTTP/1.1 413 "));
    assert_eq!(server.get("/").status(), 200);
}
