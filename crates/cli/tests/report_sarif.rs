//! SARIF against bindings made from the published schema.
//!
//! The bindings ignore fields that they do not know, and drop them when writing; so what comes back
//! unchanged has neither a misspelt nor a misplaced field.

mod samples;

use cli::render::sarif::render_sarif;
use samples::samples;
use serde_json::Value;
use serde_sarif::sarif::Sarif;

fn logs() -> impl Iterator<Item = (String, Value)> {
    samples().into_iter().flat_map(|(name, report)| {
        [false, true].map(|all| {
            let text = render_sarif(&report, all);
            (format!("{name}, all: {all}"), serde_json::from_str(&text).unwrap())
        })
    })
}

fn results(log: &Value) -> &[Value] {
    log["runs"][0]["results"].as_array().unwrap()
}

#[test]
fn every_field_is_one_of_the_standard() {
    for (name, log) in logs() {
        let typed: Sarif =
            serde_json::from_value(log.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(serde_json::to_value(typed).unwrap(), log, "{name}");
    }
}

#[test]
fn kinds_and_levels_go_together() {
    for (name, log) in logs() {
        for result in results(&log) {
            let pair = (result["kind"].as_str().unwrap(), result["level"].as_str().unwrap());
            let properties = &result["properties"];
            let current = properties["pruned"].is_null() && properties["change"] != "gone";
            let allowed: &[_] = match properties["verdict"].as_str().unwrap() {
                _ if !current => &[("informational", "none")],
                "violated" => &[("fail", "error"), ("fail", "warning"), ("fail", "note")],
                "possible" => &[("fail", "warning"), ("fail", "note")],
                "unknown" => &[("fail", "note")],
                "holds" => &[("pass", "none")],
                other => panic!("{name}: {other}"),
            };
            assert!(allowed.contains(&pair), "{name}: {pair:?}");
        }
    }
}

#[test]
fn results_point_at_their_rule() {
    for (name, log) in logs() {
        let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
        for result in results(&log) {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(rules[index]["id"], result["ruleId"], "{name}");
        }
    }
}

#[test]
fn what_holds_is_shown_on_request_only() {
    for (name, log) in logs() {
        let holds = results(&log).iter().any(|result| result["kind"] != "fail");
        assert!(!holds || name.ends_with("true"), "{name}");
    }
}
