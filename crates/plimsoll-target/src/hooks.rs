//! Commands before and after.

use std::io::{PipeReader, Read};
use std::thread;
use std::time::{Duration, Instant};

use crate::begun::Variable;
use crate::error::{Ending, TargetError};
use crate::minder::Orders;
use crate::program::Program;
use crate::spec::{Hook, StopSignal, Variabled};
use crate::ward::{Setting, Ward};

/// A value is a token or a number. More than this is a mistake that would be sent with every request.
const VALUE_BYTES_MAX: usize = 64 * 1024;
/// What a command leaves in the background has this long to end.
const GRACE: Duration = Duration::from_secs(1);
/// How often it is looked whether somebody asks for the end.
const LOOK: Duration = Duration::from_millis(20);

/// What a command leaves.
pub(crate) struct Done {
    pub(crate) variable: Option<Variable>,
    /// What it left running in the background.
    pub(crate) background: Option<Ward>,
}

/// Runs a command to its end.
pub(crate) fn run(
    hook: &Hook,
    env: Vec<(String, String)>,
    program: &Program,
    is_interrupted: &dyn Fn() -> bool,
) -> Result<Done, TargetError> {
    let start = ["/bin/sh", "-c", &hook.run].map(Into::into).to_vec();
    let orders = Orders { stop: StopSignal::default(), grace: GRACE, cpus: None, start };
    let mut setting = Setting { env, ..Setting::default() };
    let mut listener = None;
    let what = format!("the command `{}`", hook.label);
    if hook.into.is_some() {
        let failed = |error: std::io::Error| TargetError::Minder { what: what.clone(), reason: error.to_string() };
        let (reader, writer) = std::io::pipe().map_err(failed)?;
        setting.stdout = Some(writer);
        listener = Some(thread::Builder::new().spawn(move || listen(reader)).map_err(failed)?);
    }
    let mut ward = Ward::start(program, &what, &orders, setting)?;
    // Whatever went wrong, dropping it ends what it left.
    wait(hook, &ward, is_interrupted)?;
    let Some((into, listener)) = hook.into.as_ref().zip(listener) else {
        return Ok(Done { variable: None, background: (!ward.is_gone_within(LOOK)).then_some(ward) });
    };
    ward.end();
    // With the command and its children gone, the listener has heard all. It does not panic.
    let variable = value(hook, into, listener.join().unwrap_or_default())?;
    Ok(Done { variable: Some(variable), background: None })
}

fn wait(hook: &Hook, ward: &Ward, is_interrupted: &dyn Fn() -> bool) -> Result<(), TargetError> {
    let begun = Instant::now();
    let run = || hook.label.clone();
    loop {
        match ward.ending() {
            Some(Ending::Code(0)) => return Ok(()),
            Some(ending) => return Err(TargetError::Hook { run: run(), ending, said: ward.said() }),
            None if is_interrupted() => return Err(TargetError::Interrupted),
            None if begun.elapsed() >= hook.timeout => {
                return Err(TargetError::Slow { run: run(), after: hook.timeout, said: ward.said() });
            }
            None => ward.wait(LOOK.min(hook.timeout.saturating_sub(begun.elapsed()))),
        }
    }
}

/// All that is said, up to one byte more than a value may have.
fn listen(mut from: PipeReader) -> Vec<u8> {
    let mut heard = Vec::new();
    let mut buffer = [0; 4096];
    // Whoever says more is not stopped by a full pipe.
    while let Ok(bytes @ 1..) = from.read(&mut buffer) {
        let room = (VALUE_BYTES_MAX + 1).saturating_sub(heard.len());
        heard.extend_from_slice(&buffer[..bytes.min(room)]);
    }
    heard
}

/// Like the shell's `$(…)`: without the line ends at the end.
fn value(hook: &Hook, into: &Variabled, heard: Vec<u8>) -> Result<Variable, TargetError> {
    let wrong = |reason: &str| TargetError::Output {
        run: hook.label.clone(),
        variable: into.name.clone(),
        reason: reason.to_owned(),
    };
    if heard.len() > VALUE_BYTES_MAX {
        return Err(wrong("it is longer than 64 KiB"));
    }
    let text = String::from_utf8(heard).map_err(|_| wrong("it is not UTF-8"))?;
    let value = text.trim_end_matches(['\n', '\r']);
    if value.is_empty() {
        return Err(wrong("it said nothing on stdout"));
    }
    Ok(Variable { name: into.name.clone(), value: value.to_owned(), secret: into.secret })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(heard: &[u8], expected: Result<&str, &str>) {
        let into = Variabled { name: "token".to_owned(), secret: true };
        let value = value(&Hook::new("x"), &into, heard.to_vec());
        let whole = |reason| format!("the output of the command `x` cannot be the value of `token`: {reason}");
        let expected = expected.map(str::to_owned).map_err(whole);
        assert_eq!(value.map(|variable| variable.value).map_err(|error| error.to_string()), expected);
    }

    #[test]
    fn output_becomes_a_value_as_in_a_shell() {
        check(b"abc\n", Ok("abc"));
        check(b" a\nb \r\n\n", Ok(" a\nb "));
        check(b"", Err("it said nothing on stdout"));
        check(b"\n\n", Err("it said nothing on stdout"));
        check(b"\xff", Err("it is not UTF-8"));
        check(&[b'x'; VALUE_BYTES_MAX], Ok(&"x".repeat(VALUE_BYTES_MAX)));
        check(&[b'x'; VALUE_BYTES_MAX + 1], Err("it is longer than 64 KiB"));
    }
}
