//! House rules that no compiler checks. Each test prints everything that breaks its rule.
//!
//! Nothing here judges taste; what is checked is what has drifted in other projects: layers, the code
//! map, sizes, and words that must not be published.

mod architecture;
mod layers;
mod sizes;
mod sources;
mod words;

/// Fails with all complaints at once.
fn report(rule: &str, complaints: &[String]) {
    assert!(complaints.is_empty(), "{rule}:\n  {}\n", complaints.join("\n  "));
}
