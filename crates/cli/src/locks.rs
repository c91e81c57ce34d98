//! `jury locks`: from arguments to a report.

use std::process::ExitCode;

use anyhow::Result;
use program::{ClassId, Role};

use crate::args::LocksArgs;
use crate::load::load;

pub(crate) fn judge_locks(args: &LocksArgs) -> Result<ExitCode> {
    let loaded = load(&args.paths, &args.common.classpath)?;
    let judged: Vec<ClassId> = loaded.program.class_ids(Role::Judged).collect();
    let analysis = checks::locks::analyse_locks(&loaded.program, &judged);
    crate::run::write_output(None, &format!("{}\n{:?}\n", analysis.debug, analysis.stats))?;
    Ok(ExitCode::from(0))
}
