//! System properties, those of a JVM that was started without `-D` options except for a fixed
//! locale (en, US), time zone (UTC) and encoding (UTF-8).
//!
//! What such a JVM takes from its surroundings is unknown; what it never sets is null. The object
//! behind `System.getProperties` answers `getProperty` and nothing else.

use program::Role;

use super::super::value::{Ref, Unknown, Value};
use super::super::{Machine, Outcome, gap};
use super::Entry;

const SYSTEM: &str = "java/lang/System";
const PROPERTIES: &str = "java/util/Properties";
const GET: &str = "(Ljava/lang/String;)Ljava/lang/String;";
const GET_OR: &str = "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;";

pub(super) const NATIVES: &[Entry] = &[
    (SYSTEM, "getProperty", GET, property),
    (SYSTEM, "getProperty", GET_OR, property),
    (SYSTEM, "getProperties", "()Ljava/util/Properties;", properties),
    (PROPERTIES, "getProperty", GET, property_of),
    (PROPERTIES, "getProperty", GET_OR, property_of),
    ("jdk/internal/misc/VM", "getSavedProperties", "()Ljava/util/Map;", saved),
];

/// What a JVM finds out about its surroundings, by the start of the name.
const SURROUNDINGS: &[&str] = &[
    "awt.",
    "ftp.",
    "http.",
    "https.",
    "java.class.path",
    "java.home",
    "java.io.tmpdir",
    "java.library.path",
    "java.net.useSystemProxies",
    "java.vm.",
    "jdk.debug",
    "jdk.module.",
    "native.encoding",
    "os.",
    "socks",
    "stderr.encoding",
    "stdin.encoding",
    "stdout.encoding",
    "sun.arch.",
    "sun.boot.",
    "sun.cpu.",
    "sun.desktop",
    "sun.io.",
    "sun.java.",
    "sun.jnu.",
    "sun.management.",
    "sun.nio.",
    "sun.os.",
    "sun.stderr.",
    "sun.stdout.",
    "user.dir",
    "user.home",
    "user.name",
];

/// What is compiled into the JDK, in `VersionProps`.
const OF_THE_JDK: &[&str] =
    &["java.version", "java.runtime.", "java.vendor", "java.specification.", "java.class.version"];

fn saved(_: &mut Machine<'_>, _: &[Value]) -> Outcome<Option<Value>> {
    gap(Unknown::Startup.reason())
}

fn properties(machine: &mut Machine<'_>, _: &[Value]) -> Outcome<Option<Value>> {
    let object = match machine.system_properties {
        Some(object) => object,
        None => {
            let object = machine.allocate_unknown(PROPERTIES)?;
            machine.system_properties = Some(object);
            object
        }
    };
    Ok(Some(Value::Ref(object)))
}

fn property_of(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let object = machine.non_null(arguments[0])?;
    if machine.system_properties == Some(object) {
        return property(machine, &arguments[1..]);
    }
    let descriptor = if arguments.len() == 2 { GET } else { GET_OR };
    match machine.declared(PROPERTIES, "getProperty", descriptor) {
        Some(method) => machine.run_code(method, arguments),
        None => gap("Properties.getProperty is missing"),
    }
}

fn property(machine: &mut Machine<'_>, arguments: &[Value]) -> Outcome<Option<Value>> {
    let key = machine.non_null(arguments[0])?;
    let key = machine.text(key)?;
    if key.is_empty() {
        return machine.throw_message("java/lang/IllegalArgumentException", "key can't be empty");
    }
    if machine.property_is_open() {
        return Ok(Some(Value::Unknown(Unknown::Property)));
    }
    let fixed = match key.as_str() {
        "line.separator" => "\n",
        "file.separator" => "/",
        "path.separator" => ":",
        "user.language" => "en",
        "user.country" => "US",
        "user.timezone" => "UTC",
        "file.encoding" => "UTF-8",
        _ if OF_THE_JDK.iter().any(|start| key.starts_with(start)) => {
            return of_the_jdk(machine, arguments[0]).map(Some);
        }
        _ if SURROUNDINGS.iter().any(|start| key.starts_with(start)) => {
            return Ok(Some(Value::Unknown(Unknown::Property)));
        }
        _ => return Ok(Some(arguments.get(1).copied().unwrap_or(Value::Ref(Ref::NULL)))),
    };
    let units = fixed.encode_utf16().collect();
    machine.intern_units(units).map(|string| Some(Value::Ref(string)))
}

impl Machine<'_> {
    /// Whether what is asked may be anything. The JDK's own initialisers, which ask for their own sake,
    /// are given what a JVM without options says.
    pub(super) fn property_is_open(&self) -> bool {
        let is_platform = |id| self.program.role(id) == Role::Platform;
        self.leaves_properties_open && !self.initialising.is_some_and(is_platform)
    }
}

fn of_the_jdk(machine: &mut Machine<'_>, key: Value) -> Outcome<Value> {
    const MAP: &str = "java/util/HashMap";
    const VERSIONS: &str = "java/lang/VersionProps";
    let map = match machine.version_properties {
        Some(map) => map,
        None => {
            let id = machine.find_class(machine.program.names.intern(MAP.as_bytes()))?;
            machine.initialise(id)?;
            let map = machine.allocate(id)?;
            let constructor = machine.declared(MAP, "<init>", "()V");
            let init = machine.declared(VERSIONS, "init", "(Ljava/util/Map;)V");
            let (Some(constructor), Some(init)) = (constructor, init) else {
                return Ok(Value::Unknown(Unknown::Property));
            };
            machine.run_method(constructor, vec![Value::Ref(map)])?;
            machine.initialise(init.class)?;
            machine.run_method(init, vec![Value::Ref(map)])?;
            machine.version_properties = Some(map);
            map
        }
    };
    let Some(get) = machine.declared(MAP, "get", "(Ljava/lang/Object;)Ljava/lang/Object;") else {
        return gap("HashMap.get is missing");
    };
    match machine.run_method(get, vec![Value::Ref(map), key])? {
        Some(Value::Ref(Ref::NULL)) | None => Ok(Value::Unknown(Unknown::Property)),
        Some(value) => Ok(value),
    }
}
