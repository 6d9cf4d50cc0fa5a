//! From a request's target to what answers it. Each thread keeps what it has resolved, and the answers it has built,
//! so that a target that was seen before costs one look-up and no allocation; the state of behaviours is shared by
//! all threads.

use crate::answer::{Frame, Reply};
use crate::api::Api;
use crate::bad::{self, Entry, Misdeed};
use crate::behaviour::{Behaviour, Spec};
use crate::http2;
use crate::script::Script;
use crate::tally::{self, Tally};
use crate::target::{self, Pairs};
use clap::error::{ContextKind, ErrorKind};
use clap::{CommandFactory as _, Parser};
use plimsoll_http::h2::frame::StreamId;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

/// What all threads share.
#[derive(Debug)]
pub(crate) struct World {
    defaults: Spec,
    lenient: bool,
    http2: Option<u32>,
    keys: Vec<String>,
    behaviours: Mutex<HashMap<Vec<String>, Arc<Behaviour>>>,
    tallies: Vec<Arc<Tally>>,
    api: Arc<Mutex<Api>>,
}

/// What one thread needs to answer.
#[derive(Debug)]
pub(crate) struct Desk {
    world: Arc<World>,
    /// What this thread saw.
    pub(crate) tally: Arc<Tally>,
    // By the target as it stood in the request line.
    targets: HashMap<Box<[u8]>, Rc<Route>>,
    // By the canonical options.
    routes: HashMap<Vec<String>, Rc<Route>>,
}

/// What answers a target.
#[derive(Debug)]
pub(crate) enum Route {
    /// A behaviour of the grammar.
    Behaviour(Scripted),
    /// A page of the server's own.
    Page(Page),
}

/// A page that is about the server; requests for it are not counted.
#[derive(Debug)]
pub(crate) enum Page {
    /// `/health`
    Health,
    /// `/stats`
    Stats,
    /// `/seen`
    Seen,
    /// `/bad`
    Catalogue,
    /// A target that is not understood, and why.
    Unclear(String),
}

/// A behaviour with the answers this thread has built for it.
#[derive(Debug)]
pub(crate) struct Scripted {
    /// Shared with the other threads.
    pub(crate) behaviour: Arc<Behaviour>,
    /// Who answers instead, where the behaviour only says when and whether.
    pub(crate) api: Option<Arc<Mutex<Api>>>,
    proper: [OnceCell<Rc<Script>>; Frame::COUNT],
    framed: [OnceCell<Rc<http2::Script>>; 2],
    malformed: OnceCell<Rc<Script>>,
    bad: Option<&'static Entry>,
    /// Answered before the request's body has arrived.
    pub(crate) early: bool,
}

// Beyond these, a client makes up targets: memory must not grow with them.
const TARGETS_MAX: usize = 4096;
const TARGET_CACHED_MAX: usize = 2048;
const BEHAVIOURS_MAX: usize = 4096;

#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true, disable_version_flag = true)]
struct Query {
    #[command(flatten)]
    spec: Spec,
}

impl World {
    /// A world of `threads` whose paths behave as `defaults` says where they say nothing themselves, and where
    /// `http2` is how many streams a connection may have open, if HTTP/2 is spoken.
    pub(crate) fn new(defaults: Spec, lenient: bool, http2: Option<u32>, threads: usize) -> Self {
        let command = Query::command();
        Self {
            defaults,
            lenient,
            http2,
            keys: command.get_arguments().filter_map(|arg| arg.get_long()).map(str::to_owned).collect(),
            behaviours: Mutex::default(),
            tallies: (0..threads).map(|_| Arc::default()).collect(),
            api: Arc::default(),
        }
    }

    /// The counts of all threads.
    pub(crate) fn stats(&self) -> String {
        tally::json(self.tallies.iter().map(Arc::as_ref))
    }

    fn behaviour(&self, options: &[String]) -> Result<Arc<Behaviour>, String> {
        let mut behaviours = self.behaviours.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(behaviour) = behaviours.get(options) {
            return Ok(Arc::clone(behaviour));
        }
        if behaviours.len() >= BEHAVIOURS_MAX {
            return Err(format!("this server has met {BEHAVIOURS_MAX} different behaviours and takes no more"));
        }
        let behaviour = Arc::new(Behaviour::new(self.spec(options)?));
        behaviours.insert(options.to_vec(), Arc::clone(&behaviour));
        Ok(behaviour)
    }

