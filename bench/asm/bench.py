"""Reading and lowering a whole JDK, against ASM in a warmed-up JVM on the same classes and threads.

    read    jury: classes read           ASM: ClassReader into a ClassNode tree
    lower   jury: every body to SSA IR   ASM: tree, then Analyzer with BasicVerifier on every method

Jury's times include opening the image and finding the classes; ASM's classes are in memory already.
The table shows the best round of each side, because a busy machine only ever adds; medians are in the
JSON file.
"""

import json
import subprocess

from common import best, fail, java_tool, jar_paths, median, run_jury, table

WARM_UP_ROUNDS = 5
TITLE = "reading and lowering a JDK, against ASM"


def run(context):
    class_path = compile_asm_bench(context)
    rows, results = [], []
    for jdk in context.jdks:
        for threads in context.threads:
            asm = run_asm(context, class_path, jdk, threads)
            jury = run_jury_dump(context, jdk, threads) if context.jury else None
            results.append({"jdk": jdk.version, "threads": threads, "asm": asm, "jury": jury})
            for what, asm_key, jury_key in (("read", "read", "read_seconds"), ("lower", "analyze", "seconds")):
                rows.append(row(what, jdk, threads, asm, jury, asm_key, jury_key))
    context.write("asm", results)
    header = ["", "JDK", "threads", "classes", "jury s", "ASM s", "jury/ASM", "jury MiB", "failures"]
    print(table(header, rows))


def row(what, jdk, threads, asm, jury, asm_key, jury_key):
    asm_seconds = asm[f"{asm_key}_best"]
    cells = [what, jdk.version, threads, asm["classes"]]
    if jury is None or jury[jury_key] is None:
        return cells + ["-", f"{asm_seconds:.3f}", "-", "-", "-"]
    ratio = jury[jury_key]["best"] / asm_seconds
    return cells + [f"{jury[jury_key]['best']:.3f}", f"{asm_seconds:.3f}", f"{ratio:.2f}",
                    f"{jury['peak_mib']:.0f}", jury["failures"]]


def compile_asm_bench(context):
    classes = context.out / "asm-classes"
    classes.mkdir(parents=True, exist_ok=True)
    jars = jar_paths("org.ow2.asm:")
    subprocess.run([java_tool(context.jdks[0], "javac"), "--release", "17", "-nowarn",
                    "-cp", ":".join(jars), "-d", str(classes),
                    str(context.root / "bench" / "asm" / "AsmBench.java")], check=True)
    return ":".join([str(classes), *jars])


def run_asm(context, class_path, jdk, threads):
    # Measured: of all collectors this one serves ASM best, with a heap that is there from the start.
    command = [java_tool(jdk, "java"), "-XX:+UseParallelGC", "-Xms3g", "-Xmx3g", "-Xmn2g",
               "-XX:+AlwaysPreTouch", "-cp", class_path,
               "AsmBench", str(jdk.home), str(threads), str(WARM_UP_ROUNDS), str(context.rounds)]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(output)


def run_jury_dump(context, jdk, threads):
    runs = [run_jury(context, ["dump", "--stats", "--format", "json", "--threads", str(threads), str(jdk.home)])
            for _ in range(context.rounds)]
    for name in ("classes", "methods", "bodies", "failures", "seconds", "peak_mib"):
        if name not in runs[0]:
            fail(f"jury dump --stats --format json has no '{name}': {json.dumps(runs[0])[:300]}")
    result = {name: runs[0][name] for name in ("classes", "methods", "bodies", "failures")}
    result["peak_mib"] = max(run["peak_mib"] for run in runs)
    for name in ("seconds", "read_seconds", "wall"):
        values = [run[name] for run in runs if run.get(name) is not None]
        result[name] = {"best": best(values), "median": median(values)} if values else None
    return result
