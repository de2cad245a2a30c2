#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the example projects with an installed pyptoc, with Ninja and with make: what runs again, and what does not."""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time


def snapshot(folder):
    """{path: (modification time, bytes)} of everything below the folder that a build made."""
    return {str(p.relative_to(folder)): (p.stat().st_mtime_ns, p.read_bytes()) for p in sorted(folder.rglob("*"))
            if p.is_file()}


class Project:
    """One example project, copied, with the commands that build it."""

    def __init__(self, name, prefix, folder, prepare, build, out, idle):
        self.name = name
        self.folder = folder
        self.prepare = prepare
        self.command = build
        self.out = folder / out
        self.idle = idle
        self.environment = {**os.environ, "PATH": f"{prefix / 'bin'}:{os.environ['PATH']}", "LC_ALL": "C"}
        for variable in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
            self.environment.pop(variable, None)

    def run(self, command, status=0):
        done = subprocess.run(command, cwd=self.folder, env=self.environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        assert (done.returncode == 0) == (status == 0), f"{self.name}: {command}: {done.returncode}\n{done.stdout}"
        return done.stdout

    def build(self, status=0):
        """Returns what was said, and the compiled tree."""
        said = self.run(self.command, status)
        return said, snapshot(self.out)


def ran_pyptoc(said):
    return "pyptoc vector_pipeline" in said or "pyptoc build" in said


def ran_summary(said):
    return "kernels.txt" in said


def later(path, change):
    """Makes a change that gets a later time than everything that was built. A kernel may give a file the time of its
    last tick, and on a busy virtual machine that was once the time of the stamp before: make saw nothing to do."""
    probe = path.with_name("probe")
    probe.touch()
    begin = probe.stat().st_mtime_ns
    while probe.stat().st_mtime_ns == begin:
        time.sleep(0.001)
        probe.touch()
    probe.unlink()
    change()


def write(path, text):
    later(path, lambda: path.write_text(text))


def touch(path):
    later(path, lambda: os.utime(path))


def edit(path, old, new):
    text = path.read_text()
    assert old in text, path
    write(path, text.replace(old, new))


def check_rebuilds(project):
    program = project.folder / "../vector_pipeline/prog.json"
    kernel = project.folder / "../vector_pipeline/kernels/add.cpp"
    for command in project.prepare:
        project.run(command)
    said, first = project.build()
    assert ran_pyptoc(said) and ran_summary(said), said
    assert "manifest.json" in first, sorted(first)

    def expect_idle(when):
        said, _ = project.build()
        assert project.idle(said), f"{project.name}: {when}, and yet the build does something:\n{said}"

    expect_idle("everything is built")

    # Touched files with the bytes that they had: pyptoc runs once, nothing behind it does.
    for touched in (program, kernel):
        touch(touched)
        said, again = project.build()
        assert ran_pyptoc(said) and not ran_summary(said), f"{project.name}: {touched.name} was touched:\n{said}"
        assert again == first, f"{project.name}: a file of the output was written again"
        expect_idle(f"{touched.name} was touched and built")

    # Another kernel source changes its copy and the manifest, and what depends on neither stays.
    edit(kernel, "element by element", "one by one")
    said, changed = project.build()
    different = sorted(path for path in first if first[path] != changed.get(path))
    assert ran_pyptoc(said) and not ran_summary(said), said
    assert len(different) == 2 and "manifest.json" in different and "add" in " ".join(different), different
    expect_idle("a kernel was changed and built")

    # Another program.
    edit(program, '"name": "add"', '"name": "plus"')
    said, renamed = project.build()
    assert ran_pyptoc(said) and ran_summary(said), said
    assert renamed["kernel_config.py"][1] != first["kernel_config.py"][1]
    expect_idle("the program was changed and built")

    # A program with faults fails the build with its diagnostic and leaves the output as it is, until it is repaired.
    good = program.read_text()
    write(program, good.replace('"Orchestration"', '"Orchestraton"'))
    for _ in range(2):
        said, kept = project.build(status=1)
        assert "error[E" in said and "`Orchestraton`" in said, said
        assert kept == renamed
    write(program, good)
    said, kept = project.build()
    assert kept == renamed, f"{project.name}: the same program gives another output"
    expect_idle("the program was repaired and built")


def check_library(project):
    """The program that embeds the compiler."""
    where = project.folder / "../vector_pipeline"
    files = ["prog.json", *sorted(str(p.relative_to(where)) for p in where.glob("kernels/*"))]
    done = subprocess.run([project.folder / "build/compile_in_memory", *files], cwd=where, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0 and "manifest.json " in done.stdout, done


TEMPLATE_PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(templates LANGUAGES NONE)
find_package(pyptoc REQUIRED)
pyptoc_add_program(TARGET vector_pipeline PROGRAM prog.py OUTPUT_DIRECTORY out ALL
  OPTIONS --template-dir ${CMAKE_CURRENT_SOURCE_DIR}/templates)
"""
TEMPLATE_PROGRAM = """
import pypto.language as pl
import pypto.language.distributed as pld


@pl.program
class Reduce:
    @pl.function(type=pl.FunctionType.Orchestration)
    def chip(self, x: pl.InOut[pld.DistributedTensor[[1, 256], pl.FP32]], s: pl.InOut[pld.DistributedTensor[[2, 1], pl.INT32]]):
        y: pld.DistributedTensor[[1, 256], pl.FP32] = pld.tensor.allreduce(x, s, op=pld.ReduceOp.Sum, mode="mesh", core_num=1)
"""


def check_templates(project, source):
    """A template of a folder: only one that was read makes pyptoc run again, and only other bytes change the output."""
    project.folder.mkdir(parents=True)
    (project.folder / "CMakeLists.txt").write_text(TEMPLATE_PROJECT)
    (project.folder / "prog.py").write_text(TEMPLATE_PROGRAM)
    shutil.copytree(source / "templates", project.folder / "templates")
    for command in project.prepare:
        project.run(command)
    said, first = project.build()
    assert ran_pyptoc(said), said
    used = project.folder / "templates/collectives/allreduce/kernel.cpp.in"
    unused = project.folder / "templates/collectives/broadcast/kernel.cpp.in"
    touch(unused)
    said, _ = project.build()
    assert project.idle(said), f"{project.name}: a template was touched that was not read:\n{said}"
    touch(used)
    said, again = project.build()
    assert ran_pyptoc(said) and again == first, said
    said, _ = project.build()
    assert project.idle(said), said
    write(used, "// another template\n" + used.read_text())
    said, changed = project.build()
    different = sorted(path for path in first if first[path] != changed.get(path))
    assert len(different) == 2 and "manifest.json" in different, different
    said, _ = project.build()
    assert project.idle(said), said


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--build", required=True, type=pathlib.Path, help="the binary folder to install from")
    parser.add_argument("--source", required=True, type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pyptoc-package-") as top:
        top = pathlib.Path(top).resolve()
        # A blank in the prefix would be one in a Makefile's include, which make cannot express.
        prefix = top / "prefix"
        subprocess.run([options.cmake, "--install", options.build, "--prefix", prefix], check=True,
                       stdout=subprocess.DEVNULL)
        projects = []

        def copy(name):
            folder = top / name
            shutil.copytree(options.source / "examples", folder)
            return folder

        for generator, idle in (("Ninja", lambda said: "no work to do" in said),
                                ("Unix Makefiles", lambda said: not ran_pyptoc(said) and not ran_summary(said))):
            if shutil.which("ninja" if generator == "Ninja" else "make") is None:
                print(f"skipped: {generator}, which is not installed")
                continue
            folder = copy(generator.replace(" ", "_")) / "cmake_project"
            configure = [options.cmake, "-G", generator, "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}"]
            project = Project(f"CMake, {generator}", prefix, folder, [configure],
                              [options.cmake, "--build", "build"], "build/vector_pipeline", idle)
            check_rebuilds(project)
            check_library(project)
            project.folder = top / f"templates {generator}"
            project.out = project.folder / "build/out"
            check_templates(project, options.source)
            projects.append(project.name)
        if shutil.which("make"):
            folder = copy("make") / "make_project"
            project = Project("Makefile", prefix, folder, [], ["make"], "build/prog",
                              lambda said: "Nothing to be done" in said)
            check_rebuilds(project)
            projects.append(project.name)
        print("built: " + "; ".join(projects))
    return 0


if __name__ == "__main__":
    sys.exit(main())
