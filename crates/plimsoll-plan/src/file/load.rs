//! `[load]`: how much, when, until when.

use std::time::Duration;

use plimsoll_model::units::parse_count;
use plimsoll_model::{Abort, Arrivals, ParseError, Rate, Shape};
use schemars::JsonSchema;

use super::field::Field;
use super::node::{Node, Value};
use super::table::Table;
use super::text::Text;

/// Beyond this many users no machine has ports.
const USERS_MAX: f64 = 10e6;
/// Beyond this rate arrivals are closer together than the clock can tell.
const RATE_MAX: f64 = 100e6;
/// More threads do not help.
const THREADS_MAX: usize = 1024;
/// The keys that say how much; each of them alone.
pub(super) const AMOUNTS: [&str; 4] = ["shape", "rate", "users", "levels"];

/// How much load, when, until when. In all texts `{name}` is a factor's or a variable's value.
#[derive(Debug, Clone, PartialEq, Default, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Load {
    /// The model of the load; what `shape`, `rate`, `users` or `levels` are tells it too.
    pub model: Option<Model>,
    /// Load over time: `10/s for 30s`, `ramp to 60/s over 2m`, `hold 3m`, `spike 300/s for 5s`, or
    /// `1500 users, spawn 200/s`.
    #[schemars(with = "Option<super::schema::OneOrMany<Text>>")]
    pub shape: Option<Shape>,
    /// Open model: arrivals at this rate, `200/s`.
    #[schemars(with = "Option<String>")]
    pub rate: Option<Rate>,
    /// Closed model: so many users.
    #[schemars(with = "Option<super::schema::Count>")]
    pub users: Option<u64>,
    /// A run for each of these, one after the other: users, `[1, 2, 4, 8]`, or rates, `["10/s", "20/s"]`.
    #[schemars(with = "Vec<super::schema::Count>", default)]
    pub levels: Vec<Level>,
    /// How long requests become due, warm-up included.
    #[schemars(with = "Option<String>")]
    pub duration: Option<Duration>,
    /// End after this many requests.
    #[schemars(with = "Option<super::schema::Count>")]
    pub requests: Option<u64>,
    /// Open model: how arrivals are spaced, `even`, `poisson` or `bursts:10ms`.
    #[schemars(with = "Option<String>")]
    pub arrivals: Option<Arrivals>,
    /// Open model: what would exceed this many requests in flight is dropped, and counted.
    #[schemars(with = "Option<super::schema::Count>")]
    pub in_flight_max: Option<u32>,
    /// The first part of the run, left out of every figure.
    #[schemars(with = "Option<String>")]
    pub warmup: Option<Duration>,
    /// Give up when it has been this bad for this long: `errors > 50% for 10s`.
    #[schemars(with = "Option<String>")]
    pub abort: Option<Abort>,
    /// What every random stream is keyed by.
    #[schemars(with = "Option<super::schema::Count>")]
    pub seed: Option<u64>,
    /// Generator threads.
    #[schemars(with = "Option<super::schema::Count>")]
    pub threads: Option<usize>,
}

/// The two models of load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema)]
#[schemars(rename_all = "lowercase")]
pub enum Model {
    /// Arrivals a second, whatever the target does.
    Open,
    /// Users who wait for their answer.
    Closed,
}

/// One of several amounts of load.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Level {
    /// Arrivals a second.
    Rate(Rate),
    /// Users.
    Users(u64),
}

impl Load {
    /// The model, from whatever tells it; none where nothing does.
    pub fn model(&self) -> Option<Model> {
        let told = match (self.rate, self.users, self.levels.first()) {
            (Some(_), _, _) | (_, _, Some(Level::Rate(_))) => Some(Model::Open),
            (_, Some(_), _) | (_, _, Some(Level::Users(_))) => Some(Model::Closed),
            _ => None,
        };
        self.model.or(told)
    }

    /// The level over time, unless it is left open or there are several `levels`.
    pub fn shape(&self) -> Option<Shape> {
        let constant = |level: f64| Shape::constant(level, self.duration);
        let of_rate = self.rate.map(|rate| constant(rate.get()));
        self.shape.clone().or(of_rate).or(self.users.map(|users| constant(users as f64)))
    }
}

pub(super) fn read(table: &Table<'_>) -> Load {
    let given = refuse_two_amounts(table);
    let model = table.get("model").choice(&[("open", Model::Open), ("closed", Model::Closed)]);
    let shape = table.get("shape");
    // The words of a shape tell its model: levels are users or rates.
    let of_shape = shape.is_given().then(|| if shape.words().contains("user") { Model::Closed } else { Model::Open });
    let load = Load {
        model: model.or(of_shape),
        shape: shape.shape(model.or(of_shape).unwrap_or(Model::Open)),
        rate: table.get("rate").parsed(str::parse),
        users: table.get("users").count(1),
        levels: table.get("levels").list(Field::level),
        duration: table.get("duration").duration(),
        requests: table.get("requests").count(1),
        arrivals: table.get("arrivals").parsed(str::parse),
        in_flight_max: table.get("in_flight_max").count(1),
        warmup: table.get("warmup").duration_or_zero(),
        abort: table.get("abort").parsed(str::parse),
        seed: table.get("seed").count(0),
        threads: table.get("threads").threads(),
    };
    if given <= 1 {
        refuse_the_other_model(table, &load);
    }
    refuse_silence(table, &load);
    leave_something_to_measure(table, &load);
    load
}

