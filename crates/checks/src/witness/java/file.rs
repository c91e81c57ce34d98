//! A witness as a whole Java file: a class with a main method, or a JUnit 5 test.

use program::Program;

use super::super::access::Access;
use super::super::recipe::{Operand, Question, Step, Witness};
use super::expression::{Writer, parameters};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Prints each answer.
    Main,
    /// Fails while the rule is broken.
    Junit,
}

/// The source of a file with the class `name`; `about` is a comment in front of it.
pub fn render_file(
    program: &Program,
    witness: &Witness,
    name: &str,
    about: &[String],
    form: Form,
) -> String {
    let package = package(witness);
    let mut writer = Writer::new(program, package.clone());
    writer.declare(witness);
    let mut body = std::mem::take(&mut writer.lines);
    for (number, step) in witness.steps.iter().enumerate() {
        let line = match step {
            Step::Do(at, effect) => writer.effect(witness.names[*at], effect),
            Step::Ask(question) => ask(&mut writer, witness, question, number, form),
        };
        body.append(&mut writer.lines);
        body.push(line);
    }
    let mut text = String::new();
    if let Some(package) = package.as_deref().filter(|package| !package.is_empty()) {
        text += &format!("package {};\n\n", package.replace('/', "."));
    }
    let mut imports = writer.imports.lines();
    if form == Form::Junit {
        imports.push("import org.junit.jupiter.api.Test;".to_owned());
    }
    imports.sort();
    for line in &imports {
        text += &format!("{line}\n");
    }
    if !imports.is_empty() {
        text.push('\n');
    }
    for line in about {
        text += &format!("// {}\n", line.replace(['\n', '\r', '\\'], " "));
    }
    text += "@SuppressWarnings({\"unchecked\", \"rawtypes\"})\n";
    text += &match form {
        Form::Main => format!("public class {name} {{\n    public static void main(String[] args) throws Exception {{\n"),
        Form::Junit => format!("class {name} {{\n    @Test\n    void witness() throws Exception {{\n"),
    };
    for line in &body {
        text += &format!("        {line}\n");
    }
    text + "    }\n}\n"
}

/// The package that the file must be in, if it uses what only that package may.
fn package(witness: &Witness) -> Option<String> {
    let members = witness.objects.iter().flat_map(|recipe| recipe.members());
    let effects = witness.steps.iter().filter_map(|step| match step {
        Step::Do(_, effect) => Some(effect.member().clone()),
        Step::Ask(_) => None,
    });
    let closed = members.chain(effects).find(|member| member.access == Access::Package)?;
    Some(closed.class.rsplit_once('/').map_or(String::new(), |(package, _)| package.to_owned()))
}

fn ask(
    writer: &mut Writer<'_>,
    witness: &Witness,
    question: &Question,
    _number: usize,
    form: Form,
) -> String {
    let types = parameters(&question.method.descriptor);
    let arguments = question.arguments.iter().zip(&types).map(|(operand, ty)| {
        let text = match operand {
            Operand::Object(at) => witness.names[*at].to_owned(),
            Operand::Null => "null".to_owned(),
        };
        format!("({}) {text}", writer.imports.ty(ty))
    });
    let arguments: Vec<String> = arguments.collect();
    let class = writer.imports.class(&question.method.class);
    let receiver = witness.names[question.receiver];
    let call =
        format!("(({class}) {receiver}).{}({})", question.method.name, arguments.join(", "));
    match form {
        Form::Main | Form::Junit => format!("System.out.println({call});"),
    }
}
