// SPDX-License-Identifier: Apache-2.0
// Reads a manifest of an earlier build, which may be broken or made by hand to do harm.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "publish/manifest.h"
#include "support/safe_name.h"

namespace pyptoc::publish {
namespace {

using Json = nlohmann::json;
using support::Error;
using support::Result;
using support::Status;

// Ours has depth 4; some of the library's functions recurse over values.
constexpr int kDeepest = 64;

Status read_string(const Json& object, const char* key, const std::string& at, std::string& out) {
  const auto member = object.find(key);
  if (member == object.end() || !member->is_string()) return Error{fmt::format("expected a string at `{}{}`", at, key)};
  out = member->get_ref<const std::string&>();
  return support::Done{};
}

// A number that JSON holds exactly and that is not negative.
Status read_count(const Json& object, const char* key, const std::string& at, uint64_t& out) {
  const auto member = object.find(key);
  if (member == object.end() || !member->is_number_unsigned())
    return Error{fmt::format("expected a number at `{}{}`", at, key)};
  out = member->get<uint64_t>();
  return support::Done{};
}

Result<const Json*> find_array(const Json& object, const char* key) {
  const auto member = object.find(key);
  if (member == object.end() || !member->is_array()) return Error{fmt::format("expected an array at `{}`", key)};
  for (const Json& item : *member)
    if (!item.is_object()) return Error{fmt::format("expected objects in `{}`", key)};
  return &*member;
}

Status read_files(const Json& document, std::vector<ManifestFile>& out) {
  const auto items = find_array(document, "files");
  if (!items.ok()) return items.error();
  std::set<std::string> seen;
  for (const Json& item : **items) {
    const std::string at = fmt::format("files[{}].", out.size());
    ManifestFile file;
    PYPTOC_TRY(read_string(item, "path", at, file.path));
    PYPTOC_TRY(read_string(item, "kind", at, file.kind));
    PYPTOC_TRY(read_string(item, "sha256", at, file.sha256));
    PYPTOC_TRY(read_count(item, "size", at, file.size));
    if (const auto safe = support::safe_relative_path(file.path); !safe.ok())
      return Error{fmt::format("`{}path`: {}", at, safe.error().message)};
    if (!seen.insert(file.path).second) return Error{fmt::format("`{}path` occurs twice", at)};
    out.push_back(std::move(file));
  }
  return support::Done{};
}

Status read_inputs(const Json& document, std::vector<ManifestInput>& out) {
  const auto items = find_array(document, "inputs");
  if (!items.ok()) return items.error();
  for (const Json& item : **items) {
    const std::string at = fmt::format("inputs[{}].", out.size());
    ManifestInput input;
    PYPTOC_TRY(read_string(item, "path", at, input.path));
    PYPTOC_TRY(read_string(item, "sha256", at, input.sha256));
    out.push_back(std::move(input));
  }
  return support::Done{};
}

}  // namespace

Result<EarlierManifest> parse_manifest(std::string_view text) {
  bool too_deep = false;
  const auto keep = [&](int depth, Json::parse_event_t, const Json&) {
    too_deep = too_deep || depth > kDeepest;
    return !too_deep;
  };
  const Json document = Json::parse(text, keep, /*allow_exceptions=*/false);
  if (document.is_discarded() || too_deep) return Error{"it is not JSON"};
  if (!document.is_object()) return Error{"expected an object"};
  EarlierManifest out;
  uint64_t schema = 0;
  PYPTOC_TRY(read_count(document, "schema", "", schema));
  out.schema = static_cast<int64_t>(std::min(schema, uint64_t{1} << 62));
  PYPTOC_TRY(read_string(document, "pyptoc_version", "", out.pyptoc_version));
  if (out.schema > kManifestSchema) return out;
  if (out.schema < 1) return Error{"expected 1 or more at `schema`, found 0"};
  PYPTOC_TRY(read_string(document, "input_digest", "", out.input_digest));
  PYPTOC_TRY(read_string(document, "options_digest", "", out.options_digest));
  PYPTOC_TRY(read_inputs(document, out.inputs));
  PYPTOC_TRY(read_files(document, out.files));
  return out;
}

}  // namespace pyptoc::publish
