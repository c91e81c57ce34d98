//! The program `jury`.

use std::process::ExitCode;

use clap::Parser;
use cli::args::Cli;

// Lowering makes and drops many small lists on all threads: measured a quarter faster than malloc.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Usage error, or nothing could be read.
const UNUSABLE: u8 = 2;

fn main() -> ExitCode {
    let cli = Cli::parse();
    cli::fault::tell_once(cli::warn);
    let Ok(ended) = std::panic::catch_unwind(|| cli::run(&cli)) else {
        return ExitCode::from(UNUSABLE);
    };
    ended.unwrap_or_else(|error| {
        cli::warn(&format!("{error:#}"));
        ExitCode::from(UNUSABLE)
    })
}
