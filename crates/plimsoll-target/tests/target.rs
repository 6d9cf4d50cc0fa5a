//! Real processes: what is started is awaited and, whatever happens, ended whole.
#![cfg(target_os = "linux")]

mod support;

use std::net::TcpListener;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use plimsoll_target::{Ending, Hook, Process, Ready, StopSignal, Surroundings, Variabled, When};
use support::{Marker, await_that, free_port, message, program, shell, start, start_process};

/// Nothing that carries the marker lives a moment later.
#[track_caller]
fn assert_gone(marker: &Marker) {
    await_that(|| marker.alive().is_empty(), || format!("still there: {:?}", marker.alive()));
}

#[test]
fn a_whole_tree_is_ended_however_it_was_planted() {
    let marker = Marker::new();
    let sleep = marker.sleep();
    for script in [
        format!("echo up; exec {sleep}"),
        format!("{sleep} & {sleep} & echo up; wait"),
        // Another session, so another group.
        format!("setsid {sleep} & sleep 0.1; echo up; wait"),
        // An orphan of another session, whose parent has ended: a daemon.
        format!("(setsid sh -c '{sleep} & {sleep} &'); sleep 0.1; echo up; {sleep}"),
        // Nobody is left of the group that was started.
        format!("setsid {sleep} & echo up"),
        // Deaf to SIGTERM.
        format!("trap '' TERM; echo up; while :; do {sleep}; done"),
    ] {
        let begun = start_process(shell(&script), Ready::Line("up".to_owned())).expect("it starts");
        assert!(!marker.alive().is_empty(), "{script}");
        assert_eq!(begun.ended().count(), 0, "{script}");
        assert_eq!(begun.finish(), [], "{script}");
        assert!(marker.alive().is_empty(), "{script}: {:?}", marker.alive());
    }
}

#[test]
fn a_tree_is_ended_when_its_handle_is_dropped_or_the_run_panics() {
    let marker = Marker::new();
    let plant = || start_process(shell(&format!("{} & wait", marker.sleep())), Ready::Started).expect("it starts");
    drop(plant());
    assert_gone(&marker);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let _begun = plant();
        panic!("a run that goes wrong");
    }));
    assert!(panicked.is_err());
    assert_gone(&marker);
}

#[test]
fn a_tree_is_ended_when_we_are_killed() {
    let marker = Marker::new();
    let mut parent = support::parent_of(&format!("(setsid {0} &); {0}", marker.sleep()));
    await_that(|| marker.alive().len() >= 3, || "it never started".to_owned());
    parent.kill().expect("it lives");
    parent.wait().expect("it was killed");
    assert_gone(&marker);
}

/// Not a test of its own: the process that the test above kills.
#[test]
fn parent_to_be_killed() {
    let Ok(script) = std::env::var(support::PARENT) else { return };
    let _begun = start_process(shell(&script), Ready::Started).expect("it starts");
    loop {
        std::thread::park();
    }
}

#[test]
fn a_tree_is_ended_when_its_minder_was_killed() {
    let marker = Marker::new();
    let begun = start_process(shell(&format!("{} & wait", marker.sleep())), Ready::Started).expect("it starts");
    let pid = begun.facts().next().expect("there is one").pid;
    support::kill(support::parent(pid));
    await_that(|| begun.ended().next().is_some(), || "nobody noticed".to_owned());
    assert_eq!(begun.ended().map(|(_, ending, _)| ending).collect::<Vec<_>>(), [Ending::Unknown]);
    begun.finish();
    assert_gone(&marker);
}

