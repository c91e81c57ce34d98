//! Many checks at a time, as one test.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Result, ensure};

/// Runs `check` on every item, as many at a time as there are processors. Fails with what went wrong
/// with all of them, in their order.
pub fn check_all<T: Sync>(items: &[T], check: impl Fn(&T) -> Result<()> + Sync) -> Result<()> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut failed = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return failed };
            if let Err(error) = check(item) {
                failed.push((index, format!("{error:#}")));
            }
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let mut failed: Vec<(usize, String)> = thread::scope(|scope| {
        let running: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let ended = running.into_iter().map(thread::ScopedJoinHandle::join);
        ended.flat_map(|it| it.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    failed.sort();
    let texts: Vec<&str> = failed.iter().map(|(_, text)| text.as_str()).collect();
    ensure!(failed.is_empty(), "{} of {} failed:\n{}", failed.len(), items.len(), texts.join("\n"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_failures_are_told_in_order() {
        let items: Vec<usize> = (0..100).collect();
        let check = |&item: &usize| {
            ensure!(item % 40 != 3, "bad {item}");
            Ok(())
        };
        let told = check_all(&items, check).map_err(|error| error.to_string());
        assert_eq!(told, Err("3 of 100 failed:\nbad 3\nbad 43\nbad 83".to_owned()));
        assert!(check_all(&items[..3], check).is_ok());
    }
}
