// SPDX-License-Identifier: Apache-2.0
// Where diagnostics get the lines from that they show.
#include <map>

#include "driver/session.h"
#include "serial/input_source.h"
#include "support/file_tools.h"

namespace pyptoc::driver {
namespace {

constexpr uint64_t kLargestSource = uint64_t{16} << 20;  // of a Python file that is worth an excerpt

// A program names its sources freely, so only what is a file of reasonable size is opened: no pipe, no device.
std::optional<std::string> read_source(support::FileSystem& files, const std::string& path) {
  const auto real = files.real_path(path);
  if (!real.ok()) return std::nullopt;
  const auto stat = files.stat(*real);
  if (!stat.ok() || !stat->has_value() || !(*stat)->is_file() || (*stat)->size > kLargestSource) return std::nullopt;
  auto text = files.read_file(*real);
  return text.ok() ? std::optional(std::move(text).value()) : std::nullopt;
}

// Relative names are looked for beside the program first, since a program and its source often travel together.
std::optional<std::string> read_origin(support::FileSystem& files, const std::string& folder, std::string_view name) {
  if (name.empty()) return std::nullopt;
  if (name.front() != '/') {
    if (auto text = read_source(files, support::join_path(folder, name))) return text;
  }
  return read_source(files, std::string(name));
}

// A program in DSL text is its own Python source.
class TextSource final : public diag::SourceProvider {
 public:
  explicit TextSource(const Input& input) : input_(input), index_(input.bytes) {}

  std::optional<std::string> origin_line(std::string_view filename, int line) override {
    if (filename != input_.name || line < 1) return std::nullopt;
    if (line_starts_.empty()) find_lines();
    const size_t number = static_cast<size_t>(line);
    if (number > line_starts_.size()) return std::nullopt;
    const std::string_view rest = std::string_view(input_.bytes).substr(line_starts_[number - 1]);
    std::string_view text = rest.substr(0, rest.find('\n'));
    if (text.ends_with('\r')) text.remove_suffix(1);
    return std::string(text);
  }
  diag::InputPosition locate(uint32_t offset) override { return index_.position(offset); }
  std::string_view input_name() override { return input_.name; }

 private:
  void find_lines() {
    line_starts_.push_back(0);
    for (size_t end = input_.bytes.find('\n'); end != std::string::npos; end = input_.bytes.find('\n', end + 1))
      line_starts_.push_back(end + 1);
  }

  const Input& input_;
  diag::TextIndex index_;
  std::vector<size_t> line_starts_;
};

}  // namespace

std::unique_ptr<diag::SourceProvider> source_provider(Session& session) {
  if (!session.input) return std::make_unique<diag::SourceProvider>();
  const Input& input = *session.input;
  if (input.is_text) return std::make_unique<TextSource>(input);
  return std::make_unique<serial::InputSource>(
      input.name, input.bytes, [&files = session.system.files, &folder = input.folder](std::string_view name) {
        return read_origin(files, folder, name);
      });
}

}  // namespace pyptoc::driver
