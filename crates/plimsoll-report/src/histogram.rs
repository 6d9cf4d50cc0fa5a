//! The latency histogram in characters.

use plimsoll_model::Run;
use plimsoll_model::run::HistogramBar;

use crate::paint::{Ink, Style};
use crate::units::{count, time};

/// Rows at most: more do not fit beside everything else.
const ROWS_MAX: usize = 12;
/// Eighths of a block, from one to seven.
const EIGHTHS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];
/// Columns of a bar at most: longer ones say no more.
const BAR_MAX: usize = 50;

pub(crate) fn section(run: &Run, style: Style) -> String {
    let bars = merged(&run.histogram);
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(0);
    if most == 0 || bars.len() < 2 {
        return String::new(); // one bar shows nothing that the table does not
    }
    let counts = bars.iter().map(|bar| count(bar.count).len()).max().unwrap_or(0);
    let room = style.columns().saturating_sub(16 + counts).min(BAR_MAX);
    let mut text = style.paint(Ink::Dim, "  response time, up to") + "\n";
    for bar in &bars {
        let blocks = style.paint(Ink::Bar, &blocks(bar.count as f64 / most as f64 * room as f64));
        text += format!("  {:>9}  {:>counts$}  {blocks}", time(bar.to_ms), count(bar.count)).trim_end();
        text.push('\n');
    }
    text
}

/// At most [`ROWS_MAX`] bars, without empty ones at either end.
fn merged(bars: &[HistogramBar]) -> Vec<HistogramBar> {
    let first = bars.iter().position(|bar| bar.count > 0).unwrap_or(bars.len());
    let last = bars.iter().rposition(|bar| bar.count > 0).map_or(first, |last| last + 1);
    let bars = &bars[first..last];
    let together = bars.len().div_ceil(ROWS_MAX).max(1);
    bars.chunks(together).map(merge).collect()
}

fn merge(bars: &[HistogramBar]) -> HistogramBar {
    HistogramBar {
        above_ms: bars.first().map_or(0.0, |bar| bar.above_ms),
        to_ms: bars.last().map_or(0.0, |bar| bar.to_ms),
        count: bars.iter().map(|bar| bar.count).sum(),
    }
}

/// A bar of so many columns; what is not nothing shows as something.
fn blocks(columns: f64) -> String {
    let eighths = if columns > 0.0 { ((columns * 8.0).round() as usize).max(1) } else { 0 };
    let mut bar = "█".repeat(eighths / 8);
    bar.extend((eighths % 8).checked_sub(1).map(|index| EIGHTHS[index]));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_eighths_of_blocks() {
        assert_eq!(blocks(0.0), "");
        assert_eq!(blocks(0.001), "▏");
        assert_eq!(blocks(2.5), "██▌");
        assert_eq!(blocks(3.0), "███");
    }

    #[test]
    fn bars_are_merged_and_none_is_lost() {
        let bars: Vec<HistogramBar> = (0..40)
            .map(|i| HistogramBar {
                above_ms: f64::from(i),
                to_ms: f64::from(i + 1),
                count: u64::from(i > 3 && i < 35),
            })
            .collect();
        let merged = merged(&bars);
        assert!(merged.len() <= ROWS_MAX);
        assert_eq!(merged.iter().map(|bar| bar.count).sum::<u64>(), 31);
        assert_eq!((merged[0].above_ms, merged[merged.len() - 1].to_ms), (4.0, 35.0));
    }
}
