#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills `pyptoc build` at random moments and finds the old tree or the new one, never anything between."""
import argparse
import hashlib
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time


def tree_of(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def check_manifest(tree):
    """What the tree says of itself is true."""
    manifest = json.loads(tree["manifest.json"])
    listed = {f["path"]: f["sha256"] for f in manifest["files"]}
    assert listed.keys() | {"manifest.json"} == tree.keys(), "other files than the manifest lists"
    for path, digest in listed.items():
        assert hashlib.sha256(tree[path]).hexdigest() == digest, f"{path} is not what the manifest says"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pyptoc", required=True)
    parser.add_argument("--example", required=True, type=pathlib.Path, help="the folder vector_pipeline")
    parser.add_argument("--kills", type=int, default=200)
    options = parser.parse_args()
    rng = random.Random(1)

    with tempfile.TemporaryDirectory(prefix="pyptoc-kill-") as top:
        top = pathlib.Path(top)
        shutil.copytree(options.example, top / "program")
        program = top / "program/prog.json"
        out = top / "out"

        def command(target):
            return [options.pyptoc, "build", program, "-o", out, "--target", target]

        # Two targets give two trees that differ in several files.
        trees = {}
        begin = time.monotonic()
        for target in ("a2a3", "a5"):
            subprocess.run(command(target), check=True)
            trees[target] = tree_of(out)
            check_manifest(trees[target])
        longest = (time.monotonic() - begin) / 2 * 1.5
        assert trees["a2a3"] != trees["a5"]

        killed, finished, seen = 0, 0, {"a2a3": 0, "a5": 0}
        for i in range(options.kills):
            target = ("a2a3", "a5")[i % 2]
            process = subprocess.Popen(command(target), stderr=subprocess.PIPE)
            time.sleep(rng.random() * longest)
            process.kill()
            _, errors = process.communicate()
            killed += process.returncode == -9
            finished += process.returncode == 0
            assert process.returncode in (0, -9), (process.returncode, errors)
            tree = tree_of(out)
            found = [name for name, expected in trees.items() if tree == expected]
            assert found, f"after kill {i} the tree is neither the old nor the new one: {sorted(tree)}"
            assert process.returncode != 0 or found == [target], "a build that finished left the old tree"
            seen[found[0]] += 1

        # What the killed ones left behind goes with the next build.
        subprocess.run(command("a2a3") + ["--force"], check=True)
        subprocess.run(command("a5") + ["--force"], check=True)
        left = sorted(p.name for p in top.iterdir())
        assert left == ["out", "program"], f"left behind: {left}"
        print(f"{killed} of {options.kills} builds killed, {finished} finished first; trees found: {seen}")
        assert killed > options.kills // 10, "too few kills hit a running build to mean anything"
    return 0


if __name__ == "__main__":
    sys.exit(main())
