#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What only a real process shows: closed and full standard output, terminals, the start of the program, no HOME."""
import argparse
import os
import pathlib
import pty
import signal
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pyptoc", required=True)
    parser.add_argument("--example", required=True, type=pathlib.Path, help="the folder vector_pipeline")
    options = parser.parse_args()
    options.pyptoc = os.path.abspath(options.pyptoc)
    program = options.example.resolve() / "prog.json"

    def run(*arguments, **keywords):
        keywords.setdefault("env", {})
        keywords.setdefault("stdout", subprocess.PIPE)
        return subprocess.run([options.pyptoc, *arguments], stderr=subprocess.PIPE, check=False, **keywords)

    # Nothing of the environment is needed, and no folder that can be written.
    done = run("print", program, cwd="/proc")
    assert done.returncode == 0 and done.stdout and not done.stderr, done

    # What does not arrive is said.
    with open("/dev/full", "wb") as full:
        done = run("print", program, stdout=full)
        assert done.returncode == 3 and b"cannot write `<stdout>`" in done.stderr, done
        assert run("--version", stdout=full).returncode == 3

    # A reader that goes away ends pyptoc by SIGPIPE, as any tool in a pipe; a closed output does not crash it.
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = run("print", program, stdout=write_end)
    os.close(write_end)
    assert done.returncode in (-signal.SIGPIPE, 3), done
    closed = subprocess.run(["sh", "-c", 'exec "$0" print "$1" >&-', options.pyptoc, program], env={},
                            stderr=subprocess.PIPE, check=False)
    assert closed.returncode == 3, closed

    # Colours are for terminals, and MessagePack is not.
    primary, secondary = pty.openpty()
    subprocess.run([options.pyptoc, "check", "missing.json"], env={"TERM": "xterm"}, stderr=secondary, check=False)
    assert b"\x1b[" in os.read(primary, 4096)
    done = run("convert", program, "--to", "msgpack", "-o", "-", stdout=secondary)
    assert done.returncode == 2 and b"E0916" in done.stderr, done
    os.close(primary)
    os.close(secondary)

    # Pipes as input and output files.
    with tempfile.TemporaryDirectory(prefix="pyptoc-process-") as top:
        pipe = os.path.join(top, "in.json")
        os.mkfifo(pipe)
        writer = subprocess.Popen(["cp", program, pipe])
        done = run("convert", pipe, "-o", "/dev/stdout", "--to", "json")
        writer.wait()
        assert done.returncode == 0 and done.stdout.startswith(b"{"), done
    return 0


if __name__ == "__main__":
    sys.exit(main())
