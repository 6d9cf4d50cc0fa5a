//! What a plan's users do: its Hurl files, single requests, rows and variables as one script.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use plimsoll_http::basic_auth;
use plimsoll_journey::{
    Act, AtEnd, Data, Escape, Expected, Expression, Feed, Format, Journey, Needs, Number, Options, Order, Part, Per,
    Pick, Place, RequestTemplate, Rite, Script, Session, Slot, Step, Template, Value,
};
use plimsoll_plan::file::{self, PlanFile, Scalar, Text};

use super::{Planned, Told};
use crate::resolve::{self, Machine};
use crate::script::Draft;
use crate::usage::Usage;
use crate::what;

/// The script, and the text of the file of each journey of the mix.
pub(super) type Written = (Script, Vec<(String, String)>);

/// Everything that the plan's users do.
pub(super) fn script(planned: &Planned, told: &[Told], machine: &Machine) -> Result<Written, Usage> {
    let plan = &planned.file;
    let mut writer = Writer { planned, draft: Draft::default(), files: 0, seed: plan.load.seed.unwrap_or(1) };
    writer.variables(told, machine)?;
    let (setup, shared) = writer.rites(&plan.setup, &BTreeSet::new())?;
    let before = writer.draft.texts().len();
    let mut acts = Vec::new();
    for journey in &plan.journeys {
        acts.extend(writer.acts(journey, &shared)?);
    }
    let texts = writer.draft.texts()[before..].to_vec();
    let (teardown, _) = writer.rites(&plan.teardown, &shared)?;
    let script = writer.draft.finish(acts, setup, teardown)?;
    Ok((script, texts))
}

struct Writer<'p> {
    planned: &'p Planned,
    draft: Draft,
    /// Data files so far.
    files: u32,
    seed: u64,
}

