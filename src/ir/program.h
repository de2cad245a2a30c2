// SPDX-License-Identifier: Apache-2.0
// Functions and the program.
#pragma once

#include "ir/stmt.h"

namespace pyptoc::ir {

struct Function : Node {
  std::string_view name;
  const Op* op = nullptr;  // of its calls; Context::make fills it in
  FunctionType func_type = FunctionType::Opaque;
  std::optional<Level> level;
  std::optional<Role> role;
  bool requires_runtime_binding = false;
  List<const Var*> params;
  List<ParamDirection> param_directions;  // as many as params
  const Stmt* body = nullptr;
  List<Attr> attrs;
  List<const Type*> return_types;
  PYPTOC_HOLDS(Function)
  static constexpr auto fields() {
    return std::make_tuple(
        defining("params", &Function::params), field("param_directions", &Function::param_directions),
        field("func_type", &Function::func_type), nullable("level", &Function::level),
        nullable("role", &Function::role), field("attrs", &Function::attrs),
        field("requires_runtime_binding", &Function::requires_runtime_binding),
        field("return_types", &Function::return_types), field("body", &Function::body), field("name", &Function::name));
  }
};

// The root. Functions are sorted by name and names are distinct.
struct Program : Node {
  std::string_view name;
  List<const Function*> functions;
  PYPTOC_HOLDS(Program)
  static constexpr auto fields() {
    return std::make_tuple(field("name", &Program::name), field("functions", &Program::functions));
  }

  // Null when there is none of that name; the callee of a call is found at once, by its operator.
  const Function* find(std::string_view function_name) const;
  const Function* find(const Op* callee) const {
    return callee->function < by_op.size() ? by_op[callee->function] : nullptr;
  }

  // Context::make fills these in.
  List<const Function*> by_op = {};  // by Op::function, null where the program has none
  List<uint32_t> op_numbers = {};    // Op::function of each of `functions`
};

// HOST orchestrator: level HOST and (Orchestration type or Orchestrator role).
inline bool is_host_orchestrator(const Function* f) {
  return f->level == Level::Host && (f->func_type == FunctionType::Orchestration || f->role == Role::Orchestrator);
}
inline bool is_chip_orchestration(const Function* f) {
  return f->func_type == FunctionType::Orchestration && f->level != Level::Host;
}
// InCore, AIC or AIV: runs on a core.
inline bool is_kernel(const Function* f) {
  return f->func_type == FunctionType::InCore || f->func_type == FunctionType::Aic || f->func_type == FunctionType::Aiv;
}
inline bool is_wrapper(const Function* f) {
  return f->func_type == FunctionType::Group || f->func_type == FunctionType::Spmd;
}

#undef PYPTOC_HOLDS

}  // namespace pyptoc::ir
