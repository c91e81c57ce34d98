//! One run of `jury`: from parsed arguments to an exit code.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::args::{Cli, Command, ExplainArgs, Format, Output};
use crate::diff::diff;
use crate::dump::dump;
use crate::equals::equals;
use crate::eval::eval;
use crate::locks::judge_locks;
use crate::render::explain::{render_rule, render_rules, unknown_rule};
use crate::render::json::render_json;
use crate::render::sarif::render_sarif;
use crate::render::text::render_text;
use crate::render::{Style, sanitize};

const NOTHING_TO_FAIL_ON: u8 = 0;
const FOUND: u8 = 1;

/// Does what the command line says. An error means that nothing could be read or done: exit code 2.
pub fn run(cli: &Cli) -> Result<ExitCode> {
    match &cli.command {
        Command::Explain(args) => explain(args)?,
        Command::Dump(args) => {
            let (text, problems) = with_threads(args.threads, || dump(args))??;
            for problem in problems {
                warn(&format!("{}: {}", problem.path, problem.message));
            }
            write_output(args.output.as_deref(), &text)?;
        }
        Command::Eval(args) => {
            let text = if args.every {
                with_deep_threads(args.threads, || eval(args))??
            } else {
                on_deep_stack(|| eval(args))??
            };
            write_output(None, &text)?;
        }
        Command::Equals(args) => {
            let report = with_deep_threads(args.common.threads, || equals(args))??;
            return finish(&report, args.format, &args.common.output);
        }
        Command::Diff(args) => {
            let report = with_deep_threads(args.common.threads, || diff(args))??;
            return finish(&report, args.format, &args.common.output);
        }
        Command::Locks(args) => return with_threads(args.common.threads, || judge_locks(args))?,
    }
    Ok(ExitCode::from(NOTHING_TO_FAIL_ON))
}

fn explain(args: &ExplainArgs) -> Result<()> {
    let style = Style::of_stdout();
    let text = match &args.rule {
        None => render_rules(style),
        Some(name) => match checks::RULES.iter().find(|rule| rule.name == name) {
            Some(rule) => render_rule(rule, style),
            None => bail!("{}", unknown_rule(name)),
        },
    };
    write_output(None, &text)
}

fn with_threads<T: Send>(
    threads: Option<NonZeroUsize>,
    work: impl FnOnce() -> T + Send,
) -> Result<T> {
    let threads = threads.map_or(0, NonZeroUsize::get);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    Ok(pool.install(work))
}

/// As `with_threads`, for work that runs the engine.
fn with_deep_threads<T: Send>(
    threads: Option<NonZeroUsize>,
    work: impl FnOnce() -> T + Send,
) -> Result<T> {
    const STACK: usize = 512 << 20;
    let threads = threads.map_or(0, NonZeroUsize::get);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build()?;
    Ok(pool.install(work))
}

/// Writes the report; the exit code says whether there is something to fail on.
fn finish(report: &checks::Report, format: Format, output: &Output) -> Result<ExitCode> {
    let text = match format {
        Format::Text => {
            let style = if output.output.is_some() { Style::PLAIN } else { Style::of_stdout() };
            render_text(report, style, output.all)
        }
        Format::Json => render_json(report, output.all),
        Format::Sarif => render_sarif(report, output.all),
    };
    write_output(output.output.as_deref(), &text)?;
    let is_met = output.fail_on.is_met_by(report.summary());
    Ok(ExitCode::from(if is_met { FOUND } else { NOTHING_TO_FAIL_ON }))
}

/// The engine calls itself for each call of the program that it runs.
fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T> {
    const STACK: usize = 1 << 30;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
        thread.join().map_err(|_| anyhow::anyhow!("the engine failed; please report this call"))
    })
}

pub(crate) fn write_output(path: Option<&Path>, text: &str) -> Result<()> {
    match path {
        Some(path) => {
            std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
        }
        None => match std::io::stdout().write_all(text.as_bytes()) {
            // `jury ... | head` has read enough.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            written => written.context("cannot write to standard output"),
        },
    }
}

/// Tells who has no solver program what that costs and how to get one: without this line, answers would only
/// be fewer.
pub(crate) fn warn_without(solver: &smt::Solver) {
    if let Err(missing) = solver.locate() {
        warn(&format!("what only a solver can decide stays unknown: {missing}"));
    }
}

/// A line for the user beside the output. That nobody may be listening is no reason to stop.
pub fn warn(message: &str) {
    let _ = writeln!(std::io::stderr(), "jury: {}", sanitize::line(message));
}
