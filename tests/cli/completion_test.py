#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The shells read the completions that pyptoc prints and complete with them; groff reads the manual page."""
import argparse
import os
import pathlib
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time


def run(*arguments, **keywords):
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, **keywords)
    assert done.returncode == 0 and not done.stderr, (arguments, done)
    return done.stdout


def without(program):
    print(f"{program} is not installed, so what it would say is not known")


class Test:
    def __init__(self, pyptoc, folder):
        self.pyptoc = pyptoc
        self.folder = folder
        (folder / "bin").mkdir()
        (folder / "bin/pyptoc").symlink_to(pyptoc)
        self.environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "HOME": str(folder),
                            "LC_ALL": "C"}
        (folder / "prog.json").write_text("{}")

    def script(self, shell):
        path = self.folder / f"completion.{shell}"
        path.write_text(run(self.pyptoc, "--print-completion", shell))
        return str(path)

    def test_bash(self):
        script = self.script("bash")
        run("bash", "-n", script)

        def complete(*words):
            code = f'source {script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pyptoc; printf "%s\\n" "${{COMPREPLY[@]}}"'
            return run("bash", "-c", code, "bash", *words, cwd=self.folder, env=self.environment).split()

        assert complete("pyptoc", "bu") == ["build"]
        assert complete("pyptoc", "--prin") == ["--print-make-include", "--print-completion", "--print-man-page",
                                                 "--print-markdown"]
        assert complete("pyptoc", "build", "--target", "a") == ["a2a3", "a5"]
        assert complete("pyptoc", "build", "--target", "=", "a5") == ["a5"]
        assert complete("pyptoc", "build", "--target", "=") == ["a2a3", "a5"]
        assert complete("pyptoc", "build", "--depfile") == ["--depfile", "--depfile-target"]
        assert complete("pyptoc", "build", "pr") == ["prog.json"]
        assert complete("pyptoc", "build", "-o", "") == ["bin"]
        assert complete("pyptoc", "list", "p") == ["passes"]
        assert complete("pyptoc", "schema", "") == ["ir", "manifest", "diagnostics"]
        assert complete("pyptoc", "print", "--after", "Simp") == ["Simplify"]
        assert complete("pyptoc", "explain", "E080")[0] == "E0800"
        assert complete("pyptoc", "build", "--aiv-cores", "") == []

    def test_zsh(self):
        if shutil.which("zsh") is None:
            return without("zsh")
        script = self.script("zsh")
        run("zsh", "-n", script)
        # Completion needs the line editor, so a shell on a terminal of its own types what a person would. Each line ends
        # in a function that says which words it got.
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], {**self.environment, "TERM": "dumb"})

        def until(wanted):
            seen, end = b"", time.monotonic() + 200
            while wanted not in seen:
                ready, _, _ = select.select([terminal], [], [], max(0, end - time.monotonic()))
                assert ready, f"zsh did not say {wanted}: {seen}"
                seen += os.read(terminal, 4096)

        setup = f"PS1=; autoload -Uz compinit; compinit -u; source {script}; pyptoc() {{ print -r -- \"<$*>\" }}; print a''b"
        os.write(terminal, setup.encode() + b"\n")
        until(b"ab")
        for typed, completed in (("pyptoc bui\t", "<build>"), ("pyptoc build --depfile-t\t", "<build --depfile-target"),
                                 ("pyptoc list pas\t", "<list passes>"),
                                 ("pyptoc print --after=Simpl\t", "<print --after=Simplify>")):
            os.write(terminal, typed.encode())
            time.sleep(0.3)
            os.write(terminal, b"\n")
            until(completed.encode())
        os.write(terminal, b"exit\n")
        os.close(terminal)
        os.waitpid(pid, 0)

    def test_fish(self):
        if shutil.which("fish") is None:
            return without("fish")
        script = self.script("fish")
        run("fish", "--no-execute", script)

        def complete(line):
            code = f"source {script}; complete -C '{line}'"
            out = run("fish", "--no-config", "-c", code, cwd=self.folder, env=self.environment)
            return [entry.split("\t")[0] for entry in out.splitlines()]

        assert complete("pyptoc bui") == ["build"], complete("pyptoc bui")
        assert complete("pyptoc build --target=") == ["--target=a2a3", "--target=a5"], complete("pyptoc build --target=")
        assert complete("pyptoc build --target a") == ["a2a3", "a5"], complete("pyptoc build --target a")
        assert complete("pyptoc list pas") == ["passes"]
        assert "--depfile" in complete("pyptoc build --dep")
        assert "prog.json" in complete("pyptoc check pr")

    def test_man_page(self):
        page = run(self.pyptoc, "--print-man-page")
        if shutil.which("groff") is None:
            return without("groff")
        done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-P-c", "-P-b", "-P-o", "-P-u"], input=page, capture_output=True, text=True, check=False)
        assert done.returncode == 0 and not done.stderr, done.stderr
        assert "--depfile" in done.stdout and "EXIT STATUS" in done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pyptoc", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pyptoc-completion-") as top:
        test = Test(os.path.abspath(options.pyptoc), pathlib.Path(top))
        test.test_bash()
        test.test_zsh()
        test.test_fish()
        test.test_man_page()
    return 0


if __name__ == "__main__":
    sys.exit(main())
