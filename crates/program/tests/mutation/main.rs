//! Hostile classes through reader and lowering: no panic, no body that the verifier refuses, and no
//! method that costs more than its share of memory or time.
//!
//! `mutants` damages the seeds of the fuzz targets; `worst` is made by hand to be as expensive as a
//! class file can be. Not here: long runs and their findings (`make fuzz`).

// What the fuzz targets do, as they do it.
#[expect(unreachable_pub, reason = "public in the fuzz crate")]
#[path = "../../../../fuzz/src/class.rs"]
mod class;
mod found;
#[expect(unreachable_pub, reason = "public in the fuzz crate")]
#[path = "../../../../fuzz/src/lower.rs"]
mod lower;
mod memory;
mod mutants;
mod mutate;
mod worst;

use std::time::{Duration, Instant};

use program::{LowerError, Role};

/// What one method may cost.
const MAX_MEMORY: usize = 64 << 20;

/// Lowers every method of the class and holds the cost of each against the limits. Returns why
/// methods were refused.
fn lower_within_limits(bytes: &[u8], max_time: Duration) -> Vec<LowerError> {
    let mut refused = Vec::new();
    let Some(program) = lower::program_of(bytes) else { return refused };
    for class in program.class_ids(Role::Judged).filter_map(|id| program.class(id)) {
        for (method, declared) in class.methods() {
            let start = Stopwatch::start();
            let (lowered, peak) = memory::peak_of(|| program.lower(method));
            let time = start.elapsed();
            let name = program.names.text(declared.name);
            assert!(peak <= MAX_MEMORY, "{name} took {} MiB", peak >> 20);
            assert!(time <= max_time, "{name} took {time:?}");
            refused.extend(lowered.err());
        }
    }
    refused
}

/// The time that this thread was running: the machine may be busy with other tests.
struct Stopwatch {
    wall: Instant,
    running: Option<Duration>,
}

impl Stopwatch {
    fn start() -> Stopwatch {
        Stopwatch { wall: Instant::now(), running: Stopwatch::running() }
    }

    fn elapsed(&self) -> Duration {
        let running = self.running.zip(Stopwatch::running());
        running.map_or_else(|| self.wall.elapsed(), |(start, end)| end.saturating_sub(start))
    }

    /// Linux tells; elsewhere the clock on the wall must do.
    fn running() -> Option<Duration> {
        let status = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(Duration::from_nanos(status.split_whitespace().next()?.parse().ok()?))
    }
}
