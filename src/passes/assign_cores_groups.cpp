// SPDX-License-Identifier: Apache-2.0
// The kernels of one Group are lanes of one task and unpack one list of arguments.
#include <algorithm>
#include <unordered_map>

#include "diag/codes_front.h"
#include "ir/function_map.h"
#include "passes/assign_cores_steps.h"
#include "passes/body_cloner.h"
#include "passes/call_graph.h"
#include "passes/outline_scopes.h"
#include "passes/output_tensors.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

struct Member {
  const Expr* call = nullptr;
  const Function* kernel = nullptr;
};

class Unifier {
 public:
  Unifier(const Program* program, PassContext& context)
      : program_(program), context_(context), ir_(context.ir), names_(program) {
    for (const Function* f : program->functions)
      for (const Expr* call : function_calls(f)) ++calls_[called_function(call)];
  }

  const Program* run() {
    bool changed = false;
    for (const Function* f : program_->functions)
      if (f->func_type == FunctionType::Group) changed |= unify(f);
    if (!changed) return program_;
    std::vector<const Function*> functions = std::move(added_);
    for (const Function* f : program_->functions) {
      const Function* const* made = replacement_.find(f->op);
      functions.push_back(made != nullptr ? *made : f);
    }
    return ir_.program(program_->name, std::move(functions), program_->span);
  }

 private:
  bool unify(const Function* group) {
    std::vector<Member> members;
    for (const Expr* call : function_calls(group)) {
      const Function* kernel = program_->find(called_function(call));
      if (kernel != nullptr && is_kernel(kernel)) members.push_back({call, kernel});
    }
    if (members.size() != 2 || members[0].kernel->func_type == members[1].kernel->func_type) return false;
    if (std::all_of(members.begin(), members.end(), [&](const Member& m) { return forwards_all(group, m.call); }))
      return false;
    if (!check(group, members)) return false;

    std::unordered_map<std::string_view, std::string_view> names;
    for (const Member& m : members) names[m.kernel->name] = name_in(group, m.kernel);
    for (const Member& m : members) {
      const Function* made = rebuild_kernel(group, m, names);
      if (made->name == m.kernel->name)
        replacement_[made->op] = made;
      else
        added_.push_back(made);
    }
    replacement_[group->op] = GroupCalls(ir_, group, names).function(group);
    return true;
  }

  static bool forwards_all(const Function* group, const Expr* call) {
    List<const Expr*> args = call_args(call);
    return std::equal(args.begin(), args.end(), group->params.begin(), group->params.end(),
                      [](const Expr* arg, const Var* param) { return arg == param; });
  }

  // Kernels without a body that we could rebuild must agree by themselves.
  bool check(const Function* group, const std::vector<Member>& members) {
    List<const Expr*> first = call_args(members[0].call);
    List<const Expr*> second = call_args(members[1].call);
    for (const Member& m : members) {
      if (find_attr(m.kernel->attrs, "external_source") == nullptr && !m.kernel->requires_runtime_binding) continue;
      if (std::equal(first.begin(), first.end(), second.begin(), second.end())) return false;
      context_.diags.report(diag::codes::external_group_arguments, place_of(m.call), group->name, m.kernel->name);
      return false;
    }
    return true;
  }

  std::string_view name_in(const Function* group, const Function* kernel) {
    if (calls_[kernel->op] == 1) return kernel->name;
    std::string name = std::string(group->name) + "_" + std::string(kernel->name);
    if (names_.taken(name)) name = names_.numbered(name);
    names_.take(name);
    return ir_.intern(name);
  }

  // `peer_func` of a buffer names the other kernel.
  class KernelBody : public BodyCloner {
   public:
    KernelBody(Context& context, const std::unordered_map<std::string_view, std::string_view>& names)
        : BodyCloner(context), names_(names) {}

   protected:
    using BodyCloner::rewrite;
    const Expr* rewrite(const Expr* e) override {
      const Expr* now = rebuild(e);
      const Call* call = as<Call>(now);
      if (call == nullptr || call->op->id != OpId::SystemImportPeerBuffer) return now;
      std::vector<Attr> kwargs(call->kwargs.begin(), call->kwargs.end());
      for (Attr& kwarg : kwargs) {
        if (kwarg.key != "peer_func" || kwarg.value.kind() != AttrKind::String) continue;
        auto found = names_.find(kwarg.value.as_string());
        if (found != names_.end()) kwarg.value = AttrValue::of_string(context().intern(found->second));
      }
      Call draft = *call;
      draft.kwargs = context().list(kwargs);
      return context().make(draft);
    }

   private:
    const std::unordered_map<std::string_view, std::string_view>& names_;
  };

  const Function* rebuild_kernel(const Function* group, const Member& m,
                                 const std::unordered_map<std::string_view, std::string_view>& names) {
    KernelBody body(ir_, names);
    Function draft = *m.kernel;
    draft.name = names.at(m.kernel->name);
    std::vector<const Var*> params = fresh_params(group, body, ir_);
    std::vector<ParamDirection> directions(params.size(), ParamDirection::In);
    List<const Expr*> args = call_args(m.call);
    for (size_t i = 0; i < args.size() && i < m.kernel->params.size(); ++i) {
      const Expr* in_group = body.expr(args[i]);  // one of `params`, or a constant
      body.substitute(m.kernel->params[i], in_group);
      for (size_t p = 0; p < params.size(); ++p)
        if (in_group == params[p]) directions[p] = m.kernel->param_directions[i];
    }
    draft.params = ir_.list(params);
    draft.param_directions = ir_.list(directions);
    std::vector<const Type*> results;
    for (const Type* type : m.kernel->return_types) results.push_back(body.type(type));
    draft.return_types = ir_.list(results);
    draft.body = body.stmt(m.kernel->body);
    return ir_.make(draft);
  }

  class GroupCalls : public Rewriter {
   public:
    GroupCalls(Context& context, const Function* group,
               const std::unordered_map<std::string_view, std::string_view>& names)
        : Rewriter(context), group_(group), names_(names) {}

   protected:
    using Rewriter::rewrite;
    const Expr* rewrite(const Expr* e) override {
      const Expr* now = rebuild(e);
      const Op* op = called_function(now);
      auto found = op != nullptr ? names_.find(op->name) : names_.end();
      if (found == names_.end()) return now;
      const Op* callee = context().op(found->second, true);
      std::vector<const Expr*> args(group_->params.begin(), group_->params.end());
      if (const Submit* submit = as<Submit>(now)) {
        Submit draft = *submit;
        draft.op = callee;
        return with_args(context().make(draft), args, context());
      }
      Call draft = *as<Call>(now);
      draft.op = callee;
      return with_args(context().make(draft), args, context());
    }

   private:
    const Function* group_;
    const std::unordered_map<std::string_view, std::string_view>& names_;
  };

  const Program* program_;
  PassContext& context_;
  Context& ir_;
  FunctionNames names_;
  FunctionMap<int> calls_;  // how often a function is called
  FunctionMap<const Function*> replacement_;
  std::vector<const Function*> added_;
};

}  // namespace

const Program* unify_group_arguments(const Program* program, PassContext& context) {
  const auto is_group = [](const Function* f) { return f->func_type == FunctionType::Group; };
  if (std::none_of(program->functions.begin(), program->functions.end(), is_group)) return program;
  return Unifier(program, context).run();
}

}  // namespace pyptoc::passes
