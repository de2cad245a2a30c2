// SPDX-License-Identifier: Apache-2.0
// Paths from an index that is made when first asked for, lines from the text index.
#include "serial/input_source.h"

#include <algorithm>

#include "serial/parse.h"
#include "serial/path_index.h"

namespace pyptoc::serial {

InputSource::InputSource(std::string input_name, std::string_view bytes, OriginReader read_origin)
    : input_name_(std::move(input_name)), bytes_(bytes), read_origin_(std::move(read_origin)), lines_(bytes) {}

InputSource::~InputSource() = default;

const InputSource::Origin& InputSource::origin(std::string_view filename) {
  auto found = origins_.find(filename);
  if (found != origins_.end()) return found->second;
  Origin& made = origins_.emplace(std::string(filename), Origin{}).first->second;
  std::optional<std::string> text = read_origin_ ? read_origin_(filename) : std::nullopt;
  if (!text) return made;
  made.readable = true;
  made.text = *std::move(text);
  for (std::size_t at = 0; at < made.text.size();) {
    made.line_starts.push_back(at);
    std::size_t end = made.text.find('\n', at);
    at = end == std::string::npos ? made.text.size() : end + 1;
  }
  return made;
}

std::optional<std::string> InputSource::origin_line(std::string_view filename, int line) {
  const Origin& file = origin(filename);
  if (line < 1 || static_cast<std::size_t>(line) > file.line_starts.size()) return std::nullopt;
  std::size_t begin = file.line_starts[static_cast<std::size_t>(line) - 1];
  std::size_t end = std::min(file.text.find('\n', begin), file.text.size());
  if (end > begin && file.text[end - 1] == '\r') --end;
  return file.text.substr(begin, end - begin);
}

std::string InputSource::ir_path(std::uint32_t offset) {
  Encoding encoding = encoding_of(bytes_);
  if (encoding == Encoding::Unknown || bytes_.size() >= diag::Place::kNoOffset) return {};
  if (paths_ == nullptr) {
    ValueTree tree(bytes_);
    diag::Engine ignored;  // the reader has reported what is to be reported
    std::vector<IdEntry> ids;
    parse_values(encoding, {}, ignored, tree, ids);
    paths_ = std::make_unique<PathIndex>(std::move(tree));
  }
  return paths_->path_at(offset);
}

diag::InputPosition InputSource::locate(std::uint32_t offset) {
  diag::InputPosition position;
  if (encoding_of(bytes_) != Encoding::MessagePack) position = lines_.position(offset);
  position.ir_path = ir_path(offset);
  return position;
}

}  // namespace pyptoc::serial
