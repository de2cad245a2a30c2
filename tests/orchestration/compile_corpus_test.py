#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every chip orchestration that pyptoc emits for the corpus compiles without a warning, for both targets.

compile_corpus_test.py PYPTOC INCLUDE SHARED    prints SKIPPED when there is no corpus
"""
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile


def compile_program(pyptoc, include, program, target):
    """The number of units that compiled, and what failed; a HOST program is refused by name and has none."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        command = [pyptoc, "build", program, "-o", out, "--emit", "orchestration", "--target", target, "-q"]
        build = subprocess.run(command, capture_output=True, text=True, check=False)
        if build.returncode:
            return 0, None if build.returncode == 1 else f"{program.name}: exit {build.returncode}\n{build.stderr}"
        units = sorted(out.glob("**/orchestration/*.cpp"))
        for unit in units:
            flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{include}"]
            flags += ["-DSTANDIN_A5"] if target == "a5" else []
            result = subprocess.run(["g++", *flags, unit], capture_output=True, text=True, check=False)
            if result.returncode:
                return 0, f"{program.name} for {target}: {result.stderr}"
        return len(units), None


def main():
    pyptoc, include, shared = sys.argv[1:4]
    programs = sorted((pathlib.Path(shared) / "corpus" / "programs").glob("*.msgpack"))
    if not programs:
        print("SKIPPED: no corpus")
        return 0
    # One target for each program, in turn, so that both are covered in half the time.
    jobs = [(program, ("a2a3", "a5")[i % 2]) for i, program in enumerate(programs)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda job: compile_program(pyptoc, include, *job), jobs))
    failures = [text for _, text in results if text]
    for text in failures[:5]:
        print(text)
    units = sum(count for count, _ in results)
    print(f"{units} units compiled, {len(failures)} failed")
    return 1 if failures or units < 100 else 0


sys.exit(main())
