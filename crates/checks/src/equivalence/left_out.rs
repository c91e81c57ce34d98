//! What two runs that end alike do not show: a proof of these stays open where it matters.

use symex::symbolic::EMPTY_ARRAYS;

use super::first_use::shows_first_use;
use super::inside::makes_others;
use super::proof::Question;
use super::told_apart::Things;
use crate::verdict::Scope;

pub(super) fn what_it_leaves_out(question: &Question<'_>, scope: &Scope) -> Option<&'static str> {
    let has_empty_arrays = scope.assumptions.iter().any(|it| it == EMPTY_ARRAYS);
    if has_empty_arrays && question.edited.tells_apart(question.new.0, Things::Arrays) {
        Some("another empty array may be there, and some code compares arrays by reference")
    } else if shows_first_use(question) {
        Some(
            "it may initialise a class which then changes or prints something; whether both versions do so in \
             the same cases is not followed",
        )
    } else if makes_others(question) {
        Some("it makes an object of a class inside of it that was not proved to do what it did")
    } else {
        None
    }
}
