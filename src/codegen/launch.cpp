// SPDX-License-Identifier: Apache-2.0
#include "codegen/launch.h"

#include "ir/call_arguments.h"
#include "ir/walker.h"

namespace pyptoc::codegen {

using namespace ir;

std::optional<CallView> call_view(const Expr* e) {
  if (const Call* call = as<Call>(e)) return CallView{call->op, call->args, call->attrs};
  if (const Submit* submit = as<Submit>(e)) return CallView{submit->op, submit->args, submit->attrs};
  return std::nullopt;
}

namespace {

// The calls of functions in a wrapper's body, in order.
class InnerCalls : public Walker {
 public:
  std::vector<const Expr*> found;

 protected:
  void visit(const Node* node) override {
    if (node->kind == NodeKind::Call || node->kind == NodeKind::Submit) {
      const Expr* e = static_cast<const Expr*>(node);
      if (call_view(e)->op->is_global_var) found.push_back(e);
    }
    children(node);
  }
};

std::vector<const Expr*> inner_calls(const Function* f) {
  InnerCalls calls;
  calls.walk(f->body);
  return calls.found;
}

void take_width(Launch& launch, const Expr* e) {
  if (const Submit* submit = as<Submit>(e)) {
    if (launch.width == nullptr) launch.width = submit->core_num;
    launch.sync_start |= submit->sync_start;
  }
  CallView view = *call_view(e);
  const AttrValue* width = find_attr(view.attrs, "core_num");
  if (width != nullptr && width->kind() == AttrKind::Expr && launch.width == nullptr) launch.width = width->as_expr();
  launch.sync_start |= bool_attr(view.attrs, "sync_start", false);
}

ArgDirection direction_at(List<Attr> attrs, size_t index, const Expr* value) {
  const AttrValue* directions = find_attr(attrs, "arg_directions");
  if (directions != nullptr && directions->kind() == AttrKind::ArgDirectionVector &&
      index < directions->as_ints().size())
    return static_cast<ArgDirection>(directions->as_ints()[index]);
  return value != nullptr && as_tensor(value->type) == nullptr ? ArgDirection::Scalar : ArgDirection::Input;
}

// The arguments of `inner`, a call in the body of `wrapper`, in terms of the wrapper's own arguments.
std::vector<LaunchArg> through(const Function* wrapper, const std::vector<LaunchArg>& outer, const Expr* inner) {
  NodeMap<size_t> index;
  for (size_t i = 0; i < wrapper->params.size(); ++i) index[wrapper->params[i]] = i;
  std::vector<LaunchArg> args;
  CallView view = *call_view(inner);
  for (const Expr* value : view.args) {
    const size_t* param = index.find(value);
    if (param != nullptr && *param < outer.size())
      args.push_back(outer[*param]);
    else
      args.push_back({value, nullptr, ArgDirection::Scalar, -1});
  }
  return args;
}

bool same_values(const std::vector<LaunchArg>& a, const std::vector<LaunchArg>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const LaunchArg& x, const LaunchArg& y) {
    return x.outer == y.outer &&
           (x.outer >= 0 || x.value == y.value || (const_int(x.value) && const_int(x.value) == const_int(y.value)));
  });
}

void name_params(std::vector<LaunchArg>& args, const Function* kernel) {
  for (size_t i = 0; i < args.size() && i < kernel->params.size(); ++i) args[i].param = kernel->params[i];
}

}  // namespace

std::optional<Launch> resolve_launch(const Program* program, const Expr* call) {
  CallView view = *call_view(call);
  Launch launch;
  const Function* f = program->find(view.op);
  launch.callee = f;
  if (f == nullptr) return std::nullopt;
  take_width(launch, call);
  ir::CallArguments arguments(f, view.args);
  for (size_t i = 0; i < f->params.size(); ++i) {
    std::optional<size_t> arg = arguments.of_param(i);
    const Expr* value = arg ? view.args[*arg] : nullptr;
    ArgDirection direction = value != nullptr ? direction_at(view.attrs, *arg, value) : ArgDirection::Output;
    launch.args.push_back({value, f->params[i], direction, static_cast<int>(i)});
  }
  // Spmd wraps a Group or a kernel, a Group wraps kernels; a few levels at most in a verified program.
  for (int level = 0; level < 8; ++level) {
    if (is_kernel(f) && !launch.is_group) {
      (f->func_type == FunctionType::Aic ? launch.aic : launch.aiv) = f;
      name_params(launch.args, f);
      return launch;
    }
    if (!is_wrapper(f)) return std::nullopt;
    std::vector<const Expr*> inner = inner_calls(f);
    if (inner.empty()) return std::nullopt;
    launch.is_group |= f->func_type == FunctionType::Group;
    launch.both_lanes |= bool_attr(f->attrs, "dual_aiv_dispatch", false);
    if (f->func_type == FunctionType::Group && is_kernel(program->find(call_view(inner.front())->op))) {
      const std::vector<LaunchArg> shared = through(f, launch.args, inner.front());
      for (const Expr* e : inner) {
        const Function* kernel = program->find(call_view(e)->op);
        if (kernel == nullptr || !is_kernel(kernel)) return std::nullopt;
        const bool taken = (kernel->func_type == FunctionType::Aic ? launch.aic : launch.aiv) != nullptr;
        if (taken || !same_values(shared, through(f, launch.args, e))) launch.unlike = kernel;
        (kernel->func_type == FunctionType::Aic ? launch.aic : launch.aiv) = kernel;
        launch.both_lanes |= bool_attr(kernel->attrs, "dual_aiv_dispatch", false);
      }
      launch.args = shared;
      name_params(launch.args, program->find(call_view(inner.front())->op));
      return launch;
    }
    take_width(launch, inner.front());
    launch.args = through(f, launch.args, inner.front());
    f = program->find(call_view(inner.front())->op);
    if (f == nullptr) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace pyptoc::codegen
