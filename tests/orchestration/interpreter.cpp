// SPDX-License-Identifier: Apache-2.0
// Statements and calls.
#include "orchestration/interpreter.h"

#include "passes/call_graph.h"

namespace pyptoc::orchestration {

using namespace ir;

Interpreter::After Interpreter::run(const Stmt* s) {
  PYPTOC_ASSERT(++steps_ < 2000000, "a program that does not end");
  switch (s->kind) {
    case NodeKind::AssignStmt: {
      Value value = eval(as<AssignStmt>(s)->value);
      values_[as<AssignStmt>(s)->var] = std::move(value);
      return After::Next;
    }
    case NodeKind::EvalStmt:
      eval(as<EvalStmt>(s)->expr);
      return After::Next;
    case NodeKind::SeqStmts:
      for (const Stmt* one : as<SeqStmts>(s)->stmts)
        if (After after = run(one); after != After::Next) return after;
      return After::Next;
    case NodeKind::SpmdScopeStmt:
      return run_spmd(as<SpmdScopeStmt>(s));
    case NodeKind::RuntimeScopeStmt:
    case NodeKind::InCoreScopeStmt:
    case NodeKind::ClusterScopeStmt:
      return run(as<ScopeStmt>(s)->body);
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
      const Stmt* body = eval(branch->condition).integer() != 0 ? branch->then_body : branch->else_body;
      After after = body != nullptr ? run(body) : After::Next;
      if (after != After::Yield) return after;
      set_all(branch->return_vars, out_);
      return After::Next;
    }
    case NodeKind::ForStmt:
      return run_for(as<ForStmt>(s));
    case NodeKind::WhileStmt:
      return run_while(as<WhileStmt>(s));
    default:
      PYPTOC_UNREACHABLE("a statement that the interpreter does not know");
  }
}

Interpreter::After Interpreter::run_for(const ForStmt* loop) {
  const int64_t stop = eval(loop->stop).integer();
  const int64_t step = eval(loop->step).integer();
  Values carried;
  for (const Var* arg : loop->iter_args) carried.push_back(eval(as<IterArg>(arg)->init_value));
  for (int64_t i = eval(loop->start).integer(); step > 0 ? i < stop : step < 0 && i > stop; i += step) {
    values_[loop->loop_var] = {i};
    set_all(loop->iter_args, carried);
    const After after = run(loop->body);
    if (after == After::Yield) carried = out_;
    if (after == After::Return) return after;
    if (after == After::Break) break;
  }
  set_all(loop->return_vars, carried);
  return After::Next;
}

Interpreter::After Interpreter::run_while(const WhileStmt* loop) {
  Values carried;
  for (const Var* arg : loop->iter_args) carried.push_back(eval(as<IterArg>(arg)->init_value));
  set_all(loop->iter_args, carried);
  while (eval(loop->condition).integer() != 0) {
    const After after = run(loop->body);
    if (after == After::Yield) carried = out_;
    if (after == After::Return) return after;
    if (after == After::Break) break;
    set_all(loop->iter_args, carried);
  }
  set_all(loop->return_vars, carried);
  return After::Next;
}

Interpreter::After Interpreter::run_spmd(const SpmdScopeStmt* scope) {
  const Block before = block_;
  const int64_t width = eval(scope->core_num).integer();
  After after = After::Next;
  for (int64_t b = 0; b < std::max<int64_t>(width, 1); ++b) {
    block_ = {b, width, 0, true, before.idle || width < 1, false};
    after = run(scope->body);
  }
  block_ = before;
  return after;
}

// --- Calls

// A symbol in the shape of a parameter is the extent of the argument.
void Interpreter::bind_extents(const Function* function, const Values& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const TensorType* type = as_tensor(function->params[i]->type);
    if (type == nullptr) continue;
    for (size_t d = 0; d < type->shape.size(); ++d)
      if (is_var(type->shape[d]->kind)) values_[type->shape[d]] = {arguments[i].tensor().shape[d]};
  }
}

Values Interpreter::call(const Function* function, const Values& arguments) {
  return call_function(function, arguments, block_);
}

// A group without a cube kernel runs on both lanes of a vector core, also inside of a launch.
bool Interpreter::is_vector_group(const Function* function) const {
  if (function->func_type != FunctionType::Group) return false;
  for (const Expr* inner : passes::function_calls(function))
    if (program_->find(passes::called_function(inner))->func_type == FunctionType::Aic) return false;
  return true;
}

