//! `jury dump`: classes and method bodies as the engines see them, and what reading them cost.

use std::fmt::Write;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use program::ir::{print_body, print_descriptor, verify_body};
use program::{Class, ClassId, MethodId, Program, Role};
use rayon::prelude::*;

use crate::args::{DumpArgs, DumpFormat};
use crate::load::{Loaded, load};
use crate::memory::peak_mib;
use crate::render::sanitize;

/// The text to print, and the problems to report beside it.
pub(crate) fn dump(args: &DumpArgs) -> Result<(String, Vec<program::Problem>)> {
    let started = Instant::now();
    let loaded = load(std::slice::from_ref(&args.path), &args.classpath)?;
    let text = if args.stats {
        let stats = lower_everything(&loaded, started);
        match args.format {
            DumpFormat::Text => stats.text(),
            DumpFormat::Json => stats.json(),
        }
    } else if let Some(member) = &args.member {
        dump_member(&loaded.program, member)?
    } else {
        dump_hierarchy(&loaded.program)
    };
    Ok((text, loaded.problems()))
}

/// What reading and lowering all judged classes came to.
struct Stats {
    classes: usize,
    methods: usize,
    bodies: usize,
    instructions: usize,
    failures: Vec<String>,
    /// Of each thread.
    read_seconds: f64,
    seconds: f64,
    peak_mib: Option<u64>,
}

/// Lowers and verifies every method, keeping neither bodies nor classes.
fn lower_everything(loaded: &Loaded, started: Instant) -> Stats {
    let program = &loaded.program;
    let ids: Vec<ClassId> = program.class_ids(Role::Judged).collect();
    let lowered: Vec<Lowered> = ids
        .par_iter()
        .with_min_len(16)
        .filter_map(|&id| {
            let started = Instant::now();
            program.visit_class(id, |class| {
                let reading = started.elapsed();
                Lowered { reading, ..lower_class(program, class) }
            })
        })
        .collect();
    let reading: Duration = lowered.iter().map(|class| class.reading).sum();
    let mut failures: Vec<String> = program.problems().iter().map(|p| p.path.clone()).collect();
    failures.extend(lowered.iter().flat_map(|class| class.failures.iter().cloned()));
    Stats {
        classes: lowered.len(),
        methods: lowered.iter().map(|class| class.methods).sum(),
        bodies: lowered.iter().map(|class| class.bodies).sum(),
        instructions: lowered.iter().map(|class| class.instructions).sum(),
        failures,
        read_seconds: reading.as_secs_f64() / rayon::current_num_threads() as f64,
        seconds: started.elapsed().as_secs_f64(),
        peak_mib: peak_mib(),
    }
}

/// One class. Its file is lowered while it is still in the caches, so reading is timed class by class.
#[derive(Default)]
struct Lowered {
    reading: Duration,
    methods: usize,
    bodies: usize,
    instructions: usize,
    failures: Vec<String>,
}

fn lower_class(program: &Program, class: &Class) -> Lowered {
    let mut lowered = Lowered { methods: class.methods.len(), ..Lowered::default() };
    for (id, _) in class.methods() {
        let failure = match program.lower_in(class, id) {
            Ok(None) => continue,
            Ok(Some(body)) => {
                lowered.instructions += body.instructions.len();
                verify_body(&body, &program.names).err()
            }
            Err(error) => Some(error.to_string()),
        };
        match failure {
            None => lowered.bodies += 1,
            Some(reason) => {
                lowered.failures.push(format!("{}: {reason}", method_text(program, id)))
            }
        }
    }
    lowered
}

impl Stats {
    fn text(&self) -> String {
        let mut text = format!(
            "{} classes, {} methods, {} bodies, {} instructions, {} failures\n\
             {:.3} s to read, {:.3} s in all",
            self.classes,
            self.methods,
            self.bodies,
            self.instructions,
            self.failures.len(),
            self.read_seconds,
            self.seconds,
        );
        if let Some(peak) = self.peak_mib {
            let _ = write!(text, ", {peak} MiB at the peak");
        }
        text.push('\n');
        for failure in &self.failures {
            let _ = writeln!(text, "failed: {}", sanitize::line(failure));
        }
        text
    }

    fn json(&self) -> String {
        let value = serde_json::json!({
            "classes": self.classes,
            "methods": self.methods,
            "bodies": self.bodies,
            "instructions": self.instructions,
            "failures": self.failures.len(),
            "failed": self.failures,
            "read_seconds": self.read_seconds,
            "seconds": self.seconds,
            "peak_mib": self.peak_mib,
        });
        sanitize::to_json(&value)
    }
}

