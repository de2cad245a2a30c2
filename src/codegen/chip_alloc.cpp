// SPDX-License-Identifier: Apache-2.0
// Allocation: the creates of a statement list in batches at its start.
#include <fmt/format.h>

#include "codegen/chip_emitter.h"
#include "codegen/dtype_cpp.h"
#include "diag/codes_emit.h"
#include "ir/contains.h"
#include "ir/op_table.h"

namespace pyptoc::codegen {

using namespace ir;

namespace {

constexpr size_t kBatch = 16;  // tensors that one alloc_tensors takes

bool depends_on(const Expr* e, const NodeSet& variables) {
  return ir::contains(e, [&](const ir::Node* node) { return variables.contains(node); });
}

}  // namespace

// The creates that stand directly in `body` and need no variable of `unavailable` and none made in the list itself.
std::vector<const AssignStmt*> ChipEmitter::creates_of(const Stmt* const& body, const NodeSet& unavailable) const {
  std::vector<const AssignStmt*> found;
  NodeSet defined;
  for (const Stmt* s : statements_of(body)) {
    const AssignStmt* a = ir::as<AssignStmt>(s);
    if (a == nullptr) continue;
    const Call* call = ir::as<Call>(a->value);
    if (call != nullptr && call->op->id == OpId::TensorCreate && !allocated_.contains(a->var) && !call->args.empty() &&
        !depends_on(call->args[0], unavailable) && !depends_on(call->args[0], defined))
      found.push_back(a);
    defined.insert(a->var);
  }
  return found;
}

void ChipEmitter::allocate(const std::vector<const AssignStmt*>& creates) {
  for (size_t at = 0; at < creates.size(); at += kBatch) {
    size_t end = std::min(at + kBatch, creates.size());
    allocate_batch(
        {creates.begin() + static_cast<std::ptrdiff_t>(at), creates.begin() + static_cast<std::ptrdiff_t>(end)});
  }
}

void ChipEmitter::allocate_batch(const std::vector<const AssignStmt*>& creates) {
  std::vector<std::string> names;
  std::string infos;
  for (const AssignStmt* create : creates) {
    names.push_back(fresh(create->var->name_hint));
    std::string info = create_info(names.back(), ir::as<Call>(create->value));
    infos += (infos.empty() ? "" : ", ") + info;
  }
  std::string batch = fresh(fmt::format("alloc{}", allocs_++));
  LineBuffer::Decl decl =
      out_.declare_prefix(fmt::format("TaskOutputTensors {} = ", batch), fmt::format("alloc_tensors({});", infos));
  out_.line("if (rt_is_fatal()) return;");
  for (size_t i = 0; i < creates.size(); ++i) {
    const Var* var = creates[i]->var;
    if (scope_depth_ <= lasting_depth_) lasting_.insert(creates[i]->value);
    out_.use(decl);
    Value value = declared(names[i], fmt::format("const ChipTensor &{} = {}.get_ref({});", names[i], batch, i));
    allocated_.insert(var);
    bind(var, value);
  }
}

// Declares the TensorCreateInfo of a create and returns its name.
std::string ChipEmitter::create_info(std::string_view name, const Call* create) {
  const MakeTuple* shape = create->args.empty() ? nullptr : ir::as<MakeTuple>(create->args[0]);
  const TensorType* type = as_tensor(create->type);
  List<const Expr*> dims = shape != nullptr ? shape->elements : type != nullptr ? type->shape : List<const Expr*>();
  DType dtype = type != nullptr ? type->dtype : DType::Fp32;
  if (dims.empty() || dims.size() > 5)
    diags_.report(diag::codes::tensor_rank, place_of(create), static_cast<int64_t>(dims.size()));
  std::optional<std::string_view> runtime = runtime_dtype(dtype);
  if (!runtime) diags_.report(diag::codes::no_runtime_dtype, place_of(create), name_of(dtype));
  std::string shapes = extents(dims);
  std::string array = fresh(fmt::format("{}_shape", name));
  out_.line(fmt::format("const uint32_t {}[] = {{{}}};", array, shapes));
  std::string info = fresh(fmt::format("{}_info", name));
  bool manual = bool_attr(create->kwargs, "manual_dep", false);
  const AttrValue* init = find_attr(create->kwargs, "init_value");
  out_.line(fmt::format("{}TensorCreateInfo {}({}, {}, DataType::{}{});", init == nullptr ? "const " : "", info, array,
                        dims.size(), runtime.value_or("FLOAT32"), manual ? ", true" : ""));
  if (init != nullptr) initial_value(info, create, *init, dtype);
  return info;
}

// Only what the runtime can hold exactly: any zero; otherwise floats of 32 bits or more, and integers within 2^53.
void ChipEmitter::initial_value(const std::string& info, const Call* create, const AttrValue& init, DType dtype) {
  double value = init.kind() == AttrKind::Float ? init.as_float() : static_cast<double>(init.as_int());
  std::optional<std::string_view> type = orchestration_type(dtype);
  if (value == 0) {
    out_.line(fmt::format("{}.set_initial_value(uint64_t{{0}});", info));
    return;
  }
  constexpr double kExact = 9007199254740992.0;  // 2^53
  bool whole = value == static_cast<double>(static_cast<int64_t>(std::max(-kExact, std::min(kExact, value))));
  bool fits = is_float(dtype) ? bits_of(dtype) >= 32 && value - value == 0 : whole && type.has_value();
  if (!fits) {
    diags_.report(diag::codes::init_value_not_exact, place_of(create), value, name_of(dtype));
    return;
  }
  std::string literal =
      is_float(dtype) ? scalars_.real(value, dtype) : ScalarCpp::integer(static_cast<int64_t>(value), dtype);
  out_.line(fmt::format("{}.set_initial_value(static_cast<{}>({}));", info, *type, literal));
}

}  // namespace pyptoc::codegen
