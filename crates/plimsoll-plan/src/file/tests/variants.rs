//! Scenarios, levels and factors.

use std::collections::BTreeMap;
use std::time::Duration;

use super::good::DESIGN;
use super::{plan, rendered};
use crate::file::{Model, PlanFile};

const BASE: &str = "name = 'shop'\n[[journey]]\nurl = 'http://h/'\n";

fn runs(text: &str) -> Vec<(String, String)> {
    let line = |run: &PlanFile| {
        let shape = run.load.shape().map_or("open-ended".to_owned(), |shape| shape.to_string());
        (run.name.clone().unwrap_or_default(), shape)
    };
    plan(&format!("{BASE}{text}")).scenarios().iter().map(line).collect()
}

#[track_caller]
fn check(text: &str, expected: &[(&str, &str)]) {
    let expected: Vec<_> = expected.iter().map(|(name, load)| (name.to_string(), load.to_string())).collect();
    assert_eq!(runs(text), expected, "{text}");
}

#[test]
fn a_plan_without_scenarios_is_one_run() {
    check("[load]\nrate = '5/s'\nduration = '9s'", &[("shop", "5 for 9s")]);
    check("", &[("shop", "open-ended")]);
}

#[test]
fn an_amount_of_load_replaces_the_plans() {
    let base = "[load]\nrate = '5/s'\nduration = '9s'\narrivals = 'poisson'\n[[scenario]]\nname = 'a'\nload = ";
    check(&format!("{base} {{ rate = '6/s' }}"), &[("shop / a", "6 for 9s")]);
    check(&format!("{base} {{ shape = '7/s for 1m' }}"), &[("shop / a", "7 for 1m")]);
    check(&format!("{base} {{ users = 3 }}"), &[("shop / a", "3 for 9s")]);
    check(
        &format!("{base} {{ levels = [1, 2] }}"),
        &[("shop / a / 1 user", "1 for 9s"), ("shop / a / 2 users", "2 for 9s")],
    );
    check(&format!("{base} {{ duration = '8s' }}"), &[("shop / a", "5 for 8s")]);
}

#[test]
fn levels_are_runs_of_their_own() {
    check("[load]\nlevels = [1, 4]\nduration = '9s'", &[("shop / 1 user", "1 for 9s"), ("shop / 4 users", "4 for 9s")]);
    check("[load]\nlevels = ['10/s']\nduration = '9s'", &[("shop / 10/s", "10 for 9s")]);
}

#[test]
fn a_scenario_keeps_what_it_does_not_change() {
    let run = plan(DESIGN).scenarios().remove(0);
    assert_eq!(run.name.as_deref(), Some("checkout / E: three-minute hold"));
    assert_eq!((run.pause, run.load.warmup), (Duration::from_secs(10), Some(Duration::from_secs(10))));
    assert_eq!((run.load.model(), run.slo.steps.len()), (Some(Model::Open), 1));
    assert!(run.scenarios.is_empty());
}

#[test]
fn factors_stand_where_their_names_are() {
    let plan = plan(
        "[[journey]]\nurl = 'http://h/{{word}}'\n[load]\nshape = '{rate}/s for {time}'\n[variables]\ntime = '9s'\n\
         [factors]\nrate = [5, 10]\n",
    );
    let shape = |plan: &PlanFile| plan.load.shape().map(|shape| shape.to_string());
    assert_eq!(shape(&plan).as_deref(), Some("5 for 9s"));
    let chosen = |name: &str, value: &str| BTreeMap::from([(name.to_owned(), value.to_owned())]);
    let other = plan.with_factors(&chosen("rate", "20")).expect("valid");
    assert_eq!(shape(&other).as_deref(), Some("20 for 9s"));
    assert_ne!(plan.lines(), other.lines());
    assert_eq!(plan.journeys[0].url.as_ref().map(|url| url.reveal()), Some("http://h/{{word}}"));
    let mistake = |name: &str, value: &str| rendered(&plan.with_factors(&chosen(name, value)).expect_err("a mistake"));
    insta::assert_snapshot!(mistake("rate", "many"), @r#"
    plan.toml:4:9: `load.shape`: `many/s` is not a rate with a unit
     4 | shape = '{rate}/s for {time}'
       |         ^
    hint: write it like `10/s for 30s, ramp to 60/s over 2m, hold 1m, spike 300/s for 5s`
    "#);
    insta::assert_snapshot!(mistake("rates", "1"), @r#"
    plan.toml: there is no factor `rates`
    hint: did you mean `rate`?
    "#);
}
