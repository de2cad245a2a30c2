// SPDX-License-Identifier: Apache-2.0
#include "codegen/builtin_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codegen/chip_unit.h"
#include "passes/collective_kernels.h"
#include "support/internal_error.h"

namespace pyptoc::codegen {

using namespace ir;

namespace {

constexpr std::array<std::string_view, 4> kReduceInstructions = {"TADD", "TMAX", "TMIN", "TMUL"};  // as ReduceOp

std::string path_of(const CollectiveVariant& variant, std::string_view file) {
  return fmt::format("collectives/{}/{}", collective_info(variant.id).name, file);
}

std::optional<std::string> rendered(const std::string& path, std::span<const TemplateValue> values,
                                    TemplateStore& store, diag::Engine& diags) {
  RenderedTemplate result = render_template(path, values, store);
  report_template_faults(result.faults, store, diags);
  if (!result.faults.empty()) return std::nullopt;
  return std::move(result.text);
}

Signature signature_of(ArgDirection direction) {
  switch (direction) {
    case ArgDirection::Input:
      return Signature::In;
    case ArgDirection::InOut:
      return Signature::InOut;
    default:
      PYPTOC_UNREACHABLE("an operand of a collective has another direction");
  }
}

}  // namespace

std::string builtin_entry_name(const CollectiveVariant& variant) {
  std::string name = builtin_name(variant);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

std::vector<TemplateValue> kernel_values(const CollectiveVariant& variant) {
  std::vector<TemplateValue> values;
  if (variant.id == Collective::Barrier) return values;
  values.push_back({"dtype_cpp", std::string(passes::kernel_dtype(variant.dtype))});
  if (variant.id == Collective::AllreduceRing)
    values.push_back({"transfer_atomic", "AtomicAdd"});
  else if (collective_info(variant.id).reduces)
    values.push_back({"reduce_instruction", std::string(kReduceInstructions[static_cast<size_t>(variant.reduce)])});
  if (variant.id == Collective::Broadcast) values.push_back({"root", fmt::format("{}", variant.root)});
  return values;
}

std::optional<std::string> render_collective_kernel(const CollectiveVariant& variant, TemplateStore& store,
                                                    diag::Engine& diags) {
  return rendered(path_of(variant, "kernel.cpp.in"), kernel_values(variant), store, diags);
}

std::optional<BuiltinUnit> render_builtin_unit(const CollectiveVariant& variant, const passes::Target& target,
                                               TemplateStore& store, diag::Engine& diags) {
  const CollectiveInfo& info = collective_info(variant.id);
  PYPTOC_ASSERT(info.on_host, fmt::format("`{}` has no sub-build", info.name));
  const std::string entry = builtin_entry_name(variant);
  const std::string kernel = entry + "_kernel";
  const std::string folder = "next_levels/" + builtin_name(variant);

  std::vector<TemplateValue> entry_values = {{"variant", builtin_name(variant)}};
  if (info.has_core_num) entry_values.push_back({"set_width", std::string(target.set_width)});
  const std::vector<TemplateValue> config_values = {{"entry", entry}, {"kernel", kernel}};

  std::optional<std::string> orchestration = rendered(path_of(variant, "entry.cpp.in"), entry_values, store, diags);
  std::optional<std::string> body = render_collective_kernel(variant, store, diags);
  std::optional<std::string> config = rendered(path_of(variant, "kernel_config.py.in"), config_values, store, diags);
  if (!orchestration || !body || !config) return std::nullopt;

  BuiltinUnit unit;
  publish::ManifestKernel row;
  row.func_id = 0;
  row.name = kernel;
  row.core = "aiv";
  for (size_t i = 0; i < info.operand_count; ++i) row.signature.emplace_back(name_of(signature_of(info.directions[i])));
  row.source = fmt::format("{}/kernels/aiv/{}.cpp", folder, kernel);
  unit.facts.name = builtin_name(variant);
  unit.facts.folder = folder;
  unit.facts.entry = "aicpu_orchestration_entry";
  unit.files.push_back(
      {fmt::format("{}/orchestration/{}.cpp", folder, entry), "orchestration", std::move(*orchestration)});
  unit.files.push_back({row.source, "builtin_kernel", std::move(*body)});
  unit.files.push_back({folder + "/kernel_config.py", "kernel_config", std::move(*config)});
  unit.facts.kernels.push_back(std::move(row));
  return unit;
}

}  // namespace pyptoc::codegen
