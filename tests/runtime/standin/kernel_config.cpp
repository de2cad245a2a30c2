// SPDX-License-Identifier: Apache-2.0
// Scanner for kernel_config.py.
#include "standin/kernel_config.h"

#include <cctype>
#include <cstdlib>
#include <optional>

namespace standin {
namespace {

// The value of `"key": ` up to the end of its line; nothing when the key is not there.
std::optional<std::string> value_of(const std::string& text, const std::string& key) {
  const std::string label = "\"" + key + "\": ";
  const size_t at = text.find(label);
  if (at == std::string::npos) return std::nullopt;
  const size_t begin = at + label.size();
  return text.substr(begin, text.find('\n', begin) - begin);
}

std::vector<std::string> quoted_parts(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t at = text.find('"'); at != std::string::npos;) {
    const size_t end = text.find('"', at + 1);
    if (end == std::string::npos) break;
    parts.push_back(text.substr(at + 1, end - at - 1));
    at = text.find('"', end + 1);
  }
  return parts;
}

// `str(_ROOT / "kernels" / "aiv" / "x.cpp"),`
std::filesystem::path path_of(const std::string& value, const std::filesystem::path& folder) {
  std::filesystem::path path = folder;
  for (const std::string& part : quoted_parts(value)) path /= part;
  return path;
}

// `[ArgDirection.IN, ArgDirection.OUT],`, by whatever name the class was imported.
std::optional<std::vector<Direction>> directions_of(const std::string& value) {
  std::vector<Direction> directions;
  for (size_t dot = value.find('.'); dot != std::string::npos; dot = value.find('.', dot + 1)) {
    size_t end = dot + 1;
    while (end < value.size() && std::isalpha(static_cast<unsigned char>(value[end])) != 0) ++end;
    const std::string word = value.substr(dot + 1, end - dot - 1);
    if (word == "IN") {
      directions.push_back(Direction::kIn);
    } else if (word == "OUT") {
      directions.push_back(Direction::kOut);
    } else if (word == "INOUT") {
      directions.push_back(Direction::kInOut);
    } else {
      return std::nullopt;
    }
  }
  return directions;
}

std::optional<KernelEntry> entry_of(const std::string& block, const std::filesystem::path& folder) {
  const auto id = value_of(block, "func_id");
  const auto name = value_of(block, "name");
  const auto source = value_of(block, "source");
  const auto core = value_of(block, "core_type");
  const auto signature = value_of(block, "signature");
  if (!id || !name || !source || !core || !signature) return std::nullopt;
  const auto directions = directions_of(*signature);
  if (!directions) return std::nullopt;
  KernelEntry entry;
  entry.func_id = std::atoi(id->c_str());
  const auto words = quoted_parts(*name);
  const auto kind = quoted_parts(*core);
  if (words.size() != 1 || kind.size() != 1 || (kind[0] != "aiv" && kind[0] != "aic")) return std::nullopt;
  entry.name = words[0];
  entry.core = kind[0] == "aic" ? CoreType::kAic : CoreType::kAiv;
  entry.source = path_of(*source, folder);
  entry.signature = *directions;
  return entry;
}

}  // namespace

KernelConfig parse_kernel_config(const std::string& text, const std::filesystem::path& folder) {
  KernelConfig config;
  const size_t orchestration = text.find("ORCHESTRATION = {");
  const size_t kernels = text.find("KERNELS = [");
  if (orchestration == std::string::npos || kernels == std::string::npos || kernels < orchestration) {
    config.error = "no ORCHESTRATION followed by KERNELS";
    return config;
  }
  const std::string head = text.substr(orchestration, kernels - orchestration);
  const auto source = value_of(head, "source");
  const auto signature = value_of(head, "signature");
  const auto directions = signature ? directions_of(*signature) : std::nullopt;
  if (!source || !directions) {
    config.error = "ORCHESTRATION has no source or no signature that is understood";
    return config;
  }
  config.orchestration = path_of(*source, folder);
  config.signature = *directions;
  for (size_t at = text.find('{', kernels); at != std::string::npos; at = text.find('{', at + 1)) {
    auto entry = entry_of(text.substr(at, text.find('}', at) - at), folder);
    if (!entry || entry->func_id != static_cast<int>(config.kernels.size())) {
      config.error = "kernel " + std::to_string(config.kernels.size()) +
                     " lacks a field, has one that is not understood or is out of order";
      return config;
    }
    config.kernels.push_back(std::move(*entry));
  }
  return config;
}

}  // namespace standin
