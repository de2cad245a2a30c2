// SPDX-License-Identifier: Apache-2.0
// Operator calls against the operator table.
#include <fmt/format.h>

#include <unordered_set>

#include "diag/codes_host.h"
#include "diag/codes_verify.h"
#include "ir/describe.h"
#include "ir/equal.h"
#include "ir/op_types.h"
#include "ir/verifier_body.h"
#include "support/edit_distance.h"

namespace pyptoc::ir {

namespace {

std::string count_text(const OpInfo& info) {
  size_t least = info.min_args();
  size_t most = info.max_args();
  if (least == most) return std::to_string(least);
  if (most == SIZE_MAX) return fmt::format("at least {}", least);
  return fmt::format("{} to {}", least, most);
}

std::string value_text(const AttrValue& value) {
  if (value.kind() == AttrKind::Int) return std::to_string(value.as_int());
  return std::string(name_of(value.kind()));
}

// INDEX and INT64 stand for each other in files of different ages of the front end.
bool same_result(const Type* a, const Type* b) {
  auto wide = [](const Type* t) { return is_scalar_of(t, DType::Index) || is_scalar_of(t, DType::Int64); };
  return type_equal(a, b) || (wide(a) && wide(b));
}

}  // namespace

void BodyVerifier::operator_call(const Call& call) {
  OpId id = call.op->id;
  if (id == OpId::Unknown) {
    auto report = engine_.report(diag::codes::operator_not_known, place_of(at_), call.op->name);
    if (auto near = closest_op(call.op->name)) report.help(fmt::format("the closest operator is `{}`", *near));
    return;
  }
  if (is_builtin(id) && !options_.allow_builtin) {
    engine_.report(diag::codes::internal_operator, place_of(at_), call.op->name);
    return;
  }
  if (is_builtin(id)) {
    bool whole = true;
    for (std::string_view key : {"device", "arg_directions"}) {
      if (find_attr(call.attrs, key) != nullptr) continue;
      engine_.report(diag::codes::builtin_attribute, place_of(at_), call.op->name, key);
      whole = false;
    }
    if (!whole) return;
  }
  const OpInfo& info = op_info(id);
  if (call.args.size() < info.min_args() || call.args.size() > info.max_args()) {
    engine_.report(diag::codes::argument_count, place_of(at_), info.name, count_text(info), call.args.size());
    return;
  }
  bool good = argument_kinds(call, info);
  good = keywords(call, info) && good;
  if (!good) return;
  region(call);
  if (options_.type_rules) result_type(call);
}

bool BodyVerifier::argument_kinds(const Call& call, const OpInfo& info) {
  bool good = true;
  for (size_t i = 0; i < call.args.size(); ++i) {
    const Operand* operand = info.operand_at(i);
    if (operand_fits(operand->kind, call.args[i]->type)) continue;
    good = false;
    engine_.report(diag::codes::argument_kind, place_of(at_), operand->name, info.name, text_of(operand->kind),
                   describe(call.args[i]->type));
  }
  return good;
}

bool BodyVerifier::keywords(const Call& call, const OpInfo& info) {
  size_t before = engine_.error_count();
  std::unordered_set<std::string_view> seen;
  for (const Attr& attr : call.kwargs) {
    const Keyword* keyword = info.keyword(attr.key);
    if (!seen.insert(attr.key).second) {
      engine_.report(diag::codes::duplicate_keyword, place_of(at_), attr.key, info.name);
    } else if (keyword == nullptr) {
      auto report = engine_.report(diag::codes::keyword_not_known, place_of(at_), info.name, attr.key);
      std::vector<std::string_view> names;
      for (const Keyword& one : info.keywords) names.push_back(one.name);
      if (auto near = support::closest(attr.key, names)) report.help(fmt::format("the closest one is `{}`", *near));
    } else {
      keyword_value(call, info, attr, *keyword);
    }
  }
  // Graphs exist whose `tensor.create` says nothing and only has a type; one that gives a shape gives all.
  bool given_shape = call.op->id == OpId::TensorCreate && !call.args.empty();
  for (const Keyword& keyword : info.keywords)
    if ((keyword.required || (given_shape && keyword.name == "dtype")) && !seen.contains(keyword.name))
      engine_.report(diag::codes::missing_keyword, place_of(at_), info.name, keyword.name);
  return engine_.error_count() == before;
}

void BodyVerifier::keyword_value(const Call&, const OpInfo& info, const Attr& attr, const Keyword& keyword) {
  List<std::string_view> names = enumerators(keyword.kind);
  bool good = attr.value.kind() == attr_kind_of(keyword.kind);
  if (good && !names.empty())
    good = attr.value.as_int() >= 0 && static_cast<uint64_t>(attr.value.as_int()) < names.size();
  if (good) return;
  auto report = engine_.report(diag::codes::keyword_value_kind, place_of(at_), attr.key, info.name,
                               text_of(keyword.kind), value_text(attr.value));
  if (names.empty()) return;
  std::string all;
  for (size_t i = 0; i < names.size(); ++i) all += fmt::format("{}{} {}", i > 0 ? ", " : "", i, names[i]);
  report.help("the values are " + all);
}

void BodyVerifier::result_type(const Call& call) {
  constexpr size_t kScratchBytes = 1 << 20;
  if (!scratch_.has_value() || scratch_->bytes_reserved() > kScratchBytes) scratch_.emplace();
  const Type* due = deduce_type(*scratch_, call.op->id, call.args, call.kwargs, &engine_, place_of(at_));
  if (due != nullptr && !same_result(due, call.type))
    engine_.report(diag::codes::operator_result, place_of(at_), call.op->name, describe(due), describe(call.type));
}

}  // namespace pyptoc::ir
