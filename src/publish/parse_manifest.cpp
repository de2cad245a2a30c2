// SPDX-License-Identifier: Apache-2.0
// Reads a manifest of an earlier build, which may be broken or made by hand to do harm. It lists every file of the
// output, and each build into the same folder reads it: as events, because a document of them took longer than the
// compilation of the program.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "publish/manifest.h"
#include "support/safe_name.h"

namespace pyptoc::publish {
namespace {

using Json = nlohmann::json;
using support::Error;
using support::Result;
using support::Status;

// Ours has depth 4.
constexpr int kDeepest = 64;

// The value of a member; the last one where a key occurs twice.
struct Value {
  enum class Kind : uint8_t { Missing, Text, Count, Array, Other };
  Kind kind = Kind::Missing;
  std::string text;
  uint64_t count = 0;
};

// The members that count of an object in `files` or `inputs`.
struct Item {
  Value path;
  Value kind;
  Value sha256;
  Value size;
};

struct ItemArray {
  Value value;
  std::vector<Item> items;
  bool objects_only = true;
};

// Handler of the events: keeps the members that count, whatever their values, and passes over all others.
class Document {
 public:
  Value schema;
  Value pyptoc_version;
  Value input_digest;
  Value options_digest;
  ItemArray inputs;
  ItemArray files;
  bool is_object = false;

  bool null() { return scalar(Value::Kind::Other); }
  bool boolean(bool) { return scalar(Value::Kind::Other); }
  bool number_integer(int64_t) { return scalar(Value::Kind::Other); }
  bool number_float(double, const std::string&) { return scalar(Value::Kind::Other); }
  bool number_unsigned(uint64_t value) {
    if (member_ != nullptr) member_->count = value;
    return scalar(Value::Kind::Count);
  }
  bool string(std::string& value) {
    if (member_ != nullptr) member_->text = std::move(value);
    return scalar(Value::Kind::Text);
  }
  bool binary(Json::binary_t&) { return false; }

  bool start_object(size_t) {
    if (depth_ == 0) is_object = true;
    if (depth_ == 2 && array_ != nullptr) array_->items.emplace_back();
    note(Value::Kind::Other);
    return ++depth_ <= kDeepest;
  }
  bool start_array(size_t) {
    if (depth_ == 2 && array_ != nullptr) array_->objects_only = false;
    ItemArray* const begun = member_ == &files.value ? &files : member_ == &inputs.value ? &inputs : nullptr;
    note(Value::Kind::Array);
    if (begun != nullptr) {
      *begun = {begun->value, {}, true};
      array_ = begun;
    }
    return ++depth_ <= kDeepest;
  }
  bool end_object() { return end(); }
  bool end_array() { return end(); }

  bool key(const std::string& name) {
    if (depth_ == 1 && is_object)
      member_ = top_member(name);
    else if (depth_ == 3 && array_ != nullptr)
      member_ = item_member(name);
    return true;
  }
  bool parse_error(size_t, const std::string&, const Json::exception&) { return false; }

 private:
  Value* top_member(std::string_view name) {
    return name == "schema"           ? &schema
           : name == "pyptoc_version" ? &pyptoc_version
           : name == "input_digest"   ? &input_digest
           : name == "options_digest" ? &options_digest
           : name == "inputs"         ? &inputs.value
           : name == "files"          ? &files.value
                                      : nullptr;
  }
  Value* item_member(std::string_view name) {
    if (array_->items.empty()) return nullptr;
    Item& item = array_->items.back();
    return name == "path"     ? &item.path
           : name == "kind"   ? &item.kind
           : name == "sha256" ? &item.sha256
           : name == "size"   ? &item.size
                              : nullptr;
  }
  void note(Value::Kind kind) {
    if (member_ != nullptr) member_->kind = kind;
    member_ = nullptr;
  }
  bool scalar(Value::Kind kind) {
    if (depth_ == 2 && array_ != nullptr) array_->objects_only = false;
    note(kind);
    return true;
  }
  bool end() {
    if (--depth_ == 1) array_ = nullptr;
    return true;
  }

  int depth_ = 0;
  Value* member_ = nullptr;     // that gets the next value
  ItemArray* array_ = nullptr;  // that the parser is in, at depth 2
};

Status read_string(Value& member, const char* key, const std::string& at, std::string& out) {
  if (member.kind != Value::Kind::Text) return Error{fmt::format("expected a string at `{}{}`", at, key)};
  out = std::move(member.text);
  return support::Done{};
}

// A number that JSON holds exactly and that is not negative.
Status read_count(const Value& member, const char* key, const std::string& at, uint64_t& out) {
  if (member.kind != Value::Kind::Count) return Error{fmt::format("expected a number at `{}{}`", at, key)};
  out = member.count;
  return support::Done{};
}

Status check_array(const ItemArray& array, const char* key) {
  if (array.value.kind != Value::Kind::Array) return Error{fmt::format("expected an array at `{}`", key)};
  if (!array.objects_only) return Error{fmt::format("expected objects in `{}`", key)};
  return support::Done{};
}

Status read_files(ItemArray& array, std::vector<ManifestFile>& out) {
  PYPTOC_TRY(check_array(array, "files"));
  std::unordered_set<std::string_view> seen;
  out.reserve(array.items.size());  // the names in `seen` stay where they are
  for (Item& item : array.items) {
    const std::string at = fmt::format("files[{}].", out.size());
    ManifestFile& file = out.emplace_back();
    PYPTOC_TRY(read_string(item.path, "path", at, file.path));
    PYPTOC_TRY(read_string(item.kind, "kind", at, file.kind));
    PYPTOC_TRY(read_string(item.sha256, "sha256", at, file.sha256));
    PYPTOC_TRY(read_count(item.size, "size", at, file.size));
    if (const auto safe = support::safe_relative_path(file.path); !safe.ok())
      return Error{fmt::format("`{}path`: {}", at, safe.error().message)};
    if (!seen.insert(file.path).second) return Error{fmt::format("`{}path` occurs twice", at)};
  }
  return support::Done{};
}

Status read_inputs(ItemArray& array, std::vector<ManifestInput>& out) {
  PYPTOC_TRY(check_array(array, "inputs"));
  for (Item& item : array.items) {
    const std::string at = fmt::format("inputs[{}].", out.size());
    ManifestInput input;
    PYPTOC_TRY(read_string(item.path, "path", at, input.path));
    PYPTOC_TRY(read_string(item.sha256, "sha256", at, input.sha256));
    out.push_back(std::move(input));
  }
  return support::Done{};
}

}  // namespace

Result<EarlierManifest> parse_manifest(std::string_view text) {
  Document document;
  if (!Json::sax_parse(text, &document)) return Error{"it is not JSON"};
  if (!document.is_object) return Error{"expected an object"};
  EarlierManifest out;
  uint64_t schema = 0;
  PYPTOC_TRY(read_count(document.schema, "schema", "", schema));
  out.schema = static_cast<int64_t>(std::min(schema, uint64_t{1} << 62));
  PYPTOC_TRY(read_string(document.pyptoc_version, "pyptoc_version", "", out.pyptoc_version));
  if (out.schema > kManifestSchema) return out;
  if (out.schema < 1) return Error{"expected 1 or more at `schema`, found 0"};
  PYPTOC_TRY(read_string(document.input_digest, "input_digest", "", out.input_digest));
  PYPTOC_TRY(read_string(document.options_digest, "options_digest", "", out.options_digest));
  PYPTOC_TRY(read_inputs(document.inputs, out.inputs));
  PYPTOC_TRY(read_files(document.files, out.files));
  return out;
}

}  // namespace pyptoc::publish
