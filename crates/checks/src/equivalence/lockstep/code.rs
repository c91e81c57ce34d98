//! A body with what a walk needs of its shape: who is live where, where ways meet, where loops turn.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use program::ir::{BlockId, Body, Const, Edge, FieldRef, Lambda, MethodRef, Op, Terminator, Value};
use program::{Class, Element, FieldId, MethodId, Name, Program, Role, Type};
use rustc_hash::FxHashMap;

use super::walk::Walk;

/// One version of the program.
pub(super) struct Side<'p> {
    pub(super) program: &'p Program,
    /// New names of classes, internal form; of the new version, empty.
    renamed: &'p BTreeMap<String, String>,
    codes: RefCell<FxHashMap<MethodId, Option<Rc<Code>>>>,
    tables: RefCell<FxHashMap<MethodId, Rc<[SwitchTable]>>>,
}

/// A method as a stack shows it: its class and its name.
pub(super) type Shown = (String, String);

/// By the field or the method that holds it: case numbers and the constants they stand for.
pub(super) type SwitchTable = (String, Cases);

/// Case numbers and the names of constants.
pub(super) type Cases = Box<[(i32, Rc<str>)]>;

pub(super) struct Code {
    pub(super) body: Body,
    /// Values live at the start of each block, sorted.
    live_in: Vec<Vec<Value>>,
    /// Blocks that more than one edge enters.
    pub(super) is_join: Vec<bool>,
    /// Blocks that an edge from below enters.
    pub(super) is_header: Vec<bool>,
}

