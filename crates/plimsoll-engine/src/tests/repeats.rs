//! The same seed does the same, whatever the number of threads: what each arrival, and each iteration of a user,
//! sends, and how long it pauses.

use std::sync::Arc;
use std::time::Duration;

use plimsoll_journey::{
    Act, Data, Escape, Expression, Feed, Format, Function, Names, Options, Order, Part, Pick, Scope, Script, Slot,
    Template, Think,
};
use plimsoll_model::Plan;

use super::flows::{WHOLE, act, step};
use crate::rehearsal::{OK, answers, closed, open, rehearse_flows};
use crate::schedule::Slice;

fn gap(expression: Expression) -> Part {
    Part::Gap { expression, escape: Escape::None }
}

fn text(text: &str) -> Part {
    Part::Text(text.as_bytes().into())
}

/// A step that says the row it was given and a number of its own.
fn telling(place: &str, row: Slot) -> Template {
    let place = text(&format!("http://scripted/{place}/"));
    Template {
        parts: vec![place, gap(Expression::Variable(row)), text("/"), gap(Expression::Function(Function::NewUuid))],
    }
}

/// Two journeys of two steps, with rows and pauses by chance.
fn script(seed: u64, order: Order) -> Script {
    let mut names = Names::default();
    let row = names.slot("row");
    let rows: String = (0..500).map(|row| format!("r{row}\n")).collect();
    let data =
        Data::read("rows.csv", format!("row\n{rows}").into_bytes(), Format::Csv { separator: b',' }).expect("a table");
    let data = Arc::new(data);
    let journey = |name: &str, weight, file| Act {
        weight,
        think: Some(Think::Exponential { mean: Duration::from_millis(300) }),
        feed: Some(Feed {
            pick: Pick::new(order, data.rows(), seed, file),
            data: Arc::clone(&data),
            slots: vec![row],
            per_user: false,
        }),
        ..act(vec![
            step(telling(&format!("{name}/1"), row), Options::default()),
            step(telling(&format!("{name}/2"), row), Options::default()),
        ])
    };
    let acts = vec![journey("a", 3.0, 0), journey("b", 1.0, 1)];
    let names = Arc::new(names);
    Script { base: Scope::of(Arc::clone(&names)), names, acts, ..Script::default() }
}

/// All that was heard, and when, in the order of time.
fn heard(plan: &Plan, order: Order, threads: u64) -> Vec<(u128, String)> {
    let mut all = Vec::new();
    for index in 0..threads {
        let slice = if threads == 1 { WHOLE } else { Slice { index, of: threads } };
        let seen = rehearse_flows(plan.clone(), script(plan.seed, order), slice, &[answers(999, OK)]);
        let targets = seen.heard.iter().map(|heard| heard.split(' ').nth(1).unwrap_or_default().to_owned());
        all.extend(seen.heard_ms.into_iter().zip(targets));
    }
    all.sort();
    all
}

#[track_caller]
fn check(mut plan: Plan, order: Order) {
    let once = heard(&plan, order, 1);
    assert!(once.len() > 50, "{once:?}");
    assert!(once.iter().any(|(_, target)| target.starts_with("/b/")), "{once:?}");
    assert_eq!(once, heard(&plan, order, 1), "again");
    for threads in [2, 3] {
        assert_eq!(once, heard(&plan, order, threads), "with {threads} threads");
    }
    plan.seed += 1;
    assert_ne!(once, heard(&plan, order, 1), "with another seed");
}

#[test]
fn arrivals_send_the_same_whatever_the_threads() {
    for order in [Order::Sequential, Order::Random, Order::Zipf { exponent: 1.0 }] {
        check(open(20.0, 3.0, 100), order);
    }
}

#[test]
fn users_send_the_same_whatever_the_threads() {
    for order in [Order::Sequential, Order::Random, Order::Zipf { exponent: 1.0 }] {
        check(closed("6 users for 8s", None), order);
    }
}

#[test]
fn unique_rows_are_used_once_whatever_the_threads() {
    let order = Order::Unique(plimsoll_journey::AtEnd::Stop);
    for (plan, threads) in [(open(20.0, 3.0, 100), 2), (closed("6 users for 8s", None), 3)] {
        let firsts = heard(&plan, order, threads).into_iter().filter(|(_, target)| target.contains("/1/"));
        let rows: Vec<String> =
            firsts.map(|(_, target)| target.rsplit_once('/').expect("a path").0.to_owned()).collect();
        let distinct: std::collections::BTreeSet<&String> = rows.iter().collect();
        assert_eq!((rows.len(), rows.len() > 20), (distinct.len(), true), "{rows:?}");
    }
}
