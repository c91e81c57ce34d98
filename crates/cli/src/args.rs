//! The command line, as types.
//!
//! Only syntax: nothing here opens a file or asks the environment. Usage errors end with exit code 2,
//! which is also clap's own. Each command has its argument struct, so that a command is switched on
//! or off by its one variant in [`Command`].

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

mod values;

pub use values::{
    Assumption, Budget, ClassMatch, DumpFormat, FailOn, Format, Jdk, LocksFormat, Solver,
    WitnessForm, World,
};

/// Verdicts on Java bytecode: a proof, or a counterexample that runs, or a plain "unknown, because".
#[derive(Debug, Parser)]
#[command(name = "jury", bin_name = "jury", version)]
#[command(max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Exit code: 0 nothing to fail on, 1 found (see --fail-on), 2 usage error or nothing could be read.";

#[derive(Debug, Subcommand)]
pub enum Command {
    Equals(Box<EqualsArgs>),
    Diff(Box<DiffArgs>),
    Locks(Box<LocksArgs>),
    Explain(ExplainArgs),
    Dump(DumpArgs),
    Eval(EvalArgs),
}

/// Judge equals, hashCode, compareTo and comparators
///
/// For each type hierarchy: is equals reflexive, symmetric, transitive, false for null, and without
/// exceptions? Do equal objects have equal hash codes? Is the order of compareTo an order?
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  jury equals app.jar
  jury equals target/classes --cp lib/guava.jar --only 'com.acme.*'
  jury equals app.jar --witness-dir src/test/java/witness --witness junit
  jury equals app.jar --format sarif -o jury.sarif --fail-on possible

Replay runs code of the judged jar in a child JVM. With --no-replay none of it runs.")]
pub struct EqualsArgs {
    /// Classes, jars, directories, jmods or a JDK home
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub common: Common,
    /// Form of the report
    #[arg(long, value_enum, default_value_t, help_heading = "Report")]
    pub format: Format,
    /// Program that decides formulas
    #[arg(long, value_enum, default_value_t, help_heading = "Work")]
    pub solver: Solver,
}

/// Judge whether a new version still does what the old one did
///
/// For each changed method: proved to do the same, or an input on which the two versions part.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  jury diff lib-1.4.0.jar lib-1.4.1.jar
  jury diff old/ new/ --method 'com.acme.Tree.insert(I)V'
  jury diff old.jar new.jar --match com.acme.OldName=com.acme.NewName

Replay runs code of both versions in a child JVM. With --no-replay none of it runs.")]
pub struct DiffArgs {
    /// The old version: a class, jar or directory
    pub old: PathBuf,
    /// The new version
    pub new: PathBuf,
    /// Judge only this method, written Class.name(descriptor)
    #[arg(long, value_name = "METHOD")]
    pub method: Option<String>,
    /// Compare these two classes although their names differ (repeatable)
    #[arg(long = "match", value_name = "OLDCLASS=NEWCLASS")]
    pub matches: Vec<ClassMatch>,
    /// What may be taken for granted about inputs (repeatable)
    #[arg(long, value_enum, value_name = "WHAT")]
    pub assume: Vec<Assumption>,
    #[command(flatten)]
    pub common: Common,
    /// Form of the report
    #[arg(long, value_enum, default_value_t, help_heading = "Report")]
    pub format: Format,
    /// Program that decides formulas
    #[arg(long, value_enum, default_value_t, help_heading = "Work")]
    pub solver: Solver,
}

/// Judge whether threads can block each other forever
///
/// Finds circles of locks and of class initialisers, with the calls that lead into them.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  jury locks                                    the JDK that `java` runs from
  jury locks pool.jar --cp driver.jar
  jury locks pool-2.0.jar --compare pool-1.9.jar
  jury locks pool.jar --contracts > locks.txt   to commit and to diff
  jury locks pool.jar --format dot | dot -Tsvg -o cycles.svg

Replay runs code of the judged jar in a child JVM. With --no-replay none of it runs.")]
pub struct LocksArgs {
    /// Classes, jars, directories, jmods or a JDK home; none: the JDK that `java` runs from
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Say which cycles are new, gone or unchanged since this older release
    #[arg(long, value_name = "OLD")]
    pub compare: Option<PathBuf>,
    /// Print what each exported method may lock, and in which order, instead of a report
    #[arg(long)]
    pub contracts: bool,
    #[command(flatten)]
    pub common: Common,
    /// Form of the report
    #[arg(long, value_enum, default_value_t, help_heading = "Report")]
    pub format: LocksFormat,
}

