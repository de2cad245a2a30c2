// SPDX-License-Identifier: Apache-2.0
// Child processes of the compiler, and shared objects.
#include "standin/compile.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

#include "standin/kernel_config.h"

extern char** environ;

namespace standin {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

template <typename Function>
Function function_of(const Library& library, const char* name) {
  return reinterpret_cast<Function>(library.symbol(name));
}

}  // namespace

int run_command(const std::vector<std::string>& words, const std::filesystem::path& log) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TempFolder::TempFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "pyptoc_standin_XXXXXX").string();
  if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

CompileResult compile_shared(const std::filesystem::path& source, const std::filesystem::path& object,
                             bool instrumented, const CompileOptions& options) {
  std::vector<std::string> words = {options.compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fPIC", "-O1"};
  for (const std::string& folder : options.first_includes) words.insert(words.end(), {"-I", folder});
  words.insert(words.end(), {"-I", STANDIN_INCLUDE_DIR});
  words.insert(words.end(), options.flags.begin(), options.flags.end());
  const std::filesystem::path log = object.string() + ".log";
  if (!instrumented) {
    words.insert(words.end(), {"-shared", source.string(), "-o", object.string()});
    const int status = run_command(words, log);
    return {status == 0, text_of(log)};
  }
  // two steps: linking with the sanitizer's option would add the library that the hooks stand in for
  const std::string part = object.string() + ".o";
  words.insert(words.end(), {"-fsanitize=thread", "-c", source.string(), "-o", part});
  int status = run_command(words, log);
  if (status == 0) {
    status = run_command(
        {options.compiler, "-shared", "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset", part, "-o", object.string()},
        log);
  }
  return {status == 0, text_of(log)};
}

std::shared_ptr<Library> Library::open(const std::filesystem::path& object, std::string& error) {
  void* handle = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    error = dlerror();
    return nullptr;
  }
  return std::make_shared<Library>(handle);
}

Library::~Library() {
  dlclose(handle_);
}

void* Library::symbol(const char* name) const {
  return dlsym(handle_, name);
}

Loaded load_orchestration_object(const std::filesystem::path& object) {
  Loaded loaded;
  const auto library = Library::open(object, loaded.error);
  if (library == nullptr) return loaded;
  using ConfigFunction = PTO2OrchestrationConfig (*)(const ChipTaskArgs&);
  using EntryFunction = void (*)(const ChipTaskArgs&);
  const auto config = function_of<ConfigFunction>(*library, "aicpu_orchestration_config");
  const auto entry = function_of<EntryFunction>(*library, "aicpu_orchestration_entry");
  if (config == nullptr || entry == nullptr) {
    loaded.error = "it does not export both functions of an orchestration";
    return loaded;
  }
  loaded.program.config = [library, config](const ChipTaskArgs& args) { return config(args); };
  loaded.program.entry = [library, entry](const ChipTaskArgs& args) { entry(args); };
  return loaded;
}

Loaded load_orchestration(const std::filesystem::path& source, const CompileOptions& options) {
  const TempFolder folder;
  const auto object = folder.path() / "orchestration.so";
  const CompileResult compiled = compile_shared(source, object, false, options);
  Loaded loaded;
  if (!compiled.ok) {
    loaded.error = source.filename().string() + " does not compile:\n" + compiled.output;
    return loaded;
  }
  loaded = load_orchestration_object(object);
  if (!loaded.error.empty()) loaded.error = source.filename().string() + ": " + loaded.error;
  return loaded;
}

std::string load_kernels(std::vector<Kernel>& kernels, const std::vector<std::filesystem::path>& sources,
                         const CompileOptions& options) {
  const TempFolder folder;
  for (size_t i = 0; i < kernels.size(); ++i) {
    if (sources[i].empty()) {
      kernels[i].body = mixing_body(kernels[i].signature, i + 1);
      continue;
    }
    const auto object = folder.path() / (std::to_string(i) + ".so");
    const CompileResult compiled = compile_shared(sources[i], object, true, options);
    if (!compiled.ok) return sources[i].filename().string() + " does not compile:\n" + compiled.output;
    std::string error;
    const auto library = Library::open(object, error);
    if (library == nullptr) return error;
    const auto entry = function_of<void (*)(int64_t*)>(*library, "kernel_entry");
    if (entry == nullptr) return sources[i].filename().string() + " does not export kernel_entry";
    kernels[i].body = [library, entry](KernelCall& call) { entry(call.args()); };
  }
  return "";
}

Loaded load_tree(const std::filesystem::path& folder, bool mixing, const CompileOptions& options) {
  const auto file = folder / "kernel_config.py";
  const KernelConfig config = parse_kernel_config(text_of(file), folder);
  Loaded loaded;
  loaded.error = config.error.empty() ? "" : file.string() + ": " + config.error;
  if (!loaded.error.empty()) return loaded;
  loaded = load_orchestration(config.orchestration, options);
  if (!loaded.error.empty()) return loaded;
  std::vector<std::filesystem::path> sources;
  for (const KernelEntry& entry : config.kernels) {
    loaded.program.kernels.push_back({entry.name, entry.core, entry.signature, {}});
    sources.push_back(mixing ? std::filesystem::path{} : entry.source);
  }
  loaded.error = load_kernels(loaded.program.kernels, sources, options);
  return loaded;
}

std::string run_tree(const std::filesystem::path& folder, const Arguments& arguments, const Config& config, int seeds,
                     const Check& check, const CompileOptions& options) {
  const Loaded loaded = load_tree(folder, false, options);
  return loaded.error.empty() ? run_seeds(loaded.program, arguments, config, seeds, check) : loaded.error;
}

}  // namespace standin
