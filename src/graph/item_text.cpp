// SPDX-License-Identifier: Apache-2.0
#include "graph/item_text.h"

#include <fmt/format.h>

#include "ir/describe.h"

namespace pyptoc::graph {

using namespace ir;

namespace {

std::string_view core_of(const Function* f) {
  switch (f->func_type) {
    case FunctionType::Aiv:
      return "AIV";
    case FunctionType::Aic:
      return "AIC";
    case FunctionType::InCore:
      return "InCore";
    case FunctionType::Group:
      return "AIC + AIV";
    case FunctionType::Spmd:
      return "SPMD";
    default:
      break;
  }
  return "";
}

void add_word(std::string& list, std::string_view word) {
  if (word.empty()) return;
  list += list.empty() ? "" : ", ";
  list += word;
}

}  // namespace

const Expr* device_of(List<Attr> attrs) {
  const AttrValue* device = find_attr(attrs, "device");
  return device != nullptr && device->kind() == AttrKind::Expr ? device->as_expr() : nullptr;
}

std::string call_detail(const Function* callee, List<Attr> attrs, const Submit* submit) {
  const Expr* device = device_of(attrs);
  std::string detail = device != nullptr ? "device " + describe(device) : std::string(core_of(callee));
  const AttrValue* cores = find_attr(attrs, "core_num");
  if (submit != nullptr && submit->core_num != nullptr) add_word(detail, describe(submit->core_num) + " blocks");
  if (cores != nullptr && cores->kind() == AttrKind::Int) add_word(detail, fmt::format("{} blocks", cores->as_int()));
  if (cores != nullptr && cores->kind() == AttrKind::Expr && cores->as_expr() != nullptr)
    add_word(detail, describe(cores->as_expr()) + " blocks");
  if (submit != nullptr && submit->allow_early_resolve) add_word(detail, "early");
  return detail;
}

std::string collective_detail(const Call* call) {
  std::string detail;
  for (const Attr& attr : call->kwargs) {
    if (attr.value.kind() == AttrKind::String) add_word(detail, attr.value.as_string());
    if (attr.key == "core_num" && attr.value.kind() == AttrKind::Int)
      add_word(detail, fmt::format("{} blocks", attr.value.as_int()));
  }
  return detail;
}

void describe_task(const ScopeStmt* node, Item& item) {
  if (item.title.empty()) item.title = std::string(node->name_hint);
  if (const auto* spmd = as<SpmdScopeStmt>(node)) {
    add_word(item.detail, describe(spmd->core_num) + " blocks");
    if (spmd->sync_start) add_word(item.detail, "sync start");
  } else if (is<ClusterScopeStmt>(node)) {
    add_word(item.detail, "cluster");
  } else if (const auto* split = as<SplitAivScopeStmt>(node)) {
    add_word(item.detail, fmt::format("split over {} AIV", split->count));
  }
  if (bool_attr(node->attrs, "allow_early_resolve", false)) add_word(item.detail, "early");
}

std::string place_text(const Node* node) {
  const Span& span = *node->span;
  if (span.filename.empty() || span.begin_line < 1) return {};
  return fmt::format("{}:{}", span.filename, span.begin_line);
}

}  // namespace pyptoc::graph
