//! Reports as people and programs read them.
//!
//! Each format is a function from a [`Report`](checks::Report) to a string, without IO and without
//! state: the same report gives the same bytes. Names and messages come from class files and are
//! hostile until proved otherwise; [`sanitize`] says what that means in each format.

pub mod contracts;
pub mod dot;
pub mod explain;
pub mod json;
mod page;
mod place;
pub mod sanitize;
pub mod sarif;
pub mod text;
mod words;

pub use page::Style;
