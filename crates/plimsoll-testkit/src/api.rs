//! A small JSON API under `/api/`, for tests of journeys: it knows tokens it has given out, orders, and how often
//! something was asked for, and it tells what it received, in order, at `/seen`.
//!
//! It is a function from a request's text to a reply and to what is known afterwards; sockets, queues and shares of
//! failures are around it as they are around everything else. Whatever it remembers has a limit.

mod asked;

use crate::answer::Reply;
use asked::Asked;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// So many requests are remembered.
const SEEN_MAX: usize = 100_000;
/// So many tokens, orders and polls are known at once; what comes then is refused.
const KNOWN_MAX: usize = 100_000;

/// What the API knows.
#[derive(Debug, Default)]
pub(crate) struct Api {
    seen: Vec<Value>,
    tokens: u64,
    orders: BTreeMap<u64, Value>,
    orders_made: u64,
    polls: BTreeMap<String, u64>,
}

impl Api {
    /// The reply to a request, as it came.
    pub(crate) fn reply(&mut self, request: &[u8]) -> Reply {
        let asked = Asked::read(request);
        if self.seen.len() < SEEN_MAX {
            self.seen.push(asked.json());
        }
        if self.orders.len().max(self.polls.len()) >= KNOWN_MAX {
            return refusal(507, "this server knows enough");
        }
        self.answer(&asked)
    }

    /// What was received, in order.
    pub(crate) fn seen(&self) -> Reply {
        Reply::json(Value::from(self.seen.clone()).to_string())
    }

    fn answer(&mut self, asked: &Asked<'_>) -> Reply {
        let path = asked.path.strip_prefix("/api").unwrap_or_default();
        match (asked.method, path) {
            (_, "/echo") => Reply::json(asked.json().to_string()),
            ("POST", "/login") => self.login(asked),
            (_, "/cookie") => cookie(asked),
            (_, "/redirect") => redirect(asked),
            (_, "/poll") => self.poll(asked),
            _ if path == "/orders" || path.starts_with("/orders/") => self.orders(asked, path),
            _ => refusal(404, "no such path"),
        }
    }

    /// A token of its own for everybody who says a name, in a body of JSON or of a form.
    fn login(&mut self, asked: &Asked<'_>) -> Reply {
        let Some(name) = asked.said("name") else { return refusal(400, "a login says a `name`") };
        self.tokens += 1;
        Reply::json(json!({ "token": self.token(), "name": name }).to_string())
    }

    fn token(&self) -> String {
        format!("token-{}", self.tokens)
    }

    /// Only for those who send a token back that was given to somebody.
    fn orders(&mut self, asked: &Asked<'_>, path: &str) -> Reply {
        let token = asked.header("authorization").and_then(|value| value.strip_prefix("Bearer token-"));
        if token.and_then(|number| number.parse().ok()).is_none_or(|number: u64| number == 0 || number > self.tokens) {
            return refusal(401, "send `Authorization: Bearer TOKEN`");
        }
        let number = path.strip_prefix("/orders/").and_then(|number| number.parse().ok());
        let known = number.and_then(|number| self.orders.get(&number).cloned());
        match (asked.method, number, known) {
            ("POST", None, _) => self.order(asked),
            ("GET", Some(_), Some(order)) => Reply::json(order.to_string()),
            ("DELETE", Some(number), Some(_)) => {
                self.orders.remove(&number);
                Reply::text(204, "")
            }
            _ => refusal(404, "no such order"),
        }
    }

    fn order(&mut self, asked: &Asked<'_>) -> Reply {
        self.orders_made += 1;
        let id = self.orders_made;
        let sku = asked.said("sku");
        let order = json!({ "id": id, "state": "new", "sku": sku, "items": [{ "sku": sku, "price": 19.9 }] });
        self.orders.insert(id, order.clone());
        Reply::json(order.to_string()).with_status(201)
    }

    /// 202 until it was asked for so often under this key, then 200.
    fn poll(&mut self, asked: &Asked<'_>) -> Reply {
        let key = asked.query("key").unwrap_or_default();
        let after = asked.query("ready_after").and_then(|after| after.parse().ok()).unwrap_or(1_u64);
        let times = self.polls.entry(key).or_default();
        *times += 1;
        let ready = *times >= after;
        let body = json!({ "ready": ready, "asked": *times }).to_string();
        Reply::json(body).with_status(if ready { 200 } else { 202 })
    }
}

/// Sets the cookies that it is asked for: `/api/cookie?set=a=b;+Path=/`.
fn cookie(asked: &Asked<'_>) -> Reply {
    let mut reply = Reply::json(json!({ "cookie": asked.header("cookie") }).to_string());
    for cookie in asked.all("set") {
        reply = reply.with_header("Set-Cookie", &cookie);
    }
    reply
}

/// Leads to `to`, and sets cookies on the way if it is asked to.
fn redirect(asked: &Asked<'_>) -> Reply {
    let status = asked.query("status").and_then(|status| status.parse().ok()).unwrap_or(302);
    let to = asked.query("to").unwrap_or_default();
    cookie(asked).with_status(status).with_header("Location", &to)
}

fn refusal(status: u16, why: &str) -> Reply {
    Reply::json(json!({ "error": why }).to_string()).with_status(status)
}

#[cfg(test)]
mod tests;
