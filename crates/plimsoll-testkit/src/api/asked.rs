//! A request as the API reads it, from its text in the words of HTTP/1.1.

use crate::target;
use serde_json::{Value, json};

/// A request.
#[derive(Debug)]
pub(super) struct Asked<'r> {
    pub(super) method: &'r str,
    pub(super) path: &'r str,
    target: &'r str,
    version: &'r str,
    headers: Vec<(&'r str, &'r str)>,
    body: &'r [u8],
}

impl<'r> Asked<'r> {
    /// Reads what was understood as a request before.
    pub(super) fn read(request: &'r [u8]) -> Self {
        let end = request.windows(4).position(|four| four == b"\r\n\r\n").map_or(request.len(), |at| at + 4);
        let (head, body) = request.split_at(end);
        // Fields may hold other bytes than text; they are of no interest here.
        let head = std::str::from_utf8(head).unwrap_or_default();
        let mut lines = head.lines();
        let mut words = lines.next().unwrap_or_default().split(' ');
        let mut word = || words.next().unwrap_or_default();
        let (method, target, version) = (word(), word(), word());
        let field = |line: &'r str| line.split_once(':').map(|(name, value)| (name, value.trim()));
        let (path, _) = target::split(target);
        Self { method, path, target, version, headers: lines.filter_map(field).collect(), body }
    }

    /// All of it. Of headers that came twice the values are one after the other.
    pub(super) fn json(&self) -> Value {
        let mut headers = serde_json::Map::new();
        for (name, value) in &self.headers {
            match headers.get_mut(&name.to_lowercase()) {
                Some(Value::String(known)) => *known += &format!(", {value}"),
                _ => {
                    headers.insert(name.to_lowercase(), Value::from(*value));
                }
            }
        }
        json!({
            "method": self.method,
            "target": self.target,
            "version": self.version,
            "headers": headers,
            "body": String::from_utf8_lossy(self.body),
        })
    }

    /// A header's value.
    pub(super) fn header(&self, name: &str) -> Option<&'r str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| *value)
    }

    /// A value of the query.
    pub(super) fn query(&self, key: &str) -> Option<String> {
        self.all(key).into_iter().next()
    }

    /// All values of the query under one key, in their order.
    pub(super) fn all(&self, key: &str) -> Vec<String> {
        values(target::split(self.target).1, key)
    }

    /// What a body of JSON, or of a form, says under a name.
    pub(super) fn said(&self, name: &str) -> Option<String> {
        if let Ok(Value::Object(object)) = serde_json::from_slice(self.body) {
            return object.get(name).and_then(Value::as_str).map(str::to_owned);
        }
        values(std::str::from_utf8(self.body).ok()?, name).into_iter().next()
    }
}

fn values(query: &str, key: &str) -> Vec<String> {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.filter(|(name, _)| *name == key).filter_map(|(_, value)| target::decoded(value)).collect()
}