    fn spec(&self, options: &[String]) -> Result<Spec, String> {
        let mut query = Query { spec: self.defaults.clone() };
        query.try_update_from(options).map_err(|error| explain(&error))?;
        query.spec.check().map_err(|conflict| conflict.to_string())?;
        Ok(query.spec)
    }
}

impl Desk {
    /// The desk of thread number `thread`.
    pub(crate) fn new(world: &Arc<World>, thread: usize) -> Self {
        Self {
            tally: Arc::clone(&world.tallies[thread]),
            world: Arc::clone(world),
            targets: HashMap::new(),
            routes: HashMap::new(),
        }
    }

    /// What answers `target`.
    pub(crate) fn route(&mut self, target: &[u8]) -> Rc<Route> {
        if let Some(route) = self.targets.get(target) {
            return Rc::clone(route);
        }
        let route = self.resolve(target);
        if target.len() <= TARGET_CACHED_MAX {
            if self.targets.len() >= TARGETS_MAX {
                self.targets.clear();
            }
            self.targets.insert(target.into(), Rc::clone(&route));
        }
        route
    }

    /// What a page says now.
    pub(crate) fn page(&self, page: &Page) -> Reply {
        match page {
            Page::Health => Reply::text(200, "ok\n"),
            Page::Stats => Reply::json(self.world.stats()),
            Page::Seen => self.world.api.lock().unwrap_or_else(PoisonError::into_inner).seen(),
            Page::Catalogue => Reply::text(200, bad::list()),
            Page::Unclear(why) => Reply::text(400, format!("{}\n", why.trim_end())),
        }
    }

    /// How many streams a connection of HTTP/2 may have open; `None` where HTTP/2 is not spoken.
    pub(crate) fn http2(&self) -> Option<u32> {
        self.world.http2
    }

    fn resolve(&mut self, target: &[u8]) -> Rc<Route> {
        let text = std::str::from_utf8(target).unwrap_or("");
        let (path, query) = target::split(text);
        match path {
            "/health" => return Rc::new(Route::Page(Page::Health)),
            "/stats" => return Rc::new(Route::Page(Page::Stats)),
            "/seen" => return Rc::new(Route::Page(Page::Seen)),
            "/bad" => return Rc::new(Route::Page(Page::Catalogue)),
            _ => {}
        }
        let Some(mut pairs) = Pairs::read(query) else {
            return Rc::new(Route::unclear(format!("the escapes of `{query}` are broken")));
        };
        // A tag makes targets differ and changes nothing.
        pairs.retain(|key| key != "tag");
        let is_api = path.starts_with("/api/");
        // The API has keys of its own.
        if self.world.lenient || is_api {
            pairs.retain(|key| self.world.keys.contains(&target::option_name(key)));
        }
        if let Some(name) = path.strip_prefix("/bad/") {
            pairs.set("bad", name);
        } else if path == "/echo" {
            pairs.set("echo", "true");
        }
        if is_api {
            pairs.set("echo", "true");
            return self.of_api(&pairs.options());
        }
        self.scripted(pairs.options())
    }

    /// The API, behaving as these options say: it is shown each request as an echo would be.
    fn of_api(&self, options: &[String]) -> Rc<Route> {
        match self.world.behaviour(options) {
            Ok(behaviour) => {
                let api = Some(Arc::clone(&self.world.api));
                Rc::new(Route::Behaviour(Scripted { api, ..Scripted::new(behaviour) }))
            }
            Err(why) => Rc::new(Route::unclear(why)),
        }
    }

    fn scripted(&mut self, options: Vec<String>) -> Rc<Route> {
        if let Some(route) = self.routes.get(&options) {
            return Rc::clone(route);
        }
        let route = match self.world.behaviour(&options) {
            Ok(behaviour) => Rc::new(Route::Behaviour(Scripted::new(behaviour))),
            // Not kept by its options: there is no end to what is not understood.
            Err(why) => return Rc::new(Route::unclear(why)),
        };
        self.routes.insert(options, Rc::clone(&route));
        route
    }
}

