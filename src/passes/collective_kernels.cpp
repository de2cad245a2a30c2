// SPDX-License-Identifier: Apache-2.0
#include "passes/collective_kernels.h"

#include <fmt/format.h>

#include "diag/codes_host.h"
#include "ir/dtype_names.h"
#include "ir/op_table.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

constexpr std::string_view kTemplateDir = "builtin_template_dir";
constexpr std::string_view kTemplates = ":pypto.runtime.builtins.collectives.";

std::string template_values(const CollectiveVariant& variant) {
  if (variant.id == Collective::Barrier) return "";
  std::string out = fmt::format("dtype_cpp={}", kernel_dtype(variant.dtype));
  if (collective_info(variant.id).reduces) out += fmt::format(",reduce_op={}", name_of(variant.reduce));
  if (variant.id == Collective::Broadcast) out += fmt::format(",root={}", variant.root);
  return out;
}

// Data as the variant says, cells and counts INT32; the kernel reads every extent at run time.
class Parameters {
 public:
  Parameters(const CollectiveVariant& variant, const Call* call, Context& context)
      : info_(collective_info(variant.id)), variant_(variant), call_(call), context_(context) {}

  const Var* operator()(size_t operand) {
    const Operand& row = op_info(info_.op).operands[operand];
    const bool is_data = variant_.id != Collective::Barrier &&
                         (operand == info_.data_operand || (operand == 0 && info_.data_operand != 0));
    const size_t rank = as_tensor(call_->args[operand]->type)->shape.size();
    std::vector<const Expr*> shape;
    for (size_t axis = 0; axis < rank; ++axis)
      shape.push_back(context_.var(context_.intern(fmt::format("{}_{}", row.name, axis)),
                                   context_.scalar_type(DType::Index), call_->span));
    const TypeKind kind = row.kind == OperandKind::Window ? TypeKind::DistributedTensorType : TypeKind::TensorType;
    const Type* type = context_.tensor_type(is_data ? variant_.dtype : DType::Int32, context_.list(shape), kind);
    return context_.var(row.name, type, call_->span);
  }

 private:
  const CollectiveInfo& info_;
  const CollectiveVariant& variant_;
  const Call* call_;
  Context& context_;
};

}  // namespace

std::string_view kernel_dtype(DType dtype) {
  if (dtype == DType::Fp16) return "half";
  if (dtype == DType::Bf16) return "bfloat16_t";
  const std::optional<std::string_view> type = cpp_type(dtype);
  PYPTOC_ASSERT(type.has_value(), "no collective moves this element type");
  return *type;
}

const Function* CollectiveKernels::of(const CollectiveVariant& variant, const Call* call) {
  std::string name = chip_kernel_name(variant);
  auto [at, is_first] = kernels_.try_emplace(name);
  Entry& entry = at->second;
  if (!is_first) return entry.function;
  const Function* known = program_->find(name);
  if (known == nullptr) {
    entry = {make(variant, context_.ir.intern(name), call), true};
  } else if (collective_variant(known) == variant) {
    entry = {known, false};
  } else {
    context_.diags
        .report(diag::codes::collective_kernel_name_taken, place_of(known), name,
                collective_info(variant.id).public_name)
        .note("the collective is here", place_of(call))
        .help("give the function another name");
  }
  return entry.function;
}

const Function* CollectiveKernels::make(const CollectiveVariant& variant, std::string_view name, const Call* call) {
  Context& ir = context_.ir;
  const CollectiveInfo& info = collective_info(variant.id);
  Parameters parameter(variant, call, ir);
  std::vector<const Var*> params;
  std::vector<ParamDirection> directions;
  for (size_t i = 0; i < info.operand_count; ++i) {
    params.push_back(parameter(i));
    directions.push_back(info.directions[i] == ArgDirection::Input ? ParamDirection::In : ParamDirection::InOut);
  }
  const Var* result = params[info.data_operand];
  ReturnStmt body;
  body.kind = NodeKind::ReturnStmt;
  body.span = call->span;
  body.value = ir.list<const Expr*>({result});
  Function draft;
  draft.kind = NodeKind::Function;
  draft.span = call->span;
  draft.params = ir.list(params);
  draft.param_directions = ir.list(directions);
  draft.func_type = FunctionType::Aiv;
  draft.level = Level::Aiv;
  draft.role = Role::SubWorker;
  draft.attrs =
      ir.list({Attr{kTemplateDir, AttrValue::of_string(ir.intern(fmt::format("{}{}", kTemplates, info.name)))},
               Attr{"builtin_template_vars", AttrValue::of_string(ir.intern(template_values(variant)))},
               Attr{"require_contiguous_operands", AttrValue::of_bool(true)}});
  draft.return_types = ir.list<const Type*>({result->type});
  draft.body = ir.make(body);
  draft.name = name;
  return ir.make(draft);
}

std::vector<const Function*> CollectiveKernels::made() const {
  std::vector<const Function*> out;
  for (const auto& [name, entry] : kernels_)
    if (entry.is_new) out.push_back(entry.function);
  return out;
}

std::optional<CollectiveVariant> collective_variant(const Function* function) {
  const AttrValue* dir = find_attr(function->attrs, kTemplateDir);
  if (dir == nullptr || dir->kind() != AttrKind::String) return std::nullopt;
  std::optional<CollectiveVariant> variant = parse_chip_kernel_name(function->name);
  if (!variant || dir->as_string() != fmt::format("{}{}", kTemplates, collective_info(variant->id).name))
    return std::nullopt;
  return variant;
}

}  // namespace pyptoc::passes
