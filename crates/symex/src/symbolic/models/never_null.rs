//! Methods of the library that never return null, by its documentation: factories, operations on values, and
//! copies. What they do beyond that is not said here.

use program::{MethodId, Program, Role};

/// All methods of a class.
const ALL: &[&str] = &[];
const COPY: &[&str] = &["clone"];
const TEXTS: &[&str] = &["toBinaryString", "toHexString", "toOctalString", "toString", "valueOf"];
/// What a caller's own function gives may be null.
const BY_FUNCTION: &[u8] = b"transform";

/// Classes, each with its methods.
const METHODS: &[(&str, &[&str])] = &[
    ("java/lang/String", ALL),
    ("java/lang/Integer", TEXTS),
    ("java/lang/Long", TEXTS),
    ("java/lang/Short", ALL),
    ("java/lang/Byte", ALL),
    ("java/lang/Character", &["toString", "valueOf"]),
    ("java/lang/Boolean", ALL),
    ("java/lang/Float", ALL),
    ("java/lang/Double", ALL),
    ("java/lang/Class", &["forName", "getName", "getSimpleName", "getTypeName"]),
    ("java/math/BigInteger", ALL),
    ("java/math/BigDecimal", ALL),
    ("java/nio/charset/Charset", &["defaultCharset", "forName", "name"]),
    ("java/nio/file/Path", &["of"]),
    ("java/nio/file/Paths", &["get"]),
    ("java/net/URI", &["create", "normalize", "relativize", "resolve"]),
    (
        "java/text/DateFormat",
        &["clone", "getDateInstance", "getDateTimeInstance", "getInstance", "getTimeInstance"],
    ),
    ("java/text/DecimalFormat", COPY),
    ("java/text/Format", COPY),
    (
        "java/text/NumberFormat",
        &[
            "clone",
            "getCurrencyInstance",
            "getInstance",
            "getIntegerInstance",
            "getNumberInstance",
            "getPercentInstance",
        ],
    ),
    ("java/text/SimpleDateFormat", COPY),
    ("java/time/Duration", VALUES),
    ("java/time/Instant", VALUES),
    ("java/time/LocalDate", VALUES),
    ("java/time/LocalDateTime", VALUES),
    ("java/time/LocalTime", VALUES),
    ("java/time/OffsetDateTime", VALUES),
    ("java/time/Period", VALUES),
    ("java/time/Year", VALUES),
    ("java/time/YearMonth", VALUES),
    ("java/time/ZoneId", VALUES),
    ("java/time/ZoneOffset", VALUES),
    ("java/time/ZonedDateTime", VALUES),
    ("java/util/ArrayDeque", COPY),
    ("java/util/ArrayList", COPY),
    ("java/util/BitSet", &["clone", "valueOf"]),
    ("java/util/Calendar", &["clone", "getInstance"]),
    ("java/util/Currency", &["getInstance"]),
    ("java/util/Date", COPY),
    ("java/util/EnumMap", COPY),
    ("java/util/EnumSet", &["allOf", "clone", "complementOf", "copyOf", "noneOf", "of", "range"]),
    ("java/util/HashMap", COPY),
    ("java/util/HashSet", COPY),
    ("java/util/Hashtable", COPY),
    ("java/util/LinkedList", COPY),
    ("java/util/List", &["copyOf", "of"]),
    (
        "java/util/Locale",
        &["forLanguageTag", "getCountry", "getDefault", "getLanguage", "toLanguageTag"],
    ),
    ("java/util/Map", &["copyOf", "entry", "of", "ofEntries"]),
    ("java/util/Set", &["copyOf", "of"]),
    ("java/util/TimeZone", &["clone", "getDefault", "getTimeZone"]),
    ("java/util/TreeMap", COPY),
    ("java/util/TreeSet", COPY),
    ("java/util/UUID", &["fromString", "nameUUIDFromBytes", "randomUUID"]),
    ("java/util/Vector", COPY),
    ("java/util/regex/Pattern", &["compile", "matcher", "pattern", "quote", "split"]),
];

/// What makes one value of the calendar of another.
const VALUES: &[&str] = &[
    "atDay",
    "atStartOfDay",
    "atTime",
    "atZone",
    "between",
    "from",
    "getId",
    "minus",
    "minusDays",
    "multipliedBy",
    "negated",
    "now",
    "of",
    "ofDays",
    "ofEpochDay",
    "ofEpochMilli",
    "ofEpochSecond",
    "ofHours",
    "ofInstant",
    "ofMillis",
    "ofMinutes",
    "ofNanos",
    "ofSeconds",
    "ofTotalSeconds",
    "parse",
    "plus",
    "plusDays",
    "plusMillis",
    "plusSeconds",
    "systemDefault",
    "toInstant",
    "toLocalDate",
    "toLocalDateTime",
    "toLocalTime",
    "truncatedTo",
    "with",
    "withDayOfMonth",
];

/// Not so of a class that is judged itself.
pub(in crate::symbolic) fn is_never_null(program: &Program, method: MethodId) -> bool {
    let (class, declared) = program.method(method);
    let names = &program.names;
    let name = names.bytes(declared.name);
    let is_platform = program.role(class.id) == Role::Platform;
    if !is_platform || !returns_object(program, method) || name == BY_FUNCTION {
        return false;
    }
    let class = names.bytes(class.name);
    let methods = METHODS.iter().find(|(known, _)| known.as_bytes() == class);
    methods.is_some_and(|(_, known)| {
        known.is_empty() || known.iter().any(|known| known.as_bytes() == name)
    })
}

/// Whether it is a constructor of a collection that is filled from another: long work on what is unknown.
pub(in crate::symbolic) fn is_copying(program: &Program, method: MethodId) -> bool {
    let (class, declared) = program.method(method);
    let names = &program.names;
    let takes_some = |descriptor: &[u8]| {
        ["(Ljava/util/Collection;)V", "(Ljava/util/Map;)V", "(Ljava/util/SortedMap;)V"]
            .iter()
            .any(|known| known.as_bytes() == descriptor)
    };
    declared.name == program.known.init
        && program.role(class.id) == Role::Platform
        && names.bytes(class.name).starts_with(b"java/util/")
        && takes_some(names.bytes(declared.descriptor))
}

fn returns_object(program: &Program, method: MethodId) -> bool {
    let descriptor = program.names.bytes(program.method(method).1.descriptor);
    let result = descriptor.iter().position(|&byte| byte == b')').map_or(0, |at| at + 1);
    matches!(descriptor.get(result), Some(b'L' | b'['))
}
