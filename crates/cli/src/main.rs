//! The program `jury`.

use std::process::ExitCode;

use clap::Parser;
use cli::args::Cli;

/// Usage error, or nothing could be read.
const UNUSABLE: u8 = 2;

fn main() -> ExitCode {
    let cli = Cli::parse();
    cli::run(&cli).unwrap_or_else(|error| {
        cli::warn(&format!("{error:#}"));
        ExitCode::from(UNUSABLE)
    })
}
