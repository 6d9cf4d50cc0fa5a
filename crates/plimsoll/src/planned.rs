//! A plan file becomes runs: what it says is decided as if it had been typed, what it names is read, and what it
//! starts is described.

mod check;
mod flags;
mod journeys;
mod surroundings;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use plimsoll_model::{ClosedLoad, Load, OpenLoad, Plan, RequestSpec, Shape, Target};
use plimsoll_plan::file::{self, Model, PlanFile};

use crate::args::PlanArgs;
use crate::resolve::{self, Asked, Machine};
use crate::script;
use crate::usage::Usage;

pub(crate) use check::check;
pub(crate) use surroundings::surroundings;

/// A plan file that was read.
#[derive(Debug, Clone)]
pub(crate) struct Planned {
    pub(crate) file: PlanFile,
    /// What the plan's relative paths begin at.
    folder: PathBuf,
    /// What the command line adds to what the plan says.
    args: PlanArgs,
}

/// What a command before the run has put into a variable.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) secret: bool,
}

impl Planned {
    /// Reads a plan; flags override what it says.
    pub(crate) fn read(path: &Path, args: &PlanArgs, machine: &Machine) -> Result<Self, Usage> {
        let text = fs::read_to_string(path).map_err(|error| {
            Usage::new(format!("`{}`: {error}", path.display()), "check the path; a plan is text in UTF-8")
        })?;
        let mut sets = args.variables.sets.clone();
        sets.extend(flags::sets(args)?);
        let environment = |name: &str| machine.variable(name).map(str::to_owned);
        let read = file::read(path, &text, &sets, &environment);
        let file = read.map_err(|mistakes| {
            script::complaint(&mistakes)
                .unwrap_or_else(|| Usage::maybe(format!("`{}` is no plan", path.display()), None))
        })?;
        // Empty for a plan beside us, so that what it names is shown as it was written.
        let folder = path.parent().unwrap_or(Path::new(""));
        Ok(Self { file, folder: folder.to_owned(), args: args.clone() })
    }

    /// The runs of the plan in their order.
    pub(crate) fn runs(&self) -> Vec<Self> {
        let run = |file| Self { file, ..self.clone() };
        self.file.scenarios().into_iter().map(run).collect()
    }

    /// Whether it is several runs by nature, even if there is only one of them.
    pub(crate) fn is_suite(&self) -> bool {
        !self.file.scenarios.is_empty() || !self.file.load.levels.is_empty()
    }

    /// What commands before the run will say, as long as nobody has said it.
    pub(crate) fn placeholders(&self) -> Vec<Told> {
        let before = self
            .file
            .target
            .before
            .iter()
            .filter_map(|command| command.into.clone().map(|name| (name, command.secret)));
        before.map(|(name, secret)| Told { name, value: String::new(), secret }).collect()
    }

    /// What is waited before it.
    pub(crate) fn pause(&self) -> Duration {
        self.file.pause
    }

    /// What people call it.
    pub(crate) fn name(&self) -> String {
        self.file.name.clone().unwrap_or_else(|| "plan".to_owned())
    }

    /// One run, with what commands before it have said.
    pub(crate) fn ask(&self, told: &[Told], machine: &Machine) -> Result<Asked, Usage> {
        let (script, texts) = journeys::script(self, told, machine)?;
        let target = self.target(&script)?;
        let args = flags::args(&self.file, &self.args, &self.folder);
        let mut plan = self.plan(&args, target, machine)?;
        plan.journeys = resolve::specs(&script, &texts);
        Ok(Asked { plan, script: Some(script), is_once: false })
    }

    fn target(&self, script: &plimsoll_journey::Script) -> Result<Target, Usage> {
        if let Some(url) = &self.file.target.url {
            return resolve::target_of_step(url.reveal());
        }
        script::first_target(script).unwrap_or_else(|| {
            Err(Usage::new(
                "the first request's URL is not known before the run",
                "name the target: `[target]` with `url = \"http://127.0.0.1:8080\"`",
            ))
        })
    }

    fn plan(&self, args: &PlanArgs, target: Target, machine: &Machine) -> Result<Plan, Usage> {
        let request =
            RequestSpec { label: self.name(), method: "GET".to_owned(), headers: Vec::new(), body: Vec::new() };
        let name = self.file.name.clone().unwrap_or_else(|| target.url.clone());
        let (load, slo) = (&self.file.load, &self.file.slo);
        let shape = load.shape().unwrap_or_else(|| Shape::constant(resolve::USERS_DEFAULT, load.duration));
        let stop = resolve::stop_of(load.duration, load.requests, &shape);
        let shape = resolve::with_length(shape, stop);
        let amount = match load.model() {
            Some(Model::Open) => Load::Open(OpenLoad {
                shape,
                arrivals: load.arrivals.unwrap_or(plimsoll_model::Arrivals::Even),
                in_flight_max: load.in_flight_max.unwrap_or_else(|| resolve::in_flight_default(machine)),
            }),
            _ => Load::Closed(ClosedLoad { shape, think: Duration::ZERO }),
        };
        let mut plan = resolve::assemble(args, target, request, (amount, stop), machine)?;
        plan.name = name;
        plan.warmup = load.warmup.unwrap_or_default();
        plan.abort = load.abort;
        plan.seed = load.seed.unwrap_or(plan.seed);
        plan.threads = load.threads.unwrap_or(plan.threads);
        plan.objectives.splice(0..0, slo.objectives.iter().copied());
        let of_steps = slo.steps.iter().flat_map(|(step, all)| all.iter().map(|one| (step.clone(), *one)));
        plan.step_objectives = of_steps.collect();
        plan.expect.extend(&slo.expect);
        plan.within.extend(&slo.within);
        resolve::leave_something_to_measure(&plan)?;
        Ok(plan)
    }
}
