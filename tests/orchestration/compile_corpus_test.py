#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every chip orchestration that pyptoc emits for the corpus compiles without a warning, for both targets.

compile_corpus_test.py PYPTOC INCLUDE SHARED    prints SKIPPED when there is no corpus

All units of a target are compiled as one file, each in a namespace of its own: the headers are read once.
"""
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile


def build(pyptoc, program, target, out):
    """The units of a program, and what went wrong; a program that is refused by name has none."""
    command = [pyptoc, "build", program, "-o", out, "--emit", "orchestration", "--target", target, "-q"]
    run = subprocess.run([*command, "--verify", "input"], capture_output=True, text=True, check=False)
    if run.returncode:
        return [], None if run.returncode == 1 else f"{program.name}: exit {run.returncode}\n{run.stderr}"
    return [(program.name, unit.read_text()) for unit in sorted(out.glob("**/orchestration/*.cpp"))], None


def joined(units):
    includes, body = set(), ""
    for number, (name, text) in enumerate(units):
        includes.update(re.findall(r"^#include.*$", text, re.M))
        text = re.sub(r"^#include.*$", "", text, flags=re.M)
        for entry in ("aicpu_orchestration_config", "aicpu_orchestration_entry"):
            body += f"#undef {entry}\n#define {entry} {entry}_{number}\n"
        body += f'#line 1 "{name}"\nnamespace unit_{number} {{\n{text}\n}}\n'
    return "".join(f"{line}\n" for line in sorted(includes)) + body


def compile_units(include, units, target, folder):
    source = folder / f"{target}.cpp"
    source.write_text(joined(units))
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{include}"]
    flags += ["-DSTANDIN_A5"] if target == "a5" else []
    run = subprocess.run(["g++", *flags, source], capture_output=True, text=True, check=False)
    return f"for {target}:\n{run.stderr[:4000]}" if run.returncode else None


def main():
    pyptoc, include, shared = sys.argv[1:4]
    programs = sorted((pathlib.Path(shared) / "corpus" / "programs").glob("*.msgpack"))
    programs += sorted((pathlib.Path(shared) / "corpus" / "models").glob("Qwen*.msgpack"))
    if not programs:
        print("SKIPPED: no corpus")
        return 0
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(2) as pool:
        folder = pathlib.Path(name)
        # One target for each program, in turn, so that both are covered in half the time.
        jobs = [(pyptoc, p, ("a2a3", "a5")[i % 2], folder / str(i)) for i, p in enumerate(programs)]
        built = list(pool.map(lambda job: build(*job), jobs))
        failures = [text for _, text in built if text]
        total = 0
        for target in ("a2a3", "a5"):
            units = [unit for job, (found, _) in zip(jobs, built) if job[2] == target for unit in found]
            total += len(units)
            failures += filter(None, [compile_units(include, units, target, folder)])
    for text in failures[:5]:
        print(text)
    print(f"{total} units compiled, {len(failures)} failures")
    return 1 if failures or total < 100 else 0


sys.exit(main())
