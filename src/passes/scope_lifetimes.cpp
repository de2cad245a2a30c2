// SPDX-License-Identifier: Apache-2.0
#include "passes/scope_lifetimes.h"

#include <algorithm>

#include "diag/codes_orch.h"
#include "ir/call_arguments.h"
#include "ir/contains.h"
#include "ir/map_functions.h"
#include "ir/op_table.h"
#include "ir/rewriter.h"
#include "ir/walker.h"
#include "passes/buffer_roots.h"
#include "passes/call_graph.h"
#include "passes/output_tensors.h"

namespace pyptoc::passes {

namespace {

using namespace ir;

// A statement with a body, on the way from the function to a definition.
struct Frame {
  const Node* node = nullptr;
  int parent = -1;
  bool open = true;
  bool is_scope() const { return node->kind == NodeKind::RuntimeScopeStmt; }
  bool is_loop() const { return node->kind == NodeKind::ForStmt || node->kind == NodeKind::WhileStmt; }
};

struct Definition {
  const AssignStmt* statement = nullptr;  // null: a carry, a loop variable or a result
  int frame = -1;
};

// A buffer, and where it is used behind a scope.
struct Buffer {
  Definition made;
  int root = -1;
  int before = -1;  // frame of the outermost scope that has closed before a use; -1 none
  const Node* use = nullptr;
};

class LifetimeFinder : public Walker {
 public:
  explicit LifetimeFinder(const FunctionRoots& roots) : roots_(roots) {}

  std::vector<Frame> frames;
  std::vector<Buffer> buffers;  // in order of the statements that make them
  NodeMap<Definition> definitions;

 protected:
  void visit(const Node* node) override {
    switch (node->kind) {
      case NodeKind::ReturnStmt:
        return;  // emits nothing
      case NodeKind::AssignStmt:
        return assign(as<AssignStmt>(node));
      case NodeKind::YieldStmt:
        return yield(as<YieldStmt>(node));
      case NodeKind::ForStmt:
        return loop(as<ForStmt>(node)->iter_args, as<ForStmt>(node)->loop_var, as<ForStmt>(node)->return_vars, node);
      case NodeKind::WhileStmt:
        return loop(as<WhileStmt>(node)->iter_args, nullptr, as<WhileStmt>(node)->return_vars, node);
      case NodeKind::IfStmt:
        define(as<IfStmt>(node)->return_vars);
        return inside(node);
      case NodeKind::RuntimeScopeStmt:
        return inside(node);
      default:
        break;
    }
    if (is_stmt(node->kind)) statement_ = node;
    if (is_var(node->kind) || node->kind == NodeKind::TupleGetItemExpr)
      use(static_cast<const Expr*>(node));
    else
      children(node);
  }

 private:
  void inside(const Node* node) {
    frames.push_back({node, here_, true});
    here_ = static_cast<int>(frames.size()) - 1;
    children(node);
    Frame& frame = frames[static_cast<size_t>(here_)];
    frame.open = false;
    here_ = frame.parent;
  }

  void define(List<const Var*> vars) {
    for (const Var* var : vars) definitions.insert(var, {nullptr, here_});
  }

  void loop(List<const Var*> carries, const Var* loop_var, List<const Var*> results, const Node* node) {
    define(results);
    const int inner = static_cast<int>(frames.size());
    for (const Var* var : carries) definitions.insert(var, {nullptr, inner});
    if (loop_var != nullptr) definitions.insert(loop_var, {nullptr, inner});
    inside(node);
  }

  // Another name of a value is no use of it.
  static bool renames(const Expr* value) {
    return is_var(value->kind) || value->kind == NodeKind::TupleGetItemExpr || value->kind == NodeKind::MakeTuple;
  }

  void assign(const AssignStmt* s) {
    statement_ = s;
    if (!renames(s->value)) walk(s->value);
    const Definition here{s, here_};
    definitions.insert(s->var, here);
    if (s->value->kind == NodeKind::Submit) {
      made_by_.insert(s->value, here);
    } else if (const Call* call = as<Call>(s->value); call != nullptr && call->op->id == OpId::TensorCreate) {
      for (int number : roots_.of(s->var))
        if (roots_.root(number).node == call) buffer_of(number, here);
    }
  }

