"""Symbolic execution of every method of a library on open inputs, within the normal budget.

Methods per second on each number of threads, the share of methods that were followed to their end without
a stop and without a call to the outside, and the peak memory.
"""

import re
import subprocess

from common import fail, jar_paths, table

TITLE = "symbolic execution of commons-lang3, every method"
FIGURES = re.compile(
    r"methods (\d+), without gap (\d+) \(([\d.]+) %\), seconds ([\d.]+), methods per second (\d+), "
    r"peak MiB (\d+)"
)


def run(context):
    if context.jury is None:
        return
    rows, results = [], []
    jar = jar_paths("org.apache.commons:commons-lang3:")[0]
    for threads in context.threads:
        command = [context.jury, "eval", "--every", "--threads", str(threads), "--cp", jar]
        ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        found = FIGURES.search(ran.stdout)
        if found is None:
            fail(f"{' '.join(command)} ended with {ran.returncode}")
        figures = found.groups()
        results.append({"threads": threads, "figures": figures})
        methods, _, share, seconds, per_second, memory = figures
        rows.append([threads, methods, f"{share} %", seconds, per_second, memory])
    context.write("symbolic", results)
    print(table(["threads", "methods", "without gap", "seconds", "per second", "peak MiB"], rows))
