#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills `pyptoc build` at random moments and finds the old tree or the new one, never anything between.

First builds of two programs in turn into one folder, then many at once into several. `--builds 1000 --folders 10` is the
large form of the second part.
"""
import argparse
import concurrent.futures
import hashlib
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

TARGETS = ("a2a3", "a5")  # two targets give two trees that differ in several files


def tree_of(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def check_manifest(tree):
    """What the tree says of itself is true."""
    manifest = json.loads(tree["manifest.json"])
    listed = {f["path"]: f["sha256"] for f in manifest["files"]}
    assert listed.keys() | {"manifest.json"} == tree.keys(), "other files than the manifest lists"
    for path, digest in listed.items():
        assert hashlib.sha256(tree[path]).hexdigest() == digest, f"{path} is not what the manifest says"


class Test:
    def __init__(self, options, top):
        self.pyptoc = options.pyptoc
        self.rng = random.Random(1)
        self.top = top
        shutil.copytree(options.example, top / "program")
        self.program = top / "program/prog.json"
        self.trees = {}
        begin = time.monotonic()
        for target in TARGETS:
            subprocess.run(self.command(top / "out", target), check=True)
            self.trees[target] = tree_of(top / "out")
            check_manifest(self.trees[target])
        self.longest = (time.monotonic() - begin) / 2 * 1.5
        assert self.trees["a2a3"] != self.trees["a5"]

    def command(self, folder, target):
        return [self.pyptoc, "build", self.program, "-o", folder, "--target", target]

    def found(self, folder):
        """The target whose tree the folder holds, completely and nothing else."""
        tree = tree_of(folder)
        names = [name for name, expected in self.trees.items() if tree == expected]
        assert names, f"{folder.name} holds no complete tree: {sorted(tree)}"
        return names[0]

    def in_turn(self, count):
        out = self.top / "out"
        killed, finished, seen = 0, 0, {target: 0 for target in TARGETS}
        for i in range(count):
            target = TARGETS[i % 2]
            process = subprocess.Popen(self.command(out, target), stderr=subprocess.PIPE)
            time.sleep(self.rng.random() * self.longest)
            process.kill()
            _, errors = process.communicate()
            killed += process.returncode == -9
            finished += process.returncode == 0
            assert process.returncode in (0, -9), (process.returncode, errors)
            found = self.found(out)
            assert process.returncode != 0 or found == target, "a build that finished left the old tree"
            seen[found] += 1
        # What the killed ones left beside the folder goes with the next build.
        subprocess.run(self.command(out, "a5") + ["--force"], check=True)
        assert sorted(p.name for p in self.top.iterdir()) == ["out", "program"]
        print(f"in turn: {killed} of {count} builds killed, {finished} finished first; trees found: {seen}")
        assert killed > count // 10, "too few kills hit a running build to mean anything"

    def one_of_many(self, number, folder, target, delay):
        """Every second one is killed; the others have to end well, however long they wait for their turn."""
        process = subprocess.Popen(self.command(folder, target), stderr=subprocess.PIPE)
        if number % 2 == 0:
            time.sleep(delay)
            process.kill()
        _, errors = process.communicate()
        assert process.returncode in ((0, -9) if number % 2 == 0 else (0,)), (process.returncode, errors)
        return process.returncode == -9

    def at_once(self, count, folders, jobs):
        outs = [self.top / f"out{i}" for i in range(folders)]
        looks = {"taken": 0, "failed": []}
        stop = threading.Event()

        def look():
            """A reader that opens the folder once, as docs/publishing.md says, finds one tree at any moment."""
            rng = random.Random(2)
            while not stop.is_set():
                out = rng.choice(outs)
                if out.exists():
                    looks["taken"] += 1
                    if not (out / "manifest.json").exists() and out.exists():
                        looks["failed"].append(out.name)
                time.sleep(0.002)

        watcher = threading.Thread(target=look)
        watcher.start()
        begin = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            runs = [pool.submit(self.one_of_many, i, outs[self.rng.randrange(folders)], self.rng.choice(TARGETS),
                                self.rng.random() * self.longest) for i in range(count)]
            killed = sum(run.result() for run in runs)
        stop.set()
        watcher.join()
        seen = {target: 0 for target in TARGETS}
        for out in outs:
            seen[self.found(out)] += 1
        for out in outs:
            subprocess.run(self.command(out, "a5") + ["--force"], check=True)
            assert self.found(out) == "a5"
        left = {p.name for p in self.top.iterdir()} - {"out", "program"} - {out.name for out in outs}
        assert not left, f"left behind: {left}"
        assert not looks["failed"], f"without a manifest: {looks['failed']}"
        print(f"at once: {count} builds, {jobs} at a time, into {folders} folders in {time.monotonic() - begin:.1f} s: "
              f"{killed} killed, trees found: {seen}; {looks['taken']} looks in between found a manifest")
        assert killed > count // 20, "too few kills hit a running build to mean anything"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pyptoc", required=True)
    parser.add_argument("--example", required=True, type=pathlib.Path, help="the folder vector_pipeline")
    parser.add_argument("--kills", type=int, default=100, help="builds in turn")
    parser.add_argument("--builds", type=int, default=100, help="builds at once")
    parser.add_argument("--folders", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=8)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pyptoc-kill-") as top:
        test = Test(options, pathlib.Path(top))
        test.in_turn(options.kills)
        test.at_once(options.builds, options.folders, options.jobs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