  // What a loop yields comes back in its next iteration, when the scopes around the yield have closed.
  void yield(const YieldStmt* s) {
    int around = here_;
    std::vector<int> closed;
    for (; around >= 0 && frames[static_cast<size_t>(around)].is_scope();
         around = frames[static_cast<size_t>(around)].parent)
      closed.push_back(around);
    if (around < 0 || !frames[static_cast<size_t>(around)].is_loop()) return;  // results are used by their names
    statement_ = s;
    for (int scope : closed) frames[static_cast<size_t>(scope)].open = false;
    for (const Expr* value : s->value) use(value);
    for (int scope : closed) frames[static_cast<size_t>(scope)].open = true;
  }

  Buffer* buffer_of(int number, std::optional<Definition> made) {
    if (at_.size() <= static_cast<size_t>(number)) at_.resize(static_cast<size_t>(number) + 1, -1);
    int& at = at_[static_cast<size_t>(number)];
    if (at < 0) {
      const Root& root = roots_.root(number);
      if (!made && root.kind == Root::Kind::RuntimeMade)
        if (const Definition* submit = made_by_.find(root.node)) made = *submit;
      if (!made) return nullptr;
      at = static_cast<int>(buffers.size());
      buffers.push_back({*made, number});
    }
    return &buffers[static_cast<size_t>(at)];
  }

  void use(const Expr* e) {
    for (int number : roots_.of(e)) {
      Buffer* buffer = buffer_of(number, std::nullopt);
      if (buffer == nullptr) continue;
      int outermost = -1;
      for (int i = buffer->made.frame; i >= 0 && !frames[static_cast<size_t>(i)].open;
           i = frames[static_cast<size_t>(i)].parent)
        if (frames[static_cast<size_t>(i)].is_scope()) outermost = i;
      if (outermost < 0 || (buffer->before >= 0 && buffer->before <= outermost)) continue;
      buffer->before = outermost;
      if (buffer->use == nullptr) buffer->use = statement_;
    }
  }

  const FunctionRoots& roots_;
  std::vector<int> at_;          // by root: index into buffers
  NodeMap<Definition> made_by_;  // submits
  int here_ = -1;
  const Node* statement_ = nullptr;
};

// What moves in front of which scope.
class Plan {
 public:
  Plan(const LifetimeFinder& found, const FunctionRoots& roots, BufferRoots& program_roots, PassContext& context)
      : found_(found), roots_(roots), program_roots_(program_roots), context_(context) {
    for (const Buffer& buffer : found.buffers)
      if (buffer.before >= 0) move(buffer);
    for (const AssignStmt* s : order_) before_[frame(*moved_.find(s)).node].push_back(s);
    for (const Expr* submit : submits_) pass_outputs(submit);
  }

  bool moves(const AssignStmt* s) const { return moved_.contains(s); }
  bool is_empty() const { return moved_.size() == 0 && given_.size() == 0; }
  const std::vector<const Stmt*>* before(const Node* scope) const { return before_.find(scope); }
  // Outputs of a submit that become arguments.
  const std::vector<const Expr*>* given(const Node* submit) const { return given_.find(submit); }

 private:
  const Frame& frame(int index) const { return found_.frames[static_cast<size_t>(index)]; }

  bool lies_in(int inner, int outer) const {
    while (inner > outer) inner = frame(inner).parent;  // frames are numbered from the outside
    return inner == outer;
  }

  void report(const Buffer& buffer, std::string_view help) {
    context_.diags.report(diag::codes::buffer_behind_scope, place_of(buffer.use), buffer.made.statement->var->name_hint)
        .note("allocated here", place_of(buffer.made.statement))
        .help(std::string(help));
  }

