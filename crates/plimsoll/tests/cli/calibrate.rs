//! `plimsoll calibrate` on the machine that runs the tests: what it says, keeps and notices; not how fast it is.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::process::Signal;
use serde_json::Value;

use crate::support::{Ran, Server, alone, assert_harmless, finished, plimsoll, scratch, signal, spawned, wait_until};

const QUICK: [&str; 2] = ["calibrate", "--quick"];

/// The binary, with a place to keep things.
fn with_state(directory: &Path, args: &[&str]) -> Command {
    let mut command = plimsoll(directory, args);
    command.env("XDG_STATE_HOME", directory.join("state"));
    command
}

/// Calibrates; returns the object.
#[track_caller]
fn calibrated(directory: &Path, args: &[&str]) -> Value {
    let output = finished(spawned(&mut with_state(directory, &[&QUICK[..], &["--json"], args].concat())));
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{stdout}\n{stderr}");
    assert_harmless(&stdout);
    let calibration: Value = serde_json::from_str(&stdout).expect("stdout is one object");
    assert_eq!(calibration["schema"], "plimsoll.calibrate/1");
    calibration
}

/// A run that could cite a calibration.
#[track_caller]
fn cited(directory: &Path, server: &Server) -> Value {
    let args = ["run", &server.url("/"), "--json", "-n", "20"];
    let ran = Ran::from(&finished(spawned(&mut with_state(directory, &args))));
    ran.json["generator"]["calibration"].clone()
}

#[test]
fn a_calibration_is_kept_and_cited() {
    let _machine = alone();
    let (directory, server) = (scratch(), Server::start());
    assert_eq!(cited(directory.path(), &server), Value::Null);
    let calibration = calibrated(directory.path(), &[]);
    let positive = [
        "/figures/closed_rate_per_core",
        "/figures/latency_floor_ms/p50",
        "/figures/latency_floor_ms/p99",
        "/figures/timer_jitter_us/max",
        "/figures/connections_per_s/plain",
        "/figures/connections_per_s/tls",
        "/machine/cores_usable",
    ];
    for pointer in positive {
        let value = calibration.pointer(pointer).and_then(Value::as_f64);
        assert!(value.is_some_and(|value| value > 0.0), "{pointer}: {calibration:#}");
    }
    assert!(calibration["believe"].as_array().is_some_and(|sentences| sentences.len() >= 4), "{calibration:#}");
    let kept = directory.path().join("state/plimsoll/calibration.json");
    assert_eq!(std::fs::metadata(&kept).expect("it was kept").permissions().mode() & 0o777, 0o600);
    let cited_now = cited(directory.path(), &server);
    assert_eq!(cited_now["at"], calibration["at"], "{cited_now:#}");
    // The next one is printed, and not kept.
    calibrated(directory.path(), &["--no-keep"]);
    assert_eq!(cited(directory.path(), &server)["at"], calibration["at"]);
    // One of another machine says nothing of this one, and neither does half a file.
    let text = std::fs::read_to_string(&kept).expect("it is text");
    std::fs::write(&kept, text.replace("\"host\": \"", "\"host\": \"not-")).expect("it can be written");
    assert_eq!(cited(directory.path(), &server), Value::Null);
    std::fs::write(&kept, &text[..text.len() / 2]).expect("it can be written");
    assert_eq!(cited(directory.path(), &server), Value::Null);
}

#[test]
fn as_text_without_a_place_to_keep_it() {
    let _machine = alone();
    let directory = scratch();
    // A bare environment has neither HOME nor XDG_STATE_HOME.
    let output = finished(spawned(&mut plimsoll(directory.path(), &QUICK)));
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    for words in ["CALIBRATED", "closed loop, one core", "believe", "latency floor"] {
        assert!(stdout.contains(words), "{stdout}");
    }
    assert!(stderr.contains("later runs cannot cite it"), "{stderr}");
}

/// A process that does nothing but take a core; ended when dropped.
struct Burner(Child);

impl Burner {
    fn start() -> Self {
        let shell = Command::new("/bin/sh").args(["-c", "while :; do :; done"]).stdin(Stdio::null()).spawn();
        Self(shell.expect("there is a shell"))
    }
}

impl Drop for Burner {
    fn drop(&mut self) {
        // It does not end by itself, so this cannot fail.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_burnt_core_is_noticed() {
    let _machine = alone();
    let directory = scratch();
    let burner = Burner::start();
    burn_the_first_core(&burner);
    let calibration = calibrated(directory.path(), &["--no-keep"]);
    let spoilers = calibration["spoilers"].as_array().into_iter().flatten();
    let codes: Vec<&str> = spoilers.filter_map(|spoiler| spoiler["code"].as_str()).collect();
    assert!(codes.contains(&"busy_neighbour"), "{calibration:#}");
    assert!(calibration["believe"][0].as_str().is_some_and(|text| text.contains("not left alone")), "{calibration:#}");
    let neighbours = calibration["meanwhile"]["neighbours"].as_array().into_iter().flatten();
    let names: Vec<&str> = neighbours.filter_map(|neighbour| neighbour["name"].as_str()).collect();
    assert!(names.contains(&"sh"), "{calibration:#}");
}

#[cfg(target_os = "linux")]
fn burn_the_first_core(burner: &Burner) {
    use rustix::process::Pid;
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let ours = sched_getaffinity(None).expect("the system tells");
    let first = (0..CpuSet::MAX_CPU).find(|core| ours.is_set(*core)).expect("we run somewhere");
    let mut only = CpuSet::new();
    only.set(first);
    sched_setaffinity(Some(Pid::from_child(&burner.0)), &only).expect("the child is ours");
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_calibration_is_none() {
    let directory = scratch();
    let child = spawned(&mut with_state(directory.path(), &["calibrate", "--json"]));
    wait_until("it listens for Ctrl-C", || catches_interrupts(&child));
    signal(&child, Signal::INT);
    let output = finished(child);
    assert_eq!(output.status.code(), Some(130));
    assert!(output.stdout.is_empty());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("nothing was kept"), "{stderr}");
    assert!(!directory.path().join("state").exists());
}

/// The second bit of `SigCgt` in its status.
#[cfg(target_os = "linux")]
fn catches_interrupts(child: &Child) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 0b10 != 0)
}
