#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Debian package, unpacked into an empty root, compiles there with no other file in reach than the C library."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PARTS = ["usr/bin/pyptoc", "usr/bin/pyptoc-golden", "usr/include/pyptoc/compile.h", "usr/share/pyptoc/pyptoc.mk",
         "usr/share/man/man1/pyptoc.1", "usr/share/bash-completion/completions/pyptoc",
         "usr/share/zsh/vendor-completions/_pyptoc", "usr/share/fish/vendor_completions.d/pyptoc.fish",
         "usr/share/doc/pyptoc/copyright", "usr/share/doc/pyptoc/examples/vector_pipeline/prog.json"]


def run(*arguments, **keywords):
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, **keywords)
    assert done.returncode == 0, (arguments, done)
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cpack", required=True)
    parser.add_argument("--build", required=True, type=pathlib.Path, help="the binary folder to make the package from")
    options = parser.parse_args()
    for tool in (options.cpack, "dpkg-deb", "ldd"):
        if shutil.which(tool) is None:
            print(f"skipped: {tool} is not installed")
            return 0
    with tempfile.TemporaryDirectory(prefix="pyptoc-deb-") as top:
        top = pathlib.Path(top)
        run(options.cpack, "-G", "DEB", "--config", options.build / "CPackConfig.cmake", "-B", top / "made", cwd=top)
        (package,) = (top / "made").glob("*.deb")
        assert run("dpkg-deb", "-f", package, "Package").strip() == "pyptoc"
        assert run("dpkg-deb", "-f", package, "Depends").strip() == "libc6 (>= 2.36)"
        root = top / "root"
        run("dpkg-deb", "-x", package, root)
        for part in PARTS:
            assert (root / part).is_file(), f"{part} is not in the package"
        for pattern in ("usr/lib*/**/libpyptoc.a", "usr/lib*/**/cmake/pyptoc/pyptocConfig.cmake"):
            assert list(root.glob(pattern)), f"{pattern} is not in the package"

        # What the program needs besides is the C library, by its word and in a root where nothing else is.
        libraries = re.findall(r"(/\S+)", run("ldd", root / "usr/bin/pyptoc"))
        names = sorted(pathlib.Path(path).name for path in libraries)
        assert all(re.match(r"ld-linux|lib(c|m)\.so", name) for name in names), names
        if os.geteuid() != 0:
            print("only root may change its root, so the program runs with the machine's files in reach")
            command = [root / "usr/bin/pyptoc"]
            folder = root / "usr/share/doc/pyptoc/examples/vector_pipeline"
        else:
            for path in libraries:
                (root / path[1:]).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, root / path[1:])
            (root / "tmp").mkdir()
            command = [shutil.which("chroot"), root, "/usr/bin/pyptoc"]
            folder = pathlib.Path("/usr/share/doc/pyptoc/examples/vector_pipeline")
            assert run(*command, "--print-make-include") == "/usr/share/pyptoc/pyptoc.mk\n"
        out = pathlib.Path("/tmp/out") if os.geteuid() == 0 else top / "out"
        run(*command, "build", folder / "prog.json", "-o", out, env={})
        written = (root / "tmp/out" if os.geteuid() == 0 else out) / "manifest.json"
        assert written.is_file()
        print(f"{package.name}: {package.stat().st_size} bytes, needs {', '.join(names)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
