// SPDX-License-Identifier: Apache-2.0
// Which paths a build may have together.
#include "publish/output_tree.h"

#include <catch2/catch.hpp>
#include <string>

using pyptoc::publish::OutputTree;

TEST_CASE("files are sorted by path and found by it") {
  OutputTree tree;
  CHECK(tree.empty());
  REQUIRE(tree.add("b/x.cpp", "1", "kernel").ok());
  REQUIRE(tree.add("a.py", "2", "config").ok());
  REQUIRE(tree.add("b/a.cpp", "3", "kernel").ok());
  std::string order;
  for (const auto& [path, file] : tree.files()) order += path + "=" + file.content + " ";
  CHECK(order == "a.py=2 b/a.cpp=3 b/x.cpp=1 ");
  CHECK(tree.find("a.py")->kind == "config");
  CHECK(tree.find("b") == nullptr);
}

TEST_CASE("paths that cannot be together, or not at all") {
  OutputTree tree;
  REQUIRE(tree.add("a/b/c", "", "").ok());
  const auto refusal = [&](std::string_view path) {
    const auto status = tree.add(path, "", "");
    return status.ok() ? "accepted" : status.error().message;
  };
  CHECK(refusal("a/b/c") == "`a/b/c` occurs twice");
  CHECK(refusal("a/b/C") == "`a/b/c` and `a/b/C` differ in case only");
  CHECK(refusal("A/d") == "`a` and `A` differ in case only");
  CHECK(refusal("a/b") == "`a/b` is also a folder");
  CHECK(refusal("a/B") == "`a/b` is also a folder");
  CHECK(refusal("a/b/c/d") == "`a/b/c` is also a file");
  CHECK(refusal("manifest.json") == "`manifest.json` is the name of the manifest");
  CHECK(refusal("Manifest.JSON") == "`Manifest.JSON` is the name of the manifest");
  CHECK(refusal("manifest.json/x") == "`manifest.json` is also a file");
  CHECK(refusal("../x") == "path `../x`: `..` is a folder's own name for itself or its parent");
  CHECK(refusal("/x") == "path `/x`: an empty name");
  CHECK(refusal(".pyptoc-stage/x") == "path `.pyptoc-stage/x`: `.pyptoc-stage` begins with `.` or `-`");
  CHECK(refusal("a/b/d") == "accepted");
  CHECK(tree.files().size() == 2);
}
