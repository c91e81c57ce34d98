//! The values that options take.

use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

use checks::Summary;
use clap::ValueEnum;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    #[default]
    Text,
    Json,
    Sarif,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum LocksFormat {
    #[default]
    Text,
    Json,
    Sarif,
    Dot,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum DumpFormat {
    #[default]
    Text,
    Json,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Solver {
    #[default]
    Z3,
    Cvc5,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum World {
    /// Any thread may call any accessible member
    #[default]
    Open,
    /// Only threads started from main exist
    Main,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Budget {
    Quick,
    #[default]
    Normal,
    Thorough,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum WitnessForm {
    /// A class with a main method
    #[default]
    Main,
    /// A JUnit 5 test
    Junit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Assumption {
    /// Inputs are trees: no object is reachable by two paths
    Unshared,
}

/// The weakest verdict that makes a run fail.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    #[default]
    Violated,
    Possible,
    Unknown,
    Never,
}

impl FailOn {
    /// Whether a run with these numbers ends with exit code 1.
    pub fn is_met_by(self, summary: &Summary) -> bool {
        let found = match self {
            FailOn::Violated => summary.violated,
            FailOn::Possible => summary.violated + summary.possible,
            FailOn::Unknown => summary.violated + summary.possible + summary.unknown,
            FailOn::Never => 0,
        };
        found > 0
    }
}

/// Which JDK is on the class path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Jdk {
    Home(PathBuf),
    /// None at all, not even `java.lang.Object`.
    None,
}

impl FromStr for Jdk {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Jdk, Infallible> {
        Ok(if text == "none" { Jdk::None } else { Jdk::Home(PathBuf::from(text)) })
    }
}

/// A class of the old version and its counterpart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassMatch {
    pub old: String,
    pub new: String,
}

impl FromStr for ClassMatch {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<ClassMatch, &'static str> {
        match text.split_once('=') {
            Some((old, new)) if !old.is_empty() && !new.is_empty() => {
                Ok(ClassMatch { old: old.to_owned(), new: new.to_owned() })
            }
            Some(_) | None => Err("write it as OLDCLASS=NEWCLASS, such as com.acme.A=com.acme.B"),
        }
    }
}
