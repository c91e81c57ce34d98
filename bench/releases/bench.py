"""Real releases: how much of what changed does `jury diff` decide, and how long does it take?

Beside it, for scale, the time that japicmp needs to compare the signatures of the same jars, if its
jar is pinned: it answers another question.
"""

import subprocess
import time

from common import ROOT, jar_paths, java_tool, run_jury, table

TITLE = "Real releases"

RELEASES = [
    ("org.apache.commons:commons-lang3", "3.17.0", "3.18.0"),
    ("commons-codec:commons-codec", "1.17.1", "1.18.0"),
    ("joda-time:joda-time", "2.12.6", "2.12.7"),
    ("com.google.code.gson:gson", "2.10.1", "2.11.0"),
]
KNOWN = ["org.joda:joda-convert", "com.google.errorprone:error_prone_annotations"]
COLUMNS = ["methods", "unchanged", "changed", "affected", "added", "removed", "holds", "violated",
           "possible", "unknown", "refuted"]


def japicmp(context, old, new):
    """Seconds, or nothing where japicmp is not there."""
    jars = list((ROOT / "target" / "jars").glob("japicmp-*-jar-with-dependencies.jar"))
    if not jars:
        return None
    command = [java_tool(context.jdks[0], "java"), "-jar", str(jars[0]), "-o", old, "-n", new,
               "--only-modified", "--ignore-missing-classes"]
    start = time.perf_counter()
    subprocess.run(command, capture_output=True, check=False)
    return time.perf_counter() - start


def run(context):
    rows, results = [], []
    paths = [argument for known in KNOWN for path in jar_paths(known) for argument in ("--cp", path)]
    for library, before, after in RELEASES:
        [old], [new] = jar_paths(f"{library}:{before} "), jar_paths(f"{library}:{after} ")
        other = japicmp(context, old, new)
        if not context.jury:
            continue
        seen = run_jury(context, ["diff", old, new, *paths, "--format", "json", "--stats",
                                  "--fail-on", "never"])
        decided = seen["holds"] + seen["violated"]
        judged = seen["changed"] + seen["affected"]
        share = f"{100 * decided // judged} %" if judged else "-"
        rows.append([f"{library.split(':')[1]} {before} {after}", *(seen[column] for column in COLUMNS),
                     share, f"{seen['wall']:.1f}", seen.get("peak_mib", "-"),
                     "-" if other is None else f"{other:.1f}"])
        results.append({"library": library, "old": before, "new": after, "japicmp": other,
                        **{column: seen[column] for column in [*COLUMNS, "wall", "findings"]}})
    print(table(["release", *COLUMNS, "decided", "s", "MiB", "japicmp s"], rows))
    context.write("releases", results)
