//! The thin edge: sockets, timers, threads, signals. It moves bytes and keeps time; what the bytes mean it leaves to
//! [`session`](crate::session).

mod alarm;
mod connection;
mod connections;
mod ending;
mod limits;
mod listener;
mod secure;
mod stream;
mod timers;
mod worker;

use crate::args::{Args, OnAccept};
use crate::bad;
use crate::routes::{Desk, World};
use crate::tls;
use anyhow::Context as _;
use ending::Ending;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Instant;
use worker::{Welcome, Worker};

/// Serves until the process is told to end: by a signal, or by the end of standard input where that was asked for.
pub fn serve(args: Args) -> anyhow::Result<()> {
    if args.list {
        return say(&bad::list());
    }
    args.defaults.check()?;
    let welcome = welcome(&args)?;
    let http2 = (!args.no_http2).then_some(args.h2_streams);
    limits::raise_descriptors();
    let ending = Ending::watch(args.exit_with_parent)?;
    let bound = listener::bind(&args)?;
    let world = Arc::new(World::new(args.defaults, args.lenient, http2, bound.listeners.len()));
    let started = Instant::now();
    for (thread, listener) in bound.listeners.into_iter().enumerate() {
        let (world, watch, welcome) = (Arc::clone(&world), ending.watched(), welcome.clone());
        let serve = move || {
            let worker = Worker::new(Desk::new(&world, thread), listener, welcome, started);
            watch.report(worker.and_then(Worker::run));
        };
        std::thread::Builder::new()
            .name(format!("testkit-{thread}"))
            .spawn(serve)
            .context("could not start a thread")?;
    }
    say(&format!("listening on {}\n", bound.address))?;
    let outcome = ending.wait();
    if let Some(path) = args.unix {
        let _ = std::fs::remove_file(path);
    }
    outcome
}

fn welcome(args: &Args) -> anyhow::Result<Welcome> {
    if args.on_accept.is_some_and(OnAccept::wants_tls) && !args.tls.tls {
        anyhow::bail!("`--on-accept tls-…` wants `--tls`");
    }
    Ok(Welcome { on_accept: args.on_accept, tls: tls::offer(&args.tls, !args.no_http2)? })
}

fn say(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("could not write to standard output")
}
