// SPDX-License-Identifier: Apache-2.0
// Expands calls of Inline functions, callees before their callers, so that each body is copied in its final form.
#include "passes/inline_functions.h"

#include <unordered_map>
#include <utility>

#include "diag/codes_front.h"
#include "ir/rewriter.h"
#include "ir/walker.h"
#include "passes/inline_callee.h"
#include "passes/inline_dump_marks.h"
#include "passes/leading_comments.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// Generous for whole models (about 4 000 statements), small enough to end in a moment.
constexpr size_t kMaxInlinedStatements = size_t{1} << 20;

const Op* callee_of(const Node* node) {
  if (const Call* call = as<Call>(node)) return call->op->is_global_var ? call->op : nullptr;
  if (const Submit* submit = as<Submit>(node)) return submit->op->is_global_var ? submit->op : nullptr;
  return nullptr;
}

// The callees of one function, in order of the calls.
class Callees : public Walker {
 public:
  explicit Callees(const Function* f) { walk(f->body); }
  std::vector<const Op*> ops;

 protected:
  void visit(const Node* node) override {
    if (const Op* op = callee_of(node)) ops.push_back(op);
    children(node);
  }
};

// Inline functions, callees first. Reports a cycle.
class Order {
 public:
  Order(const Program* program, PassContext& context) : program_(program), context_(context) {
    for (const Function* f : program->functions) {
      if (f->func_type == FunctionType::Inline)
        visit(f);
      else
        count(Callees(f).ops);
    }
  }
  std::vector<const Function*> functions;
  // In the whole program, before any expansion.
  uint32_t calls_of(const Function* f) const { return *calls_.find(f); }

 private:
  enum class State : uint8_t { New, Open, Done };
  struct Frame {
    const Function* f;
    std::vector<const Op*> callees;
    size_t next = 0;
  };

  void visit(const Function* root) {
    if (states_[root] != State::New) return;
    open(root);
    while (!stack_.empty()) {
      Frame& top = stack_.back();
      if (top.next == top.callees.size()) {
        states_[top.f] = State::Done;
        functions.push_back(top.f);
        stack_.pop_back();
        continue;
      }
      const Function* callee = program_->find(top.callees[top.next++]);
      if (callee == nullptr || callee->func_type != FunctionType::Inline) continue;
      if (states_[callee] == State::Open) report_cycle(callee);
      if (states_[callee] == State::New) open(callee);
    }
  }
  void open(const Function* f) {
    states_[f] = State::Open;
    calls_[f];
    stack_.push_back({f, Callees(f).ops, 0});
    count(stack_.back().callees);
  }
  void count(const std::vector<const Op*>& callees) {
    for (const Op* op : callees)
      if (const Function* f = program_->find(op)) ++calls_[f];
  }
  void report_cycle(const Function* first) {
    std::string text;
    bool inside = false;
    for (const Frame& frame : stack_) {
      inside |= frame.f == first;
      if (inside) text += "`" + std::string(frame.f->name) + "` -> ";
    }
    text += "`" + std::string(first->name) + "`";
    context_.diags.report(diag::codes::inline_recursion, place_of(first), text);
  }

  const Program* program_;
  PassContext& context_;
  NodeMap<State> states_;
  NodeMap<uint32_t> calls_;
  std::vector<Frame> stack_;
};

struct Inlining {
  PassContext& context;
  std::unordered_map<std::string_view, InlineCallee> callees = {};
  size_t statements = 0;
  bool too_large = false;

  const InlineCallee* find(const Op* op) const {
    auto found = op != nullptr ? callees.find(op->name) : callees.end();
    return found != callees.end() ? &found->second : nullptr;
  }
};

// The expression that a statement is about; a call there needs no variable.
const Expr* whole_value(const Stmt* s) {
  if (const AssignStmt* assign = as<AssignStmt>(s)) return assign->value;
  if (const EvalStmt* eval = as<EvalStmt>(s)) return eval->expr;
  if (const ReturnStmt* ret = as<ReturnStmt>(s)) return ret->value.size() == 1 ? ret->value[0] : nullptr;
  return nullptr;
}

