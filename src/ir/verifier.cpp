// SPDX-License-Identifier: Apache-2.0
// The verifier's entry: signatures of functions, then their bodies.
#include "ir/verifier.h"

#include <unordered_map>

#include "diag/codes_verify.h"
#include "ir/depth_guard.h"
#include "ir/describe.h"
#include "ir/verifier_body.h"

namespace pyptoc::ir {

namespace {

// What a function type says about level and role; nothing where it does not say.
struct Implied {
  std::optional<Level> level;
  std::optional<Role> role;
};
Implied implied_by(FunctionType type) {
  switch (type) {
    case FunctionType::Orchestration:
    case FunctionType::Graph:
      return {Level::Chip, Role::Orchestrator};
    case FunctionType::InCore:
      return {Level::ChipDie, Role::SubWorker};
    case FunctionType::Aic:
      return {Level::Aic, Role::SubWorker};
    case FunctionType::Aiv:
      return {Level::Aiv, Role::SubWorker};
    case FunctionType::Group:
      return {Level::CoreGroup, Role::SubWorker};
    case FunctionType::Opaque:
    case FunctionType::Spmd:
    case FunctionType::Inline:
      return {};
  }
  PYPTOC_UNREACHABLE("function type");
}

void verify_level(const Function* f, diag::Engine& engine) {
  Implied implied = implied_by(f->func_type);
  bool host_orchestration = f->func_type == FunctionType::Orchestration && f->level == Level::Host;
  if (implied.level.has_value() && f->level.has_value() && *f->level != *implied.level && !host_orchestration)
    engine.report(diag::codes::level_contradiction, place_of(f), "level", f->name, name_of(*implied.level),
                  name_of(f->func_type), name_of(*f->level));
  if (implied.role.has_value() && f->role.has_value() && *f->role != *implied.role)
    engine.report(diag::codes::level_contradiction, place_of(f), "role", f->name, name_of(*implied.role),
                  name_of(f->func_type), name_of(*f->role));
}

void verify_parameters(const Function* f, diag::Engine& engine) {
  if (f->params.size() != f->param_directions.size()) {
    engine.report(diag::codes::direction_count, place_of(f), f->name, f->params.size(), f->param_directions.size());
    return;
  }
  std::unordered_map<std::string_view, const Var*> names;
  for (size_t i = 0; i < f->params.size(); ++i) {
    const Var* param = f->params[i];
    auto [other, fresh] = names.emplace(param->name_hint, param);
    if (!fresh && other->second != param)
      engine.report(diag::codes::duplicate_parameter, place_of(param), f->name, param->name_hint)
          .note("the other one is here", place_of(other->second));
    bool writable = as_shaped(param->type) != nullptr || as_array(param->type) != nullptr;
    if (f->param_directions[i] != ParamDirection::In && !writable)
      engine.report(diag::codes::scalar_parameter_direction, place_of(param), param->name_hint, f->name,
                    describe(param->type), name_of(f->param_directions[i]));
  }
}

void verify_function_names(const Program* program, diag::Engine& engine) {
  for (size_t i = 1; i < program->functions.size(); ++i) {
    const Function* f = program->functions[i];
    const Function* previous = program->functions[i - 1];
    if (f->name == previous->name)
      engine.report(diag::codes::duplicate_function, place_of(f), f->name)
          .note("the other one is here", place_of(previous));
  }
}

}  // namespace

bool verify(const Program* program, diag::Engine& engine, const VerifyOptions& options) {
  size_t before = engine.error_count();
  verify_function_names(program, engine);
  const Function* current = nullptr;
  try {
    VerifierFacts facts(program);
    BodyVerifier bodies(facts, engine, options);
    for (const Function* f : program->functions) facts.claim(current = f);
    for (const Function* f : program->functions) facts.collect_symbols(current = f);
    for (const Function* f : program->functions) {
      current = f;
      if (options.skip != nullptr && options.skip->contains(f)) continue;
      verify_level(f, engine);
      verify_parameters(f, engine);
      verify_attrs(f->attrs, NodeKind::Function, f, engine);
      bodies.run(f);
    }
  } catch (const NestingTooDeep&) {
    const Node* at = current != nullptr ? static_cast<const Node*>(current) : program;
    engine.report(diag::codes::nesting_too_deep, place_of(at), current != nullptr ? current->name : program->name,
                  kMaxNesting);
  }
  return engine.error_count() == before;
}

}  // namespace pyptoc::ir
