// SPDX-License-Identifier: Apache-2.0
// Kernels of managed collectives, rendered from templates/collectives, for both rails; and the sub-builds around them
// that the HOST rail dispatches.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/template_store.h"
#include "codegen/template_text.h"
#include "diag/engine.h"
#include "ir/collectives.h"
#include "passes/target.h"
#include "publish/manifest.h"

namespace pyptoc::codegen {

// What the kernel's text depends on besides the collective: `dtype_cpp`, the reduction, the root.
std::vector<TemplateValue> kernel_values(const ir::CollectiveVariant& variant);

// The C++ of the kernel: the same bytes for HOST and CHIP rail and for every target. Nothing when an error was
// reported, which only templates of a folder can cause. Requires a variant of the table in ir/collectives.h.
std::optional<std::string> render_collective_kernel(const ir::CollectiveVariant& variant, TemplateStore& store,
                                                    diag::Engine& diags);

struct BuiltinFile {
  std::string path;       // in the output: `next_levels/builtin.tensor.barrier__fp32/kernel_config.py`
  std::string_view kind;  // as in the manifest: `orchestration`, `builtin_kernel`, `kernel_config`
  std::string content;
};

struct BuiltinUnit {
  std::vector<BuiltinFile> files;
  publish::ManifestChip facts;
};

// The whole sub-build of one variant. The entry's tensors are the operands in order, its scalars the context and, where
// the collective has one, core_num. Requires a collective with `on_host`.
std::optional<BuiltinUnit> render_builtin_unit(const ir::CollectiveVariant& variant, const passes::Target& target,
                                               TemplateStore& store, diag::Engine& diags);

// `builtin_tensor_allreduce__sum__fp32`: stem of the orchestration's file; the kernel's name has `_kernel` behind it.
std::string builtin_entry_name(const ir::CollectiveVariant& variant);

}  // namespace pyptoc::codegen
