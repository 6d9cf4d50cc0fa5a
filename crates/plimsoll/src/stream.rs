//! `--stream`: each second as a line of JSON while the run lasts.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use plimsoll_model::Tick;
use serde::Serialize;

use crate::output;
use crate::usage::Usage;

/// Where the ticks go.
pub(crate) struct Stream {
    sink: Option<Box<dyn Write>>,
    name: String,
}

/// `plimsoll.tick/1`.
#[derive(Serialize)]
struct Line<'t> {
    schema: &'static str,
    #[serde(flatten)]
    tick: &'t Tick,
}

/// Whether the ticks go to stdout.
pub(crate) fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

impl Stream {
    /// Opens the file, or stdout for `-`; without a path nothing is written.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Usage> {
        let Some(path) = path else { return Ok(Self { sink: None, name: String::new() }) };
        let sink: Box<dyn Write> = if is_stdout(path) { Box::new(io::stdout()) } else { Box::new(create(path)?) };
        Ok(Self { sink: Some(sink), name: path.display().to_string() })
    }

    /// Writes a second. A reader who went away ends the stream, not the run.
    pub(crate) fn write(&mut self, tick: &Tick) {
        let Some(sink) = &mut self.sink else { return };
        if let Err(error) = write_line(sink, tick) {
            if error.kind() != ErrorKind::BrokenPipe {
                output::note(&format!("warning: `--stream {}` ends here: {error}", self.name));
            }
            self.sink = None;
        }
    }
}

fn create(path: &Path) -> Result<File, Usage> {
    File::create(path).map_err(|error| {
        let message = format!("`--stream {}`: cannot write there: {error}", path.display());
        Usage::new(message, "name a file in a directory that exists and may be written to")
    })
}

fn write_line(sink: &mut dyn Write, tick: &Tick) -> io::Result<()> {
    let mut line = serde_json::to_vec(&Line { schema: "plimsoll.tick/1", tick })?;
    line.push(b'\n');
    sink.write_all(&line)?;
    sink.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tick_is_one_line_with_its_schema() {
        let mut line = Vec::new();
        write_line(&mut line, &Tick { second: 7, due: 3, ..Tick::default() }).expect("memory takes everything");
        insta::assert_snapshot!(String::from_utf8_lossy(&line), @r#"{"schema":"plimsoll.tick/1","second":7,"warmup":false,"due":3,"in_flight":0,"reconnects":0,"steps":[]}"#);
    }
}