// The statements with calls to expand in their expressions, and those around them.
class CallScan {
 public:
  CallScan(const Inlining& inlining, const Function* f) : inlining_(inlining) { visit(f->body); }
  struct Calls {
    const InlineCallee* in_header = nullptr;     // the first callee in the expressions of the statement itself
    bool nested = false;                         // a call is not the whole value of the statement
    const InlineCallee* in_condition = nullptr;  // of a while loop
  };
  // Null for a statement without any, also inside of it.
  const Calls* find(const Stmt* s) const { return calls_.find(s); }
  bool any() const { return calls_.size() > 0; }

 private:
  void visit(const Stmt* s) {
    DepthGuard guard(depth_);
    stack_.push_back(s);
    const Expr* root = whole_value(s);
    ++statement_;
    // First the expressions of the statement: those inside of it are statements of their own.
    for_each_child(s, [&](const Node* child) {
      if (is_stmt(child->kind)) return;
      look_at(child, root);
      if (const IterArg* arg = as<IterArg>(child)) look_at(arg->init_value, root);
    });
    if (const WhileStmt* loop = as<WhileStmt>(s); loop != nullptr && calls_.contains(s)) {
      ++statement_;
      in_condition_ = true;
      look_at(loop->condition, nullptr);
      in_condition_ = false;
    }
    for_each_child(s, [&](const Node* child) {
      if (is_stmt(child->kind)) visit(static_cast<const Stmt*>(child));
    });
    stack_.pop_back();
  }
  void look_at(const Node* node, const Expr* root) {
    if (is_var(node->kind) || is_const(node->kind)) return;
    uint32_t& seen = seen_[node];
    if (seen == statement_) return;
    seen = statement_;
    DepthGuard guard(depth_);
    if (const InlineCallee* callee = inlining_.find(callee_of(node))) note(*callee, node, root);
    for_each_child(node, [&](const Node* child) { look_at(child, root); });
  }
  void note(const InlineCallee& callee, const Node* call, const Expr* root) {
    for (const Stmt* around : stack_) calls_[around];
    Calls& calls = calls_[stack_.back()];
    if (calls.in_header == nullptr) calls.in_header = &callee;
    calls.nested |= call != root;
    if (in_condition_) calls.in_condition = &callee;
  }

  const Inlining& inlining_;
  NodeMap<Calls> calls_;
  std::vector<const Stmt*> stack_;
  NodeMap<uint32_t> seen_;  // in which statement an expression was looked at last
  uint32_t statement_ = 0;
  bool in_condition_ = false;
  int depth_ = 0;
};

class Inliner : public Rewriter {
 public:
  Inliner(Inlining& inlining, const CallScan& calls)
      : Rewriter(inlining.context.ir), inlining_(inlining), calls_(calls) {}

 protected:
  const Stmt* rewrite(const Stmt* s) override {
    const CallScan::Calls* calls = calls_.find(s);
    if (calls == nullptr) return s;
    if (calls->in_condition != nullptr) {
      inlining_.context.diags.report(diag::codes::inline_in_while_condition, place_of(as<WhileStmt>(s)->condition),
                                     calls->in_condition->function->name);
      return s;
    }
    Frame outer = std::exchange(frame_, Frame{});
    frame_.root = whole_value(s);
    frame_.binds_calls = calls->nested;
    frame_.is_unused = s->kind == NodeKind::EvalStmt;
    const Stmt* result = calls->in_header != nullptr ? expand(s) : rebuild(s);
    frame_ = std::move(outer);
    return result;
  }

  const Expr* rewrite(const Expr* e) override {
    if (e->kind != NodeKind::Call && e->kind != NodeKind::Submit) return rebuild(e);
    const InlineCallee* callee = inlining_.find(callee_of(e));
    const Expr* now = rebuild(e);
    if (callee == nullptr) return frame_.binds_calls && e != frame_.root ? bind("t", now) : now;
    if (const Call* call = as<Call>(now)) return expand(*callee, call, e != frame_.root);
    inlining_.context.diags.report(diag::codes::inline_submit, place_of(e), callee->function->name);
    return now;
  }

 private:
  // Of the statement that is being rewritten.
  struct Frame {
    std::vector<const Stmt*> pending = {};  // to stand before it
    const Expr* root = nullptr;             // its whole value
    bool binds_calls = false;               // so that calls keep their order around an expansion
    bool is_unused = false;                 // the whole value
  };

