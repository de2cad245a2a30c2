// SPDX-License-Identifier: Apache-2.0
// Reading and printing DSL text: MB/s, growth when the text doubles, and reading against nlohmann::json::parse of the
// same program as JSON in the same run. Processor time.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "serial/writer.h"
#include "synthetic.h"
#include "text/parser.h"
#include "text/printer.h"
#include "timing.h"

namespace {

using namespace pyptoc;

struct Figures {
  double read = 0;
  double print = 0;
};

Figures measure(size_t calls, const Figures& half) {
  Figures f;
  std::string text;
  double json_parse = 0;
  {
    ir::Context context;
    const ir::Program* program = bench::straight_line(context, calls);
    f.print = bench::cpu_seconds([&] { text = text::print_program(program); });
    std::string json = serial::write_json(program);
    size_t keep = 0;
    json_parse = bench::cpu_seconds([&] { keep += nlohmann::json::parse(json).size(); });
  }
  ir::Context context;
  diag::Engine diags;
  const ir::Program* again = nullptr;
  f.read = bench::cpu_seconds([&] { again = text::parse_program(context, text, "bench.py", diags); });
  double megabytes = static_cast<double>(text.size()) / 1e6;
  fmt::print(
      "{:<18} {:>6.1f} MB  read {:>7.1f} ms ({:>5.1f} MB/s)  print {:>7.1f} ms ({:>5.1f} MB/s)  read/json {:.2f}",
      fmt::format("text_{}", calls), megabytes, f.read * 1e3, megabytes / f.read, f.print * 1e3, megabytes / f.print,
      f.read / json_parse);
  if (half.read > 0) fmt::print("  growth: read {:.2f}, print {:.2f}", f.read / half.read, f.print / half.print);
  fmt::print("{}\n", again != nullptr ? "" : "  (not read)");
  return f;
}

}  // namespace

int main() {
  Figures last;
  for (size_t calls = 12500; calls <= 200000; calls *= 2) last = measure(calls, last);  // 20 MB and its double
  return 0;
}