impl<'p> Side<'p> {
    pub(super) fn new(program: &'p Program, renamed: &'p BTreeMap<String, String>) -> Side<'p> {
        Side { program, renamed, codes: RefCell::default(), tables: RefCell::default() }
    }

    pub(super) fn code(&self, method: MethodId) -> Option<Rc<Code>> {
        if let Some(known) = self.codes.borrow().get(&method) {
            return known.clone();
        }
        let code = self.program.lower(method).ok().flatten().map(|body| Rc::new(Code::new(body)));
        self.codes.borrow_mut().insert(method, code.clone());
        code
    }

    /// A class by the name that it has in the new version.
    pub(super) fn class(&self, name: Name) -> String {
        let text = self.program.names.text(name);
        match self.renamed.get(&*text) {
            Some(new) => new.clone(),
            None if self.renamed.is_empty() => text.into_owned(),
            None => self.descriptor(name),
        }
    }

    /// A descriptor, or any text with `Lp/C;` in it, in names of the new version.
    pub(super) fn descriptor(&self, name: Name) -> String {
        let mut text = self.program.names.text(name).into_owned();
        for (old, new) in self.renamed {
            text = text.replace(&format!("L{old};"), &format!("L{new};"));
        }
        text
    }

    /// A type as a class constant holds it.
    pub(super) fn ty(&self, ty: Type) -> String {
        let element = match ty.element {
            Element::Primitive(primitive) => primitive.keyword().to_owned(),
            Element::Class(name) => self.class(name),
        };
        format!("{}{element}", "[".repeat(usize::from(ty.dimensions)))
    }

    pub(super) fn field(&self, field: FieldRef) -> String {
        let found = self.program.resolve_field(field.class, field.name, field.descriptor).found();
        let owner = found.map_or(field.class, |id| self.program.field(id).0.name);
        let flags = found.map(|id| self.program.field(id).1.access_flags);
        let name = match &*self.program.names.text(field.name) {
            // One compiler's name for what the other calls `$VALUES`.
            "ENUM$VALUES" if flags.is_some_and(|flags| flags.is_synthetic()) => {
                "$VALUES".to_owned()
            }
            // Compilers count differently how deep a class is nested.
            name if found.is_some_and(|id| self.is_outer(id)) => {
                name.trim_end_matches(|it: char| it.is_ascii_digit()).to_owned()
            }
            name => name.to_owned(),
        };
        format!("{}.{name}:{}", self.class(owner), self.descriptor(field.descriptor))
    }

    /// Whether a field holds the one enclosing object that its class has: `this$0`.
    fn is_outer(&self, field: FieldId) -> bool {
        let (class, _) = self.program.field(field);
        let is_one = |(_, declared): &(FieldId, &program::Field)| {
            declared.access_flags.is_synthetic()
                && self.program.names.bytes(declared.name).starts_with(b"this$")
        };
        let mut all = class.fields().filter(is_one);
        all.next().is_some_and(|(id, _)| id == field) && all.next().is_none()
    }

    /// Whether the class of a field, which is written as [`Self::field`] does, has that one.
    pub(super) fn declares(&self, field: &str) -> bool {
        let Some((owner, _)) = field.split_once('.') else { return true };
        let before = self.renamed.iter().find(|(_, new)| *new == owner).map(|(old, _)| old);
        let name = before.map_or(owner, |old| old);
        let class = self.program.find_class_text(name).and_then(|id| self.program.class(id));
        class.is_none_or(|class| {
            let written = |declared: &program::Field| {
                let (name, descriptor) = (declared.name, declared.descriptor);
                self.field(FieldRef { class: class.name, name, descriptor })
            };
            class.fields().any(|(_, declared)| written(declared) == field)
        })
    }

    /// Whether a field is one that a compiler made and that only a constructor writes: `this$0`.
    pub(super) fn is_captured(&self, field: FieldRef) -> bool {
        let found = self.program.resolve_field(field.class, field.name, field.descriptor).found();
        found.is_some_and(|id| {
            let flags = self.program.field(id).1.access_flags;
            flags.is_synthetic() && flags.is_final() && !flags.is_static()
        })
    }

    /// Whether a method is `values()` of an enum as compilers write it: a copy of `$VALUES`.
    pub(super) fn copies_constants(&self, method: MethodId) -> bool {
        let (class, declared) = self.program.method(method);
        if !class.access_flags.is_enum() || &*self.program.names.text(declared.name) != "values" {
            return false;
        }
        let Some(code) = self.code(method) else { return false };
        let [block] = &code.body.blocks[..] else { return false };
        let mut made = None;
        let mut words = Vec::new();
        for instruction in code.body.instructions_of(block) {
            words.push(match instruction.op {
                Op::Const(Const::Int(0)) => continue,
                Op::GetStatic(field) if self.field(field).contains(".$VALUES:") => "get".to_owned(),
                Op::ArrayLength(_) => "length".to_owned(),
                Op::NewArray { .. } => "new".to_owned(),
                Op::CheckCast(..) => "cast".to_owned(),
                Op::Invoke { method, .. } => self.program.names.text(method.name).into_owned(),
                _ => return false,
            });
            made = instruction.result.or(made);
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let is_returned = match block.terminator {
            Terminator::Return(value) => value == made,
            _ => false,
        };
        is_returned
            && matches!(words[..], ["get", "clone", "cast"] | ["get", "length", "new", "arraycopy"])
    }

    pub(super) fn resolve(&self, method: MethodRef) -> Option<MethodId> {
        self.program.resolve_method(method.class, method.name, method.descriptor).found()
    }

    /// The method that a reference means, by where it is declared.
    pub(super) fn method(&self, method: MethodRef, resolved: Option<MethodId>) -> String {
        let owner = resolved.map_or(method.class, |id| self.program.method(id).0.name);
        let name = self.program.names.text(method.name);
        format!("{}.{name}{}", self.class(owner), self.descriptor(method.descriptor))
    }

    /// A virtual call by the method that was overridden first: `ByteBuffer.flip()ByteBuffer` has a
    /// bridge that makes it `Buffer.flip()Buffer`, and compilers choose by the platform they know.
    pub(super) fn overridden(&self, method: MethodRef, resolved: Option<MethodId>) -> String {
        let Some(id) = resolved else { return self.method(method, resolved) };
        let program = self.program;
        let (class, declared) = program.method(id);
        let names = &program.names;
        let parameters = |descriptor: Name| {
            let bytes = names.bytes(descriptor);
            let end = bytes.iter().position(|&byte| byte == b')').unwrap_or(0);
            bytes[..end].to_vec()
        };
        let bridge = class.methods.iter().find(|other| {
            other.access_flags.is_bridge()
                && other.access_flags.is_synthetic()
                && other.name == declared.name
                && other.descriptor != declared.descriptor
                && parameters(other.descriptor) == parameters(declared.descriptor)
        });
        let is_bridge = declared.access_flags.is_bridge() && declared.access_flags.is_synthetic();
        let bridge = if is_bridge { Some(declared) } else { bridge };
        let above = bridge.zip(program.superclass(class)).and_then(|(bridge, above)| {
            let found = program.resolve_method(above.name, bridge.name, bridge.descriptor).found();
            found.map(|found| (bridge.descriptor, found))
        });
        match above {
            Some((descriptor, found)) => {
                self.method(MethodRef { descriptor, ..method }, Some(found))
            }
            None => self.method(method, resolved),
        }
    }

    /// The methods in which a walk is, as a stack would show them; what a compiler calls its own is no matter.
    pub(super) fn frames<'w>(&'w self, walk: &'w Walk) -> impl Iterator<Item = Option<Shown>> + 'w {
        walk.frames.iter().map(|frame| {
            let (class, declared) = self.program.method(frame.method);
            let name = || self.program.names.text(declared.name).into_owned();
            (!declared.access_flags.is_synthetic()).then(|| (self.class(class.name), name()))
        })
    }

    /// Whether a method is a compiler's own: to be looked through.
    pub(super) fn is_inlined(&self, method: MethodId) -> bool {
        let (class, declared) = self.program.method(method);
        let flags = declared.access_flags;
        flags.is_synthetic()
            && (flags.is_static() || flags.is_private() || declared.name == self.program.known.init)
            && self.program.role(class.id) == Role::Judged
    }

    /// Whether a method that the other version lacks is part of its caller, as code that was moved out of it:
    /// nobody overrides it, and to call it initialises no class.
    pub(super) fn is_moved(&self, other: &Side<'_>, callee: MethodId, caller: MethodId) -> bool {
        let (class, declared) = self.program.method(callee);
        let flags = declared.access_flags;
        callee.class == caller.class
            && (flags.is_static() || flags.is_private())
            && !flags.is_synchronized()
            && !flags.is_native()
            && self.program.role(class.id) == Role::Judged
            && self.renamed.is_empty()
            && other.renamed.is_empty()
            && !other.has_method((self.program, callee))
    }

    /// Whether a class of the same name has or inherits a method of the same name and descriptor.
    fn has_method(&self, (other, method): (&Program, MethodId)) -> bool {
        let (class, declared) = other.method(method);
        let here = |name| self.program.names.intern(other.names.bytes(name));
        let (name, descriptor) = (here(declared.name), here(declared.descriptor));
        self.program.resolve_method(here(class.name), name, descriptor).found().is_some()
    }

    pub(super) fn is_subtype(&self, sub: &str, sup: &str) -> Option<bool> {
        if sub == sup || sup == "java/lang/Object" {
            return Some(true);
        }
        if let (Some(sub), Some(sup)) = (sub.strip_prefix('['), sup.strip_prefix('[')) {
            // An `int[]` is no `Object[]`.
            let is_object = sup == "java/lang/Object" && !sub.starts_with('[');
            if is_object && self.program.find_class_text(sub).is_none() {
                return None;
            }
            return self.is_subtype(sub, sup).filter(|&is| is);
        }
        let (sub, sup) = (self.program.find_class_text(sub)?, self.program.find_class_text(sup)?);
        self.program.is_subtype(sub, sup)
    }

    /// The switch tables that a method fills.
    pub(super) fn tables(&self, filled_by: MethodId) -> Rc<[SwitchTable]> {
        if let Some(known) = self.tables.borrow().get(&filled_by) {
            return known.clone();
        }
        let found: Rc<[SwitchTable]> = match self.code(filled_by) {
            Some(code) => read_tables(self.program, &code.body).into(),
            None => Rc::new([]),
        };
        self.tables.borrow_mut().insert(filled_by, found.clone());
        found
    }

    /// The table in a field that a compiler made, `$SwitchMap$p$E` of a class without source.
    pub(super) fn table_of_field(&self, field: FieldRef) -> Option<Cases> {
        let name = self.program.names.text(field.name);
        if !name.starts_with("$SwitchMap$") {
            return None;
        }
        let class = self.program.class(self.program.find_class(field.class)?)?;
        let clinit = initialiser(self.program, class)?;
        let tables = self.tables(clinit);
        tables.iter().find(|(holder, _)| **holder == *name).map(|(_, table)| table.clone())
    }

    /// The table that `$SWITCH_TABLE$p$E()` gives.
    pub(super) fn table_of_method(&self, method: MethodId) -> Option<Cases> {
        let (_, declared) = self.program.method(method);
        let name = self.program.names.text(declared.name);
        if !declared.access_flags.is_synthetic() || !name.starts_with("$SWITCH_TABLE$") {
            return None;
        }
        let tables = self.tables(method);
        tables.first().map(|(_, table)| table.clone())
    }

    /// What a lambda is, apart from the code that it runs.
    pub(super) fn lambda(&self, lambda: &Lambda) -> String {
        let names = &self.program.names;
        let list = |list: &[Name]| -> Vec<String> {
            list.iter().map(|&name| self.descriptor(name)).collect()
        };
        format!(
            "lambda {} {}{} as {} {:?} {:?} {}",
            self.class(lambda.interface),
            names.text(lambda.method),
            self.descriptor(lambda.descriptor),
            self.descriptor(lambda.instantiated),
            list(&lambda.markers),
            list(&lambda.bridges),
            lambda.is_serializable
        )
    }

    /// The implementation of a lambda, if it is a body that the compiler named.
    pub(super) fn lambda_body(&self, lambda: &Lambda) -> Option<MethodId> {
        let found = self.resolve(lambda.implementation.member)?;
        let (_, declared) = self.program.method(found);
        declared.access_flags.is_synthetic().then_some(found)
    }
}