#[test]
fn processes_are_started_in_order_and_stopped_in_reverse() {
    let folder = tempfile::tempdir().expect("a folder");
    let diary = folder.path().join("diary");
    let write = |word: &str| format!("echo {word} >> {}", diary.display());
    let hook = |word: &str, when| Hook { when, ..Hook::new(write(word)) };
    let process = |name: &str| {
        let script = format!(
            "trap '{}; exit 0' TERM; {}; echo up; while :; do sleep 0.01; done",
            write(&format!("{name}-down")),
            write(&format!("{name}-up")),
        );
        Process { ready: Ready::Line("up".to_owned()), ..Process::new(name, shell(&script)) }
    };
    let begun = start(Surroundings {
        before: vec![hook("inside", When::Inside), hook("outside", When::Outside)],
        processes: vec![process("a"), process("b")],
        after: vec![hook("after-outside", When::Outside), hook("after-inside", When::Inside)],
    });
    let wrong = begun.expect("it starts").finish();
    assert_eq!(wrong, []);
    let lines = std::fs::read_to_string(&diary).expect("it was written");
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines, ["outside", "a-up", "b-up", "inside", "after-inside", "b-down", "a-down", "after-outside"]);
}

#[test]
fn a_server_is_ready_when_it_answers_well() {
    let port = free_port();
    let url = |path: &str| format!("http://127.0.0.1:{port}{path}").parse().expect("it is a URL");
    let words = ["python3", "-m", "http.server", "--bind", "127.0.0.1", &port.to_string()].map(str::to_owned).to_vec();
    for ready in [Ready::Url(url("/")), Ready::Port(port)] {
        let begun = start_process(words.clone(), ready).expect("it gets ready");
        let facts = begun.facts().next().expect("there is one");
        assert!(facts.program.as_ref().is_some_and(|path| path.to_string_lossy().contains("python")), "{facts:?}");
        assert!(facts.built.is_some());
        assert_eq!(begun.finish(), []);
    }
    let process = Process {
        ready: Ready::Url(url("/nowhere?token=secret")),
        ready_timeout: Duration::from_secs(2),
        ..Process::new("api", words)
    };
    let text = message(Surroundings { processes: vec![process], ..Surroundings::default() });
    let expected = format!("process `api` was not ready after 2s: 127.0.0.1:{port}/nowhere answered 404; the last");
    assert!(text.starts_with(&expected), "{text}");
    assert!(text.contains("\n  | "), "{text}");
}

#[test]
fn somebody_else_at_the_same_place_is_noticed() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("it has one").port();
    let process = Process { ready: Ready::Port(port), ..Process::new("api", shell("sleep 60")) };
    let text = message(Surroundings { processes: vec![process], ..Surroundings::default() });
    assert_eq!(text, format!("something answers at 127.0.0.1:{port} already, before process `api` is started"));
}

#[track_caller]
fn check(process: Process, expected: &str) {
    let text = message(Surroundings { processes: vec![process], ..Surroundings::default() });
    assert_eq!(text, expected);
}

fn api(script: &str, ready: Ready) -> Process {
    Process { ready, ready_timeout: Duration::from_millis(300), ..Process::new("api", shell(script)) }
}

#[test]
fn a_process_that_never_gets_ready_is_an_error_with_its_last_words() {
    let line = || Ready::Line("listening".to_owned());
    check(
        api("echo one; echo two >&2; exec sleep 60", line()),
        "process `api` was not ready after 300ms: no line with `listening` came; the last that it said:\n  | one\n  | two",
    );
    check(
        api("echo 'cannot bind'; exit 3", line()),
        "process `api` ended with exit code 3 before it was ready; the last that it said:\n  | cannot bind",
    );
    check(
        api("kill -SEGV $$", line()),
        "process `api` ended with signal 11 (SIGSEGV) before it was ready; it said nothing",
    );
    check(api("exit 0", line()), "process `api` ended with exit code 0 before it was ready; it said nothing");
    check(
        api(r"printf '\033[31mred\n'; exit 1", line()),
        "process `api` ended with exit code 1 before it was ready; the last that it said:\n  | \\x1b[31mred",
    );
}

