// SPDX-License-Identifier: Apache-2.0
// Printing of calls and submits, with their keyword arguments and attributes.
#include "ir/op_table.h"
#include "text/print_impl.h"

namespace pyptoc::text {

using ir::AttrKind;

namespace {

// Keywords that the syntax itself gives a meaning in calls, or only in submits.
bool is_call_keyword(std::string_view key) {
  return key == "attrs" || key == "device" || key == "deps";
}
bool is_submit_keyword(std::string_view key) {
  return is_call_keyword(key) || key == "core_num" || key == "sync_start" || key == "allow_early_resolve" ||
         key == "predicate";
}

// Whether `key=value` says it: of an operator that the table has only its own keywords, with values of their kind.
bool is_plain_keyword(const ir::Attr& kwarg, const ir::Op& op, bool of_submit) {
  if (!is_identifier(kwarg.key) || (of_submit ? is_submit_keyword(kwarg.key) : is_call_keyword(kwarg.key)))
    return false;
  if (op.id == ir::OpId::Unknown) return true;
  const ir::Keyword* keyword = ir::op_info(op.id).keyword(kwarg.key);
  return keyword != nullptr && ir::attr_kind_of(keyword->kind) == kwarg.value.kind();
}

// The Python spelling of the enumeration that an integer keyword stands for: `pld.ReduceOp.`.
std::string_view enum_prefix(ir::KeywordKind kind) {
  switch (kind) {
    case ir::KeywordKind::ReduceOp:
      return "pld.ReduceOp.";
    case ir::KeywordKind::NotifyOp:
      return "pld.NotifyOp.";
    case ir::KeywordKind::WaitCmp:
      return "pld.WaitCmp.";
    case ir::KeywordKind::Atomic:
      return "pl.AtomicType.";
    default:
      return {};
  }
}

}  // namespace

void Printer::function_ref(std::string_view name) {
  if (is_identifier(name)) {
    out_ += "self.";
    out_ += name;
  } else {
    out_ += "pl.func(";
    string_literal(name);
    out_ += ')';
  }
}

void Printer::callee(const ir::Op* op) {
  if (op->is_global_var) return function_ref(op->name);
  if (!is_dotted_op_name(op->name)) {
    out_ += "pl.op(";
    string_literal(op->name);
    out_ += ')';
    return;
  }
  std::string_view rest = op->name;
  if (!rest.starts_with("pld.")) out_ += "pl.";
  while (true) {
    size_t dot = rest.find('.');
    std::string_view part = rest.substr(0, dot);
    out_ += part;
    if (is_keyword(part)) out_ += '_';
    if (dot == std::string_view::npos) return;
    out_ += '.';
    rest.remove_prefix(dot + 1);
  }
}

void Printer::int_list(const ir::AttrValue& value) {
  bool directions = value.kind() == AttrKind::ArgDirectionVector;
  // Without elements nothing would tell the lists apart.
  if (value.as_ints().empty()) {
    out_ += directions ? "pl.adir.none" : "pl.no_ints";
    return;
  }
  out_ += '[';
  Items items(out_);
  for (int32_t one : value.as_ints()) {
    items.next();
    if (directions) {
      out_ += "pl.adir.";
      out_ += adir_name(static_cast<ir::ArgDirection>(one));
    } else {
      number(one);
    }
  }
  out_ += ']';
}

// Plain where the parser would see an expression anyway: by the key, or because nothing else looks like this.
void Printer::attr_expr(std::string_view key, const ir::Expr* node) {
  bool plain = false;
  if (node != nullptr && (ir::is_var(node->kind) || node->kind == ir::NodeKind::ConstInt))
    plain = key_takes_expr(key);
  else if (node != nullptr)
    plain = !ir::is_const(node->kind) && node->kind != ir::NodeKind::MakeTuple;
  if (!plain) out_ += "pl.expr(";
  if (node != nullptr)
    expr(node);
  else
    out_ += "None";
  if (!plain) out_ += ')';
}

void Printer::attr_value(const ir::Attr& attr) {
  const ir::AttrValue& value = attr.value;
  auto named = [&](std::string_view prefix, std::string_view name) {
    out_ += prefix;
    out_ += name;
  };
  switch (value.kind()) {
    case AttrKind::Int:
      if (!key_takes_expr(attr.key)) return number(value.as_int());
      out_ += "pl.int(";
      number(value.as_int());
      out_ += ')';
      return;
    case AttrKind::Bool:
      return named({}, value.as_bool() ? "True" : "False");
    case AttrKind::Float:
      return float_literal(value.as_float());
    case AttrKind::String:
      return string_literal(value.as_string());
    case AttrKind::DataType:
      return dtype(value.as_dtype());
    case AttrKind::MemorySpace:
      return named("pl.Mem.", name_of(static_cast<ir::MemorySpace>(value.enum_number())));
    case AttrKind::TensorLayout:
      return named("pl.TensorLayout.", name_of(static_cast<ir::TensorLayout>(value.enum_number())));
    case AttrKind::TileLayout:
      return named("pl.TileLayout.", name_of(static_cast<ir::TileLayout>(value.enum_number())));
    case AttrKind::PadValue:
      return named("pl.PadValue.", name_of(static_cast<ir::PadValue>(value.enum_number())));
    case AttrKind::ArgDirection:
      return named("pl.adir.", adir_name(static_cast<ir::ArgDirection>(value.enum_number())));
    case AttrKind::ArgDirectionVector:
    case AttrKind::Int32Vector:
      return int_list(value);
    case AttrKind::Var:
      if (value.as_var() != nullptr && !key_takes_expr(attr.key)) return var(value.as_var());
      out_ += "pl.var(";
      if (value.as_var() != nullptr)
        var(value.as_var());
      else
        out_ += "None";
      out_ += ')';
      return;
    case AttrKind::VarList: {
      out_ += '[';
      Items items(out_);
      for (const ir::Var* one : value.as_vars()) {
        items.next();
        if (one != nullptr)
          var(one);
        else
          out_ += "None";
      }
      out_ += ']';
      return;
    }
    case AttrKind::Expr:
      return attr_expr(attr.key, value.as_expr());
  }
}

void Printer::keyword_value(const ir::Attr& kwarg, const ir::Op* op) {
  if (kwarg.value.kind() == AttrKind::Int) {
    if (const ir::Keyword* keyword = ir::op_info(op->id).keyword(kwarg.key)) {
      std::string_view prefix = enum_prefix(keyword->kind);
      ir::List<std::string_view> names = ir::enumerators(keyword->kind);
      uint64_t at = static_cast<uint64_t>(kwarg.value.as_int());
      if (!prefix.empty() && at < names.size()) {
        out_ += prefix;
        out_ += names[at];
        return;
      }
    }
  }
  attr_value(kwarg);
}

void Printer::keywords(Items& items, ir::List<ir::Attr> kwargs, const ir::Op* op, bool of_submit) {
  for (const ir::Attr& kwarg : kwargs) {
    items.next();
    if (is_plain_keyword(kwarg, *op, of_submit)) {
      out_ += kwarg.key;
      out_ += '=';
      keyword_value(kwarg, op);
    } else {
      out_ += "**{";
      string_literal(kwarg.key);
      out_ += ": ";
      keyword_value(kwarg, op);
      out_ += '}';
    }
  }
}

void Printer::attrs(Items& items, ir::List<ir::Attr> list) {
  if (list.empty()) return;
  items.next() += "attrs={";
  Items pairs(out_);
  for (const ir::Attr& attr : list) {
    pairs.next();
    string_literal(attr.key);
    out_ += ": ";
    attr_value(attr);
  }
  out_ += '}';
}

void Printer::call(const ir::Call& node) {
  callee(node.op);
  out_ += '(';
  Items items(out_);
  for (const ir::Expr* arg : node.args) {
    items.next();
    expr(arg);
  }
  keywords(items, node.kwargs, node.op, false);
  ir::List<ir::Attr> rest = node.attrs;
  if (!rest.empty() && rest.front().key == "device" && rest.front().value.kind() == AttrKind::Expr &&
      rest.front().value.as_expr() != nullptr) {
    items.next() += "device=";
    expr(rest.front().value.as_expr());
    rest = rest.subspan(1);
  }
  attrs(items, rest);
  out_ += ')';
}

void Printer::submit(const ir::Submit& node) {
  out_ += node.core_num != nullptr ? "pl.spmd_submit(" : "pl.submit(";
  callee(node.op);
  for (const ir::Expr* arg : node.args) {
    out_ += ", ";
    expr(arg);
  }
  size_t before = out_.size();
  out_ += ", ";
  Items more(out_);
  if (!node.deps.empty()) {
    more.next() += "deps=";
    shape(node.deps);
  }
  if (node.core_num != nullptr) {
    more.next() += "core_num=";
    expr(node.core_num);
  }
  if (node.sync_start) more.next() += "sync_start=True";
  if (node.allow_early_resolve) more.next() += "allow_early_resolve=True";
  if (node.predicate != nullptr) {
    more.next() += "predicate=";
    expr(node.predicate);
  }
  keywords(more, node.kwargs, node.op, true);
  attrs(more, node.attrs);
  if (more.empty()) out_.resize(before);
  out_ += ')';
}

}  // namespace pyptoc::text
