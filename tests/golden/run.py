#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs one golden case: commands on an input, compared with what is expected of them.

A case is a folder:
  cmd        lines `pyptoc ARGUMENTS [< FILE]` and `copy PATH`, which takes a file or the content of a folder of the
             repository as input; `only PATTERN...` where the files that match are all that the case is about; lines
             that begin with # are comments
  expected/  stdout, stderr (all commands together), status (one line each), files/ (all that the commands wrote)
anything else is input, copied into the folder where the commands run. What is missing in expected/ must be empty.

Every case runs twice, in folders of different names and, for `build`, with -j 1 and -j 4; the results must be equal.
The name begins with `fail_` if and only if a command fails.
"""
import argparse
import fnmatch
import importlib.machinery
import importlib.util
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

ENVIRONMENT = {"COLUMNS": "80", "NO_COLOR": "1", "LC_ALL": "C", "TZ": "UTC", "HOME": "/nonexistent", "PATH": "/nonexistent"}
TIMEOUT_SECONDS = 60


ROOT = pathlib.Path(__file__).resolve().parents[2]


def load_golden():
    """scripts/golden, which compares trees for users as well."""
    loader = importlib.machinery.SourceFileLoader("golden", str(ROOT / "scripts/golden"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("golden", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


golden = load_golden()


def commands(case, first_word):
    """The rest of each line of `cmd` that begins with this word."""
    for line in (case / "cmd").read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        words = shlex.split(line)
        if words[0] not in ("pyptoc", "copy", "only"):
            sys.exit(f"{case / 'cmd'}: expected `pyptoc`, `copy` or `only`, found `{line}`")
        if words[0] == first_word:
            yield words[1:]


def run_command(binary, words, folder, jobs):
    stdin = subprocess.DEVNULL
    if "<" in words:
        at = words.index("<")
        stdin = open(folder / words[at + 1], "rb")
        words = words[:at] + words[at + 2:]
    if words and words[0] == "build" and not any(w.startswith("-j") for w in words):
        words = words + ["-j", jobs]
    return subprocess.run([binary, *words], cwd=folder, env=ENVIRONMENT, stdin=stdin, capture_output=True,
                          timeout=TIMEOUT_SECONDS, check=False)


def run_case(binary, case, folder, jobs):
    """What the commands did, as {path in expected/: bytes}."""
    shutil.copytree(case, folder, ignore=shutil.ignore_patterns("expected", "cmd"))
    for (source,) in commands(case, "copy"):
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, folder, dirs_exist_ok=True)
        else:
            shutil.copy(ROOT / source, folder)
    before = golden.files_below(folder)
    result = {"stdout": b"", "stderr": b"", "status": b""}
    for words in commands(case, "pyptoc"):
        done = run_command(binary, words, folder, jobs)
        result["stdout"] += done.stdout
        result["stderr"] += done.stderr
        result["status"] += f"{done.returncode}\n".encode()
    if result["status"].strip(b"0\n") == b"":
        result["status"] = b""
    for path, content in golden.files_below(folder).items():
        if before.get(path) != content:
            result["files/" + path] = content
    return {path: golden.normalised(content) for path, content in result.items() if content or path.startswith("files/")}


def without_others(case, actual):
    patterns = ["files/" + p for words in commands(case, "only") for p in words]
    return {path: content for path, content in actual.items()
            if not patterns or not path.startswith("files/") or any(fnmatch.fnmatch(path, p) for p in patterns)}


def check_name(case, actual):
    fails = b"status" in [p.encode() for p in actual]
    if case.name.startswith("fail_") == fails:
        return True
    print(f"{case.name}: a command {'fails' if fails else 'has to fail'}, so the name must"
          f"{'' if fails else ' not'} begin with `fail_`")
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", type=pathlib.Path)
    parser.add_argument("--pyptoc", required=True, help="the binary to test")
    parser.add_argument("--update", action="store_true", help="record what it does as expected")
    options = parser.parse_args()
    binary = os.path.abspath(options.pyptoc)
    case = options.case.resolve()

    with tempfile.TemporaryDirectory(prefix="pyptoc-golden-") as top:
        first = run_case(binary, case, pathlib.Path(top, "a"), "1")
        second = run_case(binary, case, pathlib.Path(top, "another longer name"), "4")
    if first != second:
        print(f"{case.name}: two runs in different folders, -j 1 and -j 4, differ")
        golden.show_difference(first, second, "first", "second")
        return 1
    if not check_name(case, first):
        return 1
    first = without_others(case, first)
    if options.update:
        golden.update(case / "expected", first)
        return 0
    expected = golden.files_below(case / "expected") if (case / "expected").is_dir() else {}
    if first == expected:
        return 0
    golden.show_difference(expected, first, "expected", "actual")
    print(f"\nto record this as expected: scripts/golden-update '^{case.parent.name}/{case.name}$'")
    return 1


if __name__ == "__main__":
    sys.exit(main())
