//! What the server saw, counted by each thread for itself and added up when somebody asks.

use std::sync::atomic::{AtomicU64, Ordering};

/// The counts of one thread. Written by that thread alone.
#[derive(Debug)]
pub(crate) struct Tally {
    accepted: AtomicU64,
    closed: AtomicU64,
    handshakes: AtomicU64,
    handshakes_resumed: AtomicU64,
    handshakes_failed: AtomicU64,
    http2: AtomicU64,
    streams: AtomicU64,
    streams_reset: AtomicU64,
    streams_refused: AtomicU64,
    requests: AtomicU64,
    refused: AtomicU64,
    // By status; 0 counts what carries none.
    statuses: [AtomicU64; 1000],
}

impl Tally {
    /// Nothing seen.
    pub(crate) fn new() -> Self {
        Self {
            accepted: AtomicU64::new(0),
            closed: AtomicU64::new(0),
            handshakes: AtomicU64::new(0),
            handshakes_resumed: AtomicU64::new(0),
            handshakes_failed: AtomicU64::new(0),
            http2: AtomicU64::new(0),
            streams: AtomicU64::new(0),
            streams_reset: AtomicU64::new(0),
            streams_refused: AtomicU64::new(0),
            requests: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            statuses: [const { AtomicU64::new(0) }; 1000],
        }
    }

    /// A connection was accepted.
    pub(crate) fn accepted(&self) {
        add(&self.accepted);
    }

    /// A connection was closed.
    pub(crate) fn closed(&self) {
        add(&self.closed);
    }

    /// A TLS handshake is complete; it may have resumed an earlier session.
    pub(crate) fn handshake(&self, resumed: bool) {
        add(&self.handshakes);
        if resumed {
            add(&self.handshakes_resumed);
        }
    }

    /// A connection ended before its TLS handshake was complete.
    pub(crate) fn handshake_failed(&self) {
        add(&self.handshakes_failed);
    }

    /// A connection begins to speak HTTP/2.
    pub(crate) fn http2(&self) {
        add(&self.http2);
    }

    /// A stream of HTTP/2 was opened.
    pub(crate) fn stream(&self) {
        add(&self.streams);
    }

    /// A client has reset a stream.
    pub(crate) fn stream_reset(&self) {
        add(&self.streams_reset);
    }

    /// A stream was refused, since there were too many.
    pub(crate) fn stream_refused(&self) {
        add(&self.streams_refused);
    }

    /// A request arrived whole.
    pub(crate) fn request(&self) {
        add(&self.requests);
    }

    /// Something arrived that is no request.
    pub(crate) fn refused(&self) {
        add(&self.refused);
    }

    /// The last byte of an answer was written.
    pub(crate) fn answered(&self, status: u16) {
        add(&self.statuses[usize::from(status) % self.statuses.len()]);
    }
}

impl Default for Tally {
    fn default() -> Self {
        Self::new()
    }
}

/// All counts together, as one JSON object.
pub(crate) fn json<'a>(tallies: impl Iterator<Item = &'a Tally> + Clone) -> String {
    let sum = |count: fn(&Tally) -> &AtomicU64| -> u64 {
        tallies.clone().map(|tally| count(tally).load(Ordering::Relaxed)).sum()
    };
    let (closed, accepted) = (sum(|tally| &tally.closed), sum(|tally| &tally.accepted));
    let statuses: Vec<String> = (0..1000)
        .map(|status| {
            let count = tallies.clone().map(|tally| tally.statuses[status].load(Ordering::Relaxed));
            (status, count.sum::<u64>())
        })
        .filter(|&(_, count)| count > 0)
        .map(|(status, count)| format!("\"{status}\":{count}"))
        .collect();
    format!(
        "{{\"schema\":\"plimsoll.testkit-stats/1\",\"connections\":{{\"accepted\":{accepted},\"open\":{}}},\"tls\":{{\"handshakes\":{},\"resumed\":{},\"failed\":{}}},\"http2\":{{\"connections\":{},\"streams\":{},\"reset\":{},\"refused\":{}}},\"requests\":{},\"malformed_requests\":{},\"statuses\":{{{}}}}}\n",
        accepted.saturating_sub(closed),
        sum(|tally| &tally.handshakes),
        sum(|tally| &tally.handshakes_resumed),
        sum(|tally| &tally.handshakes_failed),
        sum(|tally| &tally.http2),
        sum(|tally| &tally.streams),
        sum(|tally| &tally.streams_reset),
        sum(|tally| &tally.streams_refused),
        sum(|tally| &tally.requests),
        sum(|tally| &tally.refused),
        statuses.join(",")
    )
}

/// No read-modify-write: there is one writer, and a reader who is content with a moment ago.
fn add(count: &AtomicU64) {
    count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_added_up() {
        let (a, b) = (Tally::new(), Tally::new());
        a.accepted();
        b.accepted();
        b.closed();
        a.request();
        a.handshake(false);
        b.handshake(true);
        b.handshake_failed();
        a.http2();
        a.stream();
        b.stream();
        a.stream_reset();
        b.stream_refused();
        a.answered(200);
        b.answered(200);
        b.answered(503);
        assert_eq!(
            json([&a, &b].into_iter()),
            "{\"schema\":\"plimsoll.testkit-stats/1\",\"connections\":{\"accepted\":2,\"open\":1},\"tls\":{\"handshakes\":2,\"resumed\":1,\"failed\":1},\"http2\":{\"connections\":1,\"streams\":2,\"reset\":1,\"refused\":1},\"requests\":1,\"malformed_requests\":0,\"statuses\":{\"200\":2,\"503\":1}}\n"
        );
    }
}
