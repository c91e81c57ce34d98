//! Class names as source writes them: simple where that is clear, with the imports it takes.

use std::collections::BTreeMap;

use program::{Program, Type};

/// Which simple name means which class in one file.
pub(super) struct Imports<'p> {
    program: &'p Program,
    /// The package of the file, as an internal name.
    pub(super) package: Option<String>,
    /// Outermost classes by simple name.
    taken: BTreeMap<String, String>,
}

impl<'p> Imports<'p> {
    pub(super) fn new(program: &'p Program, package: Option<String>) -> Imports<'p> {
        Imports { program, package, taken: BTreeMap::new() }
    }

    /// The class by its internal name: `Map.Entry`, or with its package where another class has taken
    /// the simple name.
    pub(super) fn class(&mut self, internal: &str) -> String {
        let (outermost, nested) = self.split_nested(internal);
        let simple = outermost.rsplit('/').next().unwrap_or(&outermost).to_owned();
        let owner = self.taken.entry(simple.clone()).or_insert_with(|| outermost.clone());
        let first = if *owner == outermost { simple } else { outermost.replace('/', ".") };
        [vec![first], nested].concat().join(".")
    }

    /// A type by its descriptor.
    pub(super) fn ty(&mut self, descriptor: &str) -> String {
        let dimensions = descriptor.chars().take_while(|&c| c == '[').count();
        let element = &descriptor[dimensions..];
        let text = match element.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')) {
            Some(internal) => self.class(internal),
            None => {
                let ty = Type::parse(element.as_bytes(), &self.program.names);
                ty.map_or_else(|| element.to_owned(), |ty| ty.display(&self.program.names))
            }
        };
        format!("{text}{}", "[]".repeat(dimensions))
    }

    /// The import lines of the file.
    pub(super) fn lines(&self) -> Vec<String> {
        let foreign = self.taken.values().filter(|internal| {
            let package = internal.rsplit_once('/').map_or("", |(package, _)| package);
            !package.is_empty()
                && package != "java/lang"
                && Some(package) != self.package.as_deref()
        });
        foreign.map(|internal| format!("import {};", internal.replace('/', "."))).collect()
    }

    /// The outermost class and the names of those nested in it, by the InnerClasses attributes.
    fn split_nested(&self, internal: &str) -> (String, Vec<String>) {
        let mut current = internal.to_owned();
        let mut nested = Vec::new();
        while let Some((outer, name)) = self.outer(&current) {
            nested.insert(0, name);
            current = outer;
        }
        (current, nested)
    }

    fn outer(&self, internal: &str) -> Option<(String, String)> {
        let program = self.program;
        let class = program.class(program.find_class_text(internal)?)?;
        let entries = class.file.inner_classes().ok()?;
        let own = entries
            .iter()
            .find(|entry| class.file.bytes(entry.inner) == program.names.bytes(class.name))?;
        let text = |utf8| classfile::mutf8::decode_lossy(class.file.bytes(utf8)).into_owned();
        Some((text(own.outer?), text(own.name?)))
    }
}
