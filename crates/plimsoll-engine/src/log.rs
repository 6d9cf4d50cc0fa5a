//! One line for each request, for whoever wants to look at every single one.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::sample::Sample;

/// The first line of the file.
const HEADER: &str = "due_s,lag_ms,service_ms,response_ms,outcome,refused,status,body_bytes\n";
/// Lines are gathered per thread, and written together.
const GATHERED_BYTES: usize = 64 * 1024;

/// One thread's end of the log file.
pub(crate) struct Log {
    file: LogFile,
    gathered: Vec<u8>,
}

/// The log file that all threads write to.
#[derive(Debug, Clone)]
pub(crate) struct LogFile {
    file: Arc<Mutex<BufWriter<File>>>,
    /// Why it is shorter than the run, if it is.
    broken: Arc<OnceLock<String>>,
}

impl LogFile {
    /// Writes the header.
    pub(crate) fn create(path: &std::path::Path) -> std::io::Result<Self> {
        let mut file = BufWriter::new(File::create(path)?);
        file.write_all(HEADER.as_bytes())?;
        Ok(Self { file: Arc::new(Mutex::new(file)), broken: Arc::default() })
    }

    /// Why it is shorter than the run, if it is.
    pub(crate) fn broken(&self) -> Option<&str> {
        self.broken.get().map(String::as_str)
    }

    /// An end for one thread.
    pub(crate) fn end(&self) -> Log {
        Log { file: self.clone(), gathered: Vec::new() }
    }
}

impl Log {
    pub(crate) fn write(&mut self, sample: &Sample, response: u64, refused: bool) {
        let ms = |ns: u64| ns as f64 / 1e6;
        let (lag, service) = (sample.sent - sample.due, sample.end - sample.sent);
        // Writing to a vector cannot fail.
        let _ = writeln!(
            self.gathered,
            "{:.6},{:.3},{:.3},{:.3},{},{},{},{}",
            sample.due as f64 / 1e9,
            ms(lag),
            ms(service),
            ms(response),
            sample.outcome.name(),
            refused,
            sample.status,
            sample.body_bytes
        );
        if self.gathered.len() >= GATHERED_BYTES {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let mut file = self.file.file.lock().unwrap_or_else(PoisonError::into_inner);
        // A full disk must not end a measurement; the file is then shorter than the run, which is said at the end.
        if let Err(error) = file.write_all(&self.gathered).and_then(|()| file.flush()) {
            self.file.broken.get_or_init(|| error.to_string());
        }
        self.gathered.clear();
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        self.flush();
    }
}
