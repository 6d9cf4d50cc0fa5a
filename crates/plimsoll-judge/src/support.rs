//! Recordings and plans for tests: what the engine would have handed over, second by second.

use std::ops::Range;
use std::time::Duration;

use plimsoll_model::{
    Arrivals, Calibration, ClosedLoad, Load, Objective, OpenLoad, Outcome, Plan, Recording, RequestSpec, Scheme, Shape,
    StepTick, Stop, Target, Tick, Timeouts, Transport, calibration,
};
use plimsoll_stats::queue::{Observed, Queue, mm1_relaxation, observe};

/// A plan of the open model: one rate for ten seconds.
pub(crate) fn open(rate: f64) -> Plan {
    let shape = Shape::constant(rate, None);
    plan(Load::Open(OpenLoad { shape, arrivals: Arrivals::Even, in_flight_max: 1_000 }))
}

/// A plan of the closed model.
pub(crate) fn closed(users: f64) -> Plan {
    plan(Load::Closed(ClosedLoad { shape: Shape::constant(users, None), think: Duration::ZERO }))
}

/// The same plan, held to objectives as they are typed.
pub(crate) fn held_to(mut plan: Plan, objectives: &str) -> Plan {
    plan.objectives = Objective::parse_list(objectives).expect("the test's objectives are valid");
    plan
}

fn plan(load: Load) -> Plan {
    Plan {
        name: "test".to_owned(),
        target: Target {
            url: "http://t/x".to_owned(),
            scheme: Scheme::Http,
            host: "t".to_owned(),
            port: 80,
            path: "/x".to_owned(),
        },
        request: RequestSpec {
            label: "GET /x".to_owned(),
            method: "GET".to_owned(),
            headers: Vec::new(),
            body: Vec::new(),
        },
        transport: Transport::default(),
        load,
        stop: Stop { after: Some(Duration::from_secs(10)), requests: None },
        warmup: Duration::ZERO,
        timeouts: Timeouts { whole: Duration::from_secs(30), connect: None, first_byte: None },
        objectives: Vec::new(),
        step_objectives: Vec::new(),
        journeys: Vec::new(),
        expect: Vec::new(),
        within: Vec::new(),
        abort: None,
        seed: 1,
        threads: 1,
    }
}

/// A calibration that came to these figures.
pub(crate) fn calibration(figures: calibration::Figures) -> Calibration {
    Calibration {
        schema: calibration::SCHEMA.to_owned(),
        id: "id".to_owned(),
        at: "2026-11-21T09:15:30.000Z".to_owned(),
        tool: "tool".to_owned(),
        quick: false,
        took_s: 40.0,
        machine: calibration::Machine::default(),
        figures,
        meanwhile: calibration::Meanwhile::default(),
        believe: Vec::new(),
        spoilers: Vec::new(),
    }
}

/// A simulated run in seconds.
pub(crate) fn simulated(observed: Observed) -> Recording {
    let seconds = observed.ticks.into_iter().zip(observed.arrivals).zip(observed.in_flight);
    let ticks = seconds.enumerate().map(|(second, ((times, due), in_flight))| {
        let mut step = StepTick::default();
        step.cell(Outcome::Ok, false).timings.response = times;
        Tick { second: second as u64, due, in_flight, steps: vec![step], ..Tick::default() }
    });
    Recorded::of(ticks.collect()).done()
}

/// M/M/1 in its steady state, for so many seconds.
pub(crate) fn steady(load: f64, service_rate: f64, seconds: f64, seed: u64) -> Recording {
    let rate = load * service_rate;
    let warmup_s = 15.0 * mm1_relaxation(rate, service_rate);
    simulated(observe(Queue::mm1(rate, service_rate, seed), warmup_s, (rate * seconds) as u64, 1.0))
}

/// Builds a [`Recording`] from what ends in each second.
pub(crate) struct Recorded {
    ticks: Vec<Tick>,
    warmup_s: f64,
    lag_ms: f64,
    service: bool,
}

impl Recorded {
    /// So many seconds in which nothing happens yet.
    pub(crate) fn seconds(seconds: u64) -> Self {
        let tick = |second| Tick { second, steps: vec![StepTick::default()], ..Tick::default() };
        Self { ticks: (0..seconds).map(tick).collect(), warmup_s: 0.0, lag_ms: 0.01, service: true }
    }

    /// The ticks as they are.
    pub(crate) fn of(ticks: Vec<Tick>) -> Self {
        Self { ticks, ..Self::seconds(0) }
    }

    pub(crate) fn warmup(mut self, seconds: f64) -> Self {
        self.warmup_s = seconds;
        self
    }

    /// The lag of every request added from here on.
    pub(crate) fn lag(mut self, ms: f64) -> Self {
        self.lag_ms = ms;
        self
    }

    /// As the closed model's recorder does: no service times.
    pub(crate) fn without_service(mut self) -> Self {
        for cell in self.ticks.iter_mut().flat_map(|tick| &mut tick.steps[0].cells) {
            cell.timings.service.clear();
        }
        self.service = false;
        self
    }

    /// `count` requests a second are due, and end like this in `ms`.
    pub(crate) fn each(mut self, outcome: Outcome, count: u64, ms: f64) -> Self {
        for second in 0..self.ticks.len() {
            self.add(second, outcome, false, count, ms);
        }
        self
    }

    /// The same, as an expected refusal.
    pub(crate) fn refused(mut self, outcome: Outcome, count: u64, ms: f64) -> Self {
        for second in 0..self.ticks.len() {
            self.add(second, outcome, true, count, ms);
        }
        self
    }

    /// In these seconds this happens instead.
    pub(crate) fn during(mut self, seconds: Range<usize>, outcome: Outcome, count: u64, ms: f64) -> Self {
        for second in seconds {
            self.ticks[second].steps = vec![StepTick::default()];
            self.ticks[second].due = 0;
            self.add(second, outcome, false, count, ms);
        }
        self
    }

    /// Requests in flight at the end of each second.
    pub(crate) fn in_flight(mut self, at: impl Fn(u64) -> u64) -> Self {
        for (second, tick) in self.ticks.iter_mut().enumerate() {
            tick.in_flight = at(second as u64);
        }
        self
    }

    fn add(&mut self, second: usize, outcome: Outcome, refused: bool, count: u64, ms: f64) {
        let tick = &mut self.ticks[second];
        tick.due += count;
        let step = &mut tick.steps[0];
        let timings = &mut step.cell(outcome, refused).timings;
        timings.response.record_n((ms * 1e6) as u64, count);
        if outcome != Outcome::Dropped {
            timings.lag.record_n((self.lag_ms * 1e6) as u64, count);
            if self.service {
                timings.service.record_n((ms * 1e6) as u64, count);
            }
        }
        if outcome.is_answer() {
            *step.statuses.entry(200).or_default() += count;
        }
    }

    pub(crate) fn done(self) -> Recording {
        let mut recording = Recording {
            measured: Duration::from_secs(self.ticks.len() as u64),
            warmup: Duration::from_secs_f64(self.warmup_s),
            steps: vec![StepTick::default()],
            ..Recording::default()
        };
        for mut tick in self.ticks {
            tick.second += self.warmup_s as u64;
            recording.due += tick.due;
            recording.steps[0].merge(&tick.steps[0]);
            recording.timeline.push(&tick);
        }
        recording.answered_in_time = recording.timeline.spans().map(|span| span.answered()).sum();
        recording
    }
}
