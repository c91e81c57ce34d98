//! A witness as lines for the harness.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use checks::equivalence::{CallKind, Further, On, Then, Trial};
use checks::witness::{Effect, Literal, Member, Operand, Recipe, Step, Stub, Witness};

/// All steps of one witness, from `begin` to `end`.
pub(super) fn script(witness: &Witness) -> String {
    let mut writer = Script::default();
    writer.line("begin", &[]);
    let null = writer.slot("null", &[]);
    let objects: Vec<usize> = witness.objects.iter().map(|recipe| writer.make(recipe)).collect();
    for step in &witness.steps {
        match step {
            Step::Do(at, effect) => writer.effect(objects[*at], effect),
            Step::Ask(question) => {
                let arguments = question.arguments.iter().map(|operand| match operand {
                    Operand::Object(at) => objects[*at],
                    Operand::Null => null,
                });
                let slots = std::iter::once(objects[question.receiver]).chain(arguments);
                let words = [member(&question.method), numbers(slots)].concat();
                writer.line("ask", &words);
            }
        }
    }
    writer.line("end", &[]);
    writer.text
}

/// Whether a call sees what earlier ones left behind in static fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Classes {
    Fresh,
    Kept,
}

/// One call of a version, to be looked at from outside.
pub(super) fn observation(trial: &Trial, classes: Classes) -> String {
    let mut writer = Script::default();
    let classes = match classes {
        Classes::Kept => "kept",
        Classes::Fresh => "fresh",
    };
    writer.line("begin", &[classes.to_owned()]);
    let recipes = &trial.witness.objects;
    let objects: Vec<usize> = recipes.iter().map(|recipe| writer.make(recipe)).collect();
    let kind = match trial.kind {
        _ if trial.is_idle => "idle",
        CallKind::Static => "static",
        CallKind::Instance => "instance",
        CallKind::Constructor => "constructor",
    };
    let counted =
        |slots: &[usize]| [vec![slots.len().to_string()], numbers(slots.iter().copied())].concat();
    let members = |members: &[Member]| {
        let words = members.iter().flat_map(member);
        [members.len().to_string()].into_iter().chain(words).collect::<Vec<_>>()
    };
    let mut words = [
        vec![kind.to_owned()],
        member(&trial.method),
        counted(&objects),
        trial.witness.names.iter().map(|&name| name.to_owned()).collect(),
        members(&trial.watched.statics),
        members(&trial.watched.probes),
    ]
    .concat();
    for steps in [&trial.then, &trial.meanwhile] {
        words.push(steps.len().to_string());
        words.extend(steps.iter().flat_map(|step| writer.further(step, &objects)));
    }
    writer.line("observe", &words);
    writer.line("end", &[]);
    writer.text
}

#[derive(Default)]
struct Script {
    text: String,
    n_slots: usize,
    shared: BTreeMap<u32, usize>,
}

impl Script {
    fn line(&mut self, word: &str, words: &[String]) {
        self.text.push_str(word);
        for word in words {
            self.text.push('\t');
            self.text.push_str(word);
        }
        self.text.push('\n');
    }

    fn slot(&mut self, word: &str, words: &[String]) -> usize {
        let slot = self.n_slots;
        self.n_slots += 1;
        self.line(word, &[&[slot.to_string()], words].concat());
        slot
    }

    fn make_all(&mut self, recipes: &[Arc<Recipe>]) -> Vec<String> {
        let slots: Vec<usize> = recipes.iter().map(|recipe| self.make(recipe)).collect();
        numbers(slots.into_iter())
    }