  void move(const Buffer& buffer) {
    for (int i = buffer.made.frame; i != buffer.before; i = frame(i).parent)
      if (frame(i).is_loop())
        return report(buffer, "each iteration of a loop in the scope makes one; create it before the scope");
    bool free = false;
    if (roots_.root(buffer.root).kind == Root::Kind::RuntimeMade) {
      free = move_submit(buffer);
    } else {
      free = reach(buffer.made.statement->value, buffer.before);
      if (free) move_statement(buffer.made.statement, buffer.before);
    }
    if (!free) report(buffer, "its shape is computed in the scope; compute it, or create the buffer, before the scope");
  }

  // All outputs that the submit leaves to the runtime become arguments: they are counted by position.
  bool move_submit(const Buffer& buffer) {
    const Expr* submit = buffer.made.statement->value;
    for (const Type* type : outputs(submit)) {
      if (type == nullptr) return false;
      for (const Expr* extent : as_tensor(type)->shape)
        if (!reach(extent, buffer.before)) return false;
    }
    if (int* known = submit_before_.find(submit)) {
      *known = std::min(*known, buffer.before);
    } else {
      submit_before_[submit] = buffer.before;
      submits_.push_back(submit);
    }
    return true;
  }

  void move_statement(const AssignStmt* s, int before) {
    if (int* known = moved_.find(s)) {
      *known = std::min(*known, before);
      return;
    }
    moved_[s] = before;
    order_.push_back(s);
  }

  // Makes everything that an expression needs available before the scope; false where that cannot be.
  bool reach(const Expr* e, int before) {
    DepthGuard guard(depth_);
    if (is_var(e->kind)) return reach_var(as<Var>(e), before);
    if (is_const(e->kind)) return true;
    if (const BinaryExpr* binary = as<BinaryExpr>(e)) {
      const bool divides = e->kind == NodeKind::FloorDiv || e->kind == NodeKind::FloorMod ||
                           e->kind == NodeKind::FloatDiv;  // nothing that a branch guards
      if (divides && const_int(binary->right).value_or(0) == 0) return false;
      return reach(binary->left, before) && reach(binary->right, before);
    }
    if (const UnaryExpr* unary = as<UnaryExpr>(e)) return reach(unary->operand, before);
    if (const MakeTuple* tuple = as<MakeTuple>(e))
      return std::all_of(tuple->elements.begin(), tuple->elements.end(),
                         [&](const Expr* element) { return reach(element, before); });
    const Call* call = as<Call>(e);
    if (call == nullptr || (call->op->id != OpId::TensorDim && call->op->id != OpId::TensorCreate)) return false;
    return std::all_of(call->args.begin(), call->args.end(), [&](const Expr* arg) { return reach(arg, before); });
  }

  bool reach_var(const Var* var, int before) {
    const Definition* definition = found_.definitions.find(var);
    if (definition == nullptr || !lies_in(definition->frame, before)) return true;
    const AssignStmt* s = definition->statement;
    if (s == nullptr || as_scalar(var->type) == nullptr || !reach(s->value, before)) return false;
    move_statement(s, before);
    return true;
  }

  const Function* callee_of(const Expr* submit) const {
    return program_roots_.program()->find(called_function(submit));
  }

  // The types of the outputs that a submit leaves to the runtime; null where no result says it.
  std::vector<const Type*> outputs(const Expr* submit) {
    const Function* callee = callee_of(submit);
    const CallArguments arguments(callee, as<Submit>(submit)->args);
    const auto& returned = program_roots_.returned_params(callee);
    const TupleType* results = as_tuple(submit->type);
    std::vector<const Type*> out;
    for (size_t p = arguments.by_position(); p < callee->params.size() && !arguments.of_param(p); ++p) {
      const auto at = std::find(returned.begin(), returned.end(), static_cast<int>(p)) - returned.begin();
      const bool known =
          results != nullptr && at < static_cast<std::ptrdiff_t>(std::min(returned.size(), results->types.size()));
      const Type* type = known ? results->types[static_cast<size_t>(at)] : nullptr;
      out.push_back(type != nullptr && as_tensor(type) != nullptr ? type : nullptr);
    }
    return out;
  }