pub(super) fn initialiser(program: &Program, class: &Class) -> Option<MethodId> {
    class.methods().find(|(_, method)| method.name == program.known.clinit).map(|(id, _)| id)
}

/// `table[Enum.NAME.ordinal()] = number`, wherever it stands.
fn read_tables(program: &Program, body: &Body) -> Vec<SwitchTable> {
    let mut made: FxHashMap<Value, Op> = FxHashMap::default();
    for instruction in &body.instructions {
        if let Some(result) = instruction.result {
            made.insert(result, instruction.op);
        }
    }
    let mut found: BTreeMap<String, Vec<(i32, Rc<str>)>> = BTreeMap::new();
    for instruction in &body.instructions {
        let Op::ArrayStore { array, index, value, .. } = instruction.op else { continue };
        let (Some(Op::Const(Const::Int(number))), Some(Op::Invoke { method, arguments, .. })) =
            (made.get(&value), made.get(&index))
        else {
            continue;
        };
        if &*program.names.text(method.name) != "ordinal" {
            continue;
        }
        let constant = body.list(*arguments).first().and_then(|object| made.get(object));
        let Some(Op::GetStatic(constant)) = constant else { continue };
        let holder = match made.get(&array) {
            Some(Op::GetStatic(holder)) => program.names.text(holder.name).into_owned(),
            Some(_) | None => String::new(),
        };
        let name = program.names.text(constant.name);
        found.entry(holder).or_default().push((*number, (&*name).into()));
    }
    found
        .into_iter()
        .map(|(holder, mut table)| {
            table.sort();
            table.dedup();
            (holder, table.into_boxed_slice())
        })
        .collect()
}