    fn make(&mut self, recipe: &Recipe) -> usize {
        match recipe {
            Recipe::Null => self.slot("null", &[]),
            Recipe::Literal(literal) | Recipe::Boxed(literal) => {
                let (word, value) = literal_words(*literal);
                self.slot(word, &[value])
            }
            Recipe::Text(units) => {
                let mut hex = String::new();
                for unit in units.iter() {
                    let _ = write!(hex, "{unit:04x}");
                }
                self.slot("text", &[hex])
            }
            Recipe::Class(descriptor) => self.slot("class", &[descriptor.to_string()]),
            Recipe::New { constructor, arguments } => {
                let arguments = self.make_all(arguments);
                let head = [constructor.class.to_string(), constructor.descriptor.to_string()];
                self.slot("new", &[&head[..], &arguments].concat())
            }
            Recipe::Static { method, arguments } => {
                let arguments = self.make_all(arguments);
                self.slot("static", &[member(method), arguments].concat())
            }
            Recipe::Call { receiver, method, arguments } => {
                let receiver = self.make(receiver);
                let arguments = self.make_all(arguments);
                self.slot("call", &[member(method), vec![receiver.to_string()], arguments].concat())
            }
            Recipe::Constant(field) => self.slot("constant", &member(field)),
            Recipe::Array { component, items } => {
                let items = self.make_all(items);
                self.slot("array", &[vec![component.to_string()], items].concat())
            }
            Recipe::After { object, effects } => {
                let object = self.make(object);
                for effect in effects {
                    self.effect(object, effect);
                }
                object
            }
            Recipe::Stub(stub) => self.stub(stub),
            Recipe::Shared(number, recipe) => match self.shared.get(number) {
                Some(&slot) => slot,
                None => {
                    let slot = self.make(recipe);
                    self.shared.insert(*number, slot);
                    slot
                }
            },
        }
    }

    /// The interface, then each method's name and descriptor, how it ends, and with what.
    fn stub(&mut self, stub: &Stub) -> usize {
        let mut words = vec![stub.interface.to_string()];
        for reply in &stub.replies {
            let how = if reply.is_thrown { "throw" } else { "return" };
            words.extend([&*reply.method, &*reply.descriptor, how].map(str::to_owned));
            words.push(self.make(&reply.value).to_string());
        }
        self.slot("stub", &words)
    }

    /// Something done after the call or during it.
    fn further(&mut self, step: &Further, objects: &[usize]) -> Vec<String> {
        let mut words = vec![step.times.to_string()];
        match &step.what {
            Then::Alter(at) => words.extend(["alter".to_owned(), objects[*at].to_string()]),
            Then::AlterReturned(_) => words.push("alter-returned".to_owned()),
            Then::Call { on, method, arguments } => {
                let kind = match on {
                    On::Class => "static",
                    On::Receiver => "receiver",
                    On::Result => "result",
                    On::Returned => "returned",
                };
                let slots: Vec<usize> = arguments.iter().map(|it| self.make(it)).collect();
                words.push(kind.to_owned());
                words.extend(member(method));
                words.push(slots.len().to_string());
                words.extend(numbers(slots.into_iter()));
            }
        }
        words
    }

    fn effect(&mut self, object: usize, effect: &Effect) {
        match effect {
            Effect::Call { method, arguments } => {
                let arguments = self.make_all(arguments);
                let words = [member(method), vec![object.to_string()], arguments].concat();
                self.slot("call", &words);
            }
            Effect::Put { field, value } => {
                let value = self.make(value);
                let words = [member(field), vec![object.to_string(), value.to_string()]].concat();
                self.line("put", &words);
            }
            Effect::Store { index, value } => {
                let value = self.make(value);
                self.line("store", &[object.to_string(), index.to_string(), value.to_string()]);
            }
            Effect::Elsewhere { object, effect } => {
                let object = self.make(object);
                self.effect(object, effect);
            }
        }
    }
}

fn member(member: &Member) -> Vec<String> {
    vec![member.class.to_string(), member.name.to_string(), member.descriptor.to_string()]
}

fn numbers(slots: impl Iterator<Item = usize>) -> Vec<String> {
    slots.map(|slot| slot.to_string()).collect()
}

fn literal_words(literal: Literal) -> (&'static str, String) {
    match literal {
        Literal::Boolean(value) => ("boolean", value.to_string()),
        Literal::Byte(value) => ("byte", value.to_string()),
        Literal::Char(value) => ("char", value.to_string()),
        Literal::Short(value) => ("short", value.to_string()),
        Literal::Int(value) => ("int", value.to_string()),
        Literal::Long(value) => ("long", value.to_string()),
        Literal::Float(bits) => ("float", (bits as i32).to_string()),
        Literal::Double(bits) => ("double", (bits as i64).to_string()),
    }
}
