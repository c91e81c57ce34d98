//! Strings under construction: builders that nobody else sees, concatenations, `valueOf`.

use std::rc::Rc;

use program::Type;
use program::ir::{ConcatPart, InvokeKind};

use super::context::{Context, ORDINAL, event};
use super::terms::{Node, Part, Question, STRING_EQUALS, Term, VALUE_OF};
use super::walk::{BUILDER, Gives, Raises, Step, Stop, Walk};

impl Walk {
    /// A builder that goes where others see it has to be a real object first.
    pub(super) fn see(&mut self, context: &mut Context<'_, '_>, terms: &[Term]) -> Step {
        for &term in terms {
            let Node::Builder(number) = *context.terms.node(term) else { continue };
            let Some(builder) = self.builders.get(&number) else { return Err(Stop::Foreign) };
            let ty: Rc<str> = BUILDER.into();
            let gives = Gives::Builder(number);
            if !builder.is_made {
                return event(format!("new {ty}"), &[], gives, Raises::Nothing);
            }
            let parts = builder.parts.clone();
            let text = context.terms.concat(&parts);
            return event("builder".into(), &[text], gives, Raises::Nothing);
        }
        Ok(())
    }

    /// Calls on a builder that nobody else has seen.
    pub(super) fn builder_call(
        &mut self,
        context: &mut Context<'_, '_>,
        key: &str,
        arguments: &[Term],
    ) -> Result<Option<Option<Term>>, Stop> {
        let Some(&receiver) = arguments.first() else { return Ok(None) };
        let Node::Builder(number) = *context.terms.node(receiver) else { return Ok(None) };
        let Some(builder) = self.builders.get_mut(&number) else { return Err(Stop::Foreign) };
        let call = key.split_once('.').map_or("", |(_, call)| call);
        if !builder.is_made {
            match call {
                "<init>()V" => builder.is_made = true,
                "<init>(Ljava/lang/String;)V" if context.terms.known(arguments[1]).is_not_null => {
                    builder.is_made = true;
                    builder.parts.push(context.terms.part(b'S', arguments[1]));
                }
                _ => return Ok(None),
            }
            return Ok(Some(None));
        }
        let Some(descriptor) = call.strip_prefix("append") else {
            if call == "toString()Ljava/lang/String;" {
                let parts = builder.parts.clone();
                return Ok(Some(Some(context.terms.concat(&parts))));
            }
            return Ok(None);
        };
        let kind = match descriptor.split_once(')').map_or("", |(parameters, _)| parameters) {
            "(Ljava/lang/String;" => b'S',
            "(Ljava/lang/Object;" => {
                let part = context.text_of(arguments[1], &mut self.partial)?;
                builder.parts.push(part);
                return Ok(Some(Some(receiver)));
            }
            "(I" => b'I',
            "(C" => b'C',
            "(J" => b'J',
            "(F" => b'F',
            "(D" => b'D',
            "(Z" => b'Z',
            _ => return Ok(None),
        };
        builder.parts.push(context.terms.part(kind, arguments[1]));
        Ok(Some(Some(receiver)))
    }

    /// Library calls whose meaning is plain, whichever of them a compiler chose.
    pub(super) fn known_call(
        &mut self,
        context: &mut Context<'_, '_>,
        key: &str,
        kind: InvokeKind,
        arguments: &[Term],
    ) -> Result<Option<Term>, Stop> {
        Ok(Some(match key {
            "java/util/Objects.requireNonNull(Ljava/lang/Object;)Ljava/lang/Object;" => {
                context.not_null(arguments[0])?;
                arguments[0]
            }
            "java/lang/Object.getClass()Ljava/lang/Class;" if kind == InvokeKind::Virtual => {
                context.not_null(arguments[0])?;
                context.terms.apply("getClass", arguments)
            }
            // They only compute, and some compilers ask in another order.
            "java/lang/String.hashCode()I" | STRING_EQUALS => {
                context.not_null(arguments[0])?;
                context.terms.apply(key, arguments)
            }
            "java/lang/Enum.ordinal()I" => {
                context.not_null(arguments[0])?;
                context.terms.apply(ORDINAL, arguments)
            }
            "java/lang/String.valueOf(Ljava/lang/Object;)Ljava/lang/String;" => {
                let part = context.text_of(arguments[0], &mut self.partial)?;
                // The text that an event gave is the result itself.
                if part.term == arguments[0] {
                    context.terms.apply(&format!("{VALUE_OF}{}", part.kind as char), arguments)
                } else {
                    part.term
                }
            }
            _ => {
                let primitive = key
                    .strip_prefix("java/lang/String.valueOf(")
                    .and_then(|rest| rest.strip_suffix(")Ljava/lang/String;"));
                match primitive {
                    Some(kind @ ("I" | "J" | "C" | "Z" | "F" | "D")) => {
                        context.terms.apply(&format!("{VALUE_OF}{kind}"), arguments)
                    }
                    Some(_) | None => return Ok(None),
                }
            }
        }))
    }

