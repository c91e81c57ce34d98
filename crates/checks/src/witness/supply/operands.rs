//! What a comparator is asked about where it compares types of the JDK.
//!
//! Whoever writes `a[0] - b[0]` or `a.hashCode() - b.hashCode()` thinks of ordinary contents; what breaks
//! it are extreme ones in a place that a parameter's few values do not reach.

use std::sync::Arc;

use symex::concrete::Machine;

use super::super::literal::Literal;
use super::super::recipe::Recipe;
use super::Supply;
use super::classes::descriptor;
use super::known::{collection, collection_class, item_want};
use super::want::{Argument, Want};

/// How many things are put into arrays and lists, each alone and behind an ordinary one.
const MAX_ITEMS: usize = 12;

impl Supply<'_> {
    /// Values of the type, with more in them than a parameter is given.
    pub fn operands(&mut self, machine: &mut Machine<'_>, want: &Want) -> Vec<Arc<Recipe>> {
        let mut found = self.values(machine, want, 0).to_vec();
        match want {
            Want::Primitive(_) => {}
            Want::Array(inner) => {
                let component: Arc<str> = descriptor(self.view.program, inner).into();
                let of = |items: Vec<Arc<Recipe>>| {
                    Arc::new(Recipe::Array { component: component.clone(), items })
                };
                found.extend(self.sequences(machine, inner).into_iter().map(of));
            }
            Want::Class { name, arguments, .. } => {
                let text = self.view.program.names.text(*name).into_owned();
                found.extend(self.further(machine, &text, arguments));
            }
        }
        let mut seen: Vec<Arc<Recipe>> = Vec::new();
        for recipe in found {
            if !seen.contains(&recipe) {
                seen.push(recipe);
            }
        }
        seen
    }

    fn further(
        &mut self,
        machine: &mut Machine<'_>,
        text: &str,
        arguments: &[Argument],
    ) -> Vec<Arc<Recipe>> {
        if let (Some(class), Some(argument)) = (collection_class(text), arguments.first()) {
            let inner = item_want(self.view.program, Some(argument));
            let sequences = self.sequences(machine, &inner);
            return sequences.iter().map(|items| collection(class, items)).collect();
        }
        match text {
            "java/lang/String" | "java/lang/CharSequence" => {
                // Numbers as texts, texts whose hash codes are far apart, and one with a mark above it.
                const TEXTS: [&str; 7] =
                    ["9", "10", "1a", "polygenelubricants", "zzzzzz", "aa", "\u{e9}"];
                let units = TEXTS.map(|text| text.encode_utf16().collect());
                units.map(|units| Arc::new(Recipe::Text(units))).into()
            }
            "java/lang/Number" => numbers().map(|it| Arc::new(Recipe::Boxed(it))).into(),
            _ => Vec::new(),
        }
    }

    /// Each thing alone, and behind the first.
    fn sequences(&mut self, machine: &mut Machine<'_>, inner: &Want) -> Vec<Vec<Arc<Recipe>>> {
        let items = self.values(machine, inner, 1);
        let items = items.iter().filter(|item| ***item != Recipe::Null).take(MAX_ITEMS);
        let items: Vec<Arc<Recipe>> = items.cloned().collect();
        let Some(first) = items.first().cloned() else { return Vec::new() };
        let alone = items.iter().map(|item| vec![item.clone()]);
        alone.chain(items.iter().map(|item| vec![first.clone(), item.clone()])).collect()
    }
}

/// Numbers of several kinds whose values lie far apart, or closer than an int or a double can tell.
fn numbers() -> [Literal; 11] {
    [
        Literal::Int(i32::MIN),
        Literal::Int(i32::MAX),
        Literal::Int(-1),
        Literal::Int(0),
        Literal::Long(3_000_000_000),
        Literal::Long(1 << 53),
        Literal::Long((1 << 53) + 1),
        Literal::double(1.5),
        Literal::double(0.5),
        Literal::double(-0.5),
        Literal::double(9_007_199_254_740_992.0),
    ]
}
