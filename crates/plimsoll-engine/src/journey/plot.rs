//! What is known of every step before the first flow: which of all steps it is, how its place is spoken to, and what
//! of its answers is kept.

use std::collections::HashMap;

use plimsoll_journey::{HttpVersion, Journey, Options, Query, Script, Setting, Step};
use plimsoll_model::{Http, Identity, Plan, Trust};

use super::kept::Wants;
use crate::tls::{self, Setup};

/// A step as the engine knows it.
#[derive(Debug, Clone)]
pub(crate) struct Plot {
    /// Its number among all steps.
    pub(super) step: usize,
    /// How its place is spoken to.
    pub(super) manner: usize,
    pub(super) wants: Wants,
    /// It says which status it wants, so that no other is held against the target.
    pub(super) says_status: bool,
    /// Nothing in its request ever changes.
    pub(super) is_constant: bool,
}

/// One way of speaking to a server.
pub(crate) struct Manner {
    /// How TLS is spoken, or why it cannot be.
    pub(crate) tls: Result<Setup, String>,
    pub(crate) http: Http,
}

/// All steps of a script: for each journey of the mix, then of the setup, then of the teardown.
pub(crate) struct Plots {
    pub(crate) acts: Vec<Vec<Plot>>,
    pub(crate) setup: Vec<Vec<Plot>>,
    pub(crate) teardown: Vec<Vec<Plot>>,
    pub(crate) manners: Vec<Manner>,
}

/// What of a step's options makes it speak otherwise.
type Wish =
    (Option<bool>, Option<std::path::PathBuf>, Option<(std::path::PathBuf, std::path::PathBuf)>, Option<HttpVersion>);

impl Plots {
    /// The most steps that any part of a setup or a teardown has.
    pub(crate) fn most_steps(&self) -> usize {
        let all = self.setup.iter().chain(&self.teardown);
        all.flat_map(|rows| rows.iter().map(|plot| plot.step + 1)).max().unwrap_or(1)
    }

    pub(crate) fn of(plan: &Plan, script: &Script) -> Self {
        let mut manners = Manners::default();
        manners.of(plan, &Options::default());
        let mut lay = |journeys: &mut dyn Iterator<Item = &Journey>| {
            let mut next = 0;
            let mut rows = Vec::new();
            for journey in journeys {
                rows.push(
                    journey
                        .steps
                        .iter()
                        .enumerate()
                        .map(|(nth, step)| plot(next + nth, manners.of(plan, &step.options), step))
                        .collect(),
                );
                next += journey.steps.len();
            }
            rows
        };
        let acts = lay(&mut script.acts.iter().map(|act| &act.journey));
        let setup = lay(&mut script.setup.iter().map(|rite| &rite.journey));
        let teardown = lay(&mut script.teardown.iter().map(|rite| &rite.journey));
        Self { acts, setup, teardown, manners: manners.all }
    }
}

fn plot(number: usize, manner: usize, step: &Step) -> Plot {
    let needs = step.needs;
    Plot {
        step: number,
        manner,
        wants: Wants {
            headers: needs.headers,
            body: needs.body,
            raw_body: needs.raw_body,
            certificate: needs.certificate,
            ip: needs.ip,
        },
        says_status: step.expected.asserts.iter().any(|assert| matches!(assert.query, Query::Status)),
        is_constant: step.request.is_constant() && step.options.is_constant(),
    }
}

#[derive(Default)]
struct Manners {
    all: Vec<Manner>,
    known: HashMap<Wish, usize>,
}

impl Manners {
    fn of(&mut self, plan: &Plan, options: &Options) -> usize {
        let insecure = match options.insecure {
            Some(Setting::Fixed(insecure)) => Some(insecure),
            _ => None,
        };
        let identity = options.cert.clone().map(|cert| (cert.clone(), options.key.clone().unwrap_or(cert)));
        let wish = (insecure, options.cacert.clone(), identity, options.http);
        if let Some(known) = self.known.get(&wish) {
            return *known;
        }
        self.all.push(manner(plan, &wish));
        self.known.insert(wish, self.all.len() - 1);
        self.all.len() - 1
    }
}

fn manner(plan: &Plan, (insecure, cacert, identity, http): &Wish) -> Manner {
    let mut plan = plan.clone();
    let trust = match (insecure, cacert) {
        (Some(true), _) => Some(Trust::Anyone),
        (_, Some(cacert)) => Some(Trust::File(cacert.clone())),
        _ => None,
    };
    if let Some(trust) = trust {
        plan.transport.tls.trust = trust;
    }
    if let Some((certificates, key)) = identity.clone() {
        plan.transport.tls.identity = Some(Identity { certificates, key });
    }
    plan.transport.http = match http {
        None => plan.transport.http,
        Some(HttpVersion::V1_0 | HttpVersion::V1_1) => Http::One,
        Some(HttpVersion::V2 | HttpVersion::V2PriorKnowledge) => match plan.transport.http {
            Http::One => Http::Two { streams_max: 1, connections_max: None },
            two @ Http::Two { .. } => two,
        },
    };
    Manner { tls: tls::setup(&plan).map_err(|error| error.to_string()), http: plan.transport.http }
}
