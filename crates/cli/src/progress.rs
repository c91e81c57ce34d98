//! A line on the terminal while work goes on.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts steps, and shows them if somebody is looking.
pub(crate) struct Progress {
    what: &'static str,
    total: usize,
    done: AtomicUsize,
    is_shown: bool,
}

impl Progress {
    pub(crate) fn new(what: &'static str, total: usize) -> Progress {
        let is_shown = std::io::stderr().is_terminal() && total > 0;
        Progress { what, total, done: AtomicUsize::new(0), is_shown }
    }

    pub(crate) fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.is_shown {
            let _ = write!(std::io::stderr(), "\r{done} of {} {}", self.total, self.what);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
