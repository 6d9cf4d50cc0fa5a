//! What a behaviour is, as it was written: the keys of the grammar. The same keys are options of the command line
//! (`--service exp:2ms`, the default of every path) and keys of a path's query (`/?service=exp:2ms`), so they are
//! declared once, for clap, and their doc comments are the help.

use super::bands::Bands;
use super::fields::{BadShare, CloseAfter, ErrorShare, Field, Framing, Interim, Redirect};
use super::freeze::Freeze;
use super::metastable::Metastable;
use super::quota::Quota;
use super::service::Service;
use super::thief::Thief;
use super::values;
use clap::ValueEnum;
use std::time::Duration;

/// Every key of the grammar; what is `None` was not given.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
#[command(next_help_heading = "Behaviour (each of these is also a key of a path's query)")]
pub struct Spec {
    /// Status of the answer [default: 200]
    #[arg(long, value_parser = values::status)]
    pub status: Option<u16>,
    /// Size of the body, a repeated pattern of digits [default: 16B]
    #[arg(long, value_parser = values::size)]
    pub size: Option<u64>,
    /// Text of the body, instead of the pattern
    #[arg(long)]
    pub body: Option<String>,
    /// Content type [default: text/plain]
    #[arg(long = "type")]
    pub content_type: Option<String>,
    /// An extra header, `Name:Value`; may be repeated
    #[arg(long)]
    pub header: Vec<Field>,
    /// How the body ends: `length`, `chunked`, or `close`
    #[arg(long)]
    pub framing: Option<Framing>,
    /// Size of a chunk [default: 16KiB]
    #[arg(long, value_parser = chunk_size)]
    pub chunk: Option<u64>,
    /// A trailer after the last chunk, `Name:Value`; may be repeated
    #[arg(long)]
    pub trailer: Vec<Field>,
    /// Interim answers first: `103`, or `100,103`
    #[arg(long)]
    pub interim: Option<Interim>,
    /// Encoding of the body: `gzip`
    #[arg(long)]
    pub encoding: Option<Encoding>,
    /// Redirect (302 unless `status` says otherwise) to this target, or to the same target with `self`
    #[arg(long)]
    pub redirect: Option<Redirect>,
    /// Answer with the request as it came: its line, its headers, its body (up to 1 MiB)
    #[arg(long, num_args = 0..=1, default_missing_value = "true")]
    pub echo: Option<bool>,
    /// Send the body slowly: `500B/s`
    #[arg(long, value_parser = values::pace)]
    pub pace: Option<u64>,

    /// Service time: `2ms`, `exp:2ms`, or `bimodal:1ms,20ms,0.05`
    #[arg(long)]
    pub service: Option<Service>,
    /// Serve so many at once, first come first served, in virtual time; without it nobody queues
    #[arg(long, value_parser = servers)]
    pub servers: Option<usize>,
    /// Name of the queue: equal behaviours with different names do not share their state
    #[arg(long)]
    pub queue: Option<String>,
    /// Seed of everything random [default: 1]
    #[arg(long)]
    pub seed: Option<u64>,
    /// Service time by the arrival rate of the last second: `100:5ms,200:50ms,1000:5ms`
    #[arg(long)]
    pub bands: Option<Bands>,
    /// Frozen for the last second of every five: `1s/5s`, counted from the behaviour's first request, or with
    /// `1s/5s@start` from the server's start
    #[arg(long)]
    pub freeze: Option<Freeze>,
    /// Capacity stolen in bursts: `0.2/100ms` is a fifth of the time, 100 ms at once in the mean
    #[arg(long)]
    pub thief: Option<Thief>,
    /// With more than 100 in the system 3 times slower until it is empty: `100,3`; `100,3,10s` until 10 s after
    /// arrivals last exceeded the capacity; wants `servers` and `service`
    #[arg(long)]
    pub metastable: Option<Metastable>,

