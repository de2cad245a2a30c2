// SPDX-License-Identifier: Apache-2.0
// Text assembly, and a run of the compiler.
#include "host_text.h"

#include <fstream>
#include <sstream>

#include "paths.h"
#include "ranks/kernels.h"

namespace fs = std::filesystem;

namespace host_tests {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// One chip program of one kernel: both take `from` and write `to`.
std::string mover(const std::string& name, const std::string& source, const std::string& from, const std::string& to) {
  const std::string arguments = "(self, a: " + from + ", b: pl.Out[" + to + "])";
  return "    @pl.function(type=pl.FunctionType.AIV, attrs={\"external_source\": \"" + source +
         "\"})\n"
         "    def " +
         name + "_kernel" + arguments + " -> " + to +
         ":\n        return b\n\n"
         "    @pl.function(type=pl.FunctionType.Orchestration)\n    def " +
         name + arguments + ":\n        b = self." + name + "_kernel(a, b)\n\n";
}

std::string movers(const std::string& type) {
  const std::string shape = "[[R, C], pl." + type + "]";
  const std::string tensor = "pl.Tensor" + shape;
  const std::string window = "pld.DistributedTensor" + shape;
  const std::string suffix = "_" + lower(type);
  return mover("put" + suffix, "copy.cpp", tensor, window) + mover("get" + suffix, "copy.cpp", window, tensor) +
         mover("near" + suffix, "near.cpp", window, tensor);
}

}  // namespace

std::string indented(const std::string& lines, int by) {
  std::string out;
  for (size_t at = 0; at < lines.size();) {
    const size_t end = std::min(lines.find('\n', at), lines.size() - 1) + 1;
    if (lines[at] != '\n') out.append(static_cast<size_t>(by), ' ');
    out += lines.substr(at, end - at);
    at = end;
  }
  return out;
}

std::string HostText::text() const {
  std::string out =
      "import pypto.language as pl\nimport pypto.language.distributed as pld\n\n"
      "NR = pl.dynamic(\"NR\")\nN = pl.dynamic(\"N\")\nR = pl.dynamic(\"R\")\nC = pl.dynamic(\"C\")\n\n\n"
      "@pl.program\nclass Tested:\n";
  for (const std::string& type : types) out += movers(type);
  if (!functions.empty()) out += indented(functions, 4) + "\n";
  out += "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n    def host(self" +
         (parameters.empty() ? "" : ", " + parameters) + "):\n";
  return out + indented(body, 8);
}

Tree::Tree(const std::string& text, const std::vector<std::string>& options) : out_(work_.path() / "out") {
  const fs::path kernels = pyptoc::test_support::source_dir() / "tests/runtime/host_tests/kernels";
  for (const auto& entry : fs::directory_iterator(kernels)) fs::copy(entry.path(), work_.path());
  std::ofstream(work_.path() / "prog.py") << text;
  std::vector<std::string> words = {PYPTOC_BINARY, "build",       (work_.path() / "prog.py").string(),
                                    "-o",          out_.string(), "-q"};
  words.insert(words.end(), options.begin(), options.end());
  const fs::path log = work_.path() / "log";
  if (standin::run_command(words, log) != 0) error_ = standin::ranks::read_text(log);
}

int Tree::drop_lines(const std::string& what) {
  const fs::path file = out_ / "orchestration/host_orch.py";
  std::istringstream lines(standin::ranks::read_text(file));
  std::ofstream out(file, std::ios::binary);
  int found = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(what) == std::string::npos) {
      out << line << '\n';
    } else {
      ++found;
    }
  }
  return found;
}

int Tree::replace(const std::string& what, const std::string& with) {
  const fs::path file = out_ / "orchestration/host_orch.py";
  std::string text = standin::ranks::read_text(file);
  int found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
    ++found;
  }
  std::ofstream(file, std::ios::binary) << text;
  return found;
}

}  // namespace host_tests
