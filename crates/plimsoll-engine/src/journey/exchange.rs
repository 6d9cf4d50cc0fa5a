//! One exchange of a journey: rendered, sent, redirects followed, kept.

use std::borrow::Cow;
use std::rc::Rc;

use chrono::Utc;
use plimsoll_http::printable;
use plimsoll_journey::{Answer, Hop, Jar, Origin, Rendered, Wrong};
use plimsoll_model::{Outcome, Timeouts};
use url::Url;

use super::address::Address;
use super::ask::{Manners, ask};
use super::kept::{Kept, Wants};
use super::way::Way;
use crate::clock::{Moment, nanos};
use crate::compile::{self, Ask};
use crate::fault::Fault;
use crate::hand::Hand;
use crate::line::Line;
use crate::look::Look;
use crate::redirect;
use crate::worker::Worker;

/// What an exchange is to be like.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wish<'s> {
    pub(super) method: &'s str,
    pub(super) manner: usize,
    pub(super) wants: Wants,
    pub(super) compressed: bool,
    /// So many redirects are followed, and one more is too many; none where none is.
    pub(super) follow_max: Option<u64>,
    /// With credentials, wherever they lead.
    pub(super) follow_trusted: bool,
    pub(super) timeouts: Timeouts,
}

/// What came of it.
pub(super) struct Came {
    pub(super) result: Result<(), Fault>,
    /// What is kept of the answer.
    pub(super) look: Box<Look>,
    pub(super) trail: Trail,
    pub(super) sent: Moment,
    pub(super) end: Moment,
}

/// Where an exchange led.
#[derive(Default)]
pub(super) struct Trail {
    /// The last request.
    asked: Option<(Rc<Way>, Rc<Ask>)>,
    hops: Vec<Hop>,
    /// Where redirects led in the end.
    led_to: Option<String>,
    pub(super) body_bytes: u64,
}

/// The connections of one traveller.
#[derive(Default)]
pub(super) struct Lines {
    lines: Vec<(Rc<Way>, Line)>,
}

/// Connections kept by one traveller; a journey through more places closes the oldest.
const LINES_MAX: usize = 8;

impl Lines {
    pub(super) fn to(&mut self, way: &Rc<Way>) -> &mut Line {
        let known = self.lines.iter().position(|(known, _)| Rc::ptr_eq(known, way));
        let at = known.unwrap_or_else(|| {
            if self.lines.len() >= LINES_MAX {
                self.lines.remove(0);
            }
            self.lines.push((Rc::clone(way), Line::on(way.pool.as_ref())));
            self.lines.len() - 1
        });
        &mut self.lines[at].1
    }

    /// Hangs up everywhere.
    pub(super) fn clear(&mut self) {
        self.lines.clear();
    }
}

/// What the request at hand is.
struct Request<'r> {
    method: Cow<'r, str>,
    url: Cow<'r, str>,
    rendered: Cow<'r, Rendered>,
    /// Made before, where nothing in it ever changes.
    ready: Option<(Rc<Way>, Rc<Ask>)>,
}

/// Performs one exchange; the jar takes the cookies of every answer.
pub(super) async fn perform(
    hand: &mut Hand,
    lines: &mut Lines,
    jar: &mut Jar,
    due: Moment,
    rendered: &Rendered,
    ready: Option<(Rc<Way>, Rc<Ask>)>,
    wish: Wish<'_>,
) -> Came {
    let worker = Rc::clone(&hand.worker);
    let sent = worker.now();
    hand.take_up(due, sent, sent.saturating_add(nanos(wish.timeouts.whole)));
    hand.timeouts = wish.timeouts;
    hand.look = Some(worker.lend_look(wish.wants));
    let first = Request {
        method: Cow::Borrowed(wish.method),
        url: Cow::Borrowed(&rendered.url),
        rendered: Cow::Borrowed(rendered),
        ready,
    };
    let mut trail = Trail::default();
    let result = follow(hand, lines, jar, first, wish, &mut trail).await;
    hand.put_down();
    worker.doze().answered(trail.body_bytes);
    let mut look = hand.look.take().unwrap_or_default();
    let result = result.and_then(|()| looked_through(&worker, &mut look));
    let end = if result.is_ok() { hand.answer.last.max(sent) } else { worker.now() };
    Came { result, look, trail, sent, end }
}