/// What is wrong with a query, in its own words rather than those of a command line.
fn explain(error: &clap::Error) -> String {
    let context = |kind| error.get(kind).map(|value| value.to_string().replace("--", ""));
    match error.kind() {
        ErrorKind::UnknownArgument => {
            let key = context(ContextKind::InvalidArg).unwrap_or_default();
            let nearest =
                context(ContextKind::SuggestedArg).map(|key| format!("; did you mean `{key}`?")).unwrap_or_default();
            format!("unknown key `{key}`{nearest}")
        }
        _ => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            first.trim_start_matches("error: ").replace("'--", "'")
        }
    }
}

impl Route {
    fn unclear(why: String) -> Self {
        Self::Page(Page::Unclear(why))
    }
}

impl Scripted {
    fn new(behaviour: Arc<Behaviour>) -> Self {
        let bad = behaviour.spec.bad.as_ref().and_then(|bad| bad::find(bad.name));
        Self {
            api: None,
            malformed: OnceCell::new(),
            early: bad.is_some_and(|entry| entry.early),
            bad,
            proper: [const { OnceCell::new() }; Frame::COUNT],
            framed: [const { OnceCell::new() }; 2],
            behaviour,
        }
    }

    /// The answer of the behaviour, built once.
    pub(crate) fn answer(&self, frame: Frame) -> Rc<Script> {
        let script =
            self.proper[frame.index()].get_or_init(|| Rc::new(Reply::of(&self.behaviour.spec, "", None).script(frame)));
        Rc::clone(script)
    }

    /// The same in HTTP/2.
    pub(crate) fn framed(&self, head_only: bool) -> Rc<http2::Script> {
        let framed = || Rc::new(Reply::of(&self.behaviour.spec, "", None).framed(head_only));
        Rc::clone(self.framed[usize::from(head_only)].get_or_init(framed))
    }

    /// The malformed answer of the behaviour.
    pub(crate) fn malformed(&self) -> Rc<Script> {
        let malformed = || Rc::new(self.bad.map_or_else(bad::not_here, |entry| (entry.build)()));
        Rc::clone(self.malformed.get_or_init(malformed))
    }

    /// The same on a stream of HTTP/2, if it exists there.
    pub(crate) fn malformed_on(&self, stream: StreamId) -> Option<Misdeed> {
        self.bad?.on_stream.map(|build| build(stream))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn desk(lenient: bool) -> Desk {
        Desk::new(&Arc::new(World::new(Spec::default(), lenient, Some(100), 1)), 0)
    }

    fn behaviour(desk: &mut Desk, target: &str) -> Option<Arc<Behaviour>> {
        match &*desk.route(target.as_bytes()) {
            Route::Behaviour(scripted) => Some(Arc::clone(&scripted.behaviour)),
            _ => None,
        }
    }

    #[test]
    fn equal_keys_are_one_behaviour() {
        let mut desk = desk(false);
        let mut of = |target| behaviour(&mut desk, target).expect("a behaviour");
        let first = of("/a?service=2ms&servers=1");
        assert!(Arc::ptr_eq(&first, &of("/b/c?servers=1&service=2ms&tag=7")));
        assert!(Arc::ptr_eq(&first, &of("http://host/?servers=1&service=2ms")));
        assert!(!Arc::ptr_eq(&first, &of("/a?service=2ms&servers=1&queue=x")));
        assert!(Arc::ptr_eq(&of("/bad/reset"), &of("/x?bad=reset")));
    }

    #[test]
    fn made_up_targets_do_not_fill_the_memory() {
        let mut desk = desk(true);
        for i in 0..3 * TARGETS_MAX {
            desk.route(format!("/{i}?page={i}&tag={i}").as_bytes());
            assert!(desk.targets.len() <= TARGETS_MAX && desk.routes.len() == 1);
        }
        let met = (0..=BEHAVIOURS_MAX).filter(|i| behaviour(&mut desk, &format!("/?queue={i}")).is_some());
        assert_eq!(met.count(), BEHAVIOURS_MAX - 1);
    }

    #[test]
    fn the_readme_names_every_key() {
        let readme = include_str!("../README.md");
        for key in World::new(Spec::default(), false, None, 0).keys {
            assert!(readme.contains(&format!("`{}", key.replace('-', "_"))), "{key}");
        }
    }
}
