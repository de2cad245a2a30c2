// SPDX-License-Identifier: Apache-2.0
// Calls and submits against the signatures of the functions that they name.
#include <fmt/format.h>

#include "diag/codes_verify.h"
#include "ir/call_arguments.h"
#include "ir/describe.h"
#include "ir/verifier_body.h"
#include "support/edit_distance.h"

namespace pyptoc::ir {

namespace {

// Argument directions that go with a parameter's direction. Input and NoDep only read; the others write. A scalar may
// be called Input too.
bool agrees(ArgDirection arg, ParamDirection param, bool is_tensor) {
  if (!is_tensor) return arg == ArgDirection::Scalar || arg == ArgDirection::Input;
  switch (arg) {
    case ArgDirection::Input:
      return param == ParamDirection::In;
    case ArgDirection::Output:
    case ArgDirection::OutputExisting:
      return param == ParamDirection::Out;
    case ArgDirection::InOut:
      return true;  // a reader that later writers have to wait for
    case ArgDirection::NoDep:
      return true;
    case ArgDirection::Scalar:
      return false;
  }
  PYPTOC_UNREACHABLE("argument direction");
}

}  // namespace

bool is_task_or_tasks(const Type* type) {
  const ArrayType* array = as_array(type);
  return is_scalar_of(type, DType::TaskId) || (array != nullptr && array->dtype == DType::TaskId);
}

const Function* BodyVerifier::callee(const Expr*, const Op* op) {
  const Function* f = facts_.find(op->name);
  if (f == nullptr) {
    auto report = engine_.report(diag::codes::unknown_function, place_of(at_), op->name);
    if (auto near = support::closest(op->name, facts_.function_names()))
      report.help(fmt::format("the closest function is `{}`", *near));
  }
  return f;
}

void BodyVerifier::function_call(const Call& call) {
  const Function* f = callee(&call, call.op);
  if (f == nullptr || !arguments(&call, f, call.args, call.kwargs, false)) return;
  directions(&call, f, call.attrs, call.args);
  call_type(&call, f, false);
}

void BodyVerifier::submit(const Submit& submit) {
  if (!submit.op->is_global_var) {
    engine_.report(diag::codes::submitted_operator, place_of(at_), submit.op->name);
    return;
  }
  for (const Expr* dep : submit.deps)
    if (!is_task_or_tasks(dep->type))
      engine_.report(diag::codes::task_dependency, place_of(at_), submit.op->name, describe(dep->type));
  auto option = [&](const Expr* e, std::string_view what, bool good, std::string_view due) {
    if (e != nullptr && !good)
      engine_.report(diag::codes::submit_option, place_of(at_), what, submit.op->name, due, describe(e->type));
  };
  const ScalarType* blocks = submit.core_num != nullptr ? as_scalar(submit.core_num->type) : nullptr;
  option(submit.core_num, "number of blocks", blocks != nullptr && is_integer(blocks->dtype), "an integer scalar");
  option(submit.predicate, "predicate",
         submit.predicate != nullptr && is_scalar_of(submit.predicate->type, DType::Bool), "`Scalar[BOOL]`");
  const Function* f = callee(&submit, submit.op);
  if (f == nullptr || !arguments(&submit, f, submit.args, submit.kwargs, true)) return;
  directions(&submit, f, submit.attrs, submit.args);
  call_type(&submit, f, true);
}

bool BodyVerifier::arguments(const Expr*, const Function* f, List<const Expr*> args, List<Attr> kwargs,
                             bool may_omit_outputs) {
  for (const Attr& attr : kwargs) engine_.report(diag::codes::function_keyword, place_of(at_), f->name, attr.key);
  CallArguments map(f, args);
  size_t least = f->params.size();
  size_t contexts = args.size() - map.by_position();
  if (may_omit_outputs)
    while (least > contexts && least - contexts <= f->param_directions.size() &&
           f->param_directions[least - contexts - 1] == ParamDirection::Out)
      --least;
  if (args.size() < least || args.size() > f->params.size()) {
    auto report =
        engine_.report(diag::codes::call_argument_count, place_of(at_), f->name, f->params.size(), args.size());
    report.note("the function is here", place_of(f));
    return false;
  }
  for (size_t i = 0; i < args.size(); ++i) argument(args[i], f->params[map.param_of(i)], f);
  return true;
}

void BodyVerifier::argument(const Expr* arg, const Var* param, const Function* f) {
  Fit how = fit_argument(arg->type, param->type);
  if (how == Fit::Good) return;
  // The kernel of a template reads the shapes of its arguments.
  if (how == Fit::OtherShape && find_attr(f->attrs, "builtin_template_dir") != nullptr) return;
  if (how == Fit::None) {
    engine_
        .report(diag::codes::call_argument_type, place_of(at_), param->name_hint, f->name, describe(param->type),
                describe(arg->type))
        .note("the parameter is here", place_of(param));
    return;
  }
  std::optional<int64_t> have = constant_element_count(arg->type);
  std::optional<int64_t> due = constant_element_count(param->type);
  if (have.has_value() && due.has_value() && *have < *due)
    engine_
        .report(diag::codes::argument_too_small, place_of(at_), param->name_hint, f->name, *due, describe(arg), *have)
        .note("the parameter is here", place_of(param));
  else
    engine_
        .report(diag::codes::argument_shape, place_of(at_), param->name_hint, f->name, describe(param->type),
                describe(arg->type))
        .note("the parameter is here", place_of(param));
}

void BodyVerifier::directions(const Expr*, const Function* f, List<Attr> attrs, List<const Expr*> args) {
  const AttrValue* value = find_attr(attrs, "arg_directions");
  if (value == nullptr || value->kind() != AttrKind::ArgDirectionVector) return;
  List<int32_t> list = value->as_ints();
  if (list.size() != args.size()) {
    engine_.report(diag::codes::arg_directions_count, place_of(at_), f->name, args.size(), list.size());
    return;
  }
  CallArguments map(f, args);
  for (size_t at = 0; at < list.size(); ++at) {
    size_t i = map.param_of(at);
    if (i >= f->param_directions.size()) continue;
    std::optional<ArgDirection> direction = enum_from_number<ArgDirection>(list[at]);
    bool is_tensor = as_shaped(f->params[i]->type) != nullptr;
    if (direction.has_value() && agrees(*direction, f->param_directions[i], is_tensor)) continue;
    engine_.report(diag::codes::arg_direction, place_of(at_),
                   direction.has_value() ? std::string(name_of(*direction)) : std::to_string(list[at]),
                   f->params[i]->name_hint, f->name,
                   is_tensor ? std::string(name_of(f->param_directions[i])) : describe(f->params[i]->type));
  }
}

// A function without declared results may be called for any; its returns decide then.
void BodyVerifier::call_type(const Expr* at, const Function* f, bool with_task) {
  List<const Type*> declared = f->return_types;
  if (declared.size() == 1 && as_tuple(declared[0]) != nullptr) declared = as_tuple(declared[0])->types;
  const TupleType* tuple = as_tuple(at->type);
  bool good = true;
  if (with_task) {
    good = tuple != nullptr && !tuple->types.empty() && is_scalar_of(tuple->types.back(), DType::TaskId);
    if (good && !declared.empty()) {
      good = tuple->types.size() == declared.size() + 1;
      for (size_t i = 0; good && i < declared.size(); ++i) good = fit(tuple->types[i], declared[i]) != Fit::None;
    }
  } else if (declared.size() == 1 && tuple == nullptr) {
    good = fit(at->type, declared[0]) != Fit::None;
  } else if (!declared.empty()) {
    good = tuple != nullptr && tuple->types.size() == declared.size();
    for (size_t i = 0; good && i < declared.size(); ++i) good = fit(tuple->types[i], declared[i]) != Fit::None;
  }
  if (good) return;
  std::string due;
  for (const Type* type : declared) due += describe(type) + ", ";
  due += with_task ? "Scalar[TASK_ID]" : "";
  if (due.ends_with(", ")) due.resize(due.size() - 2);
  engine_.report(diag::codes::call_result, place_of(at_), f->name, due, describe(at->type))
      .note("the function is here", place_of(f));
}

}  // namespace pyptoc::ir