/// From request to request, as long as redirects lead on.
async fn follow(
    hand: &mut Hand,
    lines: &mut Lines,
    jar: &mut Jar,
    first: Request<'_>,
    wish: Wish<'_>,
    trail: &mut Trail,
) -> Result<(), Fault> {
    let mut request = first;
    for left in (0..=wish.follow_max.unwrap_or(0)).rev() {
        one(hand, lines, &request, wish, trail).await?;
        take_cookies(hand, jar, &request.url);
        trail.body_bytes += hand.answer.body_bytes;
        let status = hand.answer.status;
        let location = hand.look.as_ref().and_then(|look| look.location());
        let Some(location) = location.filter(|_| redirect::is_redirect(status)) else { return Ok(()) };
        match wish.follow_max {
            None => return Ok(()),
            Some(max) if left == 0 => return Err(too_many(max)),
            Some(_) => {}
        }
        trail.hops.push(Hop {
            url: request.url.clone().into_owned(),
            status,
            location: String::from_utf8_lossy(location).into_owned(),
        });
        request = next(&request, status, location, jar, wish.follow_trusted)?;
        trail.led_to = Some(request.url.clone().into_owned());
        hand.asked = hand.worker.now();
    }
    Ok(())
}

async fn one(
    hand: &mut Hand,
    lines: &mut Lines,
    request: &Request<'_>,
    wish: Wish<'_>,
    trail: &mut Trail,
) -> Result<(), Fault> {
    let (way, ask) = match &request.ready {
        Some(ready) => ready.clone(),
        None => prepare(&hand.worker, request, wish).await?,
    };
    let (way, ask) = trail.asked.insert((way, ask));
    if hand.worker.transport().fresh && way.pool.is_none() {
        return Line::for_once(ask).attempt(hand, ask, &way.dialler).await;
    }
    lines.to(way).attempt(hand, ask, &way.dialler).await
}

/// Finds the way, and puts the request into its bytes.
async fn prepare(worker: &Worker, request: &Request<'_>, wish: Wish<'_>) -> Result<(Rc<Way>, Rc<Ask>), Fault> {
    let bad = |reason: String| Fault::new(Outcome::Protocol, reason);
    let address = Address::of(&request.url).map_err(bad)?;
    let way = worker.ways().find(worker, &address.origin, wish.manner).await?;
    let manners = Manners { transport: worker.transport(), compressed: wish.compressed };
    let rendered = with_user(&request.rendered, address.user.as_ref());
    let ask = ask(&way, &request.method, &address.path, &rendered, manners);
    Ok((way, Rc::new(ask.map_err(|error| bad(error.to_string()))?)))
}

/// What the URL says of a user goes where it belongs, unless somebody said otherwise.
fn with_user<'r>(rendered: &'r Rendered, user: Option<&(String, String)>) -> Cow<'r, Rendered> {
    let has_one = rendered.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization"));
    let Some((user, password)) = user.filter(|_| !has_one) else { return Cow::Borrowed(rendered) };
    let mut rendered = rendered.clone();
    rendered
        .headers
        .push(("Authorization".to_owned(), plimsoll_http::basic_auth(&format!("{user}:{password}")).into_bytes()));
    Cow::Owned(rendered)
}

/// A request that is sent again and again as it is.
pub(super) async fn prepared(
    worker: &Worker,
    rendered: &Rendered,
    wish: Wish<'_>,
) -> Result<(Rc<Way>, Rc<Ask>), Fault> {
    let request = Request {
        method: Cow::Borrowed(wish.method),
        url: Cow::Borrowed(&rendered.url),
        rendered: Cow::Borrowed(rendered),
        ready: None,
    };
    prepare(worker, &request, wish).await
}

