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
import difflib
import fnmatch
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ENVIRONMENT = {"COLUMNS": "80", "NO_COLOR": "1", "LC_ALL": "C", "TZ": "UTC", "HOME": "/nonexistent", "PATH": "/nonexistent"}
TIMEOUT_SECONDS = 60
# These change with every change of pyptoc's sources and say nothing about the case.
NORMALISED = [
    (re.compile(rb'("options_digest": ")[0-9a-f]{64}"'), rb'\1<digest>"'),
    (re.compile(rb'("pyptoc_version": ")[^"]*"'), rb'\1<version>"'),
]


ROOT = pathlib.Path(__file__).resolve().parents[2]


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


def files_below(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def normalised(content):
    for pattern, replacement in NORMALISED:
        content = pattern.sub(replacement, content)
    return content


def run_case(binary, case, folder, jobs):
    """What the commands did, as {path in expected/: bytes}."""
    shutil.copytree(case, folder, ignore=shutil.ignore_patterns("expected", "cmd"))
    for (source,) in commands(case, "copy"):
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, folder, dirs_exist_ok=True)
        else:
            shutil.copy(ROOT / source, folder)
    before = files_below(folder)
    result = {"stdout": b"", "stderr": b"", "status": b""}
    for words in commands(case, "pyptoc"):
        done = run_command(binary, words, folder, jobs)
        result["stdout"] += done.stdout
        result["stderr"] += done.stderr
        result["status"] += f"{done.returncode}\n".encode()
    if result["status"].strip(b"0\n") == b"":
        result["status"] = b""
    for path, content in files_below(folder).items():
        if before.get(path) != content:
            result["files/" + path] = content
    return {path: normalised(content) for path, content in result.items() if content or path.startswith("files/")}


def without_others(case, actual):
    patterns = ["files/" + p for words in commands(case, "only") for p in words]
    return {path: content for path, content in actual.items()
            if not patterns or not path.startswith("files/") or any(fnmatch.fnmatch(path, p) for p in patterns)}


def show_difference(expected, actual, expected_name, actual_name):
    def lines(content):
        return content.decode("utf-8", "backslashreplace").splitlines(keepends=True)

    for path in sorted(expected.keys() | actual.keys()):
        if expected.get(path) == actual.get(path):
            continue
        old, new = lines(expected.get(path, b"")), lines(actual.get(path, b""))
        for line in difflib.unified_diff(old, new, f"{expected_name}/{path}", f"{actual_name}/{path}"):
            print(line, end="" if line.endswith("\n") else "\n\\ no line end\n")


def update(case, actual):
    shutil.rmtree(case / "expected", ignore_errors=True)
    for path, content in actual.items():
        target = case / "expected" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


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
        show_difference(first, second, "first", "second")
        return 1
    if not check_name(case, first):
        return 1
    first = without_others(case, first)
    if options.update:
        update(case, first)
        return 0
    expected = files_below(case / "expected") if (case / "expected").is_dir() else {}
    if first == expected:
        return 0
    show_difference(expected, first, "expected", "actual")
    print(f"\nto record this as expected: scripts/golden-update '^{case.parent.name}/{case.name}$'")
    return 1


if __name__ == "__main__":
    sys.exit(main())
