"""Sources compiled by three compilers: does `jury diff` invent differences?

The sources jars of five libraries are compiled with javac for two releases of the platform and with
ecj; every pair of outcomes is compared. What the compilers do differently is nobody's change:
`violated` must be 0 or a real difference of the compilers, `possible` rare, and most that is not the
same code must be proved: `rewritten` is what reads differently and does the same step by step, `changed`
what was left to proofs. The last column is the proved part of both.
"""

import subprocess
import zipfile

from common import fail, jar_paths, java_tool, run_jury, table

TITLE = "Recompiled sources: javac --release 8, javac --release 17, ecj"

LIBRARIES = [
    ("org.apache.commons:commons-lang3:3.17.0:sources", "UTF-8"),
    ("commons-codec:commons-codec:1.17.1:sources", "UTF-8"),
    ("org.apache.commons:commons-text:1.12.0:sources", "ISO-8859-1"),
    ("joda-time:joda-time:2.12.7:sources", "UTF-8"),
    ("com.google.code.gson:gson:2.11.0:sources", "UTF-8"),
]
KNOWN = ["org.apache.commons:commons-lang3:3.17.0 ", "org.joda:joda-convert",
         "com.google.errorprone:error_prone_annotations"]
COLUMNS = ["methods", "unchanged", "rewritten", "changed", "affected", "holds", "violated", "possible", "unknown",
           "refuted"]


def unpack(jar, into):
    """The sources without descriptions of modules and packages, and without other releases' ones."""
    into.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(jar) as archive:
        for name in archive.namelist():
            is_code = name.endswith(".java") and not name.endswith(("module-info.java", "package-info.java"))
            if is_code and not name.startswith("META-INF"):
                archive.extract(name, into)
    return sorted(str(path) for path in into.rglob("*.java"))


def compile_with(command, sources, encoding, class_path, into):
    if into.is_dir() and any(into.rglob("*.class")):
        return into
    into.mkdir(parents=True, exist_ok=True)
    arguments = ["-g", "-nowarn", "-proc:none", "-encoding", encoding, "-cp", class_path, "-d", str(into)]
    run = subprocess.run([*command, *arguments, *sources], capture_output=True, text=True, check=False)
    if not any(into.rglob("*.class")):
        fail(f"{command[0]} could not compile {into.name}:\n{run.stderr[-2000:]}")
    return into


def versions(context, coordinates, encoding):
    [jar] = jar_paths(coordinates)
    name = "-".join(coordinates.split(":")[1:3])
    root = context.out / "recompiled" / name
    sources = unpack(jar, root / "src")
    class_path = ":".join(path for known in KNOWN for path in jar_paths(known))
    jdk = context.jdks[0]
    [ecj] = jar_paths("org.eclipse.jdt:ecj")
    javac = java_tool(jdk, "javac")
    commands = {
        "javac 8": [javac, "--release", "8"],
        "javac 17": [javac, "--release", "17"],
        "ecj": [java_tool(jdk, "java"), "-jar", ecj, "--release", "17"],
    }
    return name, class_path, {
        compiler: compile_with(command, sources, encoding, class_path, root / compiler.replace(" ", "-"))
        for compiler, command in commands.items()
    }


def proved(seen):
    """Of the pairs whose own code reads differently, those that are known to do the same."""
    left_open = [finding for finding in seen["findings"] if finding["verdict"] != "holds"]
    n_open = min(len(left_open), seen["changed"])
    n_all = seen["rewritten"] + seen["changed"]
    return f"{100 * (n_all - n_open) / n_all:.1f} %" if n_all else "-"


def run(context):
    rows, results = [], []
    for coordinates, encoding in LIBRARIES:
        name, class_path, compiled = versions(context, coordinates, encoding)
        for old, new in [("javac 8", "javac 17"), ("javac 8", "ecj"), ("javac 17", "ecj")]:
            if not context.jury:
                continue
            paths = [argument for path in class_path.split(":") for argument in ("--cp", path)]
            seen = run_jury(context, ["diff", str(compiled[old]), str(compiled[new]), *paths, "--format",
                                      "json", "--stats", "--fail-on", "never"])
            rows.append([name, f"{old} / {new}", *(seen[column] for column in COLUMNS),
                         f"{seen['wall']:.1f}", proved(seen)])
            results.append({"library": name, "old": old, "new": new,
                            **{column: seen[column] for column in [*COLUMNS, "wall", "findings"]}})
    print(table(["library", "compilers", *COLUMNS, "s", "proved"], rows))
    context.write("recompiled", results)
