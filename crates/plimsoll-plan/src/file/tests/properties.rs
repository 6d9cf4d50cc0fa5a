//! No text whatever does harm.

use proptest::prelude::*;

use super::attempt;
use super::good::{DESIGN, REST};

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,200}", set in "\\PC{0,40}") {
        let _ = attempt(&text, &[&set]);
    }

    #[test]
    fn a_damaged_plan_is_read_or_refused(which in any::<bool>(), at in any::<prop::sample::Index>(), damage in "\\PC{0,6}", cut in 0usize..9) {
        let whole: Vec<char> = if which { DESIGN } else { REST }.chars().collect();
        let at = at.index(whole.len());
        let rest = &whole[(at + cut).min(whole.len())..];
        let text: String = whole[..at].iter().copied().chain(damage.chars()).chain(rest.iter().copied()).collect();
        match attempt(&text, &[]) {
            Ok(plan) => drop((plan.scenarios(), plan.lines(), crate::file::explain(&plan))),
            Err(mistakes) => prop_assert!(!mistakes.is_empty()),
        }
    }
}