  // The statement, and before it everything that its calls need.
  const Stmt* expand(const Stmt* s) {
    const Stmt* last = simplest(rebuild(without_comments(context(), s)));
    std::vector<const Stmt*> out = std::move(frame_.pending);
    if (last != nullptr) out.push_back(last);
    return seq_with_comments(context(), std::move(out), s->leading_comments, s->span);
  }

  // Null when nothing is left to do: `x = x`, a value that nobody wants.
  const Stmt* simplest(const Stmt* s) {
    if (const AssignStmt* assign = as<AssignStmt>(s)) return assign->value == assign->var ? nullptr : s;
    if (const EvalStmt* eval = as<EvalStmt>(s)) {
      bool plain = is_var(eval->expr->kind) || is_const(eval->expr->kind) || is<MakeTuple>(eval->expr);
      return plain ? nullptr : s;
    }
    const ReturnStmt* ret = as<ReturnStmt>(s);
    const MakeTuple* tuple = ret != nullptr && ret->value.size() == 1 ? as<MakeTuple>(ret->value[0]) : nullptr;
    if (tuple == nullptr) return s;
    ReturnStmt draft = *ret;
    draft.value = tuple->elements;
    return context().make(draft);
  }

  const Var* bind(std::string_view name, const Expr* value) {
    const Var* var = context().var(name, value->type, value->span);
    frame_.pending.push_back(context().assign(var, value, value->span));
    return var;
  }

  const Expr* expand(const InlineCallee& callee, const Call* call, bool nested) {
    const Function* f = callee.function;
    diag::Engine& diags = inlining_.context.diags;
    if (call->args.size() != f->params.size()) {
      diags.report(diag::codes::inline_argument_count, place_of(call), f->name, static_cast<int64_t>(f->params.size()),
                   static_cast<int64_t>(call->args.size()));
      return call;
    }
    for (const Attr& attr : call->attrs)
      if (attr.key != kDumpVars) diags.report(diag::codes::inline_call_attribute, place_of(call), attr.key, f->name);
    inlining_.statements += callee.statements;
    if (inlining_.statements > kMaxInlinedStatements) {
      if (!std::exchange(inlining_.too_large, true))
        diags.report(diag::codes::inline_too_large, place_of(call), static_cast<int64_t>(kMaxInlinedStatements));
      return call;
    }
    InlineCopy copy = copy_inline_body(callee, call, inlining_.context);
    frame_.pending.insert(frame_.pending.end(), copy.stmts.begin(), copy.stmts.end());
    if (copy.values.empty() && (nested || !frame_.is_unused))
      diags.report(diag::codes::inline_no_value, place_of(call), f->name);
    return result_of(copy, call, nested);
  }

  const Expr* result_of(const InlineCopy& copy, const Call* call, bool nested) {
    if (copy.values.size() == 1) {
      // A variable could be assigned by what is expanded later in the statement.
      return nested && !is_const(copy.values[0]->kind) ? bind("t", copy.values[0]) : copy.values[0];
    }
    std::vector<const Type*> types;
    for (const Expr* value : copy.values) types.push_back(value->type);
    MakeTuple draft;
    draft.kind = NodeKind::MakeTuple;
    draft.span = call->span;
    draft.type = context().tuple_type(types);
    draft.elements = context().list(copy.values);
    return context().make(draft);
  }

  Inlining& inlining_;
  const CallScan& calls_;
  Frame frame_;
};

const Function* expand_calls(Inlining& inlining, const Function* f) {
  CallScan calls(inlining, f);
  return calls.any() ? Inliner(inlining, calls).function(f) : f;
}

}  // namespace

const Program* inline_functions(const Program* program, PassContext& context) {
  Order order(program, context);
  if (order.functions.empty() || context.diags.has_errors()) return program;
  Inlining inlining{context};
  // Names of the table stay valid: an Inline function keeps its name when its body changes.
  for (const Function* f : order.functions) {
    InlineCallee callee = make_inline_callee(program, expand_calls(inlining, f), context);
    callee.is_called_once = order.calls_of(f) == 1;
    inlining.callees.emplace(f->name, std::move(callee));
  }
  std::vector<const Function*> functions;
  for (const Function* f : program->functions)
    if (f->func_type != FunctionType::Inline) functions.push_back(expand_calls(inlining, f));
  return context.ir.program(program->name, std::move(functions), program->span);
}

}  // namespace pyptoc::passes
