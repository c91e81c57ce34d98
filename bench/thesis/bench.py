"""The pairs of the HeapChecker thesis that grow, as they grow: seconds and memory, ours against the thesis'.

BuildTree builds a tree by two recursive calls, SetTree writes to all nodes of one that is passed in, SetList
to the elements of a list. The thesis prints times for BuildTree10 (30 to 40 s, once over 120 s), for SetTree2
only as a box plot above those of BuildTree5, and "below 3 s" for the lists of up to 20. Each size is a run of
`jury diff --no-replay` of its own; seconds are those of a processor for the whole process, start and reading
of classes included, and memory is its peak. After the table: every size as `n seconds MiB verdict`, for a
plot, and which pairs of the thesis and ModDiff fixtures take more than 0.1 s.
"""

import json
import math
import os
import shutil
import subprocess

from common import fail, java_tool, table

TITLE = "the thesis' pairs as they grow"
BARS = " ▁▂▃▄▅▆▇█"
LIMIT = 0.1
TREE = "class Tree { int content; Tree left, right; Tree(int c, Tree l, Tree r) { content = c; left = l; right = r; } }"
LIST = """class LList { int content; LList next;
    LList get(int x) { LList current = this; for (int i = 0; i < x; i++) {
        if (current == null) return null; current = current.next; } return current; } }"""


def build_tree(n):
    head = f"static Tree m(int x) {{ if (x >= -1 && x < {n - 1}) {{"
    tail = "return new Tree(x, m(x - 1), m(x - 1)); } return null; }"
    old = f"{head} if (x <= 0) return new Tree(x, null, null); {tail}"
    new = f"{head} if (x == 0) return new Tree(0, null, null); if (x <= 0) return new Tree(x, null, null); {tail}"
    return TREE, old, new


def set_tree(n):
    head = f"static void m(Tree t, int x) {{ if (x >= 0 && x < {n + 1} && t != null) {{"
    old = f"{head} t.content = x; m(t.left, x - 1); m(t.right, x - 1); }} }}"
    new = f"{head} m(t.right, x - 1); m(t.left, x - 1); t.content = x; }} }}"
    return TREE, old, new


def set_list(n):
    head = f"static void m(LList list, int num, int x) {{ if (x >= 0 && x < {n + 1}) {{"
    old = (f"{head} for (int i = 0; i < x; i++) {{ if (list == null) return;"
           " list.content = num; list = list.next; } } }")
    new = (f"{head} if (list != null) for (int i = 0; i < x; i++) {{ LList elem = list.get(i);"
           " if (elem == null) return; elem.content = num; } } }")
    return LIST, old, new


# Largest size, options, and what the thesis says of a size.
FAMILIES = {
    "BuildTree": (build_tree, 14, [], "n = 10: 30 to 40 s, once over 120 s"),
    "SetTree": (set_tree, 5, ["--assume", "unshared"], "height 2: above BuildTree5"),
    "SetList": (set_list, 40, [], "n = 5, 10, 20: below 3 s"),
}


def compiled(context, directory, sources):
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    command = [java_tool(context.jdks[0], "javac"), "-nowarn", "-d", str(directory), *sources]
    subprocess.run(command, check=True)
    return str(directory)


def judge(context, old, new, options):
    """A report, and the seconds of a processor that it took, from the start of the process to its end."""
    command = [context.jury, "diff", old, new, "--no-replay", "--format", "json", "--stats", "--fail-on", "never"]
    command += ["--threads", "1", *options]
    with open(context.out / "thesis.report", "w+") as report:
        child = subprocess.Popen(command, stdout=report, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            fail(f"{' '.join(command)} ended with {child.returncode}")
        report.seek(0)
        return json.load(report), usage.ru_utime + usage.ru_stime


def grow(context, name):
    make, largest, options, _ = FAMILIES[name]
    versions = []
    for side in (1, 2):
        directory = context.out / "thesis" / f"{name} {side}"
        source = context.out / f"{name}{side}.java"
        sizes = [make(n) for n in range(1, largest + 1)]
        methods = (f"class P{n} {{ {made[side]} }}" for n, made in enumerate(sizes, start=1))
        source.write_text("\n".join([sizes[0][0], *methods]))
        versions.append(compiled(context, directory, [str(source)]))
    costs = []
    for n in range(1, largest + 1):
        report, seconds = judge(context, *versions, options + ["--method", f"P{n}.m"])
        verdicts = [it["verdict"] for it in report["findings"]]
        costs.append({"n": n, "seconds": seconds, "mib": report["summary"]["peak_mib"],
                      "verdict": verdicts[0] if verdicts else "none"})
    return costs


def curve(values):
    top = max(values)
    return "".join(BARS[math.ceil(value / top * (len(BARS) - 1))] for value in values)


def pairs(context, fixture):
    """Verdict and seconds of each pair of a fixture, each in a run of its own."""
    versions = []
    for side in ("old", "new"):
        sources = sorted(str(it) for it in (context.root / "tests/fixtures/diff" / fixture / side).rglob("*.java"))
        versions.append(compiled(context, context.out / "thesis" / f"{fixture} {side}", sources))
    costs = {}
    for finding in judge(context, *versions, [])[0]["findings"]:
        method = f"{finding['subject']['class']}.{finding['subject']['method']}"
        costs[method] = judge(context, *versions, ["--method", method])[1]
    return costs


def run(context):
    if context.jury is None:
        return
    rows, raw = [], {}
    for name, (_, largest, _, thesis) in FAMILIES.items():
        costs = raw[name] = grow(context, name)
        seconds, mib = [it["seconds"] for it in costs], [it["mib"] for it in costs]
        proved = sum(it["verdict"] == "holds" for it in costs)
        rows.append([name, f"1..{largest}", f"{proved} of {largest}", f"{max(seconds):.3f}", max(mib), thesis,
                     curve(seconds), curve(mib)])
    context.write("thesis", raw)
    print(table(["family", "n", "proved", "s at most", "MiB", "thesis", "seconds by n", "memory by n"], rows))
    for name, costs in raw.items():
        points = (f"{it['n']} {it['seconds']:.3f} {it['mib']} {it['verdict']}" for it in costs)
        print(f"{name}: " + ", ".join(points))
    for fixture in ("thesis", "moddiff"):
        costs = pairs(context, fixture)
        slow = {method: cost for method, cost in costs.items() if cost > LIMIT}
        print(f"{fixture}: {len(costs)} pairs, {len(costs) - len(slow)} within {LIMIT} s"
              + "".join(f"\n    {cost:.3f} s  {method.split('(')[0]}" for method, cost in sorted(slow.items())))
