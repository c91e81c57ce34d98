"""`jury locks` on the first 10, 20, 50 and 100 % of a JDK's classes, and beside SpotBugs on one jar.

Each part is judged alone, without the rest of the JDK. The cost is near linear if the time per method
stays the same: the last column draws it. SpotBugs looks for hundreds of other things; it is there for
scale. Nothing is replayed. On every number of threads the report and the contracts of a JDK must be the
same bytes, which is checked first.
"""

import subprocess
import zipfile

from common import fail, jar_paths, java_tool, run_jury, run_spotbugs, table

TITLE = "jury locks, by size, and against SpotBugs"
SHARES = (10, 20, 50, 100)
JAR = "com.google.guava:guava:33.4.0-jre "
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
            rows.append([jdk.version, f"{share} %", *cells(one), "#" * round(one["us"] / 5)])
        print(table(["JDK", "classes", "methods", "s", "1000 methods/s", "MiB", "us per method"], rows))
    (path,) = jar_paths(JAR)
    jury, other = measure(context, [path]), run_spotbugs(context, path, [])
    results.append({"jar": path.rsplit("/", 1)[1], "jury": jury, "spotbugs": other})
    context.write("locks", results)
    speed = jury["methods"] / other["seconds"] / 1000
    print(table([JAR.split(":")[1], "methods", "s", "1000 methods/s", "MiB"],
                [["jury", *cells(jury)],
                 ["SpotBugs", jury["methods"], f"{other['seconds']:.1f}", f"{speed:.1f}", other["peak_mib"]]]))


def measure(context, arguments):
    """The best round, because a busy machine only ever adds."""
    options = ["--stats", "--format", "json", "--threads", str(max(context.threads))]
    runs = [run_jury(context, [*JUDGE, *options, *arguments]) for _ in range(min(context.rounds, 2))]
    one = min(runs, key=lambda run: run["seconds"])
    return {"us": one["seconds"] * 1e6 / one["methods"],
            **{name: one[name] for name in ("classes", "methods", "seconds", "peak_mib", "possible")}}


def cells(one):
    return [one["methods"], f"{one['seconds']:.1f}", f"{1000 / one['us']:.1f}", one["peak_mib"]]


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
