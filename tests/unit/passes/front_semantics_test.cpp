// SPDX-License-Identifier: Apache-2.0
// Random programs of scalars, loops, branches, jumps and Inline calls compute the same before and after each front
// pass.
#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <random>

#include "ir/verifier.h"
#include "passes/convert_to_ssa.h"
#include "passes/ctrl_flow_transform.h"
#include "passes/flatten_call_expr.h"
#include "passes/inline_functions.h"
#include "passes/integer_arithmetic.h"
#include "passes/simplify.h"
#include "passes/unroll_loops.h"
#include "text/printer.h"

namespace pyptoc::passes {
namespace {

using namespace ir;

// ---- A direct interpreter of the IR, as far as the programs below use it

class Interpreter {
 public:
  explicit Interpreter(const Program* program) : program_(program) {}

  std::vector<int64_t> call(const Function* f, const std::vector<int64_t>& args) {
    std::map<const Node*, int64_t> outer = std::move(values_);
    values_.clear();
    for (size_t i = 0; i < args.size(); ++i) values_[f->params[i]] = args[i];
    run(f->body);
    std::vector<int64_t> result = std::move(out_);
    values_ = std::move(outer);
    return result;
  }

 private:
  enum class After { Next, Break, Continue, Return, Yield };

  int64_t eval(const Expr* e) {
    PYPTOC_ASSERT(++steps_ < 5000000, "a program that does not end");
    if (const ConstInt* value = as<ConstInt>(e)) return value->value;
    if (const ConstBool* value = as<ConstBool>(e)) return value->value ? 1 : 0;
    if (is_var(e->kind)) {
      auto found = values_.find(e);
      PYPTOC_ASSERT(found != values_.end(), "unset variable " + std::string(as<Var>(e)->name_hint));
      return found->second;
    }
    if (const Call* call = as<Call>(e)) {
      std::vector<int64_t> args;
      for (const Expr* arg : call->args) args.push_back(eval(arg));
      return this->call(program_->find(call->op), args).at(0);
    }
    if (const UnaryExpr* unary = as<UnaryExpr>(e)) {
      int64_t value = eval(unary->operand);
      return e->kind == NodeKind::Not ? (value == 0 ? 1 : 0) : *compute(e->kind, value).value;
    }
    const BinaryExpr* binary = as<BinaryExpr>(e);
    PYPTOC_ASSERT(binary != nullptr, "an expression that the interpreter does not know");
    int64_t left = eval(binary->left);
    int64_t right = eval(binary->right);
    if (e->kind == NodeKind::And) return left & right;
    if (e->kind == NodeKind::Or) return left | right;
    if (is_comparison(e->kind)) return compare(e->kind, left, right) ? 1 : 0;
    std::optional<int64_t> value = compute(e->kind, left, right).value;
    PYPTOC_ASSERT(value.has_value(), "arithmetic that has no result");
    return *value;
  }

  std::vector<int64_t> eval_all(List<const Expr*> list) {
    std::vector<int64_t> out;
    for (const Expr* e : list) out.push_back(eval(e));
    return out;
  }
  void set_all(List<const Var*> vars, const std::vector<int64_t>& values) {
    PYPTOC_ASSERT(vars.size() == values.size(), "a yield of another number of values");
    for (size_t i = 0; i < vars.size(); ++i) values_[vars[i]] = values[i];
  }
  std::vector<int64_t> inits(List<const Var*> args) {
    std::vector<int64_t> out;
    for (const Var* arg : args) out.push_back(eval(as<IterArg>(arg)->init_value));
    return out;
  }