impl Writer<'_> {
    /// The target's URL is a variable; then those of the plan, of commands, and of the command line.
    fn variables(&mut self, told: &[Told], machine: &Machine) -> Result<(), Usage> {
        let plan = &self.planned.file;
        if let Some(url) = &plan.target.url {
            let text = url.reveal().trim_end_matches('/');
            self.draft.set("target", Value::Text(text.into()), url.is_secret());
        }
        for (name, variable) in &plan.variables {
            let secret = variable.is_secret() || plan.secrets.contains(name);
            self.draft.set(name, value(variable.reveal()), secret);
        }
        for Told { name, value, secret } in told {
            let secret = *secret || plan.secrets.contains(name);
            self.draft.set(name, Value::Text(value.as_str().into()), secret);
        }
        for variable in resolve::variables(&self.planned.args.variables, machine)? {
            self.draft.set(&variable.name, variable.value, variable.secret);
        }
        Ok(())
    }

    /// Journeys before or after; with what they set, for those that follow.
    fn rites(
        &mut self,
        errands: &[file::Errand],
        given: &BTreeSet<Slot>,
    ) -> Result<(Vec<Rite>, BTreeSet<Slot>), Usage> {
        let mut given = given.clone();
        let mut rites = Vec::new();
        for errand in errands {
            let feed = self.feed(errand.data.as_ref())?;
            let known = with_columns(&given, feed.as_ref());
            let path = self.planned.folder.join(&errand.file);
            let Some(mut journey) = self.draft.journey(&path, known)? else { continue };
            if let Some(name) = &errand.name {
                journey.name.clone_from(name);
            }
            given.extend(self.draft.sets());
            given.extend(feed.iter().flat_map(|feed| feed.slots.iter().copied()));
            let per = match errand.per {
                file::Per::Run => Per::Run,
                file::Per::User => Per::User,
            };
            rites.push(Rite { journey, per, feed });
        }
        Ok((rites, given))
    }

    /// One entry of the mix; a folder is one for each of its files, which share its weight.
    fn acts(&mut self, entry: &file::Journey, given: &BTreeSet<Slot>) -> Result<Vec<Act>, Usage> {
        let feed = self.feed(entry.data.as_ref())?;
        let known = with_columns(given, feed.as_ref());
        let mut journeys = Vec::new();
        match &entry.file {
            Some(file) => {
                for path in files(&self.planned.folder.join(file))? {
                    journeys.extend(self.draft.journey(&path, known.clone())?);
                }
            }
            None => journeys.push(self.single(entry, &known)?),
        }
        if let (Some(name), [journey]) = (&entry.name, journeys.as_mut_slice()) {
            journey.name.clone_from(name);
        }
        let weight = entry.weight / journeys.len().max(1) as f64;
        let session = match entry.session {
            file::Session::Keep => Session::Keep,
            file::Session::Fresh => Session::Fresh,
        };
        let act = |journey| Act { journey, weight, think: entry.think, feed: feed.clone(), every: entry.pace, session };
        Ok(journeys.into_iter().map(act).collect())
    }

    /// A single request as a journey of one step.
    fn single(&mut self, entry: &file::Journey, given: &BTreeSet<Slot>) -> Result<Journey, Usage> {
        let plan = &self.planned.file;
        let url = entry.url.as_ref().map_or("/", Text::reveal);
        let whole = if url.starts_with('/') { format!("{}{url}", base(plan)) } else { url.to_owned() };
        let body = match &entry.body_file {
            Some(path) => Some(read(&self.planned.folder.join(path))?),
            None => entry.body.as_ref().map(|body| body.reveal().as_bytes().to_vec()),
        };
        let method = entry.method.clone().unwrap_or_else(|| if body.is_some() { "POST" } else { "GET" }.to_owned());
        let mut headers = Vec::new();
        for (name, value) in &entry.headers {
            headers.push((Template::text(name), self.with_gaps(value.reveal().as_bytes(), given)?));
        }
        let authorization = entry.user.as_ref().map(|user| basic_auth(user.reveal()));
        headers.extend(authorization.map(|it| (Template::text("Authorization"), Template::text(&it))));
        let is_json =
            body.as_ref().and_then(|body| body.trim_ascii_start().first()).is_some_and(|b| matches!(b, b'{' | b'['));
        let content_type = body
            .is_some()
            .then(|| if is_json { "application/json" } else { "application/x-www-form-urlencoded" }.to_owned());
        let path =
            whole.split_once("://").map_or(whole.as_str(), |(_, rest)| &rest[rest.find('/').unwrap_or(rest.len())..]);
        let path = path.split('?').next().filter(|path| !path.is_empty()).unwrap_or("/");
        let label = format!("{method} {path}");
        let request = RequestTemplate {
            method,
            url: self.with_gaps(whole.as_bytes(), given)?,
            headers,
            body: body.map(|bytes| self.with_gaps(&bytes, given)).transpose()?,
            content_type,
            ..RequestTemplate::default()
        };
        let step = Step {
            label: label.clone(),
            place: Place { file: "the plan".to_owned(), line: 0, column: 0 },
            request,
            options: Options::default(),
            expected: Expected::default(),
            needs: Needs::default(),
        };
        Ok(Journey { name: entry.name.clone().unwrap_or(label), steps: vec![step] })
    }

    /// Text in which `{{name}}` is a variable's value, as in Hurl files.
    fn with_gaps(&mut self, text: &[u8], given: &BTreeSet<Slot>) -> Result<Template, Usage> {
        let mut template = Template::default();
        let mut rest = text;
        while let Some((before, name, after)) = next_gap(rest) {
            let slot = self.draft.slot(name);
            if !given.contains(&slot) && !self.draft.has(slot) {
                let message = format!("nobody sets the variable `{name}` of a journey's single request");
                return Err(Usage::new(
                    message,
                    format!("give it with `--variable {name}=…`, or in `[variables]` of the plan"),
                ));
            }
            if !before.is_empty() {
                template.parts.push(Part::Text(before.into()));
            }
            template.parts.push(Part::Gap { expression: Expression::Variable(slot), escape: Escape::None });
            rest = after;
        }
        if !rest.is_empty() {
            template.parts.push(Part::Text(rest.into()));
        }
        Ok(template)
    }

    fn feed(&mut self, data: Option<&file::Data>) -> Result<Option<Feed>, Usage> {
        let Some(data) = data else { return Ok(None) };
        let path = self.planned.folder.join(&data.file);
        let shown = path.display().to_string();
        let format = match data.format {
            Some(file::Format::Csv) => Some(Format::Csv { separator: b',' }),
            Some(file::Format::Jsonl) => Some(Format::JsonLines),
            None => Format::of(&path),
        };
        let format = format.ok_or_else(|| {
            let message = format!("`{shown}`: its ending does not say how it is written");
            Usage::new(message, "say it in the plan: `format = \"csv\"` or `format = \"jsonl\"`")
        })?;
        let rows = Data::read(&shown, read(&path)?, format).map_err(|misread| {
            let place = &misread.place;
            let message = format!("{}:{}:{}: {}", place.file, place.line, place.column, misread.message);
            Usage::maybe(message, Some(misread.hint.clone()).filter(|hint| !hint.is_empty()))
        })?;
        let slots = rows.columns().iter().map(|column| self.draft.slot(column)).collect();
        let pick = Pick::new(order(data), rows.rows(), self.seed, self.files);
        self.files += 1;
        Ok(Some(Feed { data: Arc::new(rows), pick, slots, per_user: data.per == file::Taking::User }))
    }
}

