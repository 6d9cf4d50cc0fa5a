//! One second of a run: counts and histograms that merge without loss.
//!
//! A tick is what a worker hands on, what `--stream` writes and what a remote worker would send. Requests are
//! placed in the second in which they ended, and are marked as warm-up by the moment they were due.

use std::collections::BTreeMap;

use plimsoll_stats::Histogram;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::outcome::Outcome;

/// One second of a run, or the part of one that one worker saw.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Tick {
    /// Whole seconds since the start of the run.
    pub second: u64,
    /// Whether the requests here were due during the warm-up, and so belong to no figure.
    pub warmup: bool,
    /// Requests that became due in this second.
    pub due: u64,
    /// Requests without an outcome at the end of this second.
    pub in_flight: u64,
    /// Kept-alive connections found closed, and replaced.
    pub reconnects: u64,
    /// What ended in this second, a row for each step; those of all journeys, one journey after the other.
    pub steps: Vec<StepTick>,
    /// Flows that ended in this second, a row for each journey; empty where the plan is one request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flows: Vec<FlowTick>,
}

/// The flows of one journey that ended in one second, from the moment they were due.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct FlowTick {
    /// Those in which every step went as the journey wants it.
    #[serde(with = "base64_histogram")]
    pub passed: Histogram,
    /// Those that a step ended.
    #[serde(with = "base64_histogram")]
    pub failed: Histogram,
}

/// What ended in one second at one step.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct StepTick {
    /// A cell for each kind of end that occurred.
    pub cells: Vec<Cell>,
    /// Answers by their exact status.
    pub statuses: BTreeMap<u16, u64>,
    /// Bytes of answer bodies, as they came over the wire.
    pub body_bytes: u64,
    /// What the time was spent on.
    #[serde(default, skip_serializing_if = "Phases::is_empty")]
    pub phases: Phases,
}

/// The requests that ended in one way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// How they ended.
    pub outcome: Outcome,
    /// Whether that was an expected refusal.
    pub refused: bool,
    /// How long they took.
    pub timings: Timings,
}

/// The three times of the requests in a cell.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Timings {
    /// From due to the last byte. One entry for every request of the cell.
    #[serde(with = "base64_histogram")]
    pub response: Histogram,
    /// From sent to the last byte; empty in the closed model, where it equals the response time.
    #[serde(with = "base64_histogram")]
    pub service: Histogram,
    /// From due to sent: the generator's own lateness.
    #[serde(with = "base64_histogram")]
    pub lag: Histogram,
}

/// The parts of an exchange. The first two are of the connections that were made, the others of answers.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Phases {
    /// Until the connection stood.
    #[serde(with = "base64_histogram")]
    pub connect: Histogram,
    /// The TLS handshake on it.
    #[serde(with = "base64_histogram")]
    pub tls: Histogram,
    /// From the request, on a connection that stands, to the first byte of its answer.
    #[serde(with = "base64_histogram")]
    pub first_byte: Histogram,
    /// From the first byte of the answer to its last.
    #[serde(with = "base64_histogram")]
    pub body: Histogram,
}

impl Tick {
    /// Adds another worker's part of the same second.
    pub fn merge(&mut self, other: &Self) {
        self.due += other.due;
        self.in_flight += other.in_flight;
        self.reconnects += other.reconnects;
        if self.steps.len() < other.steps.len() {
            self.steps.resize_with(other.steps.len(), StepTick::default);
        }
        for (step, other) in self.steps.iter_mut().zip(&other.steps) {
            step.merge(other);
        }
        FlowTick::merge_all(&mut self.flows, &other.flows);
    }

    /// Requests that ended in this second.
    pub fn ended(&self) -> u64 {
        self.cells().map(Cell::count).sum()
    }

    /// Requests that ended badly: neither ok nor an expected refusal.
    pub fn failed(&self) -> u64 {
        self.cells().filter(|cell| cell.is_failure()).map(Cell::count).sum()
    }

    /// All cells of all steps.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.steps.iter().flat_map(|step| &step.cells)
    }
}

