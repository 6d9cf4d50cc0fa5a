//! Steps that speak TLS and HTTP/2.

use super::{Trial, passed};
use crate::support::Server;

#[test]
fn steps_over_http2() {
    let trial = Trial::of(
        "GET {{host}}/api/echo\nHTTP/1.1 200\n\
         POST {{host}}/api/echo\nX-Id: 7\n[Options]\nhttp2-prior-knowledge: true\n[Form]\na: b\nHTTP/2 200\n\
         [Asserts]\njsonpath \"$.version\" == \"HTTP/2\"\njsonpath \"$.body\" == \"a=b\"\njsonpath \"$.headers['x-id']\" == \"7\"\n\
         GET {{host}}/api/echo\nHTTP/1.1 200\n",
    );
    let ran = trial.ran("flow.hurl -c 2 -n 6");
    assert_eq!(passed(&ran), (6, 6), "{:?} {:#}", ran.reasons(), ran.json["failures"]);
    assert_eq!(trial.server.stat("/http2/streams"), 6);
}

#[test]
fn steps_over_tls_with_an_authority_of_their_own() {
    let step = |options: &str| {
        format!(
            "GET {{{{secure}}}}/api/echo\n[Options]\n{options}\nHTTP 200\n[Asserts]\njsonpath \"$.method\" == \"GET\"\n"
        )
    };
    for (options, passes) in [("cacert: ca.pem", true), ("insecure: true", true), ("delay: 1ms", false)] {
        let trial = Trial::of(&step(options));
        let authority = trial.folder.path().join("ca.pem");
        let authority = authority.to_str().expect("a path in UTF-8");
        let secure = Server::with(&["--tls", "--tls-ca-out", authority]);
        let ran = trial.ran(&format!("flow.hurl -c 1 -n 2 --variable secure=https://{}", secure.address));
        assert_eq!(passed(&ran), if passes { (2, 2) } else { (0, 2) }, "{options} {:?}", ran.reasons());
        let outcome = if passes { "ok" } else { "tls" };
        assert_eq!(ran.outcomes(), [(outcome, 2)], "{options}");
    }
}