/// One amount at a time: two would contradict each other. Says how many there are.
fn refuse_two_amounts(table: &Table<'_>) -> usize {
    let given: Vec<_> = AMOUNTS.into_iter().map(|key| table.get(key)).filter(Field::is_given).collect();
    if let [first, others @ ..] = given.as_slice() {
        for other in others {
            other.mistake(format!("it and `{}` ask for two different loads", first.name()), "leave one of them out");
        }
    }
    given.len()
}

fn refuse_the_other_model(table: &Table<'_>, load: &Load) {
    let refuse = |key: &'static str, why: &str, hint: &str| {
        let field = table.get(key);
        if field.is_given() {
            field.mistake(format!("it belongs to the {why}"), hint);
        }
    };
    let open = "open model, and this load is users who wait";
    match load.model() {
        Some(Model::Closed) => {
            refuse("rate", open, "write `model = \"open\"`, or ask for `users`");
            refuse("arrivals", open, "ask for a rate: `rate = \"200/s\"`");
            refuse("in_flight_max", open, "users have at most one request in flight each");
        }
        Some(Model::Open) => {
            let closed = "closed model, and this load is a rate that waits for nobody";
            refuse("users", closed, "write `model = \"closed\"`, or ask for a `rate`");
        }
        None => {}
    }
    let mixed = load.levels.iter().any(|level| level.model() != load.model().unwrap_or(level.model()));
    if mixed {
        let hint = "users are `levels = [1, 2, 4]`, rates are `levels = [\"10/s\", \"20/s\"]`";
        table.get("levels").mistake("levels of the two models are mixed", hint);
    }
}

fn refuse_silence(table: &Table<'_>, load: &Load) {
    let Some(shape) = load.shape() else { return };
    let Some(key) = AMOUNTS.into_iter().find(|key| table.get(key).is_given()) else { return };
    let max = if load.model() == Some(Model::Closed) { USERS_MAX } else { RATE_MAX };
    if shape.peak() <= 0.0 {
        table.get(key).mistake("it never rises above zero, so nothing would be sent", "ask for more than nothing");
    }
    if shape.peak() > max {
        let message = format!("{} is more than any one machine can offer (at most {max})", shape.peak());
        table.get(key).mistake(message, "use a smaller number");
    }
}

/// A warm-up as long as the run would leave nothing to report.
fn leave_something_to_measure(table: &Table<'_>, load: &Load) {
    let length = [load.duration, load.shape().and_then(|shape| shape.length())].into_iter().flatten().min();
    if load.warmup.zip(length).is_some_and(|(warmup, length)| !warmup.is_zero() && warmup >= length) {
        let hint = "the warm-up is the first part of the run: make the run longer than it";
        table.get("warmup").mistake("it is as long as the whole run, so nothing would be measured", hint);
    }
}

impl Level {
    fn model(self) -> Model {
        match self {
            Self::Rate(_) => Model::Open,
            Self::Users(_) => Model::Closed,
        }
    }
}

impl Field<'_> {
    fn threads(&self) -> Option<usize> {
        let threads = self.count(1)?;
        if threads > THREADS_MAX {
            self.mistake(format!("at most {THREADS_MAX} are possible"), "leave it out for one on each core");
            return None;
        }
        Some(threads)
    }

    /// All phrases of a shape in one text.
    fn words(&self) -> String {
        let phrases = |node: &Node| match &node.value {
            Value::List(items) => items.iter().filter_map(|item| item.value.scalar()).collect(),
            value => Vec::from_iter(value.scalar()),
        };
        let phrases: Vec<Text> = self.node.map(phrases).unwrap_or_default();
        phrases.iter().map(Text::reveal).collect::<Vec<_>>().join(", ")
    }

    /// A shape; where a phrase of a list is at fault, its own place is shown.
    fn shape(&self, model: Model) -> Option<Shape> {
        let parse = if model == Model::Open { Shape::parse_open } else { Shape::parse_closed };
        let phrases = self.one_or_many(Field::text);
        let Some(Value::List(items)) = self.value() else { return self.parsed(parse) };
        if phrases.len() < items.len() {
            return None;
        }
        let error: ParseError = match parse(&self.words()) {
            Ok(shape) => return Some(shape),
            Err(error) => error,
        };
        let guilty =
            items.iter().find(|item| item.value.scalar().is_some_and(|text| text.reveal().contains(&error.text)));
        let field = Field { node: guilty.or(self.node), path: self.path.clone(), ..*self };
        field.parsed(|_| Err::<Shape, _>(error.clone())).or_else(|| {
            // A list as a whole is no text, so it is complained about here.
            if guilty.is_none() {
                self.mistake(
                    error.expected,
                    "shapes look like `[\"10/s for 30s\", \"ramp to 60/s over 2m\", \"hold 3m\"]`",
                );
            }
            None
        })
    }

    fn level(&self) -> Option<Level> {
        if matches!(self.value(), Some(Value::Text(text)) if parse_count(text.reveal()).is_err()) {
            return self.parsed(str::parse).map(Level::Rate);
        }
        self.count(1).map(Level::Users)
    }
}