/// Say what a rule proves, why it matters, and how to fix a violation
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  jury explain                     all rules
  jury explain hash-consistent")]
pub struct ExplainArgs {
    /// The rule's name, as in a report; none: list all rules
    pub rule: Option<String>,
}

/// Print classes and method bodies as Jury sees them
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  jury dump app.jar                         the hierarchy
  jury dump app.jar com.acme.Point          one class
  jury dump app.jar com.acme.Point.equals   one method
  jury dump --stats app.jar                 counts, failures, time and memory")]
pub struct DumpArgs {
    /// A class, jar, directory, jmod or JDK home
    pub path: PathBuf,
    /// What to print; none: the hierarchy
    #[arg(value_name = "CLASS[.METHOD]")]
    pub member: Option<String>,
    /// Lower everything and print counts, failures, time and peak memory
    #[arg(long)]
    pub stats: bool,
    /// Form of the statistics
    #[arg(long, value_enum, default_value_t)]
    pub format: DumpFormat,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Worker threads; default: one per core
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    #[command(flatten)]
    pub classpath: Classpath,
}

/// Run one call in the engine and print its outcome
///
/// Values are written as in Java: 3, 3L, 1.5f, NaN, -0.0, 'a', "text", null, [1,2]. An argument _ is
/// left open, and the outcome is printed as a formula. Options go before the first argument.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  jury eval --cp x.jar 'p.C.m(I[DLjava/lang/String;)J' 3 '[1.5,NaN]' '\"ab\"'
  jury eval 'java.lang.Math.abs(I)I' _
  jury eval --cp x.jar --calls calls.txt --json")]
pub struct EvalArgs {
    /// Known classes: jars or directories (repeatable)
    #[arg(long, value_name = "PATH")]
    pub cp: Vec<PathBuf>,
    /// JDK whose classes are known, or none; default: the one that `java` runs from
    #[arg(long, value_name = "HOME|none")]
    pub jdk: Option<Jdk>,
    /// Read calls from this file, one per line: the method, then its arguments
    #[arg(long, value_name = "FILE")]
    pub calls: Option<PathBuf>,
    /// Print one JSON object per call
    #[arg(long)]
    pub json: bool,
    /// Run each method once on open inputs, then look the calls up in its outcome
    #[arg(long)]
    pub symbolic: bool,
    /// Run every method of --cp on open inputs, and count what it costs
    #[arg(long, conflicts_with = "calls")]
    pub every: bool,
    /// Worker threads for --every; default: one per core
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// How much work to spend
    #[arg(long, value_enum, default_value_t)]
    pub budget: Budget,
    /// A static method, written Class.name(descriptor)
    #[arg(required_unless_present_any = ["calls", "every"], conflicts_with_all = ["calls", "every"])]
    pub method: Option<String>,
    /// Its arguments
    #[arg(value_name = "ARG", allow_hyphen_values = true)]
    pub arguments: Vec<String>,
}

/// What all judging commands share.
#[derive(Debug, Args)]
pub struct Common {
    #[command(flatten)]
    pub classpath: Classpath,
    /// Judge only classes whose name matches, such as 'com.acme.*' (repeatable)
    #[arg(long, value_name = "GLOB", help_heading = "Input")]
    pub only: Vec<String>,
    #[command(flatten)]
    pub output: Output,
    #[command(flatten)]
    pub witnesses: Witnesses,
    /// Who may call the judged code: anyone, or only threads started from main
    #[arg(long, value_enum, default_value_t, help_heading = "Work")]
    pub world: World,
    /// How much work to spend before a question is given up as unknown
    #[arg(long, value_enum, default_value_t, help_heading = "Work")]
    pub budget: Budget,
    /// Worker threads; default: one per core. The report does not depend on it
    #[arg(long, value_name = "N", help_heading = "Work")]
    pub threads: Option<NonZeroUsize>,
}

/// Classes that are known but not judged.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub struct Classpath {
    /// Classes that are known but not judged: a jar or directory (repeatable)
    #[arg(long, value_name = "PATH")]
    pub cp: Vec<PathBuf>,
    /// JDK whose classes are known, or none; default: the one that `java` runs from
    #[arg(long, value_name = "HOME|none")]
    pub jdk: Option<Jdk>,
}