  void pass_outputs(const Expr* submit) {
    const Function* callee = callee_of(submit);
    size_t param = CallArguments(callee, as<Submit>(submit)->args).by_position();
    std::vector<const Expr*> given;
    for (const Type* type : outputs(submit)) {
      const Var* made = context_.ir.var(callee->params[param++]->name_hint, type, submit->span);
      before_[frame(*submit_before_.find(submit)).node].push_back(create_tensor(made, false, context_.ir));
      given.push_back(made);
    }
    given_[submit] = std::move(given);
  }

  const LifetimeFinder& found_;
  const FunctionRoots& roots_;
  BufferRoots& program_roots_;
  PassContext& context_;
  int depth_ = 0;
  NodeMap<int> moved_;  // statement -> frame of the scope that it moves before
  std::vector<const AssignStmt*> order_;
  NodeMap<int> submit_before_;
  std::vector<const Expr*> submits_;
  NodeMap<std::vector<const Stmt*>> before_;
  NodeMap<std::vector<const Expr*>> given_;
};

class Mover : public Rewriter {
 public:
  Mover(Context& context, const Program* program, const Plan& plan)
      : Rewriter(context), program_(program), plan_(plan) {}

 protected:
  using Rewriter::rewrite;
  const Stmt* rewrite(const Stmt* s) override {
    if (const AssignStmt* assign = as<AssignStmt>(s)) {
      if (plan_.moves(assign)) return nullptr;
      const std::vector<const Expr*>* given = plan_.given(assign->value);
      return given != nullptr ? with_outputs(assign, *given) : s;
    }
    const std::vector<const Stmt*>* before = plan_.before(s);
    const Stmt* now = is_leaf(s) ? s : rebuild(s);
    if (before == nullptr) return now;
    std::vector<const Stmt*> all = *before;
    all.push_back(now);
    return context().seq(all, s->span);
  }

 private:
  static bool is_leaf(const Stmt* s) { return s->kind == NodeKind::EvalStmt || s->kind == NodeKind::YieldStmt; }

  const Stmt* with_outputs(const AssignStmt* s, const std::vector<const Expr*>& given) {
    Submit draft = *as<Submit>(s->value);
    const auto at = static_cast<std::ptrdiff_t>(CallArguments(program_->find(draft.op), draft.args).by_position());
    std::vector<const Expr*> args(draft.args.begin(), draft.args.end());
    args.insert(args.begin() + at, given.begin(), given.end());
    draft.args = context().list(args);
    std::vector<Attr> attrs(draft.attrs.begin(), draft.attrs.end());
    for (Attr& attr : attrs) {
      if (attr.key != "arg_directions") continue;
      std::vector<int32_t> list(attr.value.as_ints().begin(), attr.value.as_ints().end());
      list.insert(list.begin() + at, given.size(), static_cast<int32_t>(ArgDirection::OutputExisting));
      attr.value = AttrValue::of_ints(AttrKind::ArgDirectionVector, context().list(list));
    }
    draft.attrs = context().list(attrs);
    AssignStmt out = *s;
    out.value = context().make(draft);
    return context().make(out);
  }

  const Program* program_;
  const Plan& plan_;
};

const Function* with_buffers_before(const Function* function, BufferRoots& program_roots, PassContext& context) {
  const FunctionRoots& roots = program_roots.of(function);
  LifetimeFinder found(roots);
  found.walk(function->body);
  const Plan plan(found, roots, program_roots, context);
  if (plan.is_empty()) return function;
  Function draft = *function;
  draft.body = Mover(context.ir, program_roots.program(), plan).stmt(function->body);
  return context.ir.make(draft);
}

}  // namespace

const Program* allocate_before_scopes(const Program* program, PassContext& context) {
  BufferRoots roots(program, context.roots);
  return map_functions(program, context.ir, [&](const Function* f) {
    if (!is_chip_orchestration(f) || !f->contents.has(Content::Scope)) return f;
    const auto is_scope = [](const Node* node) { return node->kind == NodeKind::RuntimeScopeStmt; };
    return contains_statement(f->body, is_scope) ? with_buffers_before(f, roots, context) : f;
  });
}

}  // namespace pyptoc::passes
