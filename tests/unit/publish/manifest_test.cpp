// SPDX-License-Identifier: Apache-2.0
// manifest.json: its bytes, its schema, and reading one that somebody spoiled.
#include "publish/manifest.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "support/sha256.h"
#include "temporary_folder.h"

using namespace pyptoc::publish;

namespace {

ManifestFields all_fields() {
  ManifestFields fields;
  fields.pyptoc_version = "0.1.0";
  fields.input_digest = "aa";
  fields.options_digest = "bb";
  fields.target = "a5";
  fields.options = {{"emit", std::string("all")}, {"analyze_deps", true}, {"aiv_cores", int64_t{36}}};
  fields.entry = "host\"orch";
  fields.inputs = {{"kernels/add.cpp", pyptoc::support::sha256("x")}};
  ManifestChip chip{"chip", "next_levels/chip", "chip_entry", {}};
  chip.kernels.push_back({0, "add", "aiv", {"IN", "INOUT"}, "next_levels/chip/kernels/aiv/add.cpp", true, true});
  chip.kernels.push_back({1, "mm", "aic", {}, "next_levels/chip/kernels/aic/mm.cpp", false, false});
  fields.chips.push_back(chip);
  fields.domains.push_back({"tp", {0, 1}, 4096});
  fields.domains.push_back({"dyn", {}, std::nullopt});
  fields.obligations.push_back({"consume", "invalidates its cache before it reads the counts"});
  return fields;
}

OutputTree some_tree() {
  OutputTree tree;
  REQUIRE(tree.add("distributed_meta.json", "{}\n", "meta").ok());
  REQUIRE(tree.add("a.cpp", "", "kernel").ok());
  return tree;
}

}  // namespace

TEST_CASE("the manifest, byte for byte") {
  CHECK(render_manifest(all_fields(), some_tree()) == R"({
  "schema": 1,
  "pyptoc_version": "0.1.0",
  "input_digest": "aa",
  "options_digest": "bb",
  "target": "a5",
  "options": {
    "emit": "all",
    "analyze_deps": true,
    "aiv_cores": 36
  },
  "entry": "host\"orch",
  "inputs": [
    {"path": "kernels/add.cpp", "sha256": "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"}
  ],
  "files": [
    {"path": "a.cpp", "kind": "kernel", "size": 0, "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"path": "distributed_meta.json", "kind": "meta", "size": 3, "sha256": "ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356"}
  ],
  "chips": [
    {
      "name": "chip",
      "folder": "next_levels/chip",
      "entry": "chip_entry",
      "kernels": [
        {"func_id": 0, "name": "add", "core": "aiv", "signature": ["IN", "INOUT"], "source": "next_levels/chip/kernels/aiv/add.cpp", "external": true},
        {"func_id": 1, "name": "mm", "core": "aic", "signature": [], "source": "next_levels/chip/kernels/aic/mm.cpp", "body_emitted": false}
      ]
    }
  ],
  "domains": [
    {"name": "tp", "devices": [0, 1], "window_bytes": 4096},
    {"name": "dyn", "devices": [], "window_bytes": null}
  ],
  "obligations": [
    {"subject": "consume", "text": "invalidates its cache before it reads the counts"}
  ]
}
)");
}

TEST_CASE("what is written is read back") {
  const auto read = parse_manifest(render_manifest(all_fields(), some_tree()));
  REQUIRE(read.ok());
  CHECK(read->schema == kManifestSchema);
  CHECK(read->pyptoc_version == "0.1.0");
  CHECK(read->input_digest == "aa");
  CHECK(read->options_digest == "bb");
  REQUIRE(read->inputs.size() == 1);
  CHECK(read->inputs[0].path == "kernels/add.cpp");
  REQUIRE(read->files.size() == 2);
  CHECK(read->files[1].path == "distributed_meta.json");
  CHECK(read->files[1].size == 3);
  CHECK(read->files[1].sha256 == pyptoc::support::sha256("{}\n"));
}

