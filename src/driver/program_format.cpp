// SPDX-License-Identifier: Apache-2.0
// Telling program formats apart.
#include "driver/program_format.h"

namespace pyptoc::driver {

std::optional<ProgramFormat> format_of_path(std::string_view path) {
  if (path.ends_with(".json")) return ProgramFormat::kJson;
  if (path.ends_with(".msgpack")) return ProgramFormat::kMsgpack;
  if (path.ends_with(".py")) return ProgramFormat::kText;
  return std::nullopt;
}

std::optional<GraphFormat> picture_of_path(std::string_view path) {
  if (path.ends_with(".dot")) return GraphFormat::kDot;
  if (path.ends_with(".svg")) return GraphFormat::kSvg;
  if (path.ends_with(".html")) return GraphFormat::kHtml;
  return std::nullopt;
}

bool is_program_text(std::string_view path, std::string_view bytes) {
  if (const auto format = format_of_path(path)) return *format == ProgramFormat::kText;
  const size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  const char c = bytes[first];
  return c == '#' || c == '@' || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace pyptoc::driver
