// SPDX-License-Identifier: Apache-2.0
// Every program of the corpus through the text and back.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "corpus.h"
#include "serial/reader.h"
#include "serial/writer.h"
#include "text_testing.h"

namespace pyptoc::text::testing {
namespace {

namespace fs = std::filesystem;
using test_support::bytes_of;
using test_support::corpus_folder;
using test_support::graphs_in;

// Why `bytes` do not survive; empty when they do.
std::string round_trip_fault(const std::string& bytes) {
  ir::Context first;
  diag::Engine engine;
  const ir::Program* program = serial::read_program(first, bytes, engine);
  if (program == nullptr) return "not readable";
  std::string text = print_program(program);
  Parsed again = parse(text);
  if (again.program == nullptr) return again.faults();
  if (auto difference = ir::first_difference(program, again.program)) return difference->path + ": " + difference->text;
  ir::Context second;
  const ir::Program* reread = serial::read_program(second, serial::write_msgpack(again.program), engine);
  if (reread == nullptr) return "its graph is not readable";
  return print_program(reread) == text ? "" : "the text is not a fixpoint";
}

TEST_CASE("every program of the corpus survives the text: graph, text, graph, text") {
  std::vector<fs::path> files = graphs_in<fs::recursive_directory_iterator>(corpus_folder());
  if (files.empty()) {
    WARN("the corpus is missing; nothing was compared");
    return;
  }
  size_t survived = 0;
  for (const fs::path& file : files) {
    std::string fault = round_trip_fault(bytes_of(file));
    if (fault.empty())
      ++survived;
    else
      FAIL_CHECK(file.filename().string() << ": " << fault);
  }
  WARN(survived << " of " << files.size() << " programs survive the text");
}

TEST_CASE("no comment hides content") {
  for (const fs::path& file : graphs_in<fs::recursive_directory_iterator>(corpus_folder())) {
    ir::Context context;
    diag::Engine engine;
    const ir::Program* program = serial::read_program(context, bytes_of(file), engine);
    if (program == nullptr) continue;
    std::string text = print_program(program);
    size_t longest = 0;
    for (size_t at = 0; at < text.size();) {
      size_t end = text.find('\n', at);
      size_t mark = text.find_first_not_of(' ', at);
      if (text[mark] == '#') longest = std::max(longest, end - at);
      at = end + 1;
    }
    CHECK(longest < 400);
  }
}

}  // namespace
}  // namespace pyptoc::text::testing