  After run(const Stmt* s) {
    switch (s->kind) {
      case NodeKind::AssignStmt: {
        int64_t value = eval(as<AssignStmt>(s)->value);
        values_[as<AssignStmt>(s)->var] = value;
        return After::Next;
      }
      case NodeKind::SeqStmts:
        for (const Stmt* one : as<SeqStmts>(s)->stmts)
          if (After after = run(one); after != After::Next) return after;
        return After::Next;
      case NodeKind::RuntimeScopeStmt:
        return run(as<RuntimeScopeStmt>(s)->body);
      case NodeKind::ReturnStmt:
        out_ = eval_all(as<ReturnStmt>(s)->value);
        return After::Return;
      case NodeKind::YieldStmt:
        out_ = eval_all(as<YieldStmt>(s)->value);
        return After::Yield;
      case NodeKind::BreakStmt:
        return After::Break;
      case NodeKind::ContinueStmt:
        return After::Continue;
      case NodeKind::IfStmt: {
        const IfStmt* branch = as<IfStmt>(s);
        const Stmt* body = eval(branch->condition) != 0 ? branch->then_body : branch->else_body;
        After after = body != nullptr ? run(body) : After::Next;
        if (after != After::Yield) return after;
        set_all(branch->return_vars, out_);
        return After::Next;
      }
      case NodeKind::ForStmt: {
        const ForStmt* loop = as<ForStmt>(s);
        int64_t stop = eval(loop->stop);
        int64_t step = eval(loop->step);
        std::vector<int64_t> carried = inits(loop->iter_args);
        for (int64_t i = eval(loop->start); step > 0 ? i < stop : i > stop; i += step) {
          values_[loop->loop_var] = i;
          set_all(loop->iter_args, carried);
          After after = run(loop->body);
          if (after == After::Yield) carried = out_;
          if (after == After::Return) return after;
          if (after == After::Break) break;
        }
        set_all(loop->return_vars, carried);
        return After::Next;
      }
      case NodeKind::WhileStmt: {
        const WhileStmt* loop = as<WhileStmt>(s);
        std::vector<int64_t> carried = inits(loop->iter_args);
        set_all(loop->iter_args, carried);
        while (eval(loop->condition) != 0) {
          After after = run(loop->body);
          if (after == After::Yield) carried = out_;
          if (after == After::Return) return after;
          if (after == After::Break) break;
          set_all(loop->iter_args, carried);
        }
        set_all(loop->return_vars, carried);
        return After::Next;
      }
      default:
        PYPTOC_UNREACHABLE("a statement that the interpreter does not know");
    }
  }

  const Program* program_;
  std::map<const Node*, int64_t> values_;
  std::vector<int64_t> out_;
  int64_t steps_ = 0;
};

// ---- Random programs

class Generator {
 public:
  Generator(Context& ir, uint32_t seed) : ir_(ir), random_(seed) {}

  const Program* program() {
    std::vector<const Function*> functions;
    for (int i = 0; i < 2; ++i) {
      functions.push_back(function("inline" + std::to_string(i), FunctionType::Inline));
      callees_.push_back(functions.back());
    }
    functions.push_back(function("main", FunctionType::Opaque));
    return ir_.program("P", functions, nullptr);
  }

 private:
  const Type* index() { return ir_.scalar_type(DType::Index); }
  int pick(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }
  template <class S>
  S draft(NodeKind kind) {
    S out;
    out.kind = kind;
    return out;
  }

  const Function* function(const std::string& name, FunctionType type) {
    vars_.clear();
    is_inline_ = type == FunctionType::Inline;
    std::vector<const Var*> params;
    for (const char* hint : {"p", "q"}) params.push_back(ir_.var(hint, index()));
    std::vector<const Stmt*> body;
    for (const Var* param : params) vars_.push_back(param);
    for (const char* hint : {"a", "b", "c", "d"}) {
      const Var* var = ir_.var(hint, index());
      body.push_back(ir_.assign(var, small_expr(2)));
      vars_.push_back(var);
    }
    loops_ = unrolls_ = calls_ = 0;
    block(body, 3);
    block(body, 3);
    body.push_back(make_return());
    Function f = draft<Function>(NodeKind::Function);
    f.name = ir_.intern(name);
    f.func_type = type;
    f.params = ir_.list(params);
    f.param_directions = ir_.list({ParamDirection::In, ParamDirection::In});
    f.return_types = is_inline_ ? ir_.list<const Type*>({index()}) : ir_.list<const Type*>({index(), index()});
    f.body = ir_.seq(body);
    return ir_.make(f);
  }

  const Stmt* make_return() {
    ReturnStmt out = draft<ReturnStmt>(NodeKind::ReturnStmt);
    std::vector<const Expr*> values{small_expr(2)};
    if (!is_inline_) values.push_back(small_expr(2));
    out.value = ir_.list(values);
    return ir_.make(out);
  }

  // ---- Expressions; those that are assigned stay within +-997.

