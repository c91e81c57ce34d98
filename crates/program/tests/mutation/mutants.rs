//! The seeds of the fuzz targets, each damaged in many ways.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::mutate::{Random, Seed};
use crate::{class, lower, lower_within_limits};

const MUTANTS: usize = 20_000;
/// These are small classes, so this is generous.
const MAX_TIME: Duration = Duration::from_secs(5);

fn seeds() -> Vec<Seed> {
    let directory = testkit::workspace_root().join("fuzz/corpus/lowering");
    let entries = std::fs::read_dir(&directory).expect("the seeds are committed");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Seed::new(name, std::fs::read(path).expect("a readable seed"))
    };
    paths.iter().map(read).collect()
}

fn exercise(bytes: &[u8]) {
    class::read_everything(bytes);
    lower_within_limits(bytes, MAX_TIME);
    lower::lower_everything(bytes);
}

#[test]
fn seeds_are_harmless() {
    let seeds = seeds();
    assert!(seeds.len() >= 30, "only {} seeds", seeds.len());
    seeds.iter().for_each(|seed| exercise(&seed.bytes));
}

#[test]
fn mutants_are_harmless() {
    let seeds = seeds();
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            // The number alone decides on the mutant, whichever thread takes it.
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= MUTANTS {
                return;
            }
            let mut random = Random::new(number as u64);
            let seed = &seeds[number % seeds.len()];
            let other = &seeds[random.below(seeds.len())];
            let mutant = seed.mutate(other, &mut random);
            let result = catch_unwind(AssertUnwindSafe(|| exercise(&mutant)));
            assert!(result.is_ok(), "mutant {number}, of {}", seed.name);
        }
    };
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(work);
        }
    });
}
