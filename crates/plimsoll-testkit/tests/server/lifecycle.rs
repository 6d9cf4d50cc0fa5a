//! Beginning and end of the process.

use crate::support::{Server, binary};
use std::process::{Command, Stdio};

#[test]
fn it_ends_with_its_parent() {
    let mut child = binary()
        .arg("--exit-with-parent")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the server starts");
    drop(child.stdin.take());
    assert!(child.wait().expect("an end").success());
}

#[test]
fn it_ends_when_told_to() {
    for signal in ["-TERM", "-INT"] {
        let mut child = binary().stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("the server starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("a pipe");
        std::io::BufRead::read_line(&mut std::io::BufReader::new(stdout), &mut line).expect("a line");
        let told = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill runs");
        assert!(told.success());
        assert!(child.wait().expect("an end").success(), "{signal}");
    }
}

#[test]
fn a_port_that_is_taken_is_an_error() {
    for threads in ["1", "2"] {
        let server = Server::start(&["--threads", threads]);
        let second = binary()
            .args(["--threads", threads, "--listen", &server.address.to_string()])
            .stdin(Stdio::null())
            .output()
            .expect("it runs");
        assert!(!second.status.success());
        assert!(String::from_utf8_lossy(&second.stderr).contains("could not listen on"));
    }
}

#[test]
fn the_list_is_the_catalogue() {
    let output = binary().arg("--list").output().expect("it runs");
    let server = Server::start(&[]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), server.get("/bad").text());
}

#[test]
fn keys_that_do_not_go_together_are_an_error() {
    let output = binary().args(["--metastable", "10,3"]).output().expect("it runs");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("wants `servers` and `service`"));
}
