//! How to make an object, and what to ask it.

use std::sync::Arc;

use super::access::Access;
use super::literal::Literal;

/// A method, constructor or field, by internal class name and descriptor.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Member {
    pub class: Arc<str>,
    pub name: Arc<str>,
    pub descriptor: Arc<str>,
    /// Who may name it.
    pub access: Access,
    pub on_interface: bool,
}

/// How to make one value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Recipe {
    Null,
    Literal(Literal),
    /// A primitive in the place of an object.
    Boxed(Literal),
    /// A string literal, by its UTF-16 units.
    Text(Arc<[u16]>),
    /// A class literal, by descriptor.
    Class(Arc<str>),
    New {
        constructor: Member,
        arguments: Vec<Arc<Recipe>>,
    },
    /// The result of a static method.
    Static {
        method: Member,
        arguments: Vec<Arc<Recipe>>,
    },
    /// The result of an instance method.
    Call {
        receiver: Arc<Recipe>,
        method: Member,
        arguments: Vec<Arc<Recipe>>,
    },
    /// The value of a static field.
    Constant(Member),
    Array {
        /// The descriptor of the elements' type.
        component: Arc<str>,
        items: Vec<Arc<Recipe>>,
    },
    /// The object, after these effects on it.
    After {
        object: Arc<Recipe>,
        effects: Vec<Effect>,
    },
    /// An object of an interface that somebody else implements.
    Stub(Arc<Stub>),
    /// One object wherever this number occurs in a witness.
    Shared(u32, Arc<Recipe>),
}

/// An implementation made for the occasion: `equals` and `hashCode` are those of `Object`, methods without a
/// reply throw AbstractMethodError, or answer what follows from their arguments where two versions are compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Stub {
    /// By internal name.
    pub interface: Arc<str>,
    pub access: Access,
    pub replies: Vec<Reply>,
}

/// What a method of a stub always answers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Reply {
    pub method: Arc<str>,
    pub descriptor: Arc<str>,
    pub value: Arc<Recipe>,
    /// Whether it throws the value.
    pub is_thrown: bool,
}

/// What a caller does to an object.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Effect {
    Call {
        method: Member,
        arguments: Vec<Arc<Recipe>>,
    },
    Put {
        field: Member,
        value: Arc<Recipe>,
    },
    /// An element of an array.
    Store {
        index: u32,
        value: Arc<Recipe>,
    },
    /// Not to the object itself but to another, shared one: what was passed to it still is the caller's.
    Elsewhere {
        object: Arc<Recipe>,
        effect: Box<Effect>,
    },
}

/// Objects, and what is done and asked in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// What each object is called: x, y, z.
    pub names: Vec<&'static str>,
    pub objects: Vec<Arc<Recipe>>,
    pub steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Ask(Question),
    /// On the object of this position.
    Do(usize, Effect),
}

/// A call whose answer matters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub receiver: usize,
    pub method: Member,
    pub arguments: Vec<Operand>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    Object(usize),
    Null,
}

/// What a call answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    Boolean(bool),
    Int(i32),
    /// An identity hash code: some number that a JVM picks by chance.
    Chance,
    /// The class of the exception, as Java writes it.
    Threw(String),
    /// The outcome of a call as text, for comparing versions.
    Seen(String),
}

impl Recipe {
    /// Whether both are made by the same constructor or static method, of arguments of which one differs.
    pub fn differs_in_one_argument(&self, other: &Recipe) -> bool {
        let (
            Recipe::New { constructor: one, arguments } | Recipe::Static { method: one, arguments },
            Recipe::New { constructor: two, arguments: others }
            | Recipe::Static { method: two, arguments: others },
        ) = (self, other)
        else {
            return false;
        };
        let differ = |(one, two): &(&Arc<Recipe>, &Arc<Recipe>)| one != two;
        one == two && arguments.iter().zip(others).filter(differ).take(2).count() == 1
    }

    /// Whether it needs no name: it is as short as one.
    pub fn is_plain(&self) -> bool {
        matches!(
            self,
            Recipe::Null
                | Recipe::Literal(_)
                | Recipe::Boxed(_)
                | Recipe::Text(_)
                | Recipe::Class(_)
        )
    }

    /// Calls `each` on this recipe and on all that it is made of.
    pub fn visit(&self, each: &mut impl FnMut(&Recipe)) {
        each(self);
        let inner = |recipes: &[Arc<Recipe>], each: &mut dyn FnMut(&Arc<Recipe>)| {
            recipes.iter().for_each(each);
        };
        match self {
            Recipe::Null
            | Recipe::Literal(_)
            | Recipe::Boxed(_)
            | Recipe::Text(_)
            | Recipe::Class(_)
            | Recipe::Constant(_) => {}
            Recipe::Stub(stub) => stub.replies.iter().for_each(|reply| reply.value.visit(each)),
            Recipe::New { arguments, .. } | Recipe::Static { arguments, .. } => {
                inner(arguments, &mut |recipe| recipe.visit(each));
            }
            Recipe::Call { receiver, arguments, .. } => {
                receiver.visit(each);
                inner(arguments, &mut |recipe| recipe.visit(each));
            }
            Recipe::Array { items, .. } => inner(items, &mut |recipe| recipe.visit(each)),
            Recipe::After { object, effects } => {
                object.visit(each);
                for effect in effects {
                    effect.visit(each);
                }
            }
            Recipe::Shared(_, recipe) => recipe.visit(each),
        }
    }

