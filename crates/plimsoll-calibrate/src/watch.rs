//! What else goes on while we measure: the system's counters before and after, and looks at the processes meanwhile.

use std::time::Instant;

use plimsoll_model::calibration::{Meanwhile, Neighbour};

use crate::machine::cgroup::Group;
use crate::machine::processes::{self, Processes};
use crate::machine::stat::Stat;
use crate::machine::{pressure, read};

/// Neighbours named at most.
const NEIGHBOURS_MAX: usize = 3;
/// Who used less of a core than this is not named.
const NEIGHBOUR_CORES: f64 = 0.02;

/// The counters of one moment.
struct Counters {
    stat: Option<Stat>,
    own_ticks: Option<u64>,
    pressure_s: Option<f64>,
    throttled_s: Option<f64>,
}

/// Looks on from its making until [`Watch::end`].
pub(crate) struct Watch {
    began: Instant,
    group: Group,
    before: Counters,
    processes: Processes,
}

impl Watch {
    pub(crate) fn begin() -> Self {
        let group = Group::of_this_process();
        let mut watch =
            Self { began: Instant::now(), before: Counters::now(&group), group, processes: Processes::default() };
        watch.look();
        watch
    }

    /// Looks at the processes, between two trials.
    pub(crate) fn look(&mut self) {
        self.processes.look();
    }

    pub(crate) fn end(mut self, cores: &[usize]) -> Meanwhile {
        self.look();
        let seconds = self.began.elapsed().as_secs_f64();
        let now = Counters::now(&self.group);
        let mut meanwhile = meanwhile(&self.before, &now, seconds, &self.processes.busiest());
        meanwhile.busy.retain(|core, _| cores.contains(core));
        meanwhile
    }
}

impl Counters {
    fn now(group: &Group) -> Self {
        Self {
            stat: Stat::now(),
            own_ticks: processes::own_ticks(),
            pressure_s: read("/proc/pressure/cpu").and_then(|text| pressure::waited_s(&text)),
            throttled_s: group.throttled_s(),
        }
    }
}

fn meanwhile(before: &Counters, now: &Counters, seconds: f64, busiest: &[(String, u64)]) -> Meanwhile {
    let share = |from: Option<f64>, to: Option<f64>| Some(((to? - from?) / seconds).clamp(0.0, 1.0));
    let mut meanwhile = Meanwhile {
        throttled_share: share(before.throttled_s, now.throttled_s),
        pressure_share: share(before.pressure_s, now.pressure_s),
        ..Meanwhile::default()
    };
    let (Some(stat), Some(stat_before)) = (&now.stat, &before.stat) else { return meanwhile };
    let (programs, ticks_of_a_core) = stat.programs_since(stat_before);
    let cores = |ticks: u64| ticks as f64 / ticks_of_a_core.max(1.0);
    meanwhile.busy = stat.busy_since(stat_before);
    meanwhile.stolen_share = Some(stat.stolen_since(stat_before));
    meanwhile.others_cores = now.own_ticks.zip(before.own_ticks).map(|(now, before)| {
        // Both counts are rounded, each in its own way.
        cores(programs.saturating_sub(now.saturating_sub(before)))
    });
    let named = busiest.iter().map(|(name, ticks)| Neighbour { name: name.clone(), cores: cores(*ticks) });
    meanwhile.neighbours = named.filter(|row| row.cores >= NEIGHBOUR_CORES).take(NEIGHBOURS_MAX).collect();
    meanwhile
}
