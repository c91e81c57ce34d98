//! Ctrl-C: the first one ends the work and leaves a report of what is done, the second one ends all.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the user wants the run to end.
#[derive(Clone, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on. Where that is not possible, Ctrl-C ends the process as usual.
    pub(crate) fn listen() -> Interrupt {
        const BY_SIGNAL: i32 = 130;
        let interrupt = Interrupt::default();
        let flag = interrupt.0.clone();
        let listening = ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(BY_SIGNAL);
            }
        });
        if listening.is_err() {
            crate::warn("Ctrl-C will end the run without a report");
        }
        interrupt
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
