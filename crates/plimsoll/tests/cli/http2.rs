//! HTTP/2 with servers that are not ours, and with the testkit: many requests at once on one connection, limits of the
//! server, ends of connections, bodies larger than any window, and servers that do not speak it.

use crate::support::{BODY_BYTES, Brand, FILE_BYTES, Front, Go, Pki, Ran, Target, scratch};

/// HTTP/1.1 in TLS.
const ONLY_HTTP1: Front = Front { http2: false, ..Front::USUAL };
/// HTTP/2 without TLS, by prior knowledge.
const PRIOR: Front = Front { http2: true, ..Front::PLAIN };

/// Runs it, believing every certificate; `args` are separated by blanks.
#[track_caller]
fn run(url: &str, args: &str) -> Ran {
    Ran::of(url, &format!("--http2 -k --threads 1 --timeout 20s {args}"))
}

/// All requests are answered well, all of them over HTTP/2; how many connections that took.
#[track_caller]
fn connections(target: &Target, url: &str, args: &str, requests: u64) -> u64 {
    let ran = run(url, &format!("-n {requests} {args}"));
    assert_eq!(ran.outcomes(), [("ok", requests)], "{args}: {:#}", ran.json);
    let served = target.served(requests);
    assert_eq!((served.requests, served.over_http2), (requests, requests), "{args}");
    served.connections
}

/// Brands that can be had with HTTP/2 by prior knowledge.
fn knowing(pki: &Pki) -> Vec<Brand> {
    let go = Go::try_start(pki, &PRIOR, &[]);
    if let Err(said) = &go {
        assert!(said.contains("no prior knowledge"), "{said}");
        eprintln!("SKIPPED for Go: {said}");
    }
    Brand::ALL.into_iter().filter(|brand| *brand != Brand::Go || go.is_ok()).collect()
}

#[test]
fn streams_share_connections() {
    let pki = Pki::new();
    for front in [Front::USUAL, PRIOR] {
        for brand in knowing(&pki) {
            for (at_most, streams) in [(1, 16), (4, 4), (16, 1)] {
                let target = Target::start(brand, &pki, &front);
                let args = format!("-c 16 --connections {at_most} --streams {streams}");
                let used = connections(&target, &target.url(&front, "/"), &args, 400);
                assert!((1..=at_most).contains(&used), "{brand:?} {args}: {used} connections");
            }
        }
    }
}

#[test]
fn in_the_open_model_too() {
    let pki = Pki::new();
    for brand in Brand::ALL {
        let target = Target::start(brand, &pki, &Front::USUAL);
        let used = connections(&target, &target.url(&Front::USUAL, "/"), "--rate 400/s --connections 2", 200);
        assert!((1..=2).contains(&used), "{brand:?}: {used} connections");
    }
}

#[test]
fn nobody_speaks_it_who_was_not_asked_to() {
    let pki = Pki::new();
    for brand in Brand::ALL {
        let target = Target::start(brand, &pki, &Front::USUAL);
        let ran = Ran::of(&target.url(&Front::USUAL, "/"), "-n 20 -c 2 --threads 1 -k");
        assert_eq!(ran.outcomes(), [("ok", 20)], "{brand:?}: {:#}", ran.json);
        assert_eq!(target.served(20).over_http2, 0, "{brand:?}");
    }
}

#[test]
fn a_server_that_allows_fewer_streams_is_obeyed() {
    let pki = Pki::new();
    for (brand, option) in
        [(Brand::Nginx, &["http2_max_concurrent_streams 2;"][..]), (Brand::Testkit, &["--h2-streams", "2"])]
    {
        for front in [Front::USUAL, PRIOR] {
            let target = Target::with(brand, &pki, &front, option);
            let args = "-c 16 --connections 1 --streams 16";
            assert_eq!(connections(&target, &target.url(&front, "/"), args, 400), 1, "{brand:?}");
        }
    }
}

#[test]
fn a_server_that_says_goodbye_loses_no_request() {
    let pki = Pki::new();
    let target = Target::with(Brand::Nginx, &pki, &Front::USUAL, &["keepalive_requests 10;"]);
    let url = target.url(&Front::USUAL, "/");
    let used = connections(&target, &url, "-c 8 --connections 1 --streams 8", 200);
    assert!((20..=200).contains(&used), "{used} connections");
}