    /// The arguments are all there before the first is turned into text.
    pub(super) fn concat(
        &mut self,
        context: &mut Context<'_, '_>,
        parts: &[ConcatPart],
        arguments: &[Term],
    ) -> Result<Term, Stop> {
        let mut given = arguments.iter();
        let mut texts = std::mem::take(&mut self.partial).into_iter();
        let mut used = Vec::new();
        let mut whole = Vec::new();
        for part in parts {
            let part = match part {
                ConcatPart::Text(text) => {
                    let units = context.side.program.names.utf16(*text);
                    let term = context.terms.intern(Node::Text(units.into()));
                    Part { kind: b'S', term }
                }
                ConcatPart::Constant(constant) => {
                    let term = context.constant(*constant)?;
                    if !matches!(context.terms.node(term), Node::Text(_)) {
                        return Err(Stop::Foreign);
                    }
                    Part { kind: b'S', term }
                }
                ConcatPart::Argument(ty) => {
                    let &term = given.next().ok_or(Stop::Foreign)?;
                    match letter(context, *ty) {
                        Some(kind) => Part { kind, term },
                        None => match context.pure_text(term) {
                            Some(part) => part,
                            None => match texts.next() {
                                Some(part) => {
                                    used.push(part);
                                    part
                                }
                                None => {
                                    self.partial = used;
                                    self.see(context, &[term])?;
                                    return context.text_of(term, &mut Vec::new()).map(|p| p.term);
                                }
                            },
                        },
                    }
                }
            };
            whole.push(part);
        }
        Ok(context.terms.concat(&whole))
    }
}

/// How a value of a primitive type or a string is written; nothing for other objects.
fn letter(context: &Context<'_, '_>, ty: Type) -> Option<u8> {
    let text = context.side.ty(ty);
    Some(match text.as_str() {
        "int" | "short" | "byte" => b'I',
        "char" => b'C',
        "boolean" => b'Z',
        "long" => b'J',
        "float" => b'F',
        "double" => b'D',
        "java/lang/String" => b'S',
        _ => return None,
    })
}

impl Context<'_, '_> {
    /// The text of a value whose `toString` is the platform's own and does nothing else.
    pub(super) fn pure_text(&mut self, term: Term) -> Option<Part> {
        const PLAIN: [&str; 8] = [
            "java/lang/Integer",
            "java/lang/Long",
            "java/lang/Short",
            "java/lang/Byte",
            "java/lang/Boolean",
            "java/lang/Character",
            "java/lang/Float",
            "java/lang/Double",
        ];
        if matches!(self.terms.node(term), Node::Text(_) | Node::Null | Node::Concat(_)) {
            return Some(Part { kind: b'S', term });
        }
        let is_a =
            |class: &&str| self.known_answer(&Question::IsA((*class).into(), term)) == Some(true);
        if is_a(&"java/lang/String") {
            return Some(Part { kind: b'S', term });
        }
        PLAIN.iter().any(is_a).then(|| {
            let text = self.terms.apply(&format!("{VALUE_OF}O"), &[term]);
            self.terms.part(b'S', text)
        })
    }

    /// The text of any object: what `toString` gives, by an event of its own.
    pub(super) fn text_of(&mut self, term: Term, partial: &mut Vec<Part>) -> Result<Part, Stop> {
        if let Some(part) = self.pure_text(term) {
            return Ok(part);
        }
        if let Some(part) = partial.pop() {
            return Ok(part);
        }
        self.assumptions.insert("toString() does not return null");
        event("toString".into(), &[term], Gives::Text, Raises::Anything)
    }
}
