//! What people see of a defect of Jury itself: one line, whatever `RUST_BACKTRACE` says. The question
//! at hand gets its own answer (`internal`), and the run goes on.

use std::panic::PanicHookInfo;
use std::sync::atomic::{AtomicBool, Ordering};

/// Hands the first panic of this process to `tell`, in words, and keeps quiet about all others.
pub fn tell_once(tell: impl Fn(&str) + Send + Sync + 'static) {
    let told = AtomicBool::new(false);
    std::panic::set_hook(Box::new(move |panic| {
        if !told.swap(true, Ordering::Relaxed) {
            tell(&describe(panic));
        }
    }));
}

fn describe(panic: &PanicHookInfo<'_>) -> String {
    let message = panic.payload_as_str().unwrap_or("no message");
    let place = panic.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
    format!(
        "a fault of Jury itself, please report it: {}{}",
        message.lines().next().unwrap_or_default(),
        place.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use std::panic::{catch_unwind, take_hook};
    use std::sync::{Arc, Mutex, PoisonError};

    use super::*;

    #[test]
    fn many_faults_are_one_line() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let lines = Arc::clone(&told);
        tell_once(move |line| {
            lines.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_owned())
        });
        for number in 1..4 {
            assert!(catch_unwind(|| panic!("no term {number}\nof this space")).is_err());
        }
        drop(take_hook());
        let told = told.lock().unwrap_or_else(PoisonError::into_inner);
        let [line] = told.as_slice() else { panic!("{told:?}") };
        let start = "a fault of Jury itself, please report it: no term 1 (";
        assert!(line.starts_with(start) && line.lines().count() == 1, "{line}");
    }
}
