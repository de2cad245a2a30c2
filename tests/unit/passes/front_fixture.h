// SPDX-License-Identifier: Apache-2.0
// Runs one pass on DSL text and compares what comes out with DSL text.
#pragma once

#include <catch2/catch.hpp>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "ir/equal.h"
#include "passes/pass.h"
#include "text/parser.h"
#include "text/printer.h"

namespace pyptoc::passes::testing {

// `functions` stand at the beginning of a line, without a class. TENSOR is short for a type.
inline std::string program_text(std::string_view functions) {
  std::string out = "import pypto.language as pl\nimport pypto.language.distributed as pld\n";
  constexpr std::string_view kShort = "TENSOR";
  while (true) {
    size_t at = functions.find(kShort);
    out += functions.substr(0, at);
    if (at == std::string_view::npos) return out;
    out += "pl.Tensor[[64], pl.FP32]";
    functions.remove_prefix(at + kShort.size());
  }
}

class PassRun {
 public:
  PassRun(std::string_view body, std::initializer_list<PassFunction> passes, const Options& options = {})
      : options_(options) {
    before_ = parse(body);
    after_ = before_;
    if (after_ == nullptr) return;
    PassContext context{ir_, diags_, options_};
    for (PassFunction pass : passes)
      if (!diags_.has_errors()) after_ = pass(after_, context);
  }

  ir::Context& context() { return ir_; }
  const ir::Program* parse(std::string_view body) {
    const ir::Program* program = text::parse_program(ir_, program_text(body), "test.py", diags_);
    INFO(messages());
    CHECK(program != nullptr);
    return program;
  }
  // Empty when it came out as `expected`, which is parsed like the input.
  std::string difference_to(std::string_view expected) {
    const ir::Program* wanted = parse(expected);
    if (wanted == nullptr || after_ == nullptr) return "no program";
    std::optional<ir::Difference> found = ir::first_difference(after_, wanted);
    if (!found) return "";
    return found->path + ": " + found->text + "\n" + text::print_program(after_) + messages();
  }
  std::string messages() const {
    std::string out;
    for (const diag::Diagnostic& d : diags_.sorted()) {
      out += std::string(d.code->id) + " " + std::to_string(line_of(d)) + ": " + d.message + "\n";
      for (const auto& note : d.notes) out += "  note: " + note.text + "\n";
    }
    return out;
  }
  // Line 1 is the first of the functions' text when that starts with a line break.
  static int line_of(const diag::Diagnostic& d) { return d.place.begin_line - 3; }
  const ir::Program* before() const { return before_; }
  const ir::Program* after() const { return after_; }
  std::string text() const { return text::print_program(after_); }
  bool has(std::string_view code) const {
    for (const diag::Diagnostic& d : diags_.sorted())
      if (d.code->id == code) return true;
    return false;
  }
  ir::Context& ir() { return ir_; }
  diag::Engine& diags() { return diags_; }

 private:
  ir::Context ir_;
  diag::Engine diags_;
  Options options_;
  const ir::Program* before_ = nullptr;
  const ir::Program* after_ = nullptr;
};

inline void check_pass(std::initializer_list<PassFunction> passes, std::string_view before, std::string_view after) {
  PassRun run(before, passes);
  CHECK(run.difference_to(after) == "");
  CHECK(run.messages() == "");
}
inline void check_unchanged(std::initializer_list<PassFunction> passes, std::string_view body) {
  PassRun run(body, passes);
  INFO(run.messages());
  CHECK(run.after() == run.before());
}
inline void check_error(std::initializer_list<PassFunction> passes, std::string_view body, std::string_view code,
                        int line) {
  PassRun run(body, passes);
  INFO(run.messages());
  CHECK(run.has(code));
  for (const diag::Diagnostic& d : run.diags().sorted()) CHECK(run.line_of(d) == line);
}

}  // namespace pyptoc::passes::testing
