// SPDX-License-Identifier: Apache-2.0
// Uses of variables, and expressions other than calls.
#include <fmt/format.h>

#include "diag/codes_verify.h"
#include "ir/depth_guard.h"
#include "ir/describe.h"
#include "ir/verifier_body.h"

namespace pyptoc::ir {

int BodyVerifier::use(const Expr* e, bool in_type) {
  if (const Var* var = as<Var>(e)) return use_var(var, in_type);
  if (is_const(e->kind)) {
    check_constant(e);
    return 0;
  }
  size_t mode = in_type ? 1 : 0;
  bool checked = false;
  if (Known* known = known_.find(e)) {
    checked = known->checked;
    int& needs = known->needs[mode];
    if (needs >= 0) needs = scopes_.resolve(needs);
    if (needs >= 0 && scopes_.is_open(needs)) return needs;
  }
  DepthGuard guard(depth_);
  const Node* outer = at_;
  if (!place_of(e).filename.empty() || place_of(e).offset != diag::Place::kNoOffset) at_ = e;
  int needs = use_parts(e, in_type);
  if (!checked) check_expr(e);
  at_ = outer;
  Known& known = known_[e];
  known.checked = true;
  known.needs[mode] = needs;
  return needs;
}

int BodyVerifier::use_parts(const Expr* e, bool in_type) {
  int needs = use_type(e->type);
  for_each_child(
      e, [&](const Node* child) { needs = scopes_.innermost(needs, use(static_cast<const Expr*>(child), in_type)); });
  return needs;
}

int BodyVerifier::use_var(const Var* var, bool in_type) {
  int block = scopes_.block_of(var);
  if (block >= 0) return block;
  if (facts_.is_symbol(var)) {
    if (in_type) return 0;
    if (own_symbols_.contains(var)) return root_;
    engine_.report(diag::codes::unbound_extent, place_of(at_), var->name_hint, function_->name);
    return 0;
  }
  report_unseen(var);
  return 0;
}

void BodyVerifier::report_unseen(const Var* var) {
  const Definition* definition = facts_.definition(var);
  if (definition == nullptr) {
    engine_.report(diag::codes::undefined_variable, place_of(at_), var->name_hint, function_->name);
  } else if (definition->function != function_) {
    engine_
        .report(diag::codes::foreign_variable, place_of(at_), var->name_hint, function_->name,
                definition->function->name)
        .note("it is defined here", place_of(definition->node));
  } else if (defined_.contains(var)) {
    engine_.report(diag::codes::use_out_of_scope, place_of(at_), var->name_hint, function_->name)
        .note("it is defined here", place_of(definition->node));
  } else {
    engine_.report(diag::codes::use_before_definition, place_of(at_), var->name_hint, function_->name)
        .note("it is defined here", place_of(definition->node));
  }
}

int BodyVerifier::use_all(List<const Expr*> list) {
  int needs = 0;
  for (const Expr* e : list) needs = scopes_.innermost(needs, use(e, true));
  return needs;
}

// The base of a memory reference may lack a definition, and a window lives as long as its domain's scope, which the
// types of results may outlive; neither is a use.
int BodyVerifier::use_type(const Type* type) {
  int needs = 0;
  auto more = [&](int block) { needs = scopes_.innermost(needs, block); };
  if (const ShapedType* shaped = as_shaped(type)) {
    more(use_all(shaped->shape));
    if (shaped->memref != nullptr) {
      more(use(shaped->memref->byte_offset, true));
      if (shaped->memref->slot_index != nullptr) more(use(shaped->memref->slot_index, true));
    }
  }
  if (const TensorType* tensor = as_tensor(type); tensor != nullptr && tensor->view != nullptr) {
    more(use_all(tensor->view->stride));
    more(use_all(tensor->view->valid_shape));
  } else if (const TileType* tile = as_tile(type); tile != nullptr && tile->view != nullptr) {
    more(use_all(tile->view->valid_shape));
    more(use_all(tile->view->stride));
    if (tile->view->start_offset != nullptr) more(use(tile->view->start_offset, true));
  } else if (const ArrayType* array = as_array(type)) {
    more(use_all(array->shape));
  } else if (const TupleType* tuple = as_tuple(type)) {
    DepthGuard guard(depth_);
    for (const Type* member : tuple->types) more(use_type(member));
  }
  return needs;
}

void BodyVerifier::use_attr(const AttrValue& value) {
  if (value.kind() == AttrKind::Var && value.as_var() != nullptr) use(value.as_var());
  if (value.kind() == AttrKind::Expr && value.as_expr() != nullptr) use(value.as_expr());
  if (value.kind() == AttrKind::VarList)
    for (const Var* var : value.as_vars())
      if (var != nullptr) use(var);
}

void BodyVerifier::check_expr(const Expr* e) {
  check_type(e->type, e);
  if (const Call* call = as<Call>(e)) {
    verify_attrs(call->attrs, e->kind, e, engine_);
    if (call->op->is_global_var)
      function_call(*call);
    else
      operator_call(*call);
  } else if (const Submit* task = as<Submit>(e)) {
    verify_attrs(task->attrs, e->kind, e, engine_);
    submit(*task);
  } else if (const BinaryExpr* binary = as<BinaryExpr>(e)) {
    check_binary(*binary);
  } else if (const UnaryExpr* unary = as<UnaryExpr>(e)) {
    check_unary(*unary);
  } else if (const MakeTuple* tuple = as<MakeTuple>(e)) {
    check_tuple(*tuple);
  } else if (const TupleGetItemExpr* item = as<TupleGetItemExpr>(e)) {
    check_item(*item);
  }
}

namespace {

// Of two's complement or plain binary integers; INDEX has 64 bits.
bool holds_value(DType dtype, int64_t value) {
  int bits = bits_of(dtype);
  if (is_unsigned_int(dtype)) return value >= 0 && (bits >= 63 || value < (int64_t{1} << bits));
  int64_t limit = bits >= 64 ? 0 : int64_t{1} << (bits - 1);
  return is_signed_int(dtype) && (bits >= 64 || (value >= -limit && value < limit));
}

enum class Class : uint8_t { Integer, Float, Bool, Other };
Class class_of(const Type* type) {
  const ScalarType* scalar = as_scalar(type);
  if (scalar == nullptr) return Class::Other;
  if (is_float(scalar->dtype)) return Class::Float;
  if (is_integer(scalar->dtype)) return Class::Integer;
  return scalar->dtype == DType::Bool ? Class::Bool : Class::Other;
}

bool is_logic(NodeKind kind) {
  return kind == NodeKind::And || kind == NodeKind::Or || kind == NodeKind::Xor;
}
bool is_bitwise(NodeKind kind) {
  return kind >= NodeKind::BitAnd && kind <= NodeKind::BitShiftRight;
}

}  // namespace

void BodyVerifier::check_constant(const Expr* e) {
  const ScalarType* scalar = as_scalar(e->type);
  bool good = scalar != nullptr;
  if (const ConstInt* integer = as<ConstInt>(e))
    good = good && holds_value(scalar->dtype, integer->value);
  else if (is<ConstFloat>(e))
    good = good && is_float(scalar->dtype);
  else
    good = good && scalar->dtype == DType::Bool;
  if (!good) engine_.report(diag::codes::constant_type, place_of(at_), describe(e), describe(e->type));
}

void BodyVerifier::check_binary(const BinaryExpr& e) {
  Class left = class_of(e.left->type);
  Class right = class_of(e.right->type);
  std::string_view due = is_logic(e.kind) ? "BOOL" : is_bitwise(e.kind) ? "an integer scalar" : "a scalar";
  auto serves = [&](Class c) {
    if (is_logic(e.kind)) return c == Class::Bool;
    if (is_bitwise(e.kind)) return c == Class::Integer || c == Class::Bool;
    return c != Class::Other;
  };
  for (const Expr* operand : {e.left, e.right}) {
    if (serves(class_of(operand->type))) continue;
    engine_.report(diag::codes::scalar_operand, place_of(at_), name_of(e.kind), due, describe(operand->type));
    return;
  }
  if (left != right && (left == Class::Float || right == Class::Float)) {
    engine_.report(diag::codes::scalar_operand, place_of(at_), name_of(e.kind), describe(e.left->type),
                   describe(e.right->type));
    return;
  }
  bool gives_bool = is_comparison(e.kind) || is_logic(e.kind);
  const ScalarType* own = as_scalar(e.type);
  DType a = as_scalar(e.left->type)->dtype;
  DType b = as_scalar(e.right->type)->dtype;
  bool good = own != nullptr && (gives_bool ? own->dtype == DType::Bool : own->dtype == a || own->dtype == b);
  if (e.kind == NodeKind::FloatDiv) good = own != nullptr && is_float(own->dtype);
  if (!good)
    engine_.report(diag::codes::scalar_result, place_of(at_), name_of(e.kind), describe(e.left->type),
                   describe(e.right->type), describe(e.type), gives_bool ? "Scalar[BOOL]" : describe(e.left->type));
}

void BodyVerifier::check_unary(const UnaryExpr& e) {
  Class operand = class_of(e.operand->type);
  std::string_view due = "a scalar";
  bool good = operand != Class::Other;
  if (e.kind == NodeKind::Not) {
    due = "BOOL";
    good = operand == Class::Bool;
  } else if (e.kind == NodeKind::BitNot) {
    due = "an integer scalar";
    good = operand == Class::Integer;
  }
  if (!good) {
    engine_.report(diag::codes::scalar_operand, place_of(at_), name_of(e.kind), due, describe(e.operand->type));
    return;
  }
  const ScalarType* own = as_scalar(e.type);
  bool kept = own != nullptr && (e.kind == NodeKind::Cast || own->dtype == as_scalar(e.operand->type)->dtype);
  if (!kept)
    engine_.report(diag::codes::tuple_type, place_of(at_), name_of(e.kind), describe(e.type),
                   e.kind == NodeKind::Cast ? "a scalar" : describe(e.operand->type));
}

void BodyVerifier::check_tuple(const MakeTuple& e) {
  const TupleType* tuple = as_tuple(e.type);
  bool good = tuple != nullptr && tuple->types.size() == e.elements.size();
  for (size_t i = 0; good && i < e.elements.size(); ++i) good = fit(e.elements[i]->type, tuple->types[i]) == Fit::Good;
  if (good) return;
  std::string due = "Tuple[";
  for (size_t i = 0; i < e.elements.size() && i < 8; ++i) due += (i > 0 ? ", " : "") + describe(e.elements[i]->type);
  engine_.report(diag::codes::tuple_type, place_of(at_), "tuple", describe(e.type), due + "]");
}

void BodyVerifier::check_item(const TupleGetItemExpr& e) {
  const TupleType* tuple = as_tuple(e.tuple->type);
  bool there = tuple != nullptr && e.index >= 0 && static_cast<uint64_t>(e.index) < tuple->types.size();
  if (!there) {
    engine_.report(diag::codes::tuple_access, place_of(at_), e.index, describe(e.tuple->type));
    return;
  }
  const Type* member = tuple->types[static_cast<size_t>(e.index)];
  if (fit(e.type, member) != Fit::Good)
    engine_.report(diag::codes::tuple_type, place_of(at_), fmt::format("element {}", e.index), describe(e.type),
                   describe(member));
}

}  // namespace pyptoc::ir
