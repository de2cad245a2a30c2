// SPDX-License-Identifier: Apache-2.0
// Reading and printing DSL text: MB/s, growth when the text doubles, and reading against nlohmann::json::parse of the
// same program as JSON in the same run. Processor time.
#include <fmt/format.h>
#include <malloc.h>

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
  std::string json;
  {
    ir::Context context;
    const ir::Program* program = bench::straight_line(context, calls);
    f.print = bench::cpu_seconds([&] { text = text::print_program(program); });
    json = serial::write_json(program);
  }
  malloc_trim(0);  // each reader begins with a heap without holes
  bool read = false;
  f.read = bench::cpu_seconds([&] {
    ir::Context context;
    diag::Engine diags;
    read = text::parse_program(context, text, "bench.py", diags) != nullptr;
  });
  malloc_trim(0);
  size_t keep = 0;
  const double json_parse = bench::cpu_seconds([&] { keep += nlohmann::json::parse(json).size(); });
  double megabytes = static_cast<double>(text.size()) / 1e6;
  fmt::print(
      "{:<18} {:>6.1f} MB  read {:>7.1f} ms ({:>5.1f} MB/s)  print {:>7.1f} ms ({:>5.1f} MB/s)  read/json {:.2f}",
      fmt::format("text_{}", calls), megabytes, f.read * 1e3, megabytes / f.read, f.print * 1e3, megabytes / f.print,
      f.read / json_parse);
  if (half.read > 0) fmt::print("  growth: read {:.2f}, print {:.2f}", f.read / half.read, f.print / half.print);
  fmt::print("{}\n", read ? "" : "  (not read)");
  return f;
}

}  // namespace

int main() {
  Figures last;
  for (size_t calls = 12500; calls <= 200000; calls *= 2) last = measure(calls, last);  // 20 MB and its double
  return 0;
}
