// SPDX-License-Identifier: Apache-2.0
// Workspaces of the pipes that go through global memory.
#include "ir/function_map.h"
#include "ir/walker.h"
#include "passes/assign_cores_steps.h"
#include "passes/call_graph.h"
#include "passes/output_tensors.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

constexpr std::string_view kParamName = "__gm_pipe_buffer";

class OpensPipe : public Walker {
 public:
  static bool in(const Function* f) {
    if (!f->body->contents.has(Content::Pipe)) return false;
    OpensPipe walk;
    walk.walk(f->body);
    return walk.found_;
  }

 protected:
  void visit(const Node* node) override {
    if (!is_stmt(node->kind)) return;
    const EvalStmt* eval = as<EvalStmt>(node);
    if (const Call* call = eval != nullptr ? as<Call>(eval->expr) : nullptr)
      found_ |= call->op->id == OpId::SystemAicInitializePipe || call->op->id == OpId::SystemAivInitializePipe;
    children(node);
  }

 private:
  bool found_ = false;
};

bool has_buffer_param(const Function* f) {
  return !f->params.empty() && f->params.back()->name_hint == kParamName;
}

using Grown = FunctionMap<const Function*>;  // the functions as they were

// Hands the buffer on: a wrapper from its own parameter, any other function from a tensor that it creates.
class BufferArgs : public Rewriter {
 public:
  BufferArgs(Context& context, const Grown& grown, const Var* own) : Rewriter(context), grown_(grown), own_(own) {}

 protected:
  const Stmt* rewrite(const Stmt* s) override {
    std::vector<const Stmt*> creates;
    creates.swap(creates_);
    const Stmt* now = rebuild(s);
    creates.swap(creates_);
    if (creates.empty()) return now;
    creates.push_back(now);
    return context().seq(creates, s->span);
  }

  const Expr* rewrite(const Expr* e) override {
    const Op* op = called_function(e);
    const Function* const* found = op != nullptr ? grown_.find(op) : nullptr;
    if (found == nullptr) return e;
    List<const Expr*> args = call_args(e);
    std::vector<const Expr*> all(args.begin(), args.end());
    add_runtime_made(*found, e, all);
    all.push_back(buffer(e->span));
    return with_args(e, all, context());
  }

 private:
  // The buffer comes last, so what a submit leaves to the runtime has to be made here.
  void add_runtime_made(const Function* callee, const Expr* e, std::vector<const Expr*>& args) {
    InCallersTerms terms(context(), callee, call_args(e));
    for (size_t i = args.size(); i < callee->params.size(); ++i) {
      const Var* param = callee->params[i];
      const Var* var = context().var(param->name_hint, terms.type(param->type), e->span);
      creates_.push_back(create_tensor(var, false, context()));
      args.push_back(var);
    }
  }

  const Var* buffer(const Span* span) {
    if (own_ != nullptr) return own_;
    const Type* type = context().tensor_type(DType::Fp32, context().list<const Expr*>({context().const_int(1)}));
    const Var* var = context().var("gm_pipe_buffer_" + std::to_string(next_++), type, span);
    creates_.push_back(create_tensor(var, true, context()));
    return var;
  }

  const Grown& grown_;
  const Var* own_;
  int next_ = 0;
  std::vector<const Stmt*> creates_;  // in front of the statement that is being rewritten
};

}  // namespace

const Program* add_pipe_buffers(const Program* program, const std::unordered_set<std::string>& meeting,
                                PassContext& context) {
  if (meeting.empty() && !program->contents.has(Content::Pipe)) return program;
  Context& ir = context.ir;
  Grown grown;
  std::vector<const Function*> functions;
  for (const Function* f : callees_first(program)) {
    if (has_buffer_param(f)) {
      functions.push_back(f);
      continue;
    }
    bool meets = is_kernel(f) && (meeting.contains(std::string(f->name)) || OpensPipe::in(f));
    bool forwards = false;
    for (const Expr* call : function_calls(f)) forwards |= grown.contains(called_function(call));
    if (!meets && !forwards) {
      functions.push_back(f);
      continue;
    }
    const Var* own = nullptr;
    Function draft = *f;
    if (meets || is_wrapper(f)) {
      own = ir.var(kParamName, ir.tensor_type(DType::Fp32, ir.list<const Expr*>({ir.const_int(1)})), f->span);
      append_out_params(draft, {own}, ir);
      grown[f->op] = f;
    }
    if (forwards) draft.body = BufferArgs(ir, grown, own).stmt(f->body);
    functions.push_back(ir.make(draft));
  }
  return grown.empty() ? program : ir.program(program->name, std::move(functions), program->span);
}

}  // namespace pyptoc::passes