/// Every judged class with its direct supertypes, in input order.
fn dump_hierarchy(program: &Program) -> String {
    let mut text = String::new();
    for class in program.class_ids(Role::Judged).filter_map(|id| program.class(id)) {
        let _ = writeln!(text, "{}", sanitize::line(&class_head(program, class)));
    }
    text
}

fn class_head(program: &Program, class: &Class) -> String {
    let flags = class.access_flags;
    let word = match (flags.is_annotation(), flags.is_interface(), flags.is_enum()) {
        (true, _, _) => "@interface",
        (_, true, _) => "interface",
        (_, _, true) => "enum",
        (_, _, false) => "class",
    };
    let mut head = String::new();
    for (is_set, flag) in [
        (flags.is_public(), "public "),
        (flags.is_abstract() && !flags.is_interface(), "abstract "),
        (flags.is_final(), "final "),
    ] {
        head.push_str(if is_set { flag } else { "" });
    }
    let _ = write!(head, "{word} {}", program.class_text(class.name));
    if let Some(superclass) = class.superclass.filter(|&name| name != program.known.object) {
        let _ = write!(head, " extends {}", program.class_text(superclass));
    }
    let interfaces: Vec<String> =
        class.interfaces.iter().map(|&name| program.class_text(name)).collect();
    if !interfaces.is_empty() {
        let relation = if flags.is_interface() { "extends" } else { "implements" };
        let _ = write!(head, " {relation} {}", interfaces.join(", "));
    }
    head
}

/// `p.C` prints the class, `p.C.m` each method of that name.
fn dump_member(program: &Program, member: &str) -> Result<String> {
    let find = |name: &str| {
        program.find_class_text(&name.replace('.', "/")).and_then(|id| program.class(id))
    };
    if let Some(class) = find(member) {
        return Ok(dump_class(program, class, |_| true));
    }
    if let Some((class, method)) = member.rsplit_once('.')
        && let Some(class) = find(class)
    {
        let is_named = |name: &str| name == method;
        if class.methods.iter().any(|m| is_named(&program.names.text(m.name))) {
            return Ok(dump_class(program, class, is_named));
        }
        bail!(
            "{} has no method {method}; `jury dump PATH CLASS` lists them",
            program.class_text(class.name)
        );
    }
    bail!("no class or method {member}; `jury dump PATH` lists the classes")
}

fn dump_class(program: &Program, class: &Class, is_wanted: impl Fn(&str) -> bool) -> String {
    let mut text = format!("{} {{\n", sanitize::line(&class_head(program, class)));
    for field in &class.fields {
        let ty = program::Type::parse(program.names.bytes(field.descriptor), &program.names);
        let ty = ty.map_or("?".to_owned(), |ty| ty.display(&program.names));
        let line = format!("  field {}: {ty}", program.names.text(field.name));
        let _ = writeln!(text, "{}", sanitize::line(&line));
    }
    for (id, method) in class.methods() {
        if !is_wanted(&program.names.text(method.name)) {
            continue;
        }
        let _ = writeln!(text, "\n  {}", sanitize::line(&method_head(program, id)));
        match program.lower(id) {
            Ok(None) => {}
            Ok(Some(body)) => {
                for line in print_body(&body, &program.lines(id), program).lines() {
                    let _ = writeln!(text, "    {}", sanitize::line(line));
                }
            }
            Err(error) => {
                let _ = writeln!(text, "    no body: {error}");
            }
        }
    }
    text.push_str("}\n");
    text
}

fn method_head(program: &Program, id: MethodId) -> String {
    let (_, method) = program.method(id);
    let flags = method.access_flags;
    let mut head = String::from("method ");
    for (is_set, flag) in [
        (flags.is_static(), "static "),
        (flags.is_synchronized(), "synchronized "),
        (flags.is_native(), "native "),
        (flags.is_abstract(), "abstract "),
        (flags.is_bridge(), "bridge "),
    ] {
        head.push_str(if is_set { flag } else { "" });
    }
    let shape = print_descriptor(program.names.bytes(method.descriptor), &program.names);
    let _ = write!(head, "{}{shape}", program.names.text(method.name));
    head
}

fn method_text(program: &Program, id: MethodId) -> String {
    let (class, method) = program.method(id);
    let (name, descriptor) =
        (program.names.text(method.name), program.names.text(method.descriptor));
    format!("{}.{name}{descriptor}", program.class_text(class.name))
}
