// SPDX-License-Identifier: Apache-2.0
// Two builds that differ in every way that publishing tells apart, and a folder in memory to publish them to.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "diag/engine.h"
#include "publish/publisher.h"
#include "support/file_tools.h"
#include "support/memory_file_system.h"

namespace pyptoc::publish::fixture {

using Listing = std::map<std::string, std::string>;  // path -> content, `path/` for folders

inline OutputTree make_tree(const std::vector<std::pair<std::string, std::string>>& files) {
  OutputTree tree;
  for (const auto& [path, content] : files) REQUIRE(tree.add(path, content, "test").ok());
  return tree;
}

// Between the two: a file that stays, one that changes, one that goes with its folder, one that comes with a new
// folder, a file that becomes a folder and the reverse.
inline OutputTree first_tree() {
  return make_tree({{"kernel_config.py", "same\n"},
                    {"orchestration/main.cpp", "first\n"},
                    {"kernels/aiv/old.cpp", "old\n"},
                    {"turns", "file\n"},
                    {"back/turns", "folder\n"}});
}
inline OutputTree second_tree() {
  return make_tree({{"kernel_config.py", "same\n"},
                    {"orchestration/main.cpp", "second\n"},
                    {"next_levels/a/kernels/new.cpp", "new\n"},
                    {"turns/file", "folder\n"},
                    {"back", "file\n"}});
}

inline ManifestFields fields_of(std::string_view digest) {
  ManifestFields fields;
  fields.pyptoc_version = "1.2.3";
  fields.input_digest = digest;
  fields.options_digest = "options";
  fields.target = "a2a3";
  fields.entry = "main";
  return fields;
}

// What the folder looks like after a build of `tree` and nothing else.
inline Listing listing_of(const OutputTree& tree, const ManifestFields& fields) {
  Listing out;
  for (const auto& [path, file] : tree.files()) {
    out[path] = file.content;
    for (size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
      out[path.substr(0, slash + 1)] = "";
  }
  out["manifest.json"] = render_manifest(fields, tree);
  return out;
}

inline std::vector<std::string> codes_of(const diag::Engine& engine) {
  std::vector<std::string> out;
  for (const auto& diagnostic : engine.sorted()) out.emplace_back(diagnostic.code->id);
  return out;
}
inline std::string message_of(const diag::Engine& engine) {
  const auto all = engine.sorted();
  return all.size() == 1 ? all.front().message : std::to_string(all.size()) + " diagnostics";
}

// A file system in memory with the folder /w, and the builds one() and two() into /w/out.
struct Scene {
  support::MemoryFileSystem fs;
  Interruption interruption;
  diag::Engine engine;
  std::string dir = "/w/out";

  Scene() { REQUIRE(fs.make_directory("/w").ok()); }

  PublishReport one() { return publish(fs, dir, first_tree(), fields_of("one"), interruption, engine, {1, 3}); }
  PublishReport two() { return publish(fs, dir, second_tree(), fields_of("two"), interruption, engine, {1, 3}); }
  bool recovered() { return recover(fs, dir, interruption, engine, {1, 3}); }
  static Listing listing_one() { return listing_of(first_tree(), fields_of("one")); }
  static Listing listing_two() { return listing_of(second_tree(), fields_of("two")); }

  Listing listing() { return fs.snapshot("/w/out"); }
  // Everything in /w but what is in /w/out.
  std::vector<std::string> beside() {
    std::vector<std::string> out;
    for (const auto& entry : fs.list("/w").value())
      if (entry.path != "out") out.push_back(entry.path);
    return out;
  }
  support::FileStat stat(const std::string& path) {
    const auto stat = fs.stat("/w/out/" + path);
    REQUIRE(stat.ok());
    REQUIRE(stat->has_value());
    return **stat;
  }
  void put(const std::string& path, std::string_view content) {
    const std::string full = "/w/out/" + path;
    REQUIRE(support::make_directories(fs, support::parent_path(full)).ok());
    REQUIRE(fs.create_file(full, content).ok());
  }
};

}  // namespace pyptoc::publish::fixture
