//! A witness as a whole Java file: a class with a main method, or a JUnit 5 test.

use program::Program;

use super::super::access::Access;
use super::super::recipe::{Effect, Operand, Question, Step, Witness};
use super::call_text;
use super::expression::{Writer, parameters};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Prints each answer.
    Main,
    /// Fails while the rule is broken: calls that throw do, else the assertion over `answer0`,
    /// `answer1` and so on.
    Junit(Option<&'static str>),
}

/// What `stub` means in the statements above it.
const STUB: &str = r#"
    /**
     * An implementation that equals only itself and can do nothing that the interface does not do, but for
     * methods whose names are followed by what they answer or throw.
     */
    static <T> T stub(Class<T> type, Object... replies) {
        return type.cast(java.lang.reflect.Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
                    if (method.isDefault()) {
                        return java.lang.reflect.InvocationHandler.invokeDefault(proxy, method, args);
                    }
                    switch (method.getName()) {
                        case "equals":
                            return proxy == args[0];
                        case "hashCode":
                            return System.identityHashCode(proxy);
                        default:
                            int at = java.util.Arrays.asList(replies).indexOf(method.getName());
                            if (at < 0) {
                                throw new AbstractMethodError(method.getName());
                            }
                            if (replies[at + 1] instanceof Throwable) {
                                throw (Throwable) replies[at + 1];
                            }
                            return replies[at + 1];
                    }
                }));
    }
"#;

/// The source of a file with the class `name`; `about` is a comment in front of it.
pub fn render_file(
    program: &Program,
    witness: &Witness,
    name: &str,
    about: &[String],
    form: Form,
) -> String {
    let mut writer = Writer::new(program, package(witness));
    writer.declare(witness);
    let body = body(&mut writer, witness, form);
    file(writer, name, about, form, &body)
}

/// A file that makes calls and prints what they return. A call without a name is one of its class;
/// `arrange` puts the texts of the calls in order, without their semicolons.
pub fn render_calls_file(
    program: &Program,
    (witness, calls): (&Witness, &[(Option<String>, Effect)]),
    (name, about, form): (&str, &[String], Form),
    arrange: impl FnOnce(Vec<String>) -> Vec<String>,
) -> String {
    let members = calls.iter().filter_map(|(_, effect)| effect.member());
    let own = members.into_iter().find(|member| member.access == Access::Package);
    let package = package(witness).or_else(|| own.map(|it| package_of(&it.class)));
    let mut writer = Writer::new(program, package);
    writer.declare(witness);
    let mut texts = Vec::new();
    for (name, effect) in calls {
        let class = effect.member().map(|member| writer.imports.class(&member.class));
        let name = name.clone().or(class).unwrap_or_default();
        texts.push(writer.effect(&name, effect).trim_end_matches(';').to_owned());
    }
    let mut body = std::mem::take(&mut writer.lines);
    body.extend(arrange(texts));
    file(writer, name, about, form, &body)
}

/// The whole file around the statements of its method.
fn file(writer: Writer<'_>, name: &str, about: &[String], form: Form, body: &[String]) -> String {
    let mut text = String::new();
    let package = writer.imports.package.as_deref();
    if let Some(package) = package.filter(|package| !package.is_empty()) {
        text += &format!("package {};\n\n", package.replace('/', "."));
    }
    let mut imports = writer.imports.lines();
    if let Form::Junit(_) = form {
        imports.push("import org.junit.jupiter.api.Test;".to_owned());
    }
    imports.sort();
    if let Form::Junit(Some(_)) = form {
        imports.insert(0, "import static org.junit.jupiter.api.Assertions.*;\n".to_owned());
    }
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
        Form::Main => format!(
            "public class {name} {{\n    public static void main(String[] args) throws Exception {{\n"
        ),
        Form::Junit(_) => {
            format!("class {name} {{\n    @Test\n    void witness() throws Exception {{\n")
        }
    };
    for line in body {
        text += &format!("        {line}\n");
    }
    text += "    }\n";
    if writer.has_stubs {
        text += STUB;
    }
    text + "}\n"
}

/// The statements of the method: the objects, the calls, the assertion.
fn body(writer: &mut Writer<'_>, witness: &Witness, form: Form) -> Vec<String> {
    let mut body = std::mem::take(&mut writer.lines);
    let mut n_answers = 0;
    for step in &witness.steps {
        let line = match step {
            Step::Do(at, effect) => writer.effect(witness.names[*at], effect),
            Step::Ask(question) => {
                n_answers += 1;
                ask(writer, witness, question, n_answers - 1, form)
            }
        };
        body.append(&mut writer.lines);
        body.push(line);
    }
    if let Form::Junit(Some(assertion)) = form {
        body.push(assertion.to_owned());
    }
    body
}

/// The package that the file must be in, if it uses what only that package may.
fn package(witness: &Witness) -> Option<String> {
    let members = witness.objects.iter().flat_map(|recipe| recipe.members());
    let effects = witness.steps.iter().filter_map(|step| match step {
        Step::Do(_, effect) => effect.member().cloned(),
        Step::Ask(_) => None,
    });
    let closed = members.chain(effects).find(|member| member.access == Access::Package);
    let mut stubs = witness.objects.iter().flat_map(|recipe| recipe.stubs());
    let mut stub = || stubs.find(|stub| stub.access == Access::Package);
    let class = closed.map(|it| it.class).or_else(|| stub().map(|it| it.interface.clone()))?;
    Some(package_of(&class))
}

fn package_of(class: &str) -> String {
    class.rsplit_once('/').map_or(String::new(), |(package, _)| package.to_owned())
}

/// The line that makes the call: prints the answer, or keeps it for the assertion.
fn ask(
    writer: &mut Writer<'_>,
    witness: &Witness,
    question: &Question,
    number: usize,
    form: Form,
) -> String {
    let call = call(writer, witness, question);
    match form {
        Form::Main => {
            let text = call_text(witness, question);
            format!("System.out.println(\"{text} = \" + {call});")
        }
        Form::Junit(_) => {
            let ty = if question.method.descriptor.ends_with('Z') { "boolean" } else { "int" };
            format!("{ty} answer{number} = {call};")
        }
    }
}

/// The call as an expression, with casts only where the compiler would pick another method.
fn call(writer: &mut Writer<'_>, witness: &Witness, question: &Question) -> String {
    let name = &*question.method.name;
    let types = parameters(&question.method.descriptor);
    let is_overloaded =
        name == "equals" && writer.has_overload(&witness.objects[question.receiver]);
    let arguments = question.arguments.iter().zip(&types).map(|(operand, ty)| {
        let text = match operand {
            Operand::Object(at) => witness.names[*at].to_owned(),
            Operand::Null => "null".to_owned(),
        };
        if is_overloaded { format!("({}) {text}", writer.imports.ty(ty)) } else { text }
    });
    let arguments: Vec<String> = arguments.collect();
    let receiver = witness.names[question.receiver];
    // Raw, so that the declared types of the objects do not matter.
    let receiver = match name {
        "compareTo" | "compare" => {
            format!("(({}) {receiver})", writer.imports.class(&question.method.class))
        }
        _ => receiver.to_owned(),
    };
    format!("{receiver}.{name}({})", arguments.join(", "))
}
