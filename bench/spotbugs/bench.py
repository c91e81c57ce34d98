"""`jury equals` against SpotBugs 4.9.3 (-effort:max), one after the other in one run.

SpotBugs looks for hundreds of other things; the comparison says how long a user waits, not which of
the two does more. Jury's time is its analysis as its own statistics say, with the replay of witnesses
on a JVM apart; the time of SpotBugs is that of its process. The best round of each side counts,
because a busy machine only ever adds.

JURY_BENCH_JARS=lucene-core-3.0.0,... takes only these.
"""

import os
import subprocess
import time

from common import best, fail, jar_paths, java_tool, run_jury, table

TITLE = "jury equals, against SpotBugs"
# Judged, and what it needs beside it.
JARS = [
    ("org.apache.lucene:lucene-core:3.0.0", []),
    ("org.apache.lucene:lucene-core:4.6.0", []),
    ("org.apache.tomcat.embed:tomcat-embed-core:8.0.1", []),
    ("org.jfree:jfreechart:1.0.17", ["org.jfree:jcommon:1.0.21"]),
    ("com.google.guava:guava:33.4.0-jre", []),
]
SPOTBUGS = [
    "com.github.spotbugs:spotbugs:", "com.github.spotbugs:spotbugs-annotations:", "org.ow2.asm:asm",
    "org.apache.bcel:bcel:", "org.dom4j:dom4j:", "jaxen:jaxen:", "org.slf4j:slf4j-api:",
    "com.google.code.findbugs:jsr305:", "com.github.stephenc.jcip:", "com.google.code.gson:gson:2.11.0 ",
    "org.apache.commons:commons-lang3:3.17.0 ", "org.apache.commons:commons-text:1.12.0 ",
]
ALLOWED = 1 / 5


def run(context):
    rounds = min(context.rounds, 2)
    wanted = [name for name in os.environ.get("JURY_BENCH_JARS", "").split(",") if name]
    class_path = ":".join(path for prefix in SPOTBUGS for path in jar_paths(prefix))
    rows, results = [], []
    for coordinates, beside in JARS:
        (path,) = jar_paths(coordinates + " ")
        name = path.rsplit("/", 1)[1].removesuffix(".jar")
        if wanted and name not in wanted:
            continue
        beside = [jar for other in beside for jar in jar_paths(other + " ")]
        spotbugs, jury = [], []
        for _ in range(rounds):
            if context.jury:
                jury.append(judge(context, path, beside))
            spotbugs.append(run_spotbugs(context, class_path, path, beside))
        results.append({"jar": name, "spotbugs": spotbugs, "jury": jury})
        rows.append(row(name, spotbugs, jury))
    if not rows:
        fail(f"JURY_BENCH_JARS names none of {', '.join(jar for jar, _ in JARS)}")
    context.write("spotbugs", results)
    header = ["jar", "SpotBugs s", "analysis s", "ratio", "at most", "replay s", "MiB",
              "holds", "violated", "possible", "unknown"]
    print(table(header, rows))


def judge(context, path, beside):
    options = [word for jar in beside for word in ("--cp", jar)]
    threads = ["--threads", str(max(context.threads))]
    return run_jury(context, ["equals", path, *options, *threads, "--stats", "--format", "json"])


def run_spotbugs(context, class_path, path, beside):
    auxiliary = ["-auxclasspath", ":".join(beside)] if beside else []
    command = [java_tool(context.jdks[0], "java"), "-Xmx2g", "-cp", class_path,
               "edu.umd.cs.findbugs.FindBugs2", "-textui", "-effort:max", "-low", *auxiliary,
               "-output", str(context.out / "spotbugs.txt"), path]
    start = time.perf_counter()
    ended = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    # It counts what it found in bits of its exit code; 1 is "bugs found".
    if ended.returncode not in (0, 1, 2, 3):
        fail(f"SpotBugs ended with {ended.returncode}:\n{ended.stderr[-2000:]}")
    return time.perf_counter() - start


def row(name, spotbugs, jury):
    other = best(spotbugs)
    if not jury:
        return [name, f"{other:.1f}", *["-"] * 9]
    run = min(jury, key=lambda one: one["analysis_seconds"])
    ratio = run["analysis_seconds"] / other
    return [name, f"{other:.1f}", f"{run['analysis_seconds']:.1f}", f"{ratio:.2f}", f"{ALLOWED:.2f}",
            f"{run['replay_seconds']:.1f}", run["peak_mib"],
            run["holds"], run["violated"], run["possible"], run["unknown"]]