#[test]
fn what_cannot_be_started_says_why() {
    let words = |program: &str| vec![program.to_owned()];
    check(Process::new("api", Vec::new()), "process `api` has nothing to start");
    check(
        Process::new("api", words("/nowhere/api")),
        "cannot start process `api`: `/nowhere/api`: No such file or directory (os error 2)",
    );
    let dir = Some("/nowhere".into());
    let lost = Process { dir, ..Process::new("api", words("sh")) };
    check(lost, "cannot start process `api`: there is no folder `/nowhere`");
    let cpus = Some("8191".parse().expect("a list"));
    let pinned = Process { cpus, ..Process::new("api", words("sh")) };
    let text = message(Surroundings { processes: vec![pinned], ..Surroundings::default() });
    assert!(text.contains("the CPUs `8191`"), "{text}");
    let ready = |ready| Process { ready, ..Process::new("api", words("sh")) };
    check(
        ready(Ready::Path("health".to_owned())),
        "cannot tell when process `api` is ready: expected a path like `/health`, saw `health`",
    );
    let tls = Ready::Url("https://u:secret@localhost/up".parse().expect("a URL"));
    check(
        ready(tls),
        "cannot tell when process `api` is ready: only http:// can be asked, and `localhost/up` is https://",
    );
}

#[test]
fn a_process_is_kept_on_its_cores_and_runs_where_it_should() {
    let folder = tempfile::tempdir().expect("a folder");
    let core = support::usable_core();
    let log = folder.path().join("log");
    let script = "grep Cpus_allowed_list /proc/self/status; pwd; echo $COLOUR $PLIMSOLL_URL; echo up; sleep 60";
    let process = Process {
        dir: Some(folder.path().to_owned()),
        env: vec![("COLOUR".to_owned(), "blue".to_owned())],
        cpus: Some(core.parse().expect("a list")),
        log: Some(log.clone()),
        ready_timeout: Process::READY_TIMEOUT,
        ..api(script, Ready::Line("up".to_owned()))
    };
    let begun = start(Surroundings { processes: vec![process], ..Surroundings::default() }).expect("it starts");
    assert_eq!(begun.facts().next().and_then(|facts| facts.cpus.clone()), Some(core.clone()));
    assert_eq!(begun.finish(), []);
    let said = std::fs::read_to_string(log).expect("it was written");
    let place = folder.path().canonicalize().expect("it exists");
    assert_eq!(said, format!("Cpus_allowed_list:\t{core}\n{}\nblue {}\nup\n", place.display(), support::URL));
}

#[test]
fn what_children_used_is_counted_after_their_end() {
    let busy = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
    // A child, and an orphan of another session.
    let script = format!("({busy}); (setsid sh -c '{busy}; echo up' &); sleep 60");
    let begun = start_process(shell(&script), Ready::Line("up".to_owned())).expect("it starts");
    let (name, used) = begun.used().next().expect("there is one");
    assert_eq!(name, "api");
    assert!(used.cpu_s >= 0.02, "{used:?}");
    assert!(used.rss_bytes > 100_000 && used.processes >= 1, "{used:?}");
}

#[test]
fn an_end_during_the_run_is_noticed() {
    let begun =
        start_process(shell("echo up; sleep 0.1; echo oh; exit 7"), Ready::Line("up".to_owned())).expect("it starts");
    await_that(|| begun.ended().next().is_some(), || "nobody noticed".to_owned());
    let ended: Vec<_> = begun.ended().map(|(name, ending, said)| format!("{name}: {ending}{said}")).collect();
    assert_eq!(ended, ["api: exit code 7; the last that it said:\n  | up\n  | oh"]);
}

#[test]
fn waiting_is_interrupted() {
    let marker = Marker::new();
    let process =
        Process { ready_timeout: Duration::from_secs(60), ..api(&marker.sleep(), Ready::Line("x".to_owned())) };
    let surroundings = Surroundings { processes: vec![process], ..Surroundings::default() };
    let url = support::URL.parse().expect("a URL");
    let started = || !marker.alive().is_empty();
    let failed = plimsoll_target::start(surroundings, &url, &program(), &started, &mut |_| {});
    assert_eq!(failed.expect_err("it is interrupted").to_string(), "interrupted while the target was set up");
    assert_gone(&marker);
}

fn into(run: &str, name: &str) -> Hook {
    Hook { into: Some(Variabled { name: name.to_owned(), secret: true }), ..Hook::new(run) }
}