    /// Share of requests that fail after their service: `0.1`, or `0.1:503` [default status: 500]
    #[arg(long)]
    pub error: Option<ErrorShare>,
    /// Share of requests refused at once with 429
    #[arg(long, value_parser = values::share)]
    pub limit_share: Option<f64>,
    /// Exact rate limit, `120/60s`: a fixed window from its first request; beyond it 429
    #[arg(long)]
    pub limit: Option<Quota>,
    /// At most so many requests in the system; beyond it 503 at once
    #[arg(long)]
    pub at_most: Option<usize>,
    /// At most so many flows at once, a flow being a connection from its first request to its close; beyond it 503
    #[arg(long)]
    pub flows: Option<usize>,
    /// Close the connection after n answers, saying so in the last one; `n,rude` without saying so
    #[arg(long)]
    pub close_after: Option<CloseAfter>,
    /// A malformed answer by name (see `--list`), or a share of them: `truncated-body:0.1`
    #[arg(long)]
    pub bad: Option<BadShare>,
}

/// How a body is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Encoding {
    /// RFC 1952.
    Gzip,
}

/// Keys that exclude or want each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Conflict {
    /// Bands are service times.
    #[error("`bands` and `service` both say how long service takes: give one")]
    TwoServices,
    /// Without servers there is no capacity.
    #[error("`metastable` wants `servers` and `service`")]
    NoCapacity,
    /// Trailers exist in chunked bodies only.
    #[error("`trailer` wants `framing=chunked`")]
    TrailerWithoutChunks,
    /// The compressed body is held in memory.
    #[error("`encoding=gzip` wants a body of at most 16 MiB, and no `echo`")]
    TooLargeToEncode,
}

impl Spec {
    // Compressed bodies are the only ones that are held in memory.
    const ENCODED_MAX: u64 = 16 << 20;

    /// Refuses keys that contradict each other.
    pub fn check(&self) -> Result<(), Conflict> {
        if self.bands.is_some() && self.service.is_some() {
            return Err(Conflict::TwoServices);
        }
        if self.metastable.is_some() && self.capacity().is_none() {
            return Err(Conflict::NoCapacity);
        }
        if !self.trailer.is_empty() && self.framing != Some(Framing::Chunked) {
            return Err(Conflict::TrailerWithoutChunks);
        }
        if self.encoding.is_some() && (self.size.unwrap_or(0) > Self::ENCODED_MAX || self.echoes()) {
            return Err(Conflict::TooLargeToEncode);
        }
        Ok(())
    }

    /// Whether the answer is the request.
    pub fn echoes(&self) -> bool {
        self.echo == Some(true)
    }

    /// The rate this behaviour can serve, if it has a limit: servers ÷ mean service time.
    pub fn capacity(&self) -> Option<f64> {
        let mean = self.service?.mean();
        let servers = self.servers? as f64;
        (mean > Duration::ZERO).then(|| servers / mean.as_secs_f64())
    }

    /// Whether any answer depends on the time, on chance, or on other requests.
    pub fn is_stateful(&self) -> bool {
        self.service.is_some()
            || self.bands.is_some()
            || self.freeze.is_some()
            || self.thief.is_some()
            || self.error.is_some()
            || self.limit_share.is_some()
            || self.limit.is_some()
            || self.at_most.is_some()
            || self.bad.as_ref().is_some_and(|bad| bad.share < 1.0)
    }
}

fn servers(text: &str) -> Result<usize, values::Unreadable> {
    text.parse()
        .ok()
        .filter(|servers| (1..=1_000_000).contains(servers))
        .ok_or_else(|| values::Unreadable::new("a number of servers from 1 to 1000000", text))
}

fn chunk_size(text: &str) -> Result<u64, values::Unreadable> {
    values::size(text)
        .ok()
        .filter(|size| (1..=1 << 20).contains(size))
        .ok_or_else(|| values::Unreadable::new("a chunk of 1B to 1MiB", text))
}
