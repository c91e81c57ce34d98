"""`jury locks` on the first 10, 20, 50 and 100 % of a JDK's classes, and beside SpotBugs on one jar.

Each part is judged alone, without the rest of the JDK. The cost is near linear if the time per method
stays the same: the last column draws it. Times are those of the processor, which other work on the machine
disturbs less. SpotBugs looks for hundreds of other things; it is there for scale. Nothing is replayed. On every number of threads the report and the contracts of a JDK must be the
same bytes, which is checked first.
"""

import resource
import subprocess
import zipfile

from common import fail, jar_paths, java_tool, run_jury, run_spotbugs, table

TITLE = "jury locks, by size, and against SpotBugs"
SHARES = (10, 20, 50, 100)
JAR = "com.google.guava:guava:33.4.0-jre "
CELLS = ["methods", "CPU s", "s", "1000 methods/CPU s", "MiB"]
JUDGE = ["locks", "--no-replay", "--fail-on", "never"]


def run(context):
    if not context.jury:
        fail("the bench of locks has no other side for a whole JDK: run it with jury")
    results = []
    for jdk in context.jdks:
        compare_bytes(context, jdk)
        rows = []
        for share, path in parts(context, jdk):
            one = measure(context, [str(path), "--jdk", "none"])
            results.append({"jdk": jdk.version, "share": share, **one})
            per_method = one["cpu"] * 1e6 / one["methods"]
            rows.append([jdk.version, f"{share} %", *cells(one), f"{per_method:.0f}", "#" * round(per_method / 5)])
        print(table(["JDK", "classes", *CELLS, "us/method", ""], rows))
    (path,) = jar_paths(JAR)
    jury = measure(context, [path])
    other = with_cpu(lambda: {**run_spotbugs(context, path, []), "methods": jury["methods"]})
    results.append({"jar": path.rsplit("/", 1)[1], "jury": jury, "spotbugs": other})
    context.write("locks", results)
    print(table([JAR.split(":")[1], *CELLS], [["jury", *cells(jury)], ["SpotBugs", *cells(other)]]))


def measure(context, arguments):
    """The best round, because a busy machine only ever adds."""
    options = ["--stats", "--format", "json", "--threads", str(max(context.threads))]
    command = [*JUDGE, *options, *arguments]
    runs = [with_cpu(lambda: run_jury(context, command)) for _ in range(min(context.rounds, 2))]
    one = min(runs, key=lambda run: run["cpu"])
    return {name: one[name] for name in ("classes", "methods", "cpu", "seconds", "peak_mib", "possible")}


def with_cpu(run):
    """What it says, with the processor's time of the processes that it ran."""
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    before = used()
    return {**run(), "cpu": used() - before}


def cells(one):
    speed = one["methods"] / one["cpu"] / 1000
    return [one["methods"], f"{one['cpu']:.1f}", f"{one['seconds']:.1f}", f"{speed:.1f}", one["peak_mib"]]


def parts(context, jdk):
    """Jars of the first classes of the JDK, by module and name."""
    home = context.out / f"classes-{jdk.version}"
    if not home.exists():
        subprocess.run([java_tool(jdk, "jimage"), "extract", "--dir", str(home),
                        str(jdk.home / "lib" / "modules")], check=True)
    found = sorted(path for path in home.rglob("*.class") if path.name != "module-info.class")
    for share in SHARES:
        jar = context.out / f"classes-{jdk.version}-{share}.jar"
        with zipfile.ZipFile(jar, "w") as archive:
            for path in found[: len(found) * share // 100]:
                archive.write(path, str(path.relative_to(home)).split("/", 1)[1])
        yield share, jar


def compare_bytes(context, jdk):
    for form in (["--all"], ["--contracts"]):
        written = {subprocess.run([context.jury, *JUDGE, *form, "--threads", str(threads), str(jdk.home)],
                                  stdout=subprocess.PIPE, check=True).stdout for threads in context.threads}
        if len(written) > 1:
            fail(f"jury locks {form[0]} on JDK {jdk.version} differs with the number of threads")
