// SPDX-License-Identifier: Apache-2.0
// The cache of compiled kernels.
#include "ranks/kernels.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

namespace fs = std::filesystem;

namespace standin::ranks {
namespace {

uint64_t digest(const std::string& text, uint64_t seed) {
  uint64_t hash = 0xCBF29CE484222325u ^ seed * 0x9E3779B97F4A7C15u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return hash;
}

const std::string& all_headers() {
  static const std::string text = [] {
    std::vector<fs::path> files;
    for (const char* root : {STANDIN_RANKS_INCLUDE_DIR, STANDIN_INCLUDE_DIR}) {
      for (const auto& entry : fs::recursive_directory_iterator(root)) {
        if (entry.is_regular_file()) files.push_back(entry.path());
      }
    }
    std::sort(files.begin(), files.end());
    std::string all;
    for (const fs::path& file : files) all += read_text(file);
    return all;
  }();
  return text;
}

// Whether the text includes a file of the folder: only then where it lies means something.
bool quotes_from(const fs::path& folder, const std::string& text) {
  const std::string directive = "#include \"";
  for (size_t at = text.find(directive); at != std::string::npos; at = text.find(directive, at + 1)) {
    const size_t begin = at + directive.size();
    if (fs::exists(folder / text.substr(begin, text.find('"', begin) - begin))) return true;
  }
  return false;
}

fs::path cache_folder() {
  const fs::path folder = fs::temp_directory_path() / ("pyptoc_standin_cache_" + std::to_string(getuid()));
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  return folder;
}

// The compiled object for the text, made now or earlier; empty with an error.
fs::path object_for(const std::string& text, bool instrumented, const CompileOptions& options, std::string& error) {
  std::string key = text + all_headers() + options.compiler + (instrumented ? "i" : "p");
  for (const std::string& flag : options.flags) key += "\n" + flag;
  const fs::path base = cache_folder() / (std::to_string(digest(key, 1)) + "_" + std::to_string(digest(key, 2)));
  const fs::path object = base.string() + ".so";
  if (fs::exists(object)) return object;
  const TempFolder work;
  const fs::path source = work.path() / "unit.cpp";
  std::ofstream(source) << text;
  const fs::path made = work.path() / "unit.so";
  const CompileResult compiled = compile_shared(source, made, instrumented, options);
  if (!compiled.ok) {
    error = "it does not compile:\n" + compiled.output;
    return {};
  }
  std::error_code failed;
  const fs::path beside = base.string() + "." + std::to_string(getpid());
  fs::copy_file(made, beside, fs::copy_options::overwrite_existing, failed);
  if (!failed) fs::rename(beside, object, failed);
  if (failed) error = "cannot keep the object: " + failed.message();
  return failed ? fs::path{} : object;
}

}  // namespace

std::string read_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

LoadedKernel load_kernel_text(const std::string& text, const fs::path& quote_folder) {
  CompileOptions options;
  options.first_includes = {STANDIN_RANKS_INCLUDE_DIR};
  options.flags = {"-Wno-attributes", "-Wno-unused-function", "-Wno-unused-parameter", "-Wno-unused-variable"};
  if (!quote_folder.empty() && quotes_from(quote_folder, text))
    options.flags.insert(options.flags.end(), {"-iquote", quote_folder.string()});
  LoadedKernel loaded;
  const fs::path object = object_for(text, true, options, loaded.error);
  if (object.empty()) return loaded;
  const auto library = Library::open(object, loaded.error);
  if (library == nullptr) return loaded;
  const auto entry = reinterpret_cast<void (*)(int64_t*)>(library->symbol("kernel_entry"));
  if (entry == nullptr) {
    loaded.error = "it does not export kernel_entry";
    return loaded;
  }
  loaded.body = [library, entry](BlockCall& call) { entry(call.args); };
  return loaded;
}

Loaded load_cached_orchestration(const fs::path& source, const CompileOptions& options) {
  Loaded loaded;
  CompileOptions quoted = options;
  quoted.flags.insert(quoted.flags.end(), {"-Wno-unused-variable", "-Wno-unused-but-set-variable"});
  const fs::path object = object_for(read_text(source), false, quoted, loaded.error);
  if (!object.empty()) loaded = load_orchestration_object(object);
  if (!loaded.error.empty()) loaded.error = source.filename().string() + ": " + loaded.error;
  return loaded;
}

LoadedKernel load_kernel(const fs::path& source) {
  LoadedKernel loaded = load_kernel_text(read_text(source), source.parent_path());
  if (!loaded.error.empty()) loaded.error = source.filename().string() + ": " + loaded.error;
  return loaded;
}

}  // namespace standin::ranks
