//! An overloaded server gives findings and failed objectives, and never voids a run; a starved generator does.

use crate::support::{Ran, Server, finished, scratch, started};

/// It carries 20 requests a second.
const PATH: &str = "/?service=50ms&servers=1";
const SLO: &str = "p95<200ms,errors<1%";

#[track_caller]
fn check(args: &str, finding: &str) -> Ran {
    let (server, directory) = (Server::start(), scratch());
    // These wait for the server most of the time, and lag is held against their long response times: they can do
    // beside other loads, even for long.
    let args = format!("{args} --slo {SLO}");
    let child = started(directory.path(), &server.url(PATH), &args.split_whitespace().collect::<Vec<_>>());
    let ran = Ran::from(&finished(child));
    assert_eq!(ran.codes("validity"), [""; 0], "overload voids nothing: {:#}", ran.json);
    assert_eq!((ran.code, &ran.json["verdict"]), (1, &"fail".into()), "{:#}", ran.json);
    assert_eq!(ran.json["objectives"][0]["met"], false, "{:#}", ran.json["objectives"]);
    assert!(ran.codes("findings").contains(&finding), "{:#}", ran.json["findings"]);
    ran
}

#[test]
fn five_times_what_it_carries() {
    let ran = check("--rate 100/s -d 2s --timeout 1s", "errors");
    assert_eq!(ran.count("/requests"), 200);
    // What came in the first fifth of a second is answered within the second that it may take.
    let (ok, timeout) = (ran.count("/outcomes/ok"), ran.count("/outcomes/timeout"));
    assert!(ok <= 60 && timeout >= 140 && ok + timeout == 200, "{:#}", ran.json["outcomes"]);
}

#[test]
fn a_backlog_that_grows() {
    let ran = check("--rate 28/s -d 11s --timeout 20s", "backlog_growing");
    assert_eq!(ran.outcomes(), [("ok", 308)]);
    // 28 a second come and 20 go: 88 are left when load ends.
    let most = ran.series("in_flight").into_iter().fold(0.0, f64::max);
    assert!((70.0..=90.0).contains(&most), "{:?}", ran.series("in_flight"));
}

#[test]
fn the_cap_on_requests_in_flight() {
    let ran = check("--rate 100/s -d 2s --max-in-flight 10", "in_flight_cap");
    let (ok, dropped) = (ran.count("/outcomes/ok"), ran.count("/outcomes/dropped"));
    // Ten places, and forty answers that free one.
    assert!((45..=51).contains(&ok) && ok + dropped == 200, "{:#}", ran.json["outcomes"]);
    assert!(ran.series("in_flight").iter().all(|in_flight| *in_flight <= 10.0));
}

#[test]
fn users_who_wait() {
    let ran = check("-c 20 -d 3s", "too_few_samples");
    // Twenty users and 50 ms for each of them: a second, once all of them queue.
    let p50 = ran.figure("/response_ms/p50");
    assert!((900.0..1_200.0).contains(&p50), "{p50}");
    assert!((50..=81).contains(&ran.count("/requests")), "{:#}", ran.json["outcomes"]);
}

#[cfg(target_os = "linux")]
mod starved {
    use std::path::Path;
    use std::process::{Child, Command, Stdio};

    use crate::support::{Ran, Server, alone, finished, scratch, spawned};

    /// Processes that want all of one core; they end with this value.
    struct Burners(Vec<Child>);

    impl Burners {
        fn on(cpu: &str, count: usize) -> Self {
            let burner = || {
                Command::new("taskset")
                    .args(["-c", cpu, "sh", "-c", "while :; do :; done"])
                    .stdin(Stdio::null())
                    .spawn()
                    .expect("taskset and sh are there")
            };
            Self((0..count).map(|_| burner()).collect())
        }
    }

    impl Drop for Burners {
        fn drop(&mut self) {
            for child in &mut self.0 {
                // `taskset` became the shell, so this id is the shell's.
                let _ = child.kill();
                let _ = child.wait();
            }
        }
    }

    /// One of the cores that this process may run on.
    fn some_cpu() -> String {
        let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells");
        let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).expect("it names the cores");
        let last = list.trim().rsplit(['-', ',']).next().expect("a list has a last entry");
        last.to_owned()
    }

    fn niced(directory: &Path, cpu: &str, url: &str, args: &[&str]) -> Child {
        let program = ["-c", cpu, "nice", "-n", "19", env!("CARGO_BIN_EXE_plimsoll"), "run", url, "--json"];
        let mut command = Command::new("taskset");
        command.args([&program[..], args].concat()).current_dir(directory).stdin(Stdio::null());
        spawned(&mut command)
    }

    #[test]
    fn a_starved_generator_voids() {
        let _machine = alone();
        let (server, directory, cpu) = (Server::start(), scratch(), some_cpu());
        let burners = Burners::on(&cpu, 3);
        let args = ["--threads", "1", "--rate", "5000/s", "-d", "3s", "--slo", "errors<50%", "--timeout", "5s"];
        let child = niced(directory.path(), &cpu, &server.url("/"), &args);
        let ran = Ran::from(&finished(child));
        drop(burners);
        assert_eq!((ran.code, &ran.json["verdict"]), (4, &"invalid".into()), "{:#}", ran.json);
        let codes = ran.codes("validity");
        assert!(codes.iter().any(|code| ["lag", "generator_cpu", "schedule_missed"].contains(code)), "{codes:?}");
        for remark in ran.json["validity"].as_array().into_iter().flatten() {
            assert!(remark["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{remark}");
        }
        // Whatever the generator could not do is not the target's doing.
        assert!(!ran.codes("findings").contains(&"in_flight_cap"), "{:#}", ran.json["findings"]);
    }
}

#[cfg(not(target_os = "linux"))]
#[test]
fn a_starved_generator_voids() {
    eprintln!("SKIPPED: a generator can be starved of its core on Linux only, by `taskset` and `nice`");
}
