// SPDX-License-Identifier: Apache-2.0
// Times the whole `pyptoc build` and its stages against nlohmann::json::parse of the same file in the same run, and the
// growth when the program doubles.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "passes/pipeline.h"
#include "serial/reader.h"
#include "serial/writer.h"
#include "synthetic.h"

namespace {

namespace fs = std::filesystem;
using namespace pyptoc;

double seconds(const std::function<void()>& work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

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
  child.seconds = seconds([&] {
    pid_t pid = fork();
    if (pid == 0) {
      execl(PYPTOC_BINARY, PYPTOC_BINARY, "build", program.c_str(), "-o", out.c_str(), "--emit", "orchestration",
            "--force", "-q", static_cast<char*>(nullptr));
      _exit(127);
    }
    rusage usage{};
    wait4(pid, &child.status, 0, &usage);
    child.peak_kib = usage.ru_maxrss;
  });
  return child;
}

struct Figures {
  double parse = 0;
  double read = 0;
  double passes = 0;
  Child whole;
};

Figures measure(const std::string& name, const std::string& json, const fs::path& folder) {
  Figures f;
  fs::path file = folder / "prog.json";
  std::ofstream(file, std::ios::binary) << json;
  f.whole = build(file, folder / "out");
  size_t keep = 0;
  f.parse = seconds([&] { keep += nlohmann::json::parse(json).size(); });
  ir::Context context;
  diag::Engine diags;
  const ir::Program* program = nullptr;
  f.read = seconds([&] { program = serial::read_program(context, json, diags); });
  if (program == nullptr) return f;
  passes::Options options;
  passes::PassContext pass_context{context, diags, options};
  passes::RunPlan plan;
  plan.rows = passes::rows_between("", "", options);
  plan.verify_each = false;
  std::vector<double> each(passes::pipeline().size());
  auto begin = std::chrono::steady_clock::now();
  plan.before_pass = [&](size_t, const ir::Program*) { begin = std::chrono::steady_clock::now(); };
  plan.after_pass = [&](size_t row, const ir::Program*, const ir::Program*) {
    each[row] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  f.passes = seconds([&] { passes::run_passes(program, pass_context, plan); });
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
    ir::Context context;
    std::string json = serial::write_json(bench::straight_line(context, calls));
    Figures f = measure(fmt::format("straight_{}", calls), json, folder);
    if (last.whole.seconds > 0)
      fmt::print("    growth: build {:.2f}, read {:.2f}, passes {:.2f}\n", f.whole.seconds / last.whole.seconds,
                 f.read / last.read, f.passes / last.passes);
    last = f;
  }
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
      ir::Context context;
      diag::Engine diags;
      std::string bytes = read_all(file);
      const ir::Program* program = serial::read_program(context, bytes, diags);
      if (program != nullptr) measure(file.stem(), serial::write_json(program), folder);
    }
  }
}

}  // namespace

int main() {
  fs::path folder = fs::temp_directory_path() / fmt::format("pyptoc-bench-{}", getpid());
  fs::create_directories(folder);
  corpus(folder);
  growth(folder);
  fs::remove_all(folder);
  return 0;
}
