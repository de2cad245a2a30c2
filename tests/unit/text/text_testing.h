// SPDX-License-Identifier: Apache-2.0
// What the tests of DSL text share: reading text, faults as lines, round trips.
#pragma once

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "diag/engine.h"
#include "ir/equal.h"
#include "text/parser.h"
#include "text/printer.h"

namespace pyptoc::text::testing {

struct Parsed {
  std::unique_ptr<ir::Context> context = std::make_unique<ir::Context>();
  std::unique_ptr<diag::Engine> engine = std::make_unique<diag::Engine>();
  const ir::Program* program = nullptr;

  // `3:9 E0208 name ... | did you mean ...`, one line for each.
  std::string faults() const {
    std::string out;
    for (const diag::Diagnostic& one : engine->sorted()) {
      out += fmt::format("{}:{} {} {}", one.place.begin_line, one.place.begin_column, one.code->id, one.message);
      for (const std::string& help : one.helps) out += " | " + help;
      out += "\n";
    }
    return out;
  }
};

inline Parsed parse(std::string_view source, std::string_view filename = "prog.py") {
  Parsed out;
  out.program = parse_program(*out.context, source, filename, *out.engine);
  return out;
}

inline std::string faults_of(std::string_view source) {
  Parsed parsed = parse(source);
  CHECK(parsed.program == nullptr);
  return parsed.faults();
}

// The text of a program that must be readable.
inline std::string printed(std::string_view source) {
  Parsed parsed = parse(source);
  INFO(parsed.faults());
  REQUIRE(parsed.program != nullptr);
  return print_program(parsed.program);
}

// Prints, reads and compares.
inline void check_round_trip(const ir::Program* program) {
  std::string text = print_program(program);
  INFO(text);
  Parsed again = parse(text);
  INFO(again.faults());
  REQUIRE(again.program != nullptr);
  std::optional<ir::Difference> difference = ir::first_difference(program, again.program);
  if (difference.has_value()) FAIL_CHECK(difference->path << ": " << difference->text);
  CHECK(print_program(again.program) == text);
}

inline const char* const kImports = "import pypto.language as pl\nimport pypto.language.distributed as pld\n";

// A function with tensors a, b, out and the scalars i, j around `body`, whose lines are not indented.
inline std::string in_function(std::string_view body) {
  std::string out = std::string(kImports) +
                    "@pl.program\nclass P:\n"
                    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
                    "    def f(self, a: pl.Tensor[[64, 64], pl.FP32], b: pl.Tensor[[64, 64], pl.FP32],\n"
                    "          i: pl.Scalar[pl.INDEX], j: pl.Scalar[pl.INDEX], p: pl.Scalar[pl.BOOL],\n"
                    "          out: pl.InOut[pl.Tensor[[64, 64], pl.FP32]]):\n";
  while (!body.empty()) {
    size_t end = body.find('\n');
    std::string_view line = body.substr(0, end);
    if (!line.empty()) out += "        ";
    out += line;
    out += '\n';
    body.remove_prefix(end == std::string_view::npos ? body.size() : end + 1);
  }
  return out;
}
// The line of the text that the first line of `body` is on.
inline constexpr int kBodyLine = 9;

// What a body is printed as, without the function around it and without indentation.
inline std::string body_printed(std::string_view body) {
  std::string text = printed(in_function(body));
  size_t at = text.find("):\n");
  std::string out;
  for (at = at + 3; at < text.size();) {
    size_t end = text.find('\n', at);
    std::string line = text.substr(at, end - at);
    out += (line.size() > 8 ? line.substr(8) : "") + "\n";
    at = end + 1;
  }
  return out;
}

}  // namespace pyptoc::text::testing
