// SPDX-License-Identifier: Apache-2.0
// What a build costs that has nothing to do: `pyptoc build` of an output that is up to date against `pyptoc --version`,
// each as a new process.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr int kRuns = 200;

double run(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::fflush(stdout);  // what stands in the buffer would be the child's too
  const auto begin = std::chrono::steady_clock::now();
  const pid_t pid = fork();
  if (pid == 0) {
    const int sink = open("/dev/null", O_WRONLY);
    dup2(sink, STDOUT_FILENO);
    execv(PYPTOC_BINARY, arguments.data());
    _exit(127);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  if (status != 0) fmt::print("the command failed: {}\n", words[1]);
  return ms;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// In turn, so that both see the same machine.
void compare(const std::string& name, const fs::path& program, const fs::path& folder,
             const std::vector<std::string>& options) {
  std::vector<std::string> build = {"pyptoc", "build", program.string(), "-o", (folder / name).string()};
  build.insert(build.end(), options.begin(), options.end());
  run(build);
  std::vector<double> idle;
  std::vector<double> version;
  for (int i = 0; i < kRuns; ++i) {
    version.push_back(run({"pyptoc", "--version"}));
    idle.push_back(run(build));
  }
  const double a = median(version);
  const double b = median(idle);
  fmt::print("{:<24} {:>8} bytes  --version {:>6.2f} ms  idle build {:>6.2f} ms  {:>6.2f} ms more  ratio {:.2f}\n",
             name, fs::file_size(program), a, b, b - a, b / a);
}

}  // namespace

int main() {
  const fs::path folder = fs::temp_directory_path() / fmt::format("pyptoc-idle-{}", getpid());
  fs::create_directories(folder);
  compare("vector_pipeline", fs::path(PYPTOC_SOURCE_DIR) / "examples/vector_pipeline/prog.json", folder, {});
  const fs::path models = fs::path(PYPTOC_SHARED_DIR) / "corpus/models";
  for (const char* name : {"Qwen3Decode", "DeepSeekV4Decode"}) {
    const fs::path program = models / (std::string(name) + ".msgpack");
    if (fs::exists(program)) compare(name, program, folder, {"--emit", "orchestration"});
  }
  fs::remove_all(folder);
  return 0;
}