  const Expr* variable() { return vars_[static_cast<size_t>(pick(static_cast<int>(vars_.size())))]; }
  const Expr* leaf() { return pick(3) == 0 ? static_cast<const Expr*>(ir_.const_int(pick(9) - 3)) : variable(); }
  const Expr* expr(int depth) {
    if (depth == 0) return leaf();
    switch (pick(9)) {
      case 0:
        return ir_.binary(NodeKind::Add, expr(depth - 1), expr(depth - 1));
      case 1:
        return ir_.binary(NodeKind::Sub, expr(depth - 1), expr(depth - 1));
      case 2:
        return ir_.binary(NodeKind::Mul, small_expr(depth - 1), small_expr(depth - 1));
      case 3:
        return ir_.binary(pick(2) == 0 ? NodeKind::FloorDiv : NodeKind::FloorMod, expr(depth - 1),
                          ir_.const_int(pick(4) + 1));
      case 4:
        return ir_.binary(pick(2) == 0 ? NodeKind::Min : NodeKind::Max, expr(depth - 1), expr(depth - 1));
      case 5:
        if (!callees_.empty() && calls_ < 3 && !no_calls_) return call(depth);
        return leaf();
      default:
        return leaf();
    }
  }
  const Expr* small_expr(int depth) { return ir_.binary(NodeKind::FloorMod, expr(depth), ir_.const_int(997)); }
  const Expr* call(int depth) {
    ++calls_;
    const Function* f = callees_[static_cast<size_t>(pick(static_cast<int>(callees_.size())))];
    return ir_.call(ir_.op(f->name, true), {small_expr(depth - 1), leaf()}, index());
  }
  const Expr* condition() {
    constexpr NodeKind kKinds[] = {NodeKind::Lt, NodeKind::Le, NodeKind::Eq, NodeKind::Ne, NodeKind::Gt};
    const Expr* one = ir_.binary(kKinds[pick(5)], expr(1), expr(1));
    if (pick(4) != 0) return one;
    BinaryExpr both = draft<BinaryExpr>(pick(2) == 0 ? NodeKind::And : NodeKind::Or);
    both.type = ir_.scalar_type(DType::Bool);
    both.left = one;
    both.right = ir_.binary(kKinds[pick(5)], expr(1), leaf());
    return ir_.make(both);
  }

  // ---- Statements

  void block(std::vector<const Stmt*>& out, int depth) {
    int count = 1 + pick(4);
    for (int i = 0; i < count; ++i) statement(out, depth);
  }
  const Stmt* body(int depth) {
    size_t visible = vars_.size();
    std::vector<const Stmt*> out;
    block(out, depth);
    if (jumps_here() && pick(6) == 0) out.push_back(jump());
    vars_.resize(visible);
    return ir_.seq(out);
  }
  bool jumps_here() const { return loops_ > 0 && unrolls_ == 0; }
  const Stmt* jump() {
    if (pick(2) == 0) return ir_.make(draft<BreakStmt>(NodeKind::BreakStmt));
    return ir_.make(draft<ContinueStmt>(NodeKind::ContinueStmt));
  }

  void statement(std::vector<const Stmt*>& out, int depth) {
    int kind = depth == 0 ? 0 : pick(9);
    if (kind <= 2) {
      out.push_back(ir_.assign(as<Var>(assignable()), small_expr(3)));
    } else if (kind <= 4) {
      out.push_back(branch(depth));
    } else if (kind == 5) {
      out.push_back(for_loop(depth));
    } else if (kind == 6) {
      while_loop(out, depth);
    } else if (kind == 7) {
      carried_loop(out, depth);
    } else {
      RuntimeScopeStmt scope = draft<RuntimeScopeStmt>(NodeKind::RuntimeScopeStmt);
      scope.body = body(depth - 1);
      out.push_back(ir_.make(scope));
    }
  }
  // Not the counters of while loops, which have to end.
  const Expr* assignable() {
    while (true) {
      const Expr* var = variable();
      if (var->kind == NodeKind::Var && as<Var>(var)->name_hint != "count") return var;
    }
  }

  const Stmt* branch(int depth) {
    IfStmt s = draft<IfStmt>(NodeKind::IfStmt);
    s.condition = condition();
    s.then_body = body(depth - 1);
    if (loops_ == 0 && pick(8) == 0) s.then_body = ir_.seq({s.then_body, make_return()});
    if (jumps_here() && pick(3) == 0) s.then_body = ir_.seq({s.then_body, jump()});
    if (pick(2) == 0) s.else_body = body(depth - 1);
    return ir_.make(s);
  }

  ForStmt for_draft() {
    ForStmt s = draft<ForStmt>(NodeKind::ForStmt);
    s.loop_var = ir_.var("i", index());
    no_calls_ = true;
    s.start = ir_.const_int(pick(3));
    s.stop = pick(2) == 0 ? static_cast<const Expr*>(ir_.const_int(pick(6)))
                          : ir_.binary(NodeKind::FloorMod, variable(), ir_.const_int(5));
    s.step = ir_.const_int(pick(4) == 0 ? -1 : 1 + pick(2));
    no_calls_ = false;
    return s;
  }
  const Stmt* for_loop(int depth) {
    ForStmt s = for_draft();
    bool unroll = is<ConstInt>(s.stop) && unroll_depth_ == 0 && pick(3) == 0;
    if (unroll) s.for_kind = ForKind::Unroll;
    s.body = loop_body(s.loop_var, depth, unroll);
    return ir_.make(s);
  }
  const Stmt* loop_body(const Var* loop_var, int depth, bool unroll) {
    int outer_unrolls = unrolls_;
    ++loops_;
    unroll_depth_ += unroll ? 1 : 0;
    unrolls_ = unroll ? 1 : 0;
    vars_.push_back(loop_var);
    const Stmt* out = body(depth - 1);
    vars_.pop_back();
    unrolls_ = outer_unrolls;
    unroll_depth_ -= unroll ? 1 : 0;
    --loops_;
    return out;
  }

