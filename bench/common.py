"""What benches share: JDKs, jars, running jury, tables. Python 3 standard library only."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def fail(message):
    sys.exit("bench: " + message)


class Jdk:
    def __init__(self, home):
        self.home = Path(home).resolve()
        try:
            release = (self.home / "release").read_text()
        except OSError:
            fail(f"{home} is not the home of a JDK (no 'release' file there)")
        self.version = re.search(r'JAVA_VERSION="([^"]*)"', release).group(1)


class Context:
    """What a bench is run with."""

    def __init__(self, jury, jdks, threads, rounds):
        self.root = ROOT
        self.jury = jury
        self.jdks = jdks
        self.threads = threads
        self.rounds = rounds
        self.out = ROOT / "target" / "bench"
        self.out.mkdir(parents=True, exist_ok=True)

    def write(self, name, results):
        path = self.out / f"{name}.json"
        path.write_text(json.dumps(results, indent=1) + "\n")
        print(f"{path.relative_to(ROOT)} written", file=sys.stderr)


def find_jdks():
    """The JDK that `java` runs from (or JAVA_HOME), then those of JURY_JDKS."""
    home = os.environ.get("JAVA_HOME")
    if not home:
        try:
            settings = subprocess.run(["java", "-XshowSettings:properties", "-version"],
                                      stderr=subprocess.PIPE, text=True, check=True).stderr
        except OSError:
            fail("java is missing: install a JDK, 17 or later, or name one: --jdk HOME")
        home = re.search(r"java\.home = (.*)", settings).group(1)
    homes = [home, *filter(None, os.environ.get("JURY_JDKS", "").split(":"))]
    return list({jdk.home: jdk for jdk in map(Jdk, homes)}.values())


def java_tool(jdk, name):
    path = jdk.home / "bin" / name
    if not path.exists():
        fail(f"{path} is missing: a whole JDK is needed, not only a runtime")
    return str(path)


def jar_paths(prefix):
    """The pinned jars whose coordinates start so; scripts/fetch-jars has put them there."""
    lines = (ROOT / "tests" / "jars.lock").read_text().splitlines()
    names = ["-".join(line.split()[0].split(":")[1:]) + ".jar" for line in lines if line.startswith(prefix)]
    paths = [ROOT / "target" / "jars" / name for name in names]
    missing = [path.name for path in paths if not path.exists()]
    if missing:
        fail(f"{', '.join(missing)} missing: run scripts/fetch-jars --set bench")
    return [str(path) for path in paths]


def run_jury(context, arguments):
    """One run; the statistics of its JSON, with `wall` for the whole process."""
    start = time.perf_counter()
    run = subprocess.run([context.jury, *arguments], stdout=subprocess.PIPE, text=True, check=False)
    wall = time.perf_counter() - start
    if run.returncode not in (0, 1):
        fail(f"jury {' '.join(arguments)} ended with {run.returncode}")
    report = json.loads(run.stdout)
    statistics = dict(report)
    for part in ("summary", "stats"):
        statistics.update(report.get(part) or {})
    statistics["wall"] = wall
    return statistics


# The jars that SpotBugs runs from.
SPOTBUGS = [
    "com.github.spotbugs:spotbugs:", "com.github.spotbugs:spotbugs-annotations:", "org.ow2.asm:asm",
    "org.apache.bcel:bcel:", "org.dom4j:dom4j:", "jaxen:jaxen:", "org.slf4j:slf4j-api:",
    "com.google.code.findbugs:jsr305:", "com.github.stephenc.jcip:", "com.google.code.gson:gson:2.11.0 ",
    "org.apache.commons:commons-lang3:3.17.0 ", "org.apache.commons:commons-text:1.12.0 ",
]


def run_spotbugs(context, path, beside):
    """SpotBugs on one jar, looking for all it can: seconds and memory of its process."""
    class_path = ":".join(jar for prefix in SPOTBUGS for jar in jar_paths(prefix))
    auxiliary = ["-auxclasspath", ":".join(beside)] if beside else []
    command = [java_tool(context.jdks[0], "java"), "-Xmx2g", "-cp", class_path,
               "edu.umd.cs.findbugs.FindBugs2", "-effort:max", "-low", *auxiliary,
               "-output", str(context.out / "spotbugs.txt"), path]
    start = time.perf_counter()
    with open(context.out / "spotbugs.err", "w") as errors:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    # Whatever it finds, the code is 0: another one means that it did not look.
    if child.returncode != 0:
        fail(f"SpotBugs ended with {child.returncode}: see {errors.name}")
    return {"seconds": time.perf_counter() - start, "peak_mib": usage.ru_maxrss // 1024}


def best(values):
    return min(values)


def median(values):
    return sorted(values)[len(values) // 2]


def table(header, rows):
    cells = [[str(cell) for cell in row] for row in [header, *rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in cells]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])
