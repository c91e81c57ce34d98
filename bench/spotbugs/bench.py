"""`jury equals` against SpotBugs 4.9.3 (-effort:max), one after the other in one run.

SpotBugs looks for hundreds of other things; the comparison says how long a user waits, not which of
the two does more. Jury's time is its analysis as its own statistics say, with the replay of witnesses
on a JVM apart; the time of SpotBugs is that of its process. The best round of each side counts,
because a busy machine only ever adds.

JURY_BENCH_JARS=lucene-core-3.0.0,... takes only these.
"""

import os

from common import best, fail, jar_paths, run_jury, run_spotbugs, table

TITLE = "jury equals, against SpotBugs"
# Judged, and what it needs beside it.
JARS = [
    ("org.apache.lucene:lucene-core:3.0.0", []),
    ("org.apache.lucene:lucene-core:4.6.0", []),
    ("org.apache.tomcat.embed:tomcat-embed-core:8.0.1", []),
    ("org.jfree:jfreechart:1.0.17", ["org.jfree:jcommon:1.0.21"]),
    ("com.google.guava:guava:33.4.0-jre", []),
]
ALLOWED = 1 / 5


def run(context):
    rounds = min(context.rounds, 2)
    wanted = [name for name in os.environ.get("JURY_BENCH_JARS", "").split(",") if name]
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
            spotbugs.append(run_spotbugs(context, path, beside)["seconds"])
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


def row(name, spotbugs, jury):
    other = best(spotbugs)
    if not jury:
        return [name, f"{other:.1f}", *["-"] * 9]
    run = min(jury, key=lambda one: one["analysis_seconds"])
    ratio = run["analysis_seconds"] / other
    return [name, f"{other:.1f}", f"{run['analysis_seconds']:.1f}", f"{ratio:.2f}", f"{ALLOWED:.2f}",
            f"{run['replay_seconds']:.1f}", run["peak_mib"],
            run["holds"], run["violated"], run["possible"], run["unknown"]]