impl Code {
    fn new(body: Body) -> Code {
        let n = body.blocks.len();
        let mut entering = vec![0u32; n];
        let mut is_header = vec![false; n];
        for id in body.block_ids() {
            for_each_edge(&body, id, |edge| {
                entering[edge.target.index()] += 1;
                // Blocks are in reverse postorder: an edge that does not go on goes back.
                is_header[edge.target.index()] |= edge.target <= id;
            });
        }
        let live_in = live_in(&body);
        let is_join = entering.iter().map(|&n| n > 1).collect();
        Code { body, live_in, is_join, is_header }
    }

    /// The values live before an instruction of a block.
    pub(super) fn live_at(&self, block: BlockId, at: usize) -> Vec<Value> {
        if at == 0 {
            // Parameters of the block are set when it is entered.
            let mut live = self.live_in[block.index()].clone();
            live.extend(self.body.list(self.body.block(block).parameters));
            live.sort();
            live.dedup();
            return live;
        }
        let mut live = live_out(&self.body, block, &self.live_in);
        step_back(&self.body, block, at, &mut live);
        live.into_iter().collect()
    }
}

fn for_each_edge(body: &Body, id: BlockId, mut each: impl FnMut(Edge)) {
    let block = body.block(id);
    body.for_each_successor(block, &mut each);
    body.handlers_of(block).iter().for_each(|handler| each(handler.edge));
}

type Live = std::collections::BTreeSet<Value>;

fn live_out(body: &Body, id: BlockId, live_in: &[Vec<Value>]) -> Live {
    let mut live = Live::new();
    for_each_edge(body, id, |edge| {
        live.extend(&live_in[edge.target.index()]);
        live.extend(body.list(edge.arguments));
    });
    match body.block(id).terminator {
        Terminator::If { condition, .. } => {
            let (one, two) = condition.operands();
            live.insert(one);
            live.extend(two);
        }
        Terminator::Switch { value, .. } | Terminator::Throw(value) => {
            live.insert(value);
        }
        Terminator::Return(value) => live.extend(value),
        Terminator::Goto(_) => {}
    }
    live
}

/// From the end of a block back to before the instruction `at`.
fn step_back(body: &Body, id: BlockId, at: usize, live: &mut Live) {
    let block = body.block(id);
    for instruction in body.instructions_of(block)[at..].iter().rev() {
        if let Some(result) = instruction.result {
            live.remove(&result);
        }
        instruction.op.for_each_operand(body, |value| {
            live.insert(value);
        });
        // What a handler is passed is needed as long as something can throw.
        for handler in body.handlers_of(block) {
            live.extend(body.list(handler.edge.arguments));
        }
    }
}

fn live_in(body: &Body) -> Vec<Vec<Value>> {
    let mut live_in: Vec<Vec<Value>> = vec![Vec::new(); body.blocks.len()];
    let ids: Vec<BlockId> = body.block_ids().collect();
    loop {
        let mut has_changed = false;
        for (at, &id) in ids.iter().enumerate().rev() {
            let mut live = live_out(body, id, &live_in);
            step_back(body, id, 0, &mut live);
            for parameter in body.list(body.block(id).parameters) {
                live.remove(parameter);
            }
            let live: Vec<Value> = live.into_iter().collect();
            if live != live_in[at] {
                live_in[at] = live;
                has_changed = true;
            }
        }
        if !has_changed {
            return live_in;
        }
    }
}
