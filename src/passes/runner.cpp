// SPDX-License-Identifier: Apache-2.0
// Runs passes: verification, crash context and the observers live here, so that passes know nothing of them.
#include "passes/pipeline.h"

#include <exception>
#include <new>

#include "diag/codes_front.h"
#include "ir/depth_guard.h"
#include "passes/buffer_roots.h"
#include "passes/verify.h"

namespace pyptoc::passes {

std::string_view name_of(Property property) {
  switch (property) {
#define PYPTOC_PROPERTY(P) \
  case Property::P:        \
    return #P;
    PYPTOC_PROPERTIES(PYPTOC_PROPERTY)
#undef PYPTOC_PROPERTY
  }
  return "?";
}

namespace {

const ir::Program* run_one(const PassInfo& info, const ir::Program* program, PassContext& context) {
  try {
    return info.run(program, context);
  } catch (const ir::NestingTooDeep&) {
    context.diags.report(diag::codes::pass_nesting_too_deep, diag::kNowhere, ir::kMaxNesting, info.name);
    return program;
  }
}

}  // namespace

const ir::Program* run_passes(const ir::Program* program, PassContext& given, const RunPlan& plan) {
  RootsMemo roots;
  PassContext context = given;
  context.roots = &roots;
  PropertySet verified;  // of `program`
  for (size_t row : plan.rows) {
    const PassInfo& info = pipeline()[row];
    context.diags.set_pass(info.name);
    if (plan.before_pass) plan.before_pass(row, program);
    const ir::Program* after = nullptr;
    try {
      after = run_one(info, program, context);
      if (!context.diags.has_errors() && plan.verify_each) {
        if (plan.before_verify) plan.before_verify(row);
        if (after != program) verified = {};
        require_valid(after, info, verified);
        verified = verified | info.ensures;
        if (plan.also_verify && after != program) plan.also_verify(row, after);
      }
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      if (plan.on_failure) plan.on_failure({std::string(info.name), program, error.what()});
      throw;
    }
    if (plan.after_pass) plan.after_pass(row, program, after);
    if (context.diags.has_errors()) return nullptr;
    program = after;
  }
  context.diags.set_pass("");
  return program;
}

}  // namespace pyptoc::passes
