//! The rules, one file each, and the one list that registers them.
//!
//! To add a rule: add its file, its `mod` line and its entry. The order is that of `jury explain`.

use crate::rule::Rule;

mod class_init_acyclic;
mod compare_antisymmetric;
mod compare_consistent;
mod compare_total;
mod compare_transitive;
mod equals_null;
mod equals_overloaded;
mod equals_reflexive;
mod equals_symmetric;
mod equals_total;
mod equals_transitive;
mod hash_consistent;
mod hash_stable;
mod lock_order_acyclic;
mod no_wait_under_second_lock;
mod same_behaviour;

/// All rules.
pub static RULES: &[&Rule] = &[
    &equals_reflexive::RULE,
    &equals_symmetric::RULE,
    &equals_transitive::RULE,
    &equals_null::RULE,
    &equals_total::RULE,
    &equals_overloaded::RULE,
    &hash_consistent::RULE,
    &hash_stable::RULE,
    &compare_antisymmetric::RULE,
    &compare_transitive::RULE,
    &compare_total::RULE,
    &compare_consistent::RULE,
    &same_behaviour::RULE,
    &lock_order_acyclic::RULE,
    &class_init_acyclic::RULE,
    &no_wait_under_second_lock::RULE,
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_kebab_case() {
        let names: BTreeSet<_> = RULES.iter().map(|rule| rule.name).collect();
        assert_eq!(names.len(), RULES.len());
        for name in names {
            assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{name}");
        }
    }

    #[test]
    fn every_rule_stands_in_the_file_of_its_name() {
        let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules");
        let files: BTreeSet<_> = std::fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        let names: BTreeSet<_> = RULES.iter().map(|rule| rule.name.replace('-', "_")).collect();
        assert_eq!(files, names);
    }

    #[test]
    fn every_rule_is_explained_under_every_heading() {
        for rule in RULES {
            assert!(!rule.summary.is_empty() && !rule.summary.ends_with('.'), "{}", rule.name);
            for (heading, text) in rule.explanation.sections() {
                assert!(text.len() > 40, "{}: {heading}", rule.name);
                assert!(!text.contains('\t') && !text.ends_with(' '), "{}: {heading}", rule.name);
            }
            assert!(rule.explanation.example.contains("\n    "), "{} shows code", rule.name);
        }
    }

    #[test]
    fn rules_are_found_by_name() {
        assert_eq!(Rule::named("hash-stable").unwrap().name, "hash-stable");
        assert!(Rule::named("equals-asymmetric").is_none());
    }
}
