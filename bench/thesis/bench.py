"""The pairs of the HeapChecker thesis that grow, as they grow: seconds and memory, ours against the thesis'.

BuildTree builds a tree by two recursive calls, SetTree writes to all nodes of one that is passed in, SetList
to the elements of a list. The thesis prints times for BuildTree10 (30 to 40 s, once over 120 s), for SetTree2
only as a box plot above those of BuildTree5, and "below 3 s" for the lists of up to 20. Each size is a run of
`jury diff --no-replay` of its own; the seconds are those of its analysis, the memory is the peak of the
process. After the table: which pairs of the thesis and ModDiff fixtures take more than 0.1 s.
"""

import json
import math
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
    source = directory / "P.java"
    source.write_text(sources)
    subprocess.run([java_tool(context.jdks[0], "javac"), "-nowarn", "-d", str(directory), str(source)], check=True)
    return str(directory)


def judge(context, old, new, options):
    command = [context.jury, "diff", old, new, "--no-replay", "--format", "json", "--stats", "--fail-on", "never"]
    ran = subprocess.run(command + options, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    if ran.returncode != 0:
        fail(f"{' '.join(command)} ended with {ran.returncode}")
    return json.loads(ran.stdout)


def grow(context, name):
    make, largest, options, _ = FAMILIES[name]
    costs = []
    for n in range(1, largest + 1):
        classes, old, new = make(n)
        versions = [compiled(context, context.out / "thesis" / side, f"{classes} class P {{ {code} }}")
                    for side, code in (("old", old), ("new", new))]
        report = judge(context, *versions, options + ["--method", "P.m"])
        summary, verdicts = report["summary"], [it["verdict"] for it in report["findings"]]
        costs.append({"n": n, "seconds": summary["analysis_seconds"] - summary["matching_seconds"],
                      "mib": summary["peak_mib"], "verdict": verdicts[0] if verdicts else "none"})
    return costs


def curve(values):
    top = max(values)
    return "".join(BARS[math.ceil(value / top * (len(BARS) - 1))] for value in values)


def pairs(context, fixture):
    """Seconds of each pair of a fixture, each in a run of its own."""
    versions = []
    for side in ("old", "new"):
        directory = context.out / "thesis" / f"{fixture} {side}"
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        sources = sorted(str(it) for it in (context.root / "tests/fixtures/diff" / fixture / side).rglob("*.java"))
        subprocess.run([java_tool(context.jdks[0], "javac"), "-nowarn", "-d", str(directory), *sources], check=True)
        versions.append(str(directory))
    costs = {}
    for finding in judge(context, *versions, [])["findings"]:
        method = f"{finding['subject']['class']}.{finding['subject']['method']}"
        summary = judge(context, *versions, ["--method", method])["summary"]
        costs[method] = summary["analysis_seconds"] - summary["matching_seconds"]
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
    for fixture in ("thesis", "moddiff"):
        costs = pairs(context, fixture)
        slow = {method: cost for method, cost in costs.items() if cost > LIMIT}
        print(f"{fixture}: {len(costs)} pairs, {len(costs) - len(slow)} within {LIMIT} s"
              + "".join(f"\n    {cost:.3f} s  {method.split('(')[0]}" for method, cost in sorted(slow.items())))
