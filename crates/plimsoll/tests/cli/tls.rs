//! TLS with servers that are not ours, and with the testkit: every combination of version, protocol, client certificate
//! and resumption, by what the server says; and every certificate that must not be believed.

use serde_json::Value;

use crate::support::{
    Brand, CLIENT, Certificate, Front, OTHER_HOST, Pki, Ran, SecureClient, Served, Server, TLS_VERSION, Target, Tls,
    scratch,
};

const REQUESTS: u64 = 20;
const VERSIONS: [&str; 2] = ["1.2", "1.3"];

#[test]
fn the_servers_answer_somebody_who_is_not_plimsoll() {
    // Where this fails, the rest of this file says nothing about plimsoll.
    let pki = Pki::new();
    let client = SecureClient::new(&pki);
    for version in VERSIONS {
        let front = Front::with(Tls { version: Some(version), demands_client: true, ..Tls::USUAL });
        for brand in [Brand::Nginx, Brand::Go] {
            let target = Target::start(brand, &pki, &front);
            assert_eq!(client.get(target.address(), "/"), "hello\n", "{brand:?}");
            assert_eq!(
                target.served(1),
                Served { requests: 1, connections: 1, resumed: 0, over_http2: 0 },
                "{brand:?}"
            );
            assert_eq!(target.told(1, TLS_VERSION), [format!("TLSv{version}")].into(), "{brand:?}");
        }
        let target = Target::start(Brand::Testkit, &pki, &front);
        assert!(client.get(target.address(), "/stats").contains("\"requests\""), "the testkit");
    }
}

/// Who of the two is willing to continue a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Resumption {
    Neither,
    ClientOnly,
    ServerOnly,
    Both,
}

impl Resumption {
    const ALL: [Self; 4] = [Self::Neither, Self::ClientOnly, Self::ServerOnly, Self::Both];
}

/// Runs `-n 20` of one user, who believes the known authority.
#[track_caller]
fn run(pki: &Pki, url: &str, args: &str) -> Ran {
    let words = format!("-n {REQUESTS} -c 1 --threads 1 --timeout 10s {args}");
    let authority = pki.authority();
    let words: Vec<&str> = words.split_whitespace().chain(["--cacert", &authority]).collect();
    Ran::within(scratch().path(), url, &words)
}

/// The arguments with which a client shows a certificate.
fn shows(pki: &Pki, kind: Certificate) -> String {
    format!("--cert {} --key {}", pki.certificate(kind), pki.key(kind))
}

