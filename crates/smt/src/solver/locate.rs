//! Where the solver program is.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};

use super::options::Dialect;

/// No solver program, and how to get one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingSolver {
    message: String,
}

impl fmt::Display for MissingSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for MissingSolver {}

/// The solver program: the one named, else `$JURY_SOLVER`, else beside the running program, else
/// `target/solver/bin/` in a directory above it, else on PATH.
pub fn locate_solver(named: Option<&Path>, dialect: Dialect) -> Result<PathBuf, MissingSolver> {
    if let Some(path) = named {
        return existing(path, "the solver that was named");
    }
    if let Some(path) = env::var_os("JURY_SOLVER").filter(|path| !path.is_empty()) {
        return existing(Path::new(&path), "JURY_SOLVER");
    }
    let program = format!("{}{}", dialect.program(), env::consts::EXE_SUFFIX);
    let executable = env::current_exe().unwrap_or_default();
    let near = executable.ancestors().skip(1).flat_map(|above| {
        [above.join("target/solver/bin").join(&program), above.join("solver/bin").join(&program)]
    });
    let beside = executable.parent().map(|parent| parent.join(&program));
    let search = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&search).map(|directory| directory.join(&program));
    let mut places = beside.into_iter().chain(near).chain(on_path);
    places.find(|place| place.is_file()).ok_or_else(|| missing(dialect))
}

fn existing(path: &Path, what: &str) -> Result<PathBuf, MissingSolver> {
    if path.is_file() {
        return Ok(path.to_path_buf());
    }
    Err(MissingSolver { message: format!("{what} is not a file: {}", path.display()) })
}

fn missing(dialect: Dialect) -> MissingSolver {
    let advice = match dialect {
        Dialect::Z3 => {
            "run scripts/fetch-solver, or install it (python3 -m pip install z3-solver, or your \
             system's z3 package) and put z3 on PATH, beside jury, or name it in JURY_SOLVER"
        }
        Dialect::Cvc5 => {
            "install the cvc5 program (its PyPI package has libraries only) and put it on PATH, \
             beside jury, or name it in JURY_SOLVER"
        }
    };
    MissingSolver { message: format!("there is no {} program: {advice}", dialect.program()) }
}
