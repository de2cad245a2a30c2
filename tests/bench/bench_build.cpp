// SPDX-License-Identifier: Apache-2.0
// Times the whole `pyptoc build` and its stages against nlohmann::json::parse of the same file in the same run, and the
// growth when the program doubles. Times are processor time.
#include <fmt/format.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "passes/buffer_roots.h"
#include "passes/order_anti_dependencies.h"
#include "passes/pipeline.h"
#include "serial/reader.h"
#include "serial/writer.h"
#include "support/heap.h"
#include "synthetic.h"
#include "timing.h"

namespace {

namespace fs = std::filesystem;
using namespace pyptoc;

std::string read_all(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Child {
  double seconds = 0;
  long peak_kib = 0;
  int status = 0;
};

// Runs the compiler as a user does; time and peak memory are those of the process.
Child build(const fs::path& program, const fs::path& out) {
  Child child;
  const pid_t pid = fork();
  if (pid == 0) {
    execl(PYPTOC_BINARY, PYPTOC_BINARY, "build", program.c_str(), "-o", out.c_str(), "--emit", "orchestration",
          "--force", "-q", static_cast<char*>(nullptr));
    _exit(127);
  }
  rusage usage{};
  wait4(pid, &child.status, 0, &usage);
  child.seconds = bench::cpu_seconds(usage);
  child.peak_kib = usage.ru_maxrss;
  return child;
}

struct Figures {
  double parse = 0;
  double read = 0;
  double passes = 0;
  Child whole;
};

// The program is the return value of `make` as JSON. Linux counts what a process had before exec into its peak, so
// this one holds nothing while the compiler runs.
Figures measure(const std::string& name, const std::function<std::string()>& make, const fs::path& folder) {
  Figures f;
  fs::path file = folder / "prog.json";
  std::ofstream(file, std::ios::binary) << make();
  malloc_trim(0);
  f.whole = build(file, folder / "out");
  const std::string json = read_all(file);
  size_t keep = 0;
  f.parse = bench::cpu_seconds([&] { keep += nlohmann::json::parse(json).size(); });
  ir::Context context;
  diag::Engine diags;
  const ir::Program* program = nullptr;
  f.read = bench::cpu_seconds([&] { program = serial::read_program(context, json, diags); });
  if (program == nullptr) return f;
  passes::Options options;
  passes::PassContext pass_context{context, diags, options};
  passes::RunPlan plan;
  plan.rows = passes::rows_between("", "", options);
  plan.verify_each = false;
  std::vector<double> each(passes::pipeline().size());
  std::clock_t begin = 0;
  plan.before_pass = [&](size_t, const ir::Program*) { begin = std::clock(); };
  plan.after_pass = [&](size_t row, const ir::Program*, const ir::Program*) {
    each[row] = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  f.passes = bench::cpu_seconds([&] { passes::run_passes(program, pass_context, plan); });
  fmt::print(
      "{:<24} {:>7.1f} MB  parse {:>7.1f} ms  read {:>7.1f} ms  passes {:>7.1f} ms  build {:>7.1f} ms  "
      "build/parse {:>4.2f}  memory/file {:>4.1f}{}\n",
      name, static_cast<double>(json.size()) / 1e6, f.parse * 1e3, f.read * 1e3, f.passes * 1e3, f.whole.seconds * 1e3,
      f.whole.seconds / f.parse, static_cast<double>(f.whole.peak_kib) * 1024 / static_cast<double>(json.size()),
      f.whole.status == 0 ? "" : "  (build refused the program)");
  for (size_t i = 0; i < each.size(); ++i)
    if (each[i] > 0.1 * f.passes && each[i] > 1e-3)
      fmt::print("    {:<30} {:>7.1f} ms\n", passes::pipeline()[i].name, each[i] * 1e3);
  return f;
}

void growth(const fs::path& folder) {
  Figures last;
  for (size_t calls = 1000; calls <= 128000; calls *= 2) {
    auto make = [calls] {
      ir::Context context;
      return serial::write_json(bench::straight_line(context, calls));
    };
    Figures f = measure(fmt::format("straight_{}", calls), make, folder);
    if (last.whole.seconds > 0)
      fmt::print("    growth: build {:.2f}, read {:.2f}, passes {:.2f}\n", f.whole.seconds / last.whole.seconds,
                 f.read / last.read, f.passes / last.passes);
    last = f;
  }
}

using Make = std::function<const ir::Program*(ir::Context&, size_t)>;

// The time of each pass on a program of `size`, and of all; what is less than in `best` goes there.
void time_passes(const Make& make, size_t size, std::vector<double>& best) {
  ir::Context context;
  diag::Engine diags;
  const ir::Program* program = make(context, size);
  passes::Options options;
  passes::RootsMemo roots;
  passes::PassContext pass_context{context, diags, options, &roots};
  double total = 0;
  for (size_t row : passes::rows_between("", "", options)) {
    const double spent = bench::cpu_seconds([&] { program = passes::pipeline()[row].run(program, pass_context); });
    best[row] = std::min(best[row], spent);
    total += spent;
  }
  best.back() = std::min(best.back(), total);
}

// CPU time of each pass, and what doubling the program makes of it. The best of many runs, taken in turns: where other
// machines share the caches, the speed doubles or halves for seconds at a time.
void passes_growth(const char* what, const Make& make) {
  constexpr int kRuns = 100;
  const size_t sizes[] = {1000, 2000, 4000};
  std::vector<std::vector<double>> times(std::size(sizes), std::vector<double>(passes::pipeline().size() + 1, 1e9));
  for (int run = 0; run < kRuns; ++run)
    for (size_t i = 0; i < std::size(sizes); ++i) time_passes(make, sizes[i], times[i]);
  fmt::print("{}: CPU time of passes in ms for {} / {} / {} calls, growth\n", what, sizes[0], sizes[1], sizes[2]);
  auto line = [&](std::string_view name, size_t i) {
    if (times[2][i] < 1e8)
      fmt::print("    {:<30} {:>7.2f} {:>7.2f} {:>7.2f}   {:.2f} {:.2f}\n", name, times[0][i] * 1e3, times[1][i] * 1e3,
                 times[2][i] * 1e3, times[1][i] / times[0][i], times[2][i] / times[1][i]);
  };
  for (size_t i = 0; i < passes::pipeline().size(); ++i) line(passes::pipeline()[i].name, i);
  line("all", passes::pipeline().size());
}

// What OrderAntiDependencies adds to real programs.
void anti_dependencies() {
  passes::AntiDependencyCounts all;
  size_t programs = 0;
  size_t touched = 0;
  for (const char* part : {"corpus/programs", "corpus/models"}) {
    std::vector<fs::path> files;
    if (fs::exists(fs::path(PYPTOC_SHARED_DIR) / part))
      for (const auto& entry : fs::directory_iterator(fs::path(PYPTOC_SHARED_DIR) / part))
        if (entry.path().extension() == ".msgpack") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      ir::Context context;
      diag::Engine diags;
      const ir::Program* program = serial::read_program(context, read_all(file), diags);
      passes::Options options;
      passes::PassContext pass_context{context, diags, options};
      if (program == nullptr || diags.has_errors()) continue;
      for (size_t row : passes::rows_between("", "DeriveCallDirections", options))
        if (!diags.has_errors()) program = passes::pipeline()[row].run(program, pass_context);
      if (diags.has_errors()) continue;
      passes::AntiDependencyCounts counts;
      passes::order_anti_dependencies(program, pass_context, counts);
      ++programs;
      touched += counts.edges + counts.readers_turned_inout > 0 ? 1 : 0;
      all.tasks += counts.tasks;
      all.edges += counts.edges;
      all.readers_turned_inout += counts.readers_turned_inout;
      all.writers_turned_inout += counts.writers_turned_inout;
    }
  }
  fmt::print(
      "OrderAntiDependencies: {} programs of the corpus with {} tasks; {} edges added, {} readers and {} writers "
      "turned "
      "InOut, in {} programs\n",
      programs, all.tasks, all.edges, all.readers_turned_inout, all.writers_turned_inout, touched);
}

void corpus(const fs::path& folder) {
  for (const char* part : {"corpus/large", "corpus/models"}) {
    fs::path from = fs::path(PYPTOC_SHARED_DIR) / part;
    if (!fs::exists(from)) {
      fmt::print("{} is not there, skipped\n", part);
      continue;
    }
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(from))
      if (entry.path().extension() == ".msgpack") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      auto make = [&file] {
        ir::Context context;
        diag::Engine diags;
        const ir::Program* program = serial::read_program(context, read_all(file), diags);
        return program == nullptr ? std::string() : serial::write_json(program);
      };
      measure(file.stem(), make, folder);
    }
  }
}

}  // namespace

// bench_build [PART...]: all parts, or those named of edges, passes, corpus and builds.
int main(int argc, char** argv) {
  support::expect_heap(size_t{256} << 20);  // as the compiler's own main() does
  fs::path folder = fs::temp_directory_path() / fmt::format("pyptoc-bench-{}", getpid());
  fs::create_directories(folder);
  auto wanted = [&](std::string_view part) { return argc == 1 || std::count(argv + 1, argv + argc, part) > 0; };
  if (wanted("edges")) anti_dependencies();
  if (wanted("passes")) {
    passes_growth("temporaries", bench::straight_line);
    passes_growth("scopes to outline", bench::scopes);
  }
  if (wanted("corpus")) corpus(folder);
  if (wanted("builds")) growth(folder);
  fs::remove_all(folder);
  return 0;
}