/// What stands before the next `{{name}}`, the name, and what stands behind it.
fn next_gap(text: &[u8]) -> Option<(&[u8], &str, &[u8])> {
    let find = |from: usize, what: &[u8]| text[from..].windows(2).position(|two| two == what).map(|at| from + at);
    let open = find(0, b"{{")?;
    let close = find(open + 2, b"}}")?;
    let name = std::str::from_utf8(&text[open + 2..close]).ok()?.trim();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    is_name.then(|| (&text[..open], name, &text[close + 2..]))
}

fn with_columns(given: &BTreeSet<Slot>, feed: Option<&Feed>) -> BTreeSet<Slot> {
    given.iter().copied().chain(feed.into_iter().flat_map(|feed| feed.slots.iter().copied())).collect()
}

fn order(data: &file::Data) -> Order {
    let end = match data.at_end {
        file::AtEnd::Stop => AtEnd::Stop,
        file::AtEnd::Recycle => AtEnd::Recycle,
        file::AtEnd::Fail => AtEnd::Fail,
    };
    match data.pick {
        file::Pick::Random => Order::Random,
        file::Pick::Zipf => Order::Zipf { exponent: data.exponent },
        file::Pick::Sequential if end == AtEnd::Recycle => Order::Sequential,
        file::Pick::Sequential | file::Pick::Unique => Order::Unique(end),
    }
}

fn base(plan: &PlanFile) -> &str {
    plan.target.url.as_ref().map_or("", |url| url.reveal().trim_end_matches('/'))
}

fn files(path: &Path) -> Result<Vec<PathBuf>, Usage> {
    if path.is_dir() { what::hurl_files(path) } else { Ok(vec![path.to_owned()]) }
}

fn read(path: &Path) -> Result<Vec<u8>, Usage> {
    fs::read(path).map_err(|error| {
        let message = format!("`{}`: {error}", path.display());
        Usage::new(message, "check the path: it begins where the plan is")
    })
}

fn value(scalar: &Scalar) -> Value {
    match scalar {
        Scalar::Text(text) => Value::Text(text.as_str().into()),
        Scalar::Integer(integer) => Value::Number(Number::Integer(*integer)),
        Scalar::Float(float) => Value::Number(Number::Float(*float)),
        Scalar::Bool(truth) => Value::Bool(*truth),
    }
}
