//! Memory is bounded: flat over the length of a run, and small in the number of users.

use std::process::Child;

use crate::support::{Ran, Server, finished, scratch, started};

/// What a run may grow by between its third and its twelfth second.
const GROWTH_MAX: u64 = 2_000_000;

/// Busy enough that each second has many distinct response times, which is what histograms would grow by.
const LOAD: [&str; 6] = ["--rate", "1000/s", "--threads", "1", "--timeout", "1s"];
const PATH: &str = "/?service=exp:5ms&error=0.1:503&limit_share=0.1&bad=close:0.05";

#[test]
fn a_longer_run_needs_no_more_memory() {
    let (servers, directory) = ([Server::start(), Server::start()], scratch());
    let start = |server: &Server, duration: &str| -> Child {
        started(directory.path(), &server.url(PATH), &[&LOAD[..], &["-d", duration]].concat())
    };
    let (short, long) = (start(&servers[0], "3s"), start(&servers[1], "12s"));
    let [short, long] = [short, long].map(|child| Ran::from(&finished(child)));
    assert_eq!((short.count("/requests"), long.count("/requests")), (3_000, 12_000));
    let [short, long] = [short, long].map(|ran| ran.count("/generator/rss_bytes"));
    assert!(short > 1_000_000, "it is measured at all: {short}");
    assert!(long < short + GROWTH_MAX, "{short} bytes after 3 s, {long} after 12 s");
}

/// The bench has the exact figure for ten thousand users; a thousand show that it is kilobytes.
#[test]
fn a_user_costs_kilobytes() {
    let server = Server::start();
    let rss = |users: u64| {
        let ran = Ran::of(&server.url("/"), &format!("-c {users} -d 1500ms --think 1s --threads 1"));
        assert!(ran.count("/requests") >= users, "{:#}", ran.json["outcomes"]);
        ran.count("/generator/rss_bytes")
    };
    let (few, many) = (rss(10), rss(1_010));
    assert!(many < few + 1_000 * 16_000, "{few} bytes for 10 users, {many} for 1 010");
}
