// SPDX-License-Identifier: Apache-2.0
// The programs of docs/language.md: each is what the page says.
#include <fstream>
#include <iterator>
#include <vector>

#include "ir/verifier.h"
#include "paths.h"
#include "text_testing.h"

namespace pyptoc::text::testing {
namespace {

struct Example {
  std::string program;
  std::string fault;  // `error[E0217]: ...`, or empty
  int line = 0;
};

std::vector<Example> examples_of(std::string_view page) {
  std::vector<Example> out;
  std::string* block = nullptr;
  int line = 0;
  while (!page.empty()) {
    size_t end = std::min(page.find('\n'), page.size());
    std::string_view text = page.substr(0, end);
    page.remove_prefix(std::min(end + 1, page.size()));
    ++line;
    if (text == "```python") {
      out.push_back({"", "", line});
      block = &out.back().program;
    } else if (text == "```text") {
      block = &out.back().fault;
    } else if (text == "```") {
      block = nullptr;
    } else if (block != nullptr) {
      *block += std::string(text) + "\n";
    }
  }
  return out;
}

TEST_CASE("docs/language.md: each program is read and verifies, or gets the fault that the page shows") {
  std::ifstream in(test_support::source_dir().string() + "/docs/language.md");
  std::string page{std::istreambuf_iterator<char>(in), {}};
  std::vector<Example> examples = examples_of(page);
  REQUIRE(examples.size() >= 15);
  for (const Example& example : examples) {
    INFO("the program at line " << example.line << " of docs/language.md");
    Parsed parsed = parse(example.program, "page.py");
    if (parsed.program != nullptr) ir::verify(parsed.program, *parsed.engine);
    INFO(parsed.faults());
    std::string fault;
    for (const diag::Diagnostic& one : parsed.engine->sorted())
      if (one.severity == diag::Severity::Error && fault.empty())
        fault = fmt::format("error[{}]: {}\n", one.code->id, one.message);
    CHECK(fault == example.fault);
    if (fault.empty()) check_round_trip(parsed.program);
  }
}

}  // namespace
}  // namespace pyptoc::text::testing
