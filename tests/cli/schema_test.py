#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs, manifests, JSON diagnostics and SARIF logs fit their schemas, and damaged ones do not."""
import argparse
import copy
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

import json_schema

HERE = pathlib.Path(__file__).resolve().parent


class Test:
    def __init__(self, options, folder):
        self.pyptoc = os.path.abspath(options.pyptoc)
        self.options = options
        self.folder = folder

    def run(self, *arguments, status=0, **keywords):
        done = subprocess.run([self.pyptoc, *arguments], cwd=self.folder, capture_output=True, check=False, **keywords)
        assert done.returncode == status, (arguments, done)
        return done

    def schema(self, topic):
        return json_schema.Validator(json.loads(self.run("schema", topic).stdout))

    def expect_valid(self, validator, value, what):
        first = next(validator.errors(value), None)
        assert first is None, f"{what}: {first}"

    def expect_refused(self, validator, value, what):
        assert next(validator.errors(value), None) is not None, f"{what} is taken"

    def programs(self):
        """As canonical JSON."""
        files = [self.options.example / "prog.json", *sorted((HERE.parent / "data").glob("*.msgpack"))]
        graphs = self.options.shared / "corpus/graphs"
        if graphs.is_dir():
            files += sorted(graphs.glob("*.msgpack"))[::40]
        else:
            print(f"{graphs} is not there, so only the repository's own programs are looked at")
        for path in files:
            yield path.name, json.loads(self.run("convert", path, "--to", "json", "-o", "-").stdout)

    def test_ir(self):
        validator = self.schema("ir")
        count = 0
        for name, program in self.programs():
            self.expect_valid(validator, program, name)
            count += 1
        # What the reader refuses in the form, the schema refuses too; what people may leave out, it takes.
        program = json.loads((self.folder / "prog.json").read_bytes())
        self.expect_valid(validator, program, "prog.json by hand")
        for damage in (lambda p: p.pop("type"), lambda p: p["fields"].pop("functions"),
                       lambda p: p["fields"].update(more=1), lambda p: p.update(type="Progam"),
                       lambda p: p["fields"]["functions"][0].pop("value"),
                       lambda p: p["fields"]["functions"][0]["value"]["fields"].update(func_type=77),
                       lambda p: p["fields"]["functions"][0]["value"]["fields"]["params"][0]["fields"].pop("type")):
            broken = copy.deepcopy(program)
            damage(broken)
            self.expect_refused(validator, broken, "a damaged program")
            (self.folder / "broken.json").write_text(json.dumps(broken))
            self.run("check", "broken.json", status=1)
        print(f"{count} programs fit the schema")

    def test_manifest(self):
        validator = self.schema("manifest")
        for arguments in ((), ("--target", "a5"), ("--emit", "orchestration")):
            self.run("build", "prog.json", "-o", "out", *arguments)
            manifest = json.loads((self.folder / "out/manifest.json").read_bytes())
            self.expect_valid(validator, manifest, "manifest.json")
            self.expect_refused(validator, {**manifest, "more": 1}, "a manifest with more")
            self.expect_refused(validator, {k: v for k, v in manifest.items() if k != "files"}, "a manifest with less")

    def faults(self):
        """Command lines that fail in every way that a diagnostic can look."""
        program = (self.folder / "prog.json").read_bytes()
        (self.folder / "cut.json").write_bytes(program[: len(program) // 2])
        (self.folder / "odd name.json").write_bytes(program.replace(b'"Program"', b'"Progam"'))
        (self.folder / "bad.py").write_text("import pypto.language as pl\n\n@pl.program\nclass P:\n  x = = 1\n")
        packed = self.run("convert", "prog.json", "--to", "msgpack", "-o", "-").stdout
        (self.folder / "cut.msgpack").write_bytes(packed[:-10])
        return [(("check", "cut.json"), 1), (("check", "odd name.json"), 1), (("check", "bad.py"), 1),
                (("check", "cut.msgpack"), 1), (("check", "-"), 1), (("check", "missing.json"), 3), (("chek",), 2),
                (("build", "--emit", "al", "--verify", "ech", "--target", "a6", "--error-limit", "1"), 2)]

    def test_diagnostics(self):
        validator = self.schema("diagnostics")
        for arguments, status in self.faults():
            done = self.run(*arguments, "--diagnostics-format", "json", status=status, input=b'{"type": 1')
            lines = [json.loads(line) for line in done.stderr.splitlines()]
            for line in lines:
                self.expect_valid(validator, line, arguments)
            assert [line["$message_type"] for line in lines].count("diagnostic") >= 1, lines
            self.expect_refused(validator, {**lines[0], "level": "fatal"}, "another level")
            self.expect_refused(validator, {**lines[-1], "errors": -1}, "a negative count")

    def test_sarif(self):
        files = [HERE / "sarif.schema.json"]
        # The whole schema of the standard is large and not ours; who has it names it here.
        if os.environ.get("PYPTOC_SARIF_SCHEMA"):
            files.append(pathlib.Path(os.environ["PYPTOC_SARIF_SCHEMA"]))
        for path in files:
            validator = json_schema.Validator(json.loads(path.read_bytes()))
            for arguments, status in [*self.faults(), (("check", "prog.json"), 0)]:
                done = self.run(*arguments, "--diagnostics-format=sarif", status=status, input=b'{"type": 1')
                log = json.loads(done.stderr)
                self.expect_valid(validator, log, arguments)
                run = log["runs"][0]
                assert run["invocations"][0]["exitCode"] == status, run
                assert bool(run["results"]) == (status != 0), run
                for result in run["results"]:
                    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"], result
                self.expect_refused(validator, {**log, "version": "2.0.0"}, "another version")
        # Both at once: people read standard error, the file is for machines.
        done = self.run("check", "cut.json", "--diagnostics-format", "sarif", "--diagnostics-output", "log.sarif",
                        status=1)
        assert done.stderr.startswith(b"error[E"), done
        assert json.loads((self.folder / "log.sarif").read_bytes())["version"] == "2.1.0"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pyptoc", required=True)
    parser.add_argument("--example", required=True, type=pathlib.Path, help="the folder vector_pipeline")
    parser.add_argument("--shared", required=True, type=pathlib.Path, help="the folder with the corpus")
    options = parser.parse_args()
    options.example, options.shared = options.example.resolve(), options.shared.resolve()
    with tempfile.TemporaryDirectory(prefix="pyptoc-schema-") as top:
        shutil.copytree(options.example, top, dirs_exist_ok=True)
        test = Test(options, pathlib.Path(top))
        test.test_ir()
        test.test_manifest()
        test.test_diagnostics()
        test.test_sarif()
    return 0


if __name__ == "__main__":
    # Programs nest deeper than Python's own limits.
    sys.setrecursionlimit(1000000)
    threading.stack_size(512 << 20)
    status = [1]
    thread = threading.Thread(target=lambda: status.__setitem__(0, main()))
    thread.start()
    thread.join()
    sys.exit(status[0])