#[test]
fn bodies_larger_than_every_window_come_whole() {
    let pki = Pki::new();
    for (brand, path) in [
        (Brand::Nginx, "/file".to_owned()),
        (Brand::Go, format!("/body?size={FILE_BYTES}")),
        (Brand::Testkit, "/?size=5MB".to_owned()),
    ] {
        let target = Target::start(brand, &pki, &Front::USUAL);
        let ran = run(&target.url(&Front::USUAL, &path), "-n 8 -c 4 --connections 1 --streams 4");
        assert_eq!(ran.outcomes(), [("ok", 8)], "{brand:?}: {:#}", ran.json);
        assert_eq!(ran.count("/steps/0/body_bytes"), 8 * FILE_BYTES, "{brand:?}");
        let memory = ran.count("/generator/rss_bytes");
        assert!(memory < 60_000_000, "{brand:?}: {memory} bytes");
    }
}

#[test]
fn bodies_larger_than_every_window_are_sent_whole() {
    const BYTES: usize = 1_000_000;
    let (pki, directory) = (Pki::new(), scratch());
    std::fs::write(directory.path().join("body"), "x".repeat(BYTES)).expect("a file can be written");
    for brand in Brand::ALL {
        let target = Target::start(brand, &pki, &Front::USUAL);
        let args = "-n 8 -c 4 --connections 1 --streams 4 --threads 1 --http2 -k --data-file body";
        let args: Vec<&str> = args.split_whitespace().collect();
        let ran = Ran::within(directory.path(), &target.url(&Front::USUAL, "/"), &args);
        // nginx answers before all of it has come, and then wants no more of it.
        assert_eq!(ran.outcomes(), [("ok", 8)], "{brand:?}: {:#}", ran.json);
        if brand == Brand::Go {
            assert_eq!(target.told(8, BODY_BYTES), [BYTES.to_string()].into());
        }
    }
}

#[test]
fn answers_of_every_kind() {
    let pki = Pki::new();
    let target = Target::start(Brand::Go, &pki, &Front::USUAL);
    for (path, args, outcome, body_bytes) in [
        ("/", "-X HEAD", "ok", 0),
        ("/", "-X OPTIONS", "ok", 6),
        ("/", "-H X-Long:0123456789012345678901234567890123456789", "ok", 6),
        ("/body?size=0", "", "ok", 0),
        ("/body?size=100000", "", "ok", 100_000),
        ("/trailer", "", "ok", 6),
        ("/status?code=204", "", "ok", 0),
        ("/status?code=304", "", "ok", 0),
        ("/status?code=404", "", "client_error", 0),
        ("/status?code=429", "", "limited", 0),
        ("/status?code=503", "", "server_error", 0),
        ("/abort", "", "reset", 0),
    ] {
        let ran = run(&target.url(&Front::USUAL, path), &format!("-n 20 -c 4 --connections 1 --streams 4 {args}"));
        assert_eq!(ran.outcomes(), [(outcome, 20)], "{path} {args}: {:#}", ran.json);
        assert_eq!(ran.count("/steps/0/body_bytes"), 20 * body_bytes, "{path} {args}");
    }
}

/// Every request ends in one of these outcomes, for a reason with one of these words.
#[track_caller]
fn check_refused(row: &str, ran: &Ran, outcomes: &[&str], words: &[&str]) {
    assert!(ran.outcomes().iter().all(|(name, _)| outcomes.contains(name)), "{row}: {:#}", ran.json);
    let reasons = ran.reasons();
    let first = reasons.first().copied().unwrap_or_default();
    assert!(words.iter().any(|word| first.contains(word)), "{row}: none of {words:?} in {reasons:?}");
    ran.assert_exit(3);
}

#[test]
fn a_server_that_speaks_only_http_1() {
    let pki = Pki::new();
    for brand in Brand::ALL {
        // In TLS it is asked for by name, so a server can say no.
        let target = Target::start(brand, &pki, &ONLY_HTTP1);
        let ran = run(&target.url(&ONLY_HTTP1, "/"), "-n 4 -c 2");
        check_refused(&format!("{brand:?} in TLS"), &ran, &["tls", "protocol"], &["HTTP/2", "h2"]);
    }
    for brand in [Brand::Nginx, Brand::Go] {
        // A plain one finds a request in the preface that it does not understand.
        let target = Target::start(brand, &pki, &Front::PLAIN);
        let ran = run(&target.url(&Front::PLAIN, "/"), "-n 4 -c 2");
        check_refused(&format!("{brand:?}"), &ran, &["protocol"], &["HTTP/1.1"]);
    }
}

#[test]
fn http_1_to_a_port_that_speaks_only_http_2() {
    let pki = Pki::new();
    // This nginx speaks one of them on a plain port; later ones look which it is.
    let target = Target::start(Brand::Nginx, &pki, &PRIOR);
    let ran = Ran::of(&target.url(&PRIOR, "/"), "-n 4 -c 2 --threads 1 --timeout 10s");
    if ran.outcomes() != [("ok", 4)] {
        check_refused("nginx", &ran, &["protocol"], &["HTTP/2"]);
    }
}