  void while_loop(std::vector<const Stmt*>& out, int depth) {
    const Var* count = ir_.var("count", index());
    out.push_back(ir_.assign(count, ir_.const_int(0)));
    WhileStmt s = draft<WhileStmt>(NodeKind::WhileStmt);
    BinaryExpr both = draft<BinaryExpr>(NodeKind::And);
    both.type = ir_.scalar_type(DType::Bool);
    both.left = ir_.binary(NodeKind::Lt, count, ir_.const_int(1 + pick(4)));
    no_calls_ = true;
    both.right = condition();
    no_calls_ = false;
    s.condition = ir_.make(both);
    const Stmt* next = ir_.assign(count, ir_.binary(NodeKind::Add, count, ir_.const_int(1)));
    s.body = ir_.seq({next, loop_body(count, depth, false)});
    out.push_back(ir_.make(s));
  }

  // In the form of SSA: iter_args and yields.
  void carried_loop(std::vector<const Stmt*>& out, int depth) {
    ForStmt s = for_draft();
    std::vector<const Var*> args;
    std::vector<const Var*> results;
    size_t visible = vars_.size();
    for (int i = 0; i < 2; ++i) {
      IterArg arg = draft<IterArg>(NodeKind::IterArg);
      arg.type = index();
      arg.name_hint = "carried";
      arg.init_value = leaf();
      args.push_back(ir_.make(arg));
      results.push_back(ir_.var("result", index()));
    }
    for (const Var* arg : args) vars_.push_back(arg);
    const Stmt* inner = loop_body(s.loop_var, depth, false);
    YieldStmt yield = draft<YieldStmt>(NodeKind::YieldStmt);
    yield.value = ir_.list<const Expr*>({pick(3) == 0 ? static_cast<const Expr*>(args[1]) : small_expr(1), args[0]});
    vars_.resize(visible);
    s.iter_args = ir_.list(args);
    s.return_vars = ir_.list(results);
    s.body = ir_.seq({inner, ir_.make(yield)});
    out.push_back(ir_.make(s));
    for (const Var* result : results) vars_.push_back(result);
  }

  Context& ir_;
  std::mt19937 random_;
  std::vector<const Function*> callees_;
  std::vector<const Expr*> vars_;  // with values at the current place
  int loops_ = 0;
  int unrolls_ = 0;  // 1: the innermost loop is unrolled
  int unroll_depth_ = 0;
  int calls_ = 0;  // in the current function
  bool no_calls_ = false;
  bool is_inline_ = true;
};

TEST_CASE("front passes keep what random programs compute") {
  constexpr PassFunction kPasses[] = {inline_functions, unroll_loops, ctrl_flow_transform,
                                      convert_to_ssa,   simplify,     flatten_call_expr};
  constexpr uint32_t kSeeds = 100;
  uint32_t compared = 0;
  for (uint32_t seed = 1; seed <= kSeeds; ++seed) {
    Context ir;
    diag::Engine diags;
    Options options;
    PassContext context{ir, diags, options};
    const Program* original = Generator(ir, seed).program();
    auto run = [](const Program* p, int64_t a, int64_t b) { return Interpreter(p).call(p->find("main"), {a, b}); };
    std::vector<std::vector<int64_t>> wanted;
    for (int64_t a = -1; a < 4; ++a) wanted.push_back(run(original, a, 3 * a + 1));
    const Program* program = original;
    for (size_t step = 0; step < std::size(kPasses); ++step) {
      const Program* before = program;
      program = kPasses[step](program, context);
      std::string faults;
      for (const diag::Diagnostic& d : diags.sorted()) faults += std::string(d.code->id) + " " + d.message + "\n";
      VerifyOptions strict;
      strict.ssa = step >= 3;
      diag::Engine verifying;
      bool valid = verify(program, verifying, strict);
      for (const diag::Diagnostic& d : verifying.sorted()) faults += std::string(d.code->id) + " " + d.message + "\n";
      INFO("seed " << seed << ", pass " << step << "\n" << faults);
      INFO("before\n" << text::print_program(before));
      INFO("after\n" << text::print_program(program));
      REQUIRE_FALSE(diags.has_errors());
      REQUIRE(valid);
      for (int64_t a = -1; a < 4; ++a) REQUIRE(run(program, a, 3 * a + 1) == wanted[static_cast<size_t>(a + 1)]);
      ++compared;
    }
  }
  CHECK(compared == kSeeds * 6);
}

}  // namespace
}  // namespace pyptoc::passes
