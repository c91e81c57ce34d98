//! Behavioural equivalence: does a method of the new version do what it did in the old one?
//!
//! Methods whose code is the same in [lock step](lockstep), and that call only such, are passed without
//! work ([`matching`], [`reach`]).
//! The others are tried on concrete inputs first ([`trial`]); what they do not tell apart is put to a
//! proof on symbolic inputs ([`proof`]). What shows a difference goes to two JVMs, one per version, and
//! only what differs there is a violation; calls that our own machine cannot follow are tried there
//! straight away ([`settle`]).

mod asking;
mod borne_out;
mod choices;
mod closed;
mod compatibility;
mod constants;
mod drawing;
mod exceptions;
mod first_use;
mod hooks;
mod induction;
mod initialiser;
mod inputs;
mod inside;
mod kept;
mod left_out;
mod levels;
mod lockstep;
mod matching;
mod proof;
mod reach;
mod reading;
mod renamed;
mod renumbered;
mod replaced;
mod retyped;
mod settle;
mod shorter;
mod snapshot;
mod source;
mod states;
mod stock;
mod story;
mod stubs;
mod texts;
mod told_apart;
mod trial;
mod turns;
mod watch;

pub use borne_out::not_borne_out;
pub use compatibility::{Compatibility, compatibility};
pub use lockstep::Lockstep;
pub use matching::{Matching, MethodPair, OTHER_OBJECTS, match_methods, n_rewritten};
pub use proof::Edited;
pub use reach::Others;
pub use renamed::renamed_fields;
pub use renumbered::renumbered;
pub use replaced::Replaced;
pub use retyped::retyped;
pub use settle::{Observe, Observed, Settled, settle, simple_name};
pub use source::source;
pub use story::{Further, On, Then};
pub use trial::{CallKind, Effort, Examined, Trial, examine};
pub use watch::{Unseen, Watched, reshaped, shows_same, unseen};

/// What the proof of a constructor rests on.
pub const VERY_CLASS: &str = "the object is of this very class";