/// What the report contains, where it goes, and what the exit code makes of it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Report")]
pub struct Output {
    /// Write the report to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Also list what holds, and what was pruned and why
    #[arg(long)]
    pub all: bool,
    /// Add counts, times and peak memory
    #[arg(long)]
    pub stats: bool,
    /// End with exit code 1 from this verdict on
    #[arg(long, value_enum, default_value_t, value_name = "VERDICT")]
    pub fail_on: FailOn,
}

/// What becomes of witnesses.
#[derive(Debug, Args)]
#[command(next_help_heading = "Witnesses")]
pub struct Witnesses {
    /// Write each witness as a Java file into this directory
    #[arg(long, value_name = "DIR")]
    pub witness_dir: Option<PathBuf>,
    /// Form of those files
    #[arg(long, value_enum, default_value_t)]
    pub witness: WitnessForm,
    /// Run no witness on a JVM; then nothing is violated, at most possible
    #[arg(long)]
    pub no_replay: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use checks::Summary;
    use clap::CommandFactory;

    fn parse(line: &[&str]) -> Result<Command, clap::Error> {
        Cli::try_parse_from([&["jury"], line].concat()).map(|cli| cli.command)
    }

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn usage_errors_exit_with_2() {
        for line in
            [&["equals"][..], &["diff", "a.jar"], &["eval"], &["locks", "--format", "xml"], &[]]
        {
            assert_eq!(parse(line).unwrap_err().exit_code(), 2, "{line:?}");
        }
        assert_eq!(parse(&["diff", "a", "b", "--match", "C"]).unwrap_err().exit_code(), 2);
        assert_eq!(parse(&["--help"]).unwrap_err().exit_code(), 0);
    }

    #[test]
    fn common_options() {
        let line = "equals a.jar b --cp x.jar --cp y --jdk none --only p.* --only q.* --format sarif -o r \
            --witness-dir w --witness junit --no-replay --solver cvc5 --world main --budget quick \
            --threads 2 --stats --fail-on unknown --all";
        let Command::Equals(args) = parse(&line.split_whitespace().collect::<Vec<_>>()).unwrap()
        else {
            unreachable!()
        };
        assert_eq!(args.paths.len(), 2);
        assert_eq!(args.common.classpath.cp.len(), 2);
        assert_eq!(args.common.classpath.jdk, Some(Jdk::None));
        assert_eq!(args.common.only, ["p.*", "q.*"]);
        assert_eq!((args.format, args.solver), (Format::Sarif, Solver::Cvc5));
        assert_eq!((args.common.world, args.common.budget), (World::Main, Budget::Quick));
        assert!(
            args.common.output.all && args.common.output.stats && args.common.witnesses.no_replay
        );
        assert_eq!(args.common.output.fail_on, FailOn::Unknown);
        assert_eq!(args.common.witnesses.witness, WitnessForm::Junit);
    }

    #[test]
    fn only_locks_draw_graphs_and_do_without_a_path() {
        assert!(matches!(parse(&["locks", "--format", "dot"]), Ok(Command::Locks(_))));
        assert!(parse(&["equals", "a.jar", "--format", "dot"]).is_err());
    }

    #[test]
    fn arguments_of_a_call_may_begin_with_a_hyphen() {
        let Command::Eval(args) =
            parse(&["eval", "p.C.m(IF)V", "--cp", "x.jar", "--json", "-3", "-Infinity", "--x"])
                .unwrap()
        else {
            unreachable!()
        };
        assert!(args.json);
        assert_eq!(args.arguments, ["-3", "-Infinity", "--x"]);
        assert!(parse(&["eval", "--calls", "f", "--json"]).is_ok());
        assert!(parse(&["eval", "--calls", "f", "p.C.m()V"]).is_err());
    }

    #[test]
    fn a_run_fails_from_the_chosen_verdict_on() {
        let summary = Summary { possible: 1, unknown: 3, ..Summary::default() };
        assert!(!FailOn::Violated.is_met_by(&summary));
        assert!(FailOn::Possible.is_met_by(&summary));
        assert!(FailOn::Unknown.is_met_by(&summary));
        assert!(!FailOn::Never.is_met_by(&Summary { violated: 9, ..Summary::default() }));
    }
}
