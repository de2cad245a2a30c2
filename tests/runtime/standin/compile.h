// SPDX-License-Identifier: Apache-2.0
// Compiles emitted sources with g++ into shared objects and loads them.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "standin/kernel.h"
#include "standin/run.h"

namespace standin {

// A folder below the system's temporary one that goes when the object does.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Runs a command without a shell, both output streams to `log`. The exit status, or -1.
int run_command(const std::vector<std::string>& words, const std::filesystem::path& log);

struct CompileOptions {
  std::vector<std::string> flags;  // added to the compiler's
  std::string compiler = "g++";
  std::vector<std::string> first_includes = {};  // folders that are searched before the stand-in's own headers
};

// Output of the compiler, and whether it succeeded.
struct CompileResult {
  bool ok = false;
  std::string output;
};

// `instrumented` makes each load and store of the object report to the run (hooks.cpp).
CompileResult compile_shared(const std::filesystem::path& source, const std::filesystem::path& object,
                             bool instrumented, const CompileOptions& options);

// A loaded shared object; unloaded with its last owner.
class Library {
 public:
  static std::shared_ptr<Library> open(const std::filesystem::path& object, std::string& error);
  explicit Library(void* handle) : handle_(handle) {}
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  void* symbol(const char* name) const;

 private:
  void* handle_;
};

// A program of compiled parts; empty error when all of it compiled and loaded. The orchestration is compiled with
// -std=c++17 -Wall -Wextra -Werror.
struct Loaded {
  Program program;
  std::string error;
};

Loaded load_orchestration_object(const std::filesystem::path& object);
Loaded load_orchestration(const std::filesystem::path& source, const CompileOptions& options);

// Compiles kernels[i] from sources[i] and gives it a body; one without a source gets a mixing body.
std::string load_kernels(std::vector<Kernel>& kernels, const std::vector<std::filesystem::path>& sources,
                         const CompileOptions& options);

// The folder that a build wrote: kernel_config.py, the orchestration and the kernels that it names. With `mixing` the
// kernels are not compiled but get bodies made from their signatures.
Loaded load_tree(const std::filesystem::path& folder, bool mixing, const CompileOptions& options);

// load_tree and run_seeds in one: what a test of an emitted tree wants. Empty when everything is right.
std::string run_tree(const std::filesystem::path& folder, const Arguments& arguments, const Config& config, int seeds,
                     const Check& check, const CompileOptions& options = {});

}  // namespace standin