    /// The members that a follower must be able to name.
    pub fn members(&self) -> Vec<Member> {
        let mut found = Vec::new();
        self.visit(&mut |recipe| match recipe {
            Recipe::New { constructor: member, .. }
            | Recipe::Static { method: member, .. }
            | Recipe::Call { method: member, .. }
            | Recipe::Constant(member) => found.push(member.clone()),
            Recipe::After { effects, .. } => {
                found.extend(effects.iter().filter_map(|effect| effect.member().cloned()));
            }
            Recipe::Null
            | Recipe::Literal(_)
            | Recipe::Boxed(_)
            | Recipe::Text(_)
            | Recipe::Class(_)
            | Recipe::Stub(_)
            | Recipe::Array { .. }
            | Recipe::Shared(..) => {}
        });
        found
    }

    /// Who can follow it.
    pub fn access(&self) -> Access {
        let members = self.members().into_iter().map(|member| member.access);
        members.chain(self.stubs().iter().map(|stub| stub.access)).max().unwrap_or(Access::Public)
    }

    /// The stubs in it.
    pub fn stubs(&self) -> Vec<Arc<Stub>> {
        let mut found = Vec::new();
        self.visit(&mut |recipe| {
            if let Recipe::Stub(stub) = recipe {
                found.push(stub.clone());
            }
        });
        found
    }

    /// Whether it passes an array together with numbers that should say which part of it is meant, and
    /// the array has no such part: what comes of that is the caller's doing.
    pub fn leaves_array(&self) -> bool {
        let mut found = false;
        self.visit(&mut |recipe| match recipe {
            Recipe::New { arguments, .. }
            | Recipe::Static { arguments, .. }
            | Recipe::Call { arguments, .. } => found |= is_outside(arguments),
            Recipe::After { effects, .. } => {
                let passed = |effect: &Effect| match effect {
                    Effect::Call { arguments, .. } => is_outside(arguments),
                    Effect::Put { .. } | Effect::Store { .. } | Effect::Elsewhere { .. } => false,
                };
                found |= effects.iter().any(passed);
            }
            Recipe::Null
            | Recipe::Literal(_)
            | Recipe::Boxed(_)
            | Recipe::Text(_)
            | Recipe::Class(_)
            | Recipe::Constant(_)
            | Recipe::Array { .. }
            | Recipe::Stub(_)
            | Recipe::Shared(..) => {}
        });
        found
    }

    /// How much there is to read.
    pub fn size(&self) -> usize {
        let mut size = 0;
        self.visit(&mut |_| size += 1);
        size
    }
}

/// Whether an array is followed by one number beyond its length, or by two whose sum is.
fn is_outside(arguments: &[Arc<Recipe>]) -> bool {
    let number = |at: usize| match arguments.get(at).map(|it| &**it) {
        Some(Recipe::Literal(Literal::Int(value))) => Some(i64::from(*value)),
        Some(_) | None => None,
    };
    arguments.iter().enumerate().any(|(at, argument)| {
        let array = if let Recipe::Shared(_, inner) = &**argument { inner } else { argument };
        let Recipe::Array { items, .. } = &**array else { return false };
        let Some(first) = number(at + 1) else { return false };
        let second = number(at + 2).unwrap_or(0);
        first < 0 || second < 0 || first + second > items.len() as i64
    })
}

impl Stub {
    /// One that replies to nothing.
    pub fn of(interface: &str, access: Access) -> Stub {
        Stub { interface: interface.into(), access, replies: Vec::new() }
    }
}

impl Effect {
    /// The method or field that it uses; an element has none.
    pub fn member(&self) -> Option<&Member> {
        match self {
            Effect::Call { method, .. } => Some(method),
            Effect::Put { field, .. } => Some(field),
            Effect::Store { .. } => None,
            Effect::Elsewhere { effect, .. } => effect.member(),
        }
    }

    /// Calls `each` on all recipes in it.
    pub fn visit(&self, each: &mut impl FnMut(&Recipe)) {
        match self {
            Effect::Call { arguments, .. } => {
                for argument in arguments {
                    argument.visit(each);
                }
            }
            Effect::Put { value, .. } | Effect::Store { value, .. } => value.visit(each),
            Effect::Elsewhere { object, effect } => {
                object.visit(each);
                effect.visit(each);
            }
        }
    }
}

impl Witness {
    /// Who can run it; the methods that are asked count as open.
    pub fn access(&self) -> Access {
        let objects = self.objects.iter().map(|recipe| recipe.access());
        let effects = self.steps.iter().filter_map(|step| match step {
            Step::Do(_, effect) => effect.member().map(|member| member.access),
            Step::Ask(_) => None,
        });
        objects.chain(effects).max().unwrap_or(Access::Public)
    }

    pub fn questions(&self) -> impl Iterator<Item = &Question> {
        self.steps.iter().filter_map(|step| match step {
            Step::Ask(question) => Some(question),
            Step::Do(..) => None,
        })
    }
}
