//! A plan as text for the JVM that follows it: one line per fact, parts separated by tabs.

use checks::locks::{HangKind, HangPlan, Spot};

pub(super) fn text(plan: &HangPlan) -> String {
    let kind = match plan.kind {
        HangKind::Locks => "LOCKS",
        HangKind::Init => "INIT",
        HangKind::Wait => "WAIT",
        HangKind::Alone => "ALONE",
    };
    let mut text = line(["kind", kind]);
    for actor in &plan.actors {
        text += &line(["actor", actor]);
    }
    for (class, below) in &plan.subtypes {
        text += &line(["subtypes", class].into_iter().chain(below.iter().map(String::as_str)));
    }
    let numbers: Vec<String> = plan.numbers.iter().map(i64::to_string).collect();
    text += &line(["numbers"].into_iter().chain(numbers.iter().map(String::as_str)));
    text += &line(["texts"].into_iter().chain(plan.texts.iter().map(String::as_str)));
    for (number, role) in plan.roles.iter().enumerate() {
        let number = number.to_string();
        let spawned = if role.is_spawned { "spawned" } else { "called" };
        let actors: Vec<String> =
            role.actors.iter().map(|(parameter, actor)| format!("{parameter}={actor}")).collect();
        let fixed = ["role", &role.class, &role.method, &role.descriptor, spawned, &role.wants];
        text += &line(fixed.into_iter().chain(actors.iter().map(String::as_str)));
        if let Some(stop) = &role.stop {
            let pc = stop.pc.to_string();
            let side = if stop.is_after { "after" } else { "before" };
            text +=
                &line(["stop", &number, &stop.class, &stop.method, &stop.descriptor, &pc, side]);
        }
    }
    if plan.is_program {
        text += &line(["program"]);
    }
    if let Some(role) = plan.passed {
        text += &line(["passed", &role.to_string()]);
    }
    if plan.is_hunch {
        text += &line(["hunch"]);
    }
    for spots in &plan.same {
        let spots: Vec<String> = spots.iter().map(spot).collect();
        text += &line(["same"].into_iter().chain(spots.iter().map(String::as_str)));
    }
    text
}

/// `role parameter class.field class.field`
fn spot(spot: &Spot) -> String {
    let fields = spot.fields.iter().map(|(class, field)| format!(" {class}.{field}"));
    format!("{} {}{}", spot.role, spot.parameter, fields.collect::<String>())
}

fn line<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    // A name with a tab or a line end in it is no Java name; such a plan leads nowhere.
    let clean = parts.into_iter().map(|part| part.replace(['\t', '\n', '\r'], " "));
    clean.collect::<Vec<_>>().join("\t") + "\n"
}
