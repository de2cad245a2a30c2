// SPDX-License-Identifier: Apache-2.0
// The functions that stand for the kernels of collectives in a program.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ir/collectives.h"
#include "passes/pass.h"

namespace pyptoc::passes {

class CollectiveKernels {
 public:
  CollectiveKernels(const ir::Program* program, PassContext& context) : program_(program), context_(context) {}

  // The function of a variant, made at its first use; `call` is that use. Null when the program has another function of
  // that name, which is reported once.
  const ir::Function* of(const ir::CollectiveVariant& variant, const ir::Call* call);
  // Those that are new to the program, by name.
  std::vector<const ir::Function*> made() const;

 private:
  const ir::Function* make(const ir::CollectiveVariant& variant, std::string_view name, const ir::Call* call);

  struct Entry {
    const ir::Function* function = nullptr;
    bool is_new = false;
  };
  const ir::Program* program_;
  PassContext& context_;
  std::map<std::string, Entry> kernels_;
};

// The C++ type of elements in a kernel. Requires an element type that some collective takes.
std::string_view kernel_dtype(ir::DType dtype);

// The variant that a synthesized function stands for; nothing for every other function.
std::optional<ir::CollectiveVariant> collective_variant(const ir::Function* function);

}  // namespace pyptoc::passes