#[track_caller]
fn check_combination(brand: Brand, pki: &Pki, (http2, version, client): (bool, &'static str, bool), with: Resumption) {
    let row = format!("{brand:?}, http2 {http2}, TLS {version}, client certificate {client}, {with:?}");
    let resumes = matches!(with, Resumption::ServerOnly | Resumption::Both);
    let front = Front::with(Tls { version: Some(version), demands_client: client, resumes, ..Tls::USUAL });
    let target = Target::start(brand, pki, &front);
    let mut args = "--fresh".to_owned();
    args += if http2 { " --http2" } else { "" };
    args += if matches!(with, Resumption::ClientOnly | Resumption::Both) { " --tls-resume" } else { "" };
    if client {
        args += &format!(" {}", shows(pki, Certificate::Client));
    }
    let ran = run(pki, &target.url(&front, "/"), &args);
    assert_eq!(ran.outcomes(), [("ok", REQUESTS)], "{row}: {:#}", ran.json);
    // The first has nothing to continue.
    let resumed = if with == Resumption::Both { REQUESTS - 1 } else { 0 };
    let over_http2 = if http2 { REQUESTS } else { 0 };
    let expected = Served { requests: REQUESTS, connections: REQUESTS, resumed, over_http2 };
    assert_eq!(target.served(REQUESTS), expected, "{row}");
    for phase in ["connect", "tls", "first_byte"] {
        assert_eq!(ran.count(&format!("/phases_ms/{phase}/count")), REQUESTS, "{row}: {phase}");
        let bars = ran.json.pointer(&format!("/phase_histograms/{phase}")).and_then(Value::as_array).expect("bars");
        assert_eq!(bars.iter().filter_map(|bar| bar["count"].as_u64()).sum::<u64>(), REQUESTS, "{row}: {phase}");
    }
}

fn every_combination(brand: Brand) {
    let pki = Pki::new();
    for http2 in [false, true] {
        for version in VERSIONS {
            for client in [false, true] {
                for with in Resumption::ALL {
                    check_combination(brand, &pki, (http2, version, client), with);
                }
            }
        }
    }
}

#[test]
fn nginx_in_every_combination() {
    every_combination(Brand::Nginx);
}

#[test]
fn go_in_every_combination() {
    every_combination(Brand::Go);
}

#[test]
fn the_testkit_in_every_combination() {
    every_combination(Brand::Testkit);
}

#[test]
fn a_kept_connection_shakes_hands_once() {
    let pki = Pki::new();
    for brand in Brand::ALL {
        let target = Target::start(brand, &pki, &Front::USUAL);
        let ran = run(&pki, &target.url(&Front::USUAL, "/"), "");
        assert_eq!(
            (ran.outcomes(), ran.count("/reconnects")),
            (vec![("ok", REQUESTS)], 0),
            "{brand:?}: {:#}",
            ran.json
        );
        assert_eq!(ran.count("/phases_ms/tls/count"), 1, "{brand:?}: {:#}", ran.json);
        let expected = Served { requests: REQUESTS, connections: 1, resumed: 0, over_http2: 0 };
        assert_eq!(target.served(REQUESTS), expected, "{brand:?}");
    }
}

#[test]
fn a_version_that_was_asked_for_is_spoken() {
    let pki = Pki::new();
    for brand in [Brand::Nginx, Brand::Go] {
        for version in VERSIONS {
            let target = Target::start(brand, &pki, &Front::USUAL);
            let ran = run(&pki, &target.url(&Front::USUAL, "/"), &format!("--tls {version}"));
            assert_eq!(ran.outcomes(), [("ok", REQUESTS)], "{brand:?} {version}: {:#}", ran.json);
            assert_eq!(target.told(REQUESTS, TLS_VERSION), [format!("TLSv{version}")].into(), "{brand:?}");
        }
    }
}

#[test]
fn the_certificate_of_a_client_is_seen() {
    let pki = Pki::new();
    let front = Front::with(Tls { demands_client: true, ..Tls::USUAL });
    for brand in [Brand::Nginx, Brand::Go] {
        let target = Target::start(brand, &pki, &front);
        let ran = run(&pki, &target.url(&front, "/"), &shows(&pki, Certificate::Client));
        assert_eq!(ran.outcomes(), [("ok", REQUESTS)], "{brand:?}: {:#}", ran.json);
        assert_eq!(target.told(REQUESTS, CLIENT), ["SUCCESS".to_owned()].into(), "{brand:?}");
    }
}

/// Every request ends like this, and the first reason has one of these words in it.
#[track_caller]
fn check_refused(row: &str, ran: &Ran, outcome: &str, words: &[&str]) {
    assert_eq!(ran.outcomes(), [(outcome, REQUESTS)], "{row}: {:#}", ran.json);
    let reasons = ran.reasons();
    let first = reasons.first().map(|reason| reason.to_lowercase()).unwrap_or_default();
    assert!(words.iter().any(|word| first.contains(word)), "{row}: none of {words:?} in {reasons:?}");
    ran.assert_exit(3);
}

/// Certificates that must not be believed, and words of the reason.
const BAD: [(Certificate, &[&str]); 4] = [
    (Certificate::WrongHost, &["name", "host"]),
    (Certificate::Expired, &["expired"]),
    (Certificate::SelfSigned, &["issuer", "authority", "self-signed"]),
    (Certificate::UnknownAuthority, &["issuer", "authority"]),
];

#[test]
fn a_bad_certificate_is_not_believed() {
    let pki = Pki::new();
    for brand in Brand::ALL {
        for (certificate, words) in BAD {
            let front = Front::with(Tls::with(certificate));
            let target = Target::start(brand, &pki, &front);
            for args in ["", "--http2", "--tls 1.2"] {
                let ran = run(&pki, &target.url(&front, "/"), args);
                check_refused(&format!("{brand:?} {certificate:?} {args}"), &ran, "tls", words);
            }
        }
    }
}

#[test]
fn a_bad_certificate_is_believed_when_that_was_asked_for() {
    let pki = Pki::new();
    for brand in Brand::ALL {
        for (certificate, _) in BAD {
            let front = Front::with(Tls::with(certificate));
            let target = Target::start(brand, &pki, &front);
            for args in ["-k", "--insecure --http2", "-k --tls 1.2"] {
                let ran = run(&pki, &target.url(&front, "/"), args);
                assert_eq!(ran.outcomes(), [("ok", REQUESTS)], "{brand:?} {certificate:?} {args}: {:#}", ran.json);
            }
        }
    }
}

#[test]
fn the_testkits_own_bad_certificates_are_what_they_are_said_to_be() {
    let (pki, directory) = (Pki::new(), scratch());
    let authority = directory.path().join("testkit.pem");
    let authority = authority.to_str().expect("the path is text");
    for (kind, words) in ["wrong-host", "expired", "self-signed", "unknown-ca"].into_iter().zip(BAD.map(|row| row.1)) {
        let server = Server::with(&["--tls", "--tls-ca-out", authority, "--tls-certificate", kind]);
        let url = format!("https://{}/", server.address);
        let args = ["-n", "20", "-c", "1", "--threads", "1", "--cacert", authority];
        check_refused(kind, &Ran::within(directory.path(), &url, &args), "tls", words);
        assert_eq!(run(&pki, &url, "-k").outcomes(), [("ok", REQUESTS)], "{kind}");
    }
}

#[test]
fn the_name_that_was_asked_for_is_the_one_that_is_verified() {
    let pki = Pki::new();
    let front = Front::with(Tls::with(Certificate::WrongHost));
    for brand in Brand::ALL {
        let target = Target::start(brand, &pki, &front);
        let ran = run(&pki, &target.url(&front, "/"), &format!("--server-name {OTHER_HOST}"));
        assert_eq!(ran.outcomes(), [("ok", REQUESTS)], "{brand:?}: {:#}", ran.json);
        // The name of the URL, wherever that leads.
        let port = target.address().rsplit_once(':').map_or("", |(_, port)| port);
        let url = format!("https://{OTHER_HOST}:{port}/");
        let ran = run(&pki, &url, &format!("--resolve {OTHER_HOST}:{port}:127.0.0.1"));
        assert_eq!(ran.outcomes(), [("ok", REQUESTS)], "{brand:?}: {:#}", ran.json);
    }
}

#[test]
fn a_client_certificate_that_is_missing_or_unknown() {
    let pki = Pki::new();
    let unknown = shows(&pki, Certificate::UnknownClient);
    for brand in Brand::ALL {
        for version in VERSIONS {
            let front = Front::with(Tls { version: Some(version), demands_client: true, ..Tls::USUAL });
            let target = Target::start(brand, &pki, &front);
            for args in ["", &unknown] {
                let ran = run(&pki, &target.url(&front, "/"), args);
                let row = format!("{brand:?} TLS {version} {args}");
                if brand == Brand::Nginx {
                    // It shakes hands with everybody, and then answers 400.
                    assert_eq!(ran.json["statuses"], serde_json::json!({"400": REQUESTS}), "{row}");
                } else {
                    // In TLS 1.3 the refusal comes after the client believes that all is well.
                    check_refused(&row, &ran, "tls", &["certificate", "authority", "unknownca", "unknown ca"]);
                }
            }
        }
    }
}

#[test]
fn a_version_that_the_server_does_not_speak() {
    let pki = Pki::new();
    for brand in Brand::ALL {
        for (theirs, ours) in [("1.2", "1.3"), ("1.3", "1.2")] {
            let front = Front::with(Tls { version: Some(theirs), ..Tls::USUAL });
            let target = Target::start(brand, &pki, &front);
            let ran = run(&pki, &target.url(&front, "/"), &format!("--tls {ours}"));
            check_refused(&format!("{brand:?} {ours} to {theirs}"), &ran, "tls", &["version"]);
        }
    }
}

#[test]
fn tls_to_a_port_that_does_not_speak_it() {
    let pki = Pki::new();
    for brand in Brand::ALL {
        let target = Target::start(brand, &pki, &Front::PLAIN);
        for args in ["", "--http2", "-k"] {
            let ran = run(&pki, &format!("https://{}/", target.address()), args);
            check_refused(&format!("{brand:?} {args}"), &ran, "tls", &["does not speak tls"]);
        }
    }
}

#[test]
fn plain_words_to_a_port_that_speaks_tls() {
    let pki = Pki::new();
    for brand in Brand::ALL {
        let target = Target::start(brand, &pki, &Front::USUAL);
        let ran = run(&pki, &format!("http://{}/", target.address()), "");
        // The testkit answers with an alert of TLS; the others notice, and say so in an answer that is none of ours.
        check_refused(&format!("{brand:?}"), &ran, "protocol", &["tls", "https"]);
    }
}
