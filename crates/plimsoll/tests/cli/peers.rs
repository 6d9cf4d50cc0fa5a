//! What asserts see of who is at the other end: its certificate and its address.

use std::fs;

use crate::support::{Brand, Certificate, Front, Pki, Ran, Server, Target, Tls, scratch};

const SECURE: &str = r#"
GET {{url}}
HTTP 200
[Captures]
serial: certificate "Serial-Number"
[Asserts]
certificate "Subject" == "CN=Tests Good"
certificate "Issuer" == "CN=Tests Known"
certificate "Start-Date" daysBeforeNow > 100
certificate "Expire-Date" daysAfterNow > 100
certificate "Serial-Number" matches /^[0-9a-f]{2}(:[0-9a-f]{2})+$/
certificate "Subject-Alt-Name" == "DNS:localhost, IP Address:127.0.0.1"
certificate "Value" == "{{pem}}"
ip == "127.0.0.1"

GET {{url}}
HTTP 200
[Asserts]
certificate "Serial-Number" == "{{serial}}"
"#;

/// Runs a Hurl file that must go well, again and again.
#[track_caller]
fn goes_well(text: &str, args: &[&str]) {
    let directory = scratch();
    fs::write(directory.path().join("peer.hurl"), text).expect("a file can be written");
    let ran = Ran::within(directory.path(), "peer.hurl", &[args, &["-c", "1", "-n", "4"]].concat());
    let outcomes: Vec<&str> = ran.outcomes().iter().map(|(name, _)| *name).collect();
    assert_eq!(outcomes, ["ok"], "{args:?}: {} {:#}", ran.stderr, ran.json);
}

#[test]
fn a_certificate_is_what_the_server_showed() {
    let pki = Pki::new();
    let pem = fs::read_to_string(pki.certificate(Certificate::Good)).expect("it is there");
    let pem = format!("pem={}", pem.trim_end());
    for version in ["1.2", "1.3"] {
        let front = Front::with(Tls { version: Some(version), resumes: true, ..Tls::USUAL });
        let target = Target::start(Brand::Testkit, &pki, &front);
        let (url, authority) = (format!("url={}", target.url(&front, "/")), pki.authority());
        let usual = ["--cacert", &authority, "--variable", &url, "--variable", &pem];
        for more in [&[][..], &["--http2"], &["--fresh"], &["--fresh", "--http2"], &["--fresh", "--tls-resume"]] {
            goes_well(SECURE, &[&usual[..], more].concat());
        }
    }
}

#[test]
fn without_tls_there_is_no_certificate() {
    let server = Server::start();
    let text = "GET {{url}}\nHTTP 200\n[Asserts]\ncertificate \"Subject\" not exists\nip isIpv4\n";
    goes_well(text, &["--variable", &format!("url={}", server.url("/"))]);
}

#[test]
fn the_address_is_the_one_that_answered() {
    let server = Server::start();
    let port = server.address.rsplit(':').next().expect("an address has a port");
    let url = format!("url=http://shop.test:{port}/");
    let addresses = ["--resolve", "shop.test:127.0.0.2", "--resolve", "shop.test:127.0.0.1"];
    goes_well(
        "GET {{url}}\nHTTP 200\n[Asserts]\nip == \"127.0.0.1\"\n",
        &[&addresses[..], &["--variable", &url]].concat(),
    );
}