#[test]
fn what_a_command_says_becomes_a_variable() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("revoked");
    let begun = start(Surroundings {
        before: vec![into("echo noise >&2; echo s3cret", "token"), into("echo \"$token-$PLIMSOLL_URL\"", "second")],
        after: vec![Hook::new(format!("echo $token > {}", file.display()))],
        ..Surroundings::default()
    })
    .expect("it starts");
    let values: Vec<&str> = begun.variables().iter().map(|variable| variable.value.as_str()).collect();
    assert_eq!(values, ["s3cret", &format!("s3cret-{}", support::URL)]);
    assert_eq!(format!("{:?}", begun.variables()[0]), "token = \"[redacted]\"");
    drop(begun);
    assert_eq!(std::fs::read_to_string(file).expect("it was undone"), "s3cret\n");
}

#[test]
fn a_command_that_fails_ends_the_setting_up_and_is_undone() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("undone");
    let undo = || vec![Hook::new(format!("echo x >> {}", file.display())), Hook::new("echo no; exit 9")];
    let before =
        vec![Hook::new("true"), Hook::new("echo why >&2; exit 4"), Hook::new(format!("rm {}", file.display()))];
    let failed = start(Surroundings { before, after: undo(), ..Surroundings::default() }).expect_err("it fails");
    assert_eq!(
        failed.to_string(),
        "the command `echo why >&2; exit 4` ended with exit code 4; the last that it said:\n  | why"
    );
    let after: Vec<String> = failed.after.iter().map(ToString::to_string).collect();
    assert_eq!(after, ["the command `echo no; exit 9` ended with exit code 9; the last that it said:\n  | no"]);
    assert_eq!(std::fs::read_to_string(&file).expect("it was undone"), "x\n");
}

#[test]
fn a_secret_is_not_among_the_last_words() {
    let text = message(Surroundings {
        before: vec![into("echo s3cret; echo oh >&2; exit 1", "token")],
        ..Surroundings::default()
    });
    assert_eq!(text.matches("s3cret").count(), 1, "in the command alone: {text}");
    assert!(text.ends_with("  | oh"), "{text}");
}

#[test]
fn a_command_that_hangs_is_ended() {
    let marker = Marker::new();
    let hook = Hook { timeout: Duration::from_millis(300), ..Hook::new(format!("echo hm; {}", marker.sleep())) };
    let text = message(Surroundings { before: vec![hook], ..Surroundings::default() });
    assert!(text.contains("did not end within 300ms; the last that it said:\n  | hm"), "{text}");
    assert_gone(&marker);
}

#[test]
fn what_a_command_leaves_in_the_background_lives_until_the_end() {
    let marker = Marker::new();
    let daemon = |into| Hook { into, ..Hook::new(format!("setsid {} & echo done", marker.sleep())) };
    let surroundings = |hook| Surroundings { before: vec![hook], ..Surroundings::default() };
    let begun = start(surroundings(daemon(None))).expect("it ends");
    assert!(!marker.alive().is_empty());
    assert_eq!(begun.finish(), []);
    assert!(marker.alive().is_empty(), "{:?}", marker.alive());
    let done = Variabled { name: "done".to_owned(), secret: false };
    let begun = start(surroundings(daemon(Some(done)))).expect("it ends");
    assert_eq!(begun.variables()[0].value, "done");
    assert!(marker.alive().is_empty(), "{:?}", marker.alive());
}

#[test]
fn a_process_is_asked_to_end_as_it_likes() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("asked");
    let trap = |signal: &str| format!("trap 'echo {signal} >> {}; exit' {signal}", file.display());
    let script = format!("{}; {}; echo up; while :; do sleep 0.01; done", trap("TERM"), trap("QUIT"));
    let ready = Ready::Line("up".to_owned());
    let process = Process { stop: StopSignal::Quit, ready, ..Process::new("api", shell(&script)) };
    let begun = start(Surroundings { processes: vec![process], ..Surroundings::default() }).expect("it starts");
    assert_eq!(begun.finish(), []);
    assert_eq!(std::fs::read_to_string(file).expect("it was asked"), "QUIT\n");
}
