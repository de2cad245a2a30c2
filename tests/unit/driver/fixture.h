// SPDX-License-Identifier: Apache-2.0
// Runs whole commands in this process, on a file system in memory.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "driver/driver.h"
#include "passes/pipeline.h"
#include "paths.h"
#include "publish/interruption.h"
#include "support/memory_file_system.h"
#include "support/real_file_system.h"

namespace pyptoc::driver {

struct Outcome {
  int status = -1;
  std::string out;
  std::string err;
};

// The machine of one test. `/prog.json` is the example vector_pipeline, with its kernels beside it; the clock advances
// by a microsecond each time somebody looks at it.
struct Machine {
  support::MemoryFileSystem files;
  publish::Interruption interruption;
  std::map<std::string, std::string, std::less<>> environment;
  bool in_is_terminal = false;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  std::string executable;
  uint64_t clock_ns = 0;
  size_t expected_heap = 0;  // as the last command said, in bytes

  Machine() {
    copy("prog.json");
    REQUIRE(files.make_directory("/kernels").ok());
    for (const char* name : {"kernels/add.cpp", "kernels/mul.cpp", "kernels/scale.cpp", "kernels/vector.h"}) copy(name);
  }

  Outcome run(const std::vector<std::string>& arguments, const std::string& input = "") {
    std::istringstream in(input);
    std::ostringstream out;
    std::ostringstream err;
    System system{files, in, out, err, interruption, [this] { return clock_ns += 1000; }, environment};
    system.in_is_terminal = in_is_terminal;
    system.out_is_terminal = out_is_terminal;
    system.err_is_terminal = err_is_terminal;
    system.executable = executable;
    system.expect_heap = [this](size_t bytes) { expected_heap = bytes; };
    const int status = Driver(system).run(arguments);
    return {status, out.str(), err.str()};
  }

  std::string read(const std::string& path) {
    auto content = files.read_file(path);
    return content.ok() ? *content : "cannot read " + path;
  }
  void write(const std::string& path, const std::string& content) { REQUIRE(files.write_file(path, content).ok()); }
  bool exists(const std::string& path) {
    const auto stat = files.stat(path);
    return stat.ok() && stat->has_value();
  }

 private:
  void copy(const std::string& name) {
    support::RealFileSystem real;
    auto content = real.read_file(test_support::source_dir().string() + "/examples/vector_pipeline/" + name);
    REQUIRE(content.ok());
    write("/" + name, *content);
  }
};

}  // namespace pyptoc::driver
