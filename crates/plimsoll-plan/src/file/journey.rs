//! `[[journey]]`, `[[setup]]`, `[[teardown]]`: what is done, how often, by whom.

use std::path::PathBuf;
use std::time::Duration;

use plimsoll_journey::Think;
use schemars::JsonSchema;

use super::data::{self, Data};
use super::field::Field;
use super::table::Table;
use super::text::Text;

/// What a user does, and its share of the load.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Journey {
    /// A Hurl file, or a folder of them; relative to the plan.
    pub file: Option<PathBuf>,
    /// Instead of a file: a single request to this URL, or to this path on the target.
    pub url: Option<Text>,
    /// The method of a single request (`GET`, or `POST` with a body).
    pub method: Option<String>,
    /// The headers of a single request.
    #[schemars(with = "std::collections::BTreeMap<String, super::schema::OneOrMany<Text>>", default)]
    pub headers: Vec<(String, Text)>,
    /// The body of a single request.
    pub body: Option<Text>,
    /// The body of a single request, byte for byte as in this file.
    pub body_file: Option<PathBuf>,
    /// Basic credentials of a single request: `name:password`. Never shown.
    pub user: Option<Text>,
    /// What people call it; the file's name, or method and path, where nothing is said.
    pub name: Option<String>,
    /// Its share of the iterations, in proportion to the other journeys' (1).
    #[schemars(with = "Option<super::schema::Number>", default)]
    pub weight: f64,
    /// Rows that it takes its variables from.
    #[schemars(with = "Option<super::schema::TextOr<Data>>")]
    pub data: Option<Data>,
    /// The pause between an answer and the next request: `2s`, `uniform(1s, 3s)`, `exp(2s)`, `lognormal(2s, 0.5)`.
    #[schemars(with = "Option<String>")]
    pub think: Option<Think>,
    /// A user begins it once in this time, and waits if it was through earlier.
    #[schemars(with = "Option<String>")]
    pub pace: Option<Duration>,
    /// What a user keeps from one iteration to the next (`keep`).
    #[schemars(default)]
    pub session: Session,
}

/// What a user keeps from one iteration to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, JsonSchema)]
#[schemars(rename_all = "lowercase")]
pub enum Session {
    /// Cookies and connection, as a browser does.
    #[default]
    Keep,
    /// Nothing: every iteration is a new visitor.
    Fresh,
}

/// A journey outside the measured phase.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Errand {
    /// A Hurl file; relative to the plan.
    pub file: PathBuf,
    /// What people call it; the file's name where nothing is said.
    pub name: Option<String>,
    /// How often it is done (`run`).
    #[schemars(default)]
    pub per: Per,
    /// Rows that it takes its variables from.
    #[schemars(with = "Option<super::schema::TextOr<Data>>")]
    pub data: Option<Data>,
}

/// How often an errand is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, JsonSchema)]
#[schemars(rename_all = "lowercase")]
pub enum Per {
    /// Once.
    #[default]
    Run,
    /// Once for each user.
    User,
}

/// Reads `[[journey]]`.
pub(super) fn read(table: &Table<'_>) -> Option<Journey> {
    let (file, url) = (table.get("file"), table.get("url"));
    match (file.is_given(), url.is_given()) {
        (false, false) => {
            table.mistake("this journey does nothing", "give it `file = \"checkout.hurl\"` or `url = \"/path\"`")
        }
        (true, true) => url.mistake("a journey is either a `file` or a single request", "leave one of them out"),
        _ => {}
    }
    let single = single(table, file.is_given() && !url.is_given());
    let weight = table.get("weight").number().unwrap_or(1.0);
    Some(Journey {
        file: file.path(),
        url: url.text(),
        name: table.get("name").word(),
        weight,
        data: data::read(&table.get("data")),
        think: table.get("think").parsed(str::parse),
        pace: table.get("pace").duration(),
        session: table.get("session").choice(&[("keep", Session::Keep), ("fresh", Session::Fresh)]).unwrap_or_default(),
        method: single.method,
        headers: single.headers,
        body: single.body,
        body_file: single.body_file,
        user: single.user,
    })
}

/// Reads `[[setup]]` and `[[teardown]]`.
pub(super) fn errand(table: &Table<'_>) -> Option<Errand> {
    let file = table.get("file").required("file = \"journeys/create-users.hurl\"").path();
    let name = table.get("name").word();
    let per = table.get("per").choice(&[("run", Per::Run), ("user", Per::User)]).unwrap_or_default();
    let data = data::read(&table.get("data"));
    Some(Errand { file: file?, name, per, data })
}

struct Single {
    method: Option<String>,
    headers: Vec<(String, Text)>,
    body: Option<Text>,
    body_file: Option<PathBuf>,
    user: Option<Text>,
}

fn single(table: &Table<'_>, is_file: bool) -> Single {
    let field = |key: &'static str| {
        let field = table.get(key);
        if is_file && field.is_given() {
            field.mistake("it belongs to a single request, and this journey is a file", "write it into the Hurl file");
        }
        field
    };
    let (body, body_file) = (field("body"), field("body_file"));
    if body.is_given() && body_file.is_given() {
        body_file.mistake("`body` and `body_file` are two bodies", "leave one of them out");
    }
    Single {
        method: field("method").method(),
        headers: field("headers").table(headers).unwrap_or_default(),
        body: body.text(),
        body_file: body_file.path(),
        user: field("user").credentials(),
    }
}

fn headers(table: &Table<'_>) -> Vec<(String, Text)> {
    let named = |(name, field): (&str, Field<'_>)| {
        let values = field.one_or_many(Field::text);
        values.into_iter().map(|value| (name.to_owned(), value)).collect::<Vec<_>>()
    };
    table.rest("*").into_iter().flat_map(named).collect()
}

impl Field<'_> {
    fn method(&self) -> Option<String> {
        let method = self.word()?;
        // A token of RFC 9110, 5.6.2, so that a request cannot be read as two.
        let token = method.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte));
        if token && method != "CONNECT" {
            return Some(method);
        }
        let shown = self.text().map_or(String::new(), |text| text.shown());
        self.mistake(format!("`{shown}` is not a method that can be sent"), "write it like `PUT`");
        None
    }

    fn credentials(&self) -> Option<Text> {
        let text = self.text()?.into_secret();
        if text.reveal().contains(':') {
            return Some(text);
        }
        self.mistake("the password is missing", "write it like `name:password`, or take both from `env:NAME`");
        None
    }
}