Values Interpreter::call_function(const Function* function, const Values& arguments, Block block) {
  std::map<const Node*, Value> outer = std::move(values_);
  const Block outer_block = block_;
  values_.clear();
  for (size_t i = 0; i < arguments.size(); ++i) values_[function->params[i]] = arguments[i];
  bind_extents(function, arguments);
  block_ = block;
  out_.clear();
  if (is_kernel(function) && library_(function->name)) {
    launch(function, arguments, block);
    run(function->body);  // says which parameters come back
  } else if (is_kernel(function) || (is_wrapper(function) && !block.launched)) {
    for (int64_t b = 0; b < std::max<int64_t>(block.count, 1); ++b) {
      block_ = block.launched ? block : Block{b, block.count, 0, true, block.idle, false};
      block_.both_lanes |= is_vector_group(function);
      run(function->body);
      if (block.launched) break;
    }
  } else {
    block_.both_lanes |= is_vector_group(function);
    run(function->body);
  }
  Values result = std::move(out_);
  out_.clear();
  values_ = std::move(outer);
  block_ = outer_block;
  return result;
}

void Interpreter::launch(const Function* kernel, const Values& arguments, Block block) {
  if (block.idle) return;
  const bool both = block.both_lanes || bool_attr(kernel->attrs, "dual_aiv_dispatch", false);
  const int64_t lanes = both && kernel->func_type != FunctionType::Aic && block.launched ? 2 : 1;
  const int64_t first = block.launched ? block.index : 0;
  const int64_t last = block.launched ? block.index : block.count - 1;
  for (int64_t b = first; b <= last; ++b)
    for (int64_t lane = 0; lane < lanes; ++lane)
      run_block(kernel, arguments, {b, block.count, lane, true, false, false});
}

void Interpreter::run_block(const Function* kernel, const Values& arguments, Block block) {
  std::vector<ChipTensor> tensors;
  std::vector<uint64_t> scalars;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ScalarType* scalar = as_scalar(kernel->params[i]->type);
    if (scalar == nullptr) {
      tensors.push_back(arguments[i].tensor().descriptor());
    } else if (scalar->dtype == DType::Fp32) {
      scalars.push_back(to_u64(static_cast<float>(arguments[i].real())));
    } else if (size_of(scalar->dtype) == 4) {
      scalars.push_back(to_u64(static_cast<uint32_t>(arguments[i].integer())));
    } else {
      scalars.push_back(static_cast<uint64_t>(arguments[i].integer()));
    }
  }
  standin::Memory none(4096);
  standin::KernelCall call(none, nullptr, tensors, scalars, static_cast<int32_t>(block.index),
                           static_cast<int32_t>(block.count), static_cast<int32_t>(block.lane));
  library_(kernel->name)(call);
}

void Interpreter::run_kernel(const Function* kernel, standin::KernelCall& call) {
  Values arguments;
  size_t tensors = 0;
  size_t scalars = 0;
  for (const Var* param : kernel->params) {
    if (const TensorType* type = as_tensor(param->type)) {
      arguments.push_back({Tensor::of(call.tensor(tensors++), type->dtype)});
    } else if (is_scalar_of(param->type, DType::Fp32)) {
      arguments.push_back({static_cast<double>(from_u64<float>(call.scalar(scalars++)))});
    } else {
      arguments.push_back({static_cast<int64_t>(call.scalar(scalars++))});
    }
  }
  call_function(kernel, arguments, {call.block(), call.blocks(), call.sub_block(), true, false, false});
}

Value Interpreter::call_or_submit(const Expr* e, const Op* op, List<const Expr*> args, List<Attr> attrs) {
  const Function* callee = program_->find(op);
  PYPTOC_ASSERT(callee != nullptr, "a call of nothing");
  Values arguments = eval_all(args);
  // What a Submit leaves out is made for it.
  for (size_t i = arguments.size(); i < callee->params.size(); ++i) {
    const TensorType* type = as_tensor(callee->params[i]->type);
    std::vector<int64_t> shape;
    for (const Expr* extent : type->shape) shape.push_back(eval(extent).integer());
    arguments.push_back({Tensor::make(type->dtype, std::move(shape))});
  }
  Block block = block_;
  if (!block.launched) {
    const Submit* submit = as<Submit>(e);
    const AttrValue* width = find_attr(attrs, "core_num");
    if (submit != nullptr && submit->core_num != nullptr) block.count = eval(submit->core_num).integer();
    if (width != nullptr)
      block.count = width->kind() == AttrKind::Int ? width->as_int() : eval(width->as_expr()).integer();
    const AttrValue* predicate = find_attr(attrs, "predicate");
    const Expr* condition = submit != nullptr ? submit->predicate : nullptr;
    if (predicate != nullptr) condition = predicate->as_expr();
    block.idle |= block.count < 1 || (condition != nullptr && eval(condition).integer() == 0);
  }
  Values results = call_function(callee, arguments, block);
  const int64_t id = tasks_++;
  if (is<Submit>(e)) {
    if (results.size() == 1 && std::holds_alternative<std::shared_ptr<Values>>(results[0].data)) {
      Values elements = results[0].list();
      results = std::move(elements);
    }
    results.push_back({id});
    return {std::make_shared<Values>(std::move(results))};
  }
  if (results.empty()) return {};
  if (results.size() == 1) return results[0];
  return {std::make_shared<Values>(std::move(results))};
}

}  // namespace pyptoc::orchestration
