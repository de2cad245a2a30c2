// SPDX-License-Identifier: Apache-2.0
// Builds with the compiler under test.
#include <algorithm>
#include <fstream>

#include "pipeline.h"
#include "ranks/kernels.h"

namespace fs = std::filesystem;

namespace chip_tests {
namespace {

void write(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace

Tree::Tree(const Pipeline& p)
    : Tree(program_text(p), {{"stage.cpp", kernel_text(p, "stage")}, {"consume.cpp", kernel_text(p, "consume")}},
           p.analyze ? std::vector<std::string>{"--target", p.target, "--analyze-deps"}
                     : std::vector<std::string>{"--target", p.target}) {}

Tree::Tree(const std::string& program, const std::vector<std::pair<std::string, std::string>>& files,
           const std::vector<std::string>& options) {
  write(folder_.path() / "prog.py", program);
  for (const auto& [name, text] : files) write(folder_.path() / name, text);
  build(folder_.path() / "prog.py", options);
}

Tree::Tree(const fs::path& program, const std::vector<std::pair<std::string, std::string>>& files,
           const std::vector<std::string>& options) {
  fs::copy_file(program, folder_.path() / program.filename());
  for (const auto& [name, text] : files) write(folder_.path() / name, text);
  build(folder_.path() / program.filename(), options);
}

void Tree::build(const fs::path& program, const std::vector<std::string>& options) {
  std::vector<std::string> words = {PYPTOC_BINARY,
                                    "build",
                                    program.string(),
                                    "-o",
                                    out().string(),
                                    "-q",
                                    "-Wno-external-reads-collective",
                                    "-Wno-external-writes-for-collective"};
  words.insert(words.end(), options.begin(), options.end());
  const fs::path log = folder_.path() / "messages";
  status_ = standin::run_command(words, log);
  messages_ = standin::ranks::read_text(log);
}

std::string Tree::read(const fs::path& file) const {
  return standin::ranks::read_text(out() / file);
}

void Tree::replace(const fs::path& file, const std::string& text) const {
  write(out() / file, text);
}

std::vector<std::string> Tree::sub_builds() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(out() / "next_levels")) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace chip_tests
