"""`jury equals` on the projects of the two studies that it continues, beside the figures they print.

The thesis judged Lucene 3.0 and Tomcat 6 (tables 4.4 to 4.6: problems, of these false, unknown code
patterns, time); the later paper Lucene 4.6.0, Tomcat 8.0.1 and JFreeChart 1.0.17 (tables 3 and 4:
violated rules, time). They counted type hierarchies, here a finding is a class and a rule, so that
columns are set side by side and not subtracted. `docs/seeds.md` says where the differences come from.

JURY_BENCH_JARS=lucene-core-3.0.0,... takes only these.
"""

import os
from collections import Counter

from common import fail, jar_paths, run_jury, table

TITLE = "jury equals on the projects of earlier studies"
VERDICTS = ("violated", "possible", "unknown", "holds")
# What a study called it, and the rules here that speak of it.
KINDS = {
    "reflexive": ["equals-reflexive"],
    "symmetric": ["equals-symmetric"],
    "transitive": ["equals-transitive"],
    "null": ["equals-null"],
    "throws (null, cast)": ["equals-total"],
    "overloaded": ["equals-overloaded"],
    "subset": ["hash-stable"],
    "equivalence": ["hash-consistent"],
    "order": ["compare-antisymmetric", "compare-transitive", "compare-total", "compare-consistent"],
}
THESIS = "thesis"
PAPER = "paper"


class Project:
    def __init__(self, name, judged, beside, study, figures, seconds, unknown=None):
        self.name, self.judged, self.beside, self.study = name, judged, beside, study
        self.figures, self.seconds, self.unknown = figures, seconds, unknown


PROJECTS = [
    Project("lucene-core-3.0.0", ["org.apache.lucene:lucene-core:3.0.0"], [], THESIS,
            {"reflexive": "0", "symmetric": "1", "transitive": "0 (1 false)", "throws (null, cast)": "7",
             "overloaded": "0"}, 33, 6),
    Project("tomcat-6.0.20", ["org.apache.tomcat:catalina:6.0.20", "org.apache.tomcat:coyote:6.0.20"], [], THESIS,
            {"reflexive": "0", "symmetric": "1", "transitive": "1", "throws (null, cast)": "0",
             "overloaded": "4"}, 25, 0),
    Project("lucene-core-4.6.0", ["org.apache.lucene:lucene-core:4.6.0"], [], PAPER,
            {"reflexive": "2", "symmetric": "0", "transitive": "0", "null": "0", "subset": "4",
             "equivalence": "1"}, 48),
    Project("tomcat-embed-core-8.0.1", ["org.apache.tomcat.embed:tomcat-embed-core:8.0.1"], [], PAPER,
            {"reflexive": "11", "symmetric": "3", "transitive": "4", "null": "3", "subset": "14",
             "equivalence": "7"}, 285),
    Project("jfreechart-1.0.17", ["org.jfree:jfreechart:1.0.17"], ["org.jfree:jcommon:1.0.21"], PAPER,
            {"reflexive": "1", "symmetric": "1", "transitive": "2", "null": "0", "subset": "76",
             "equivalence": "36"}, 22689),
]


def run(context):
    if not context.jury:
        fail("these figures are of Jury and of two studies: there is no other side to run")
    wanted = [name for name in os.environ.get("JURY_BENCH_JARS", "").split(",") if name]
    results = []
    for project in PROJECTS:
        if wanted and project.name not in wanted:
            continue
        report = judge(context, project)
        show(project, report)
        results.append({"project": project.name, "report": report})
    context.write("seeds", results)


def judge(context, project):
    paths = [path for jar in project.judged for path in jar_paths(jar + " ")]
    beside = [word for jar in project.beside for path in jar_paths(jar + " ") for word in ("--cp", path)]
    threads = ["--threads", str(max(context.threads))]
    report = run_jury(context, ["equals", *paths, *beside, *threads, "--all", "--stats", "--format", "json"])
    kept = ("violated", "possible", "unknown", "holds", "refuted", "analysis_seconds", "replay_seconds", "peak_mib")
    findings = [{"class": one["subject"]["class"], "rule": one["rule"], "verdict": one["verdict"],
                 "needs": (one.get("evidence") or {}).get("needs") or []} for one in report["findings"]]
    return {"findings": findings, **{name: report.get(name) for name in kept}}


def show(project, report):
    counts = Counter((one["rule"], one["verdict"]) for one in report["findings"])
    rows = []
    for kind, rules in KINDS.items():
        found = [sum(counts[rule, verdict] for rule in rules) for verdict in VERDICTS]
        rows.append([kind, project.figures.get(kind, "-"), *found])
    print(f"\n{project.name}")
    print(table(["kind", project.study, *VERDICTS], rows))
    times = f"{report['analysis_seconds']:.1f} s and {report['replay_seconds']:.1f} s of replay"
    unknown = "" if project.unknown is None else f", {project.unknown} unknown patterns"
    print(f"{project.study}: {project.seconds} s{unknown}; here: {times}, {report['peak_mib']} MiB, "
          f"{report['refuted']} refuted")