/// Where an answer points to (RFC 9110, section 15.4), as every browser has always understood it.
fn next(
    request: &Request<'_>,
    status: u16,
    location: &[u8],
    jar: &Jar,
    trusted: bool,
) -> Result<Request<'static>, Fault> {
    let bad = || {
        let reason = format!("a redirect to `{}`, which is no URL that can be followed", printable(location, 60));
        Fault::new(Outcome::Protocol, reason)
    };
    let here = Url::parse(&request.url).map_err(|_| bad())?;
    let there = std::str::from_utf8(location).ok().and_then(|text| here.join(text).ok()).ok_or_else(bad)?;
    if !matches!(there.scheme(), "http" | "https") || there.host().is_none() {
        return Err(bad());
    }
    let method = redirect::next_method(status, &request.method);
    let mut rendered = request.rendered.clone().into_owned();
    if method != *request.method {
        rendered.body.clear();
        rendered.headers.retain(|(name, _)| !compile::describes_body(name));
    }
    if here.origin() != there.origin() && !trusted {
        rendered.headers.retain(|(name, _)| !compile::is_credential(name));
        rendered.own_cookies.clear();
    }
    rendered.url = there.to_string();
    rendered.set_cookies(jar, Utc::now());
    let url = Cow::Owned(rendered.url.clone());
    Ok(Request { method: Cow::Owned(method), url, rendered: Cow::Owned(rendered), ready: None })
}

/// As `hurl` has it: a redirect that may not be followed any more is not an answer.
fn too_many(max: u64) -> Fault {
    Fault::new(Outcome::Protocol, format!("too many redirects: at most {max} are followed"))
}

/// A whole answer whose body could not be decoded is none that asserts can look at.
fn looked_through(worker: &Worker, look: &mut Look) -> Result<(), Fault> {
    worker.recorder().server(look.take_server());
    match look.decoding_error() {
        Some(reason) => Err(Fault::new(Outcome::Protocol, reason)),
        None => Ok(()),
    }
}

impl Came {
    /// What asserts see of the answer to a request for `url`.
    pub(super) fn answer<'a>(&'a self, url: &'a str, status: u16) -> Answer<'a> {
        let kept = self.look.kept();
        Answer {
            version: kept.version,
            status,
            headers: kept.headers(),
            body: &kept.body,
            raw_body: &kept.raw_body,
            url: self.trail.led_to.as_deref().unwrap_or(url),
            duration_ms: (self.end - self.sent) / 1_000_000,
            ip: &kept.ip,
            redirects: &self.trail.hops,
            certificate: kept.certificate.as_deref(),
        }
    }

    /// What was asked last.
    pub(super) fn asked(&self) -> Option<&Ask> {
        self.trail.asked.as_ref().map(|(_, ask)| &**ask)
    }
}

/// Why asserts cannot look at an answer that came whole.
pub(super) fn unread(kept: &Kept, status: u16) -> Option<Wrong> {
    if let Some(coding) = kept.coding.as_ref().filter(|_| kept.wants.body && !kept.body.is_empty()) {
        return Some(Wrong::new("a body in gzip, deflate or no coding", format!("{status} with one in `{coding}`")));
    }
    kept.cut.then(|| Wrong::new("a body that fits into the memory kept for it", "a longer one"))
}

/// Puts the cookies of the answer at hand into the jar.
fn take_cookies(hand: &Hand, jar: &mut Jar, url: &str) {
    let cookies = hand.look.as_ref().map_or(&[][..], |look| &look.kept().cookies);
    if cookies.is_empty() {
        return;
    }
    let Some(origin) = Origin::of(url) else { return };
    let now = Utc::now();
    for cookie in cookies {
        jar.set(origin, cookie, now);
    }
}