impl FlowTick {
    /// Adds what another worker, or another second, saw of the same journeys.
    pub fn merge_all(all: &mut Vec<Self>, others: &[Self]) {
        if all.len() < others.len() {
            all.resize_with(others.len(), Self::default);
        }
        for (flows, other) in all.iter_mut().zip(others) {
            flows.passed.merge(&other.passed);
            flows.failed.merge(&other.failed);
        }
    }
}

impl StepTick {
    /// Adds what another worker, or another second, saw of the same step.
    pub fn merge(&mut self, other: &Self) {
        for cell in &other.cells {
            self.cell(cell.outcome, cell.refused).timings.merge(&cell.timings);
        }
        for (status, count) in &other.statuses {
            *self.statuses.entry(*status).or_default() += count;
        }
        self.body_bytes += other.body_bytes;
        self.phases.merge(&other.phases);
    }

    /// The cell for this kind of end, made if there is none yet.
    pub fn cell(&mut self, outcome: Outcome, refused: bool) -> &mut Cell {
        let index = match self.cells.iter().position(|cell| cell.outcome == outcome && cell.refused == refused) {
            Some(index) => index,
            None => {
                self.cells.push(Cell { outcome, refused, timings: Timings::default() });
                self.cells.len() - 1
            }
        };
        &mut self.cells[index]
    }
}

impl Cell {
    /// How many requests ended this way.
    pub fn count(&self) -> u64 {
        self.timings.response.len()
    }

    /// Neither ok nor an expected refusal.
    pub fn is_failure(&self) -> bool {
        self.outcome != Outcome::Ok && !self.refused
    }
}

impl Timings {
    /// Adds the other's requests.
    pub fn merge(&mut self, other: &Self) {
        self.response.merge(&other.response);
        self.service.merge(&other.service);
        self.lag.merge(&other.lag);
    }
}

impl Phases {
    /// Whether nothing was timed.
    pub fn is_empty(&self) -> bool {
        [&self.connect, &self.tls, &self.first_byte, &self.body].into_iter().all(Histogram::is_empty)
    }

    /// Adds the other's exchanges.
    pub fn merge(&mut self, other: &Self) {
        self.connect.merge(&other.connect);
        self.tls.merge(&other.tls);
        self.first_byte.merge(&other.first_byte);
        self.body.merge(&other.body);
    }
}

/// Histograms travel as base64 of their lossless bytes.
mod base64_histogram {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    use super::{Deserialize, Deserializer, Histogram, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(histogram: &Histogram, serializer: S) -> Result<S::Ok, S::Error> {
        if histogram.is_empty() {
            "".serialize(serializer)
        } else {
            STANDARD.encode(histogram.to_bytes()).serialize(serializer)
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Histogram, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.is_empty() {
            return Ok(Histogram::new());
        }
        let bytes = STANDARD.decode(text).map_err(serde::de::Error::custom)?;
        Histogram::from_bytes(&bytes).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(outcomes: &[(Outcome, u64)]) -> Tick {
        let mut step = StepTick::default();
        for (outcome, ns) in outcomes {
            step.cell(*outcome, false).timings.response.record(*ns);
        }
        Tick { second: 3, due: outcomes.len() as u64, steps: vec![step], ..Tick::default() }
    }

    #[test]
    fn merging_adds_what_each_part_saw() {
        let mut whole = tick(&[(Outcome::Ok, 10), (Outcome::Ok, 20)]);
        whole.merge(&tick(&[(Outcome::Ok, 30), (Outcome::Reset, 40)]));
        assert_eq!((whole.due, whole.ended(), whole.failed()), (4, 4, 1));
        assert_eq!(whole.steps[0].cell(Outcome::Ok, false).timings.response.max(), Some(30));
    }

    #[test]
    fn a_tick_survives_its_journey_as_json() {
        let tick = tick(&[(Outcome::Ok, 123_456_789), (Outcome::Timeout, 30_000_000_000)]);
        let text = serde_json::to_string(&tick).expect("serialises");
        let back: Tick = serde_json::from_str(&text).expect("deserialises");
        assert_eq!(back, tick);
    }
}
