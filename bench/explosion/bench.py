"""What symbolic execution costs as a program grows: five families, from size 1 to the largest.

Tools that fork on every branch, field or alias need 2^n paths here. A curve of bars shows the seconds of
each size relative to the largest; `growth` is the exponent between half and all of the size (1: linear,
2: quadratic; of trees, in the number of objects).
"""

import json
import math
import subprocess

from common import fail, java_tool, table

TITLE = "symbolic execution as programs grow"
BARS = " ▁▂▃▄▅▆▇█"
WIDTH = 32
HEAD = """
    static final class C { int f; }
    static final class N { N l, r; int v; }
    static N build(int d) { if (d == 0) return null; N n = new N();
        n.l = build(d - 1); n.r = build(d - 1); n.v = d; return n; }
"""


def ifs(n):
    body = " ".join(f"if ((a & {1 << min(at, 62)}L) != 0) r += b * {at};" for at in range(n))
    return f"static int ifs{n}(long a, int b) {{ int r = 0; {body} return r; }}"


def fields(n):
    tests = " ".join(f"if (x.f{at} == y.f{at}) {{" for at in range(n))
    return f"static boolean fields{n}(P x, P y) {{ {tests} return true; {'}' * n} return false; }}"


def turns(n):
    return (f"static int turns{n}(long a, int b) {{ int s = 0; for (int i = 0; i < {n}; i++)"
            " { if ((a >> i & 1) != 0) s += i; else s ^= b; if ((s & b) > i) s += 3; } return s; }")


def aliases(n):
    parameters = ", ".join(f"C p{at}" for at in range(n))
    writes = " ".join(f"p{at}.f = v + {at};" for at in range(n))
    return f"static int aliases{n}(int v, {parameters}) {{ {writes} return p0.f; }}"


def tree(n):
    return f"static int tree{n}() {{ return build({n}).v; }}"


FAMILIES = {"ifs in a row": (ifs, 64), "fields compared": (fields, 30), "turns of a loop": (turns, 50),
            "possible aliases": (aliases, 40), "depth of a tree": (tree, 12)}


def measure(context):
    places = " ".join(f"int f{at};" for at in range(FAMILIES["fields compared"][1]))
    methods = [make(n) for make, largest in FAMILIES.values() for n in range(1, largest + 1)]
    directory = context.out / "explosion"
    directory.mkdir(parents=True, exist_ok=True)
    source = directory / "E.java"
    source.write_text("final class E {" + HEAD + f"static final class P {{ {places} }}\n"
                      + "\n".join(methods) + "\n}\n")
    subprocess.run([java_tool(context.jdks[0], "javac"), "-nowarn", "-d", str(directory), str(source)], check=True)
    command = [context.jury, "eval", "--every", "--json", "--threads", "1", "--cp", str(directory)]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if ran.returncode != 0:
        fail(f"{' '.join(command)} ended with {ran.returncode}")
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    return {line["method"].split(".")[1].split("(")[0]: line for line in lines if line["gap"] is None}


def curve(seconds):
    step = max(1, math.ceil(len(seconds) / WIDTH))
    top = max(seconds)
    return "".join(BARS[math.ceil(value / top * (len(BARS) - 1))] for value in seconds[step - 1::step])


def run(context):
    if context.jury is None:
        return
    costs = measure(context)
    rows = []
    for title, (make, largest) in FAMILIES.items():
        found = [costs.get(f"{make.__name__}{n}") for n in range(1, largest + 1)]
        if None in found:
            fail(f"{make.__name__}{found.index(None) + 1} was not followed to its end")
        half, whole = largest // 2, largest
        sizes = (2 ** half, 2 ** whole) if make is tree else (half, whole)
        growth = math.log(found[whole - 1]["work"] / found[half - 1]["work"]) / math.log(sizes[1] / sizes[0])
        seconds = [line["seconds"] for line in found]
        rows.append([title, largest, found[-1]["terms"], f"{seconds[-1]:.3f}", f"{growth:.2f}", curve(seconds)])
    context.write("explosion", costs)
    print(table(["family", "size", "terms", "seconds", "growth", "seconds by size"], rows))
