//! Order guards: code that compares two objects first and then locks them in that order.

use super::feasible::Role;
use super::summary::Context;

/// Why the order in which the roles lock cannot be reversed, if so.
pub(crate) fn refute_by_order(_context: &Context<'_>, _roles: &[Role<'_>]) -> Option<String> {
    None
}
