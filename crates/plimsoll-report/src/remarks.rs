//! Warnings: what voids the run, and what the target did; each with what to do about it.

use plimsoll_model::Run;
use plimsoll_model::run::Remark;

use crate::escape::harmless;
use crate::paint::{Ink, Style};
use crate::wrap::marked;

pub(crate) fn section(run: &Run, style: Style) -> String {
    let void = list("void because", &run.validity, Ink::Bad, style);
    void + &list("findings about the target", &run.findings, Ink::Odd, style)
}

fn list(title: &str, remarks: &[Remark], ink: Ink, style: Style) -> String {
    if remarks.is_empty() {
        return String::new();
    }
    let rows = remarks.iter().map(|remark| row(remark, ink, style));
    style.paint(Ink::Dim, &format!("  {title}")) + "\n" + &rows.collect::<String>()
}

fn row(remark: &Remark, ink: Ink, style: Style) -> String {
    let detail = marked("    !", &format!("{}: {}", remark.code, harmless(&remark.detail)), style.columns());
    let hint = marked("      →", &harmless(&remark.hint), style.columns());
    let detail = detail.replacen('!', &style.paint(ink, "!"), 1);
    if remark.hint.is_empty() { format!("{detail}\n") } else { format!("{detail}\n{hint}\n") }
}