TEST_CASE("spoilt manifests are errors that say where") {
  const std::string good = render_manifest(all_fields(), some_tree());
  const auto error_after = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    REQUIRE(text.find(from) != std::string::npos);
    text.replace(text.find(from), from.size(), to);
    const auto read = parse_manifest(text);
    return read.ok() ? std::string("accepted") : read.error().message;
  };
  CHECK(error_after("\"schema\": 1", "\"schema\": -1") == "expected a number at `schema`");
  CHECK(error_after("\"schema\": 1", "\"schema\": 0") == "expected 1 or more at `schema`, found 0");
  CHECK(error_after("\"schema\": 1", "\"schema\": 1.5") == "expected a number at `schema`");
  CHECK(error_after("\"aa\"", "3") == "expected a string at `input_digest`");
  CHECK(error_after("\"files\"", "\"file\"") == "expected an array at `files`");
  CHECK(error_after("\"size\": 3", "\"size\": \"3\"") == "expected a number at `files[1].size`");
  CHECK(error_after("a.cpp", "../a.cpp") ==
        "`files[0].path`: path `../a.cpp`: `..` is a folder's own name for itself or its parent");
  CHECK(error_after("distributed_meta.json", "a.cpp") == "`files[1].path` occurs twice");
  CHECK(error_after("\"files\": [", "\"files\": [7, ") == "expected objects in `files`");
  CHECK(parse_manifest("").error().message == "it is not JSON");
  CHECK(parse_manifest("[]").error().message == "expected an object");
  CHECK(parse_manifest(std::string(1000000, '[')).error().message == "it is not JSON");
  CHECK(parse_manifest(std::string(1000000, '[') + std::string(1000000, ']')).error().message == "it is not JSON");
  for (size_t cut = 0; cut + 2 < good.size(); ++cut) REQUIRE(!parse_manifest(good.substr(0, cut)).ok());
  const auto newer = parse_manifest(R"({"schema": 18446744073709551615, "pyptoc_version": "x", "what": []})");
  REQUIRE(newer.ok());
  CHECK(newer->schema > kManifestSchema);
}

TEST_CASE("members of a manifest count wherever they stand, the last of a name, and others not") {
  const auto read = parse_manifest(R"({"files": 1, "what": {"files": [3], "schema": 9}, "files": [
    {"size": 4, "more": {"path": "x", "list": [{"path": "y"}]}, "sha256": "cc", "path": "z", "kind": "a", "path": "b.cpp"}],
    "inputs": [], "options_digest": "bb", "input_digest": 7, "input_digest": "aa", "pyptoc_version": "1", "schema": 1})");
  REQUIRE(read.ok());
  CHECK(read->input_digest == "aa");
  REQUIRE(read->files.size() == 1);
  CHECK(read->files[0].path == "b.cpp");
  CHECK(read->files[0].size == 4);

  const auto message = [](const std::string& files) {
    const auto spoilt = parse_manifest(
        R"({"schema": 1, "pyptoc_version": "1", "input_digest": "a", "options_digest": "b", "inputs": [], "files": )" +
        files + "}");
    return spoilt.ok() ? std::string("accepted") : spoilt.error().message;
  };
  CHECK(message("[]") == "accepted");
  CHECK(message("{}") == "expected an array at `files`");
  CHECK(message("null") == "expected an array at `files`");
  CHECK(message("[[]]") == "expected objects in `files`");
  CHECK(message("[{}, null]") == "expected objects in `files`");
  CHECK(message("[{}]") == "expected a string at `files[0].path`");
  CHECK(message(R"([{"path": {"path": "a"}}])") == "expected a string at `files[0].path`");
  CHECK(message(R"([{"path": "a", "kind": ["b"]}])") == "expected a string at `files[0].kind`");
  CHECK(message(R"([{"path": "a", "kind": "b", "sha256": "c", "size": 1, "size": -1}])") ==
        "expected a number at `files[0].size`");
}

TEST_CASE("the manifest is valid by its schema") {
  const TemporaryFolder folder;
  folder.write("schema.json", std::string(manifest_json_schema()));
  folder.write("manifest.json", render_manifest(all_fields(), some_tree()));
  folder.write("empty.json", render_manifest({}, {}));
  folder.write("check.py", R"(
import json, sys
try:
    import jsonschema
except ImportError:
    print("jsonschema is not installed: the schema is only parsed"); jsonschema = None
schema, good, empty = (json.load(open(n)) for n in ("schema.json", "manifest.json", "empty.json"))
if jsonschema:
    jsonschema.Draft202012Validator.check_schema(schema)
    check = jsonschema.Draft202012Validator(schema)
    check.validate(good); check.validate(empty)
    for key in schema["required"]:
        assert not check.is_valid({k: v for k, v in good.items() if k != key}), key
    assert not check.is_valid({**good, "time": 0})
)");
  CHECK(std::system(("cd '" + folder.path() + "' && python3 check.py").c_str()) == 0);
}
