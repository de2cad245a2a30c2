// SPDX-License-Identifier: Apache-2.0
// Collects tasks, blocks and accesses of an orchestration in one walk.
#include "passes/task_program.h"

#include <algorithm>

#include "ir/op_table.h"
#include "ir/walker.h"
#include "passes/buffer_makers.h"
#include "passes/call_graph.h"
#include "passes/integer_arithmetic.h"
#include "passes/needed_values.h"
#include "passes/trailing_yield.h"

namespace pyptoc::passes {

using namespace ir;

bool TaskProgram::fresh_in(int root, int loop) const {
  const size_t at = static_cast<size_t>(root);
  if (at >= root_loop.size() || root_loop[at] < 0 || !loops->lies_in(root_loop[at], loop)) return false;
  const std::vector<int>& carried = carried_roots[static_cast<size_t>(loop)];
  return !std::binary_search(carried.begin(), carried.end(), root);
}

int TaskProgram::common_block(int a, int b) const {
  auto block = [&](int i) -> const TaskBlock& { return blocks[static_cast<size_t>(i)]; };
  while (a != b) {
    if (block(a).depth >= block(b).depth)
      a = block(a).parent;
    else
      b = block(b).parent;
  }
  return a;
}

namespace {

class TaskCollector {
 public:
  TaskCollector(const Program* program, const Function* function, FunctionRegions& regions,
                const BlockingKernels& blocking, const ParamAliases* aliases, TaskProgram& out,
                std::vector<std::unique_ptr<Region>>& own_regions)
      : program_(program),
        regions_(regions),
        roots_(regions.roots()),
        makers_(roots_),
        blocking_(blocking),
        aliases_(aliases),
        out_(out),
        own_regions_(own_regions) {
    out_.function = function;
    out_.loops = &regions.loops();
    if (function->contents.has(Content::ElementRead)) needed_.emplace(function->body);
  }

  void run() {
    const int real = static_cast<int>(roots_.size());
    out_.peers_root = real;
    out_.windows_root = real + 1;
    out_.root_count = real + 2;
    const size_t count = static_cast<size_t>(out_.root_count);
    out_.written.assign(count, false);
    out_.in_predicate.assign(count, false);
    out_.root_loop.assign(count, -1);
    out_.root_maker.assign(count, -1);
    out_.made_on_chip.assign(count, false);
    out_.root_name.assign(count, "buffer");
    find_manual_roots();
    out_.parts.push_back({0, 0});
    const int body = new_block(-1, -1, 0, false);
    stmt(out_.function->body, body);
    out_.parts[0].last = static_cast<int>(out_.parts.size()) - 1;
    finish_roots();
    everything_where_unknown();
    find_predicate_roots();
  }

 private:
  // --- Structure

  int new_block(int parent, int construct, int part, bool manual) {
    TaskBlock block;
    block.parent = parent;
    block.construct = construct;
    block.depth = parent < 0 ? 0 : out_.blocks[static_cast<size_t>(parent)].depth + 1;
    block.part = part;
    block.manual = manual;
    out_.blocks.push_back(block);
    out_.items.emplace_back();
    return static_cast<int>(out_.blocks.size()) - 1;
  }
  void add_item(int block, TaskItem::Kind kind, size_t index) {
    out_.items[static_cast<size_t>(block)].push_back({kind, static_cast<int>(index)});
  }

  void stmt(const Stmt* s, int block) {
    DepthGuard guard(depth_);
    switch (s->kind) {
      case NodeKind::SeqStmts:
        for (const Stmt* inner : as<SeqStmts>(s)->stmts) stmt(inner, block);
        return;
      case NodeKind::AssignStmt:
        return value(s, as<AssignStmt>(s)->value, as<AssignStmt>(s)->var, block);
      case NodeKind::EvalStmt:
        return value(s, as<EvalStmt>(s)->expr, nullptr, block);
      case NodeKind::ForStmt:
        return loop(s, as<ForStmt>(s)->iter_args, as<ForStmt>(s)->body, trip_count(*as<ForStmt>(s)), block);
      case NodeKind::WhileStmt:
        return loop(s, as<WhileStmt>(s)->iter_args, as<WhileStmt>(s)->body, std::nullopt, block);
      case NodeKind::IfStmt:
        return branch(as<IfStmt>(s), block);
      default:
        if (is<ScopeStmt>(s)) scope(static_cast<const ScopeStmt*>(s), block);
    }
  }

  int add_construct(Construct::Kind kind, const Stmt* s, int block) {
    Construct construct;
    construct.kind = kind;
    construct.stmt = s;
    construct.block = block;
    construct.first_task = static_cast<int>(out_.tasks.size());
    out_.constructs.push_back(construct);
    add_item(block, TaskItem::Kind::Construct, out_.constructs.size() - 1);
    return static_cast<int>(out_.constructs.size()) - 1;
  }
  // A block of `construct`; it is a part of its own if it may be left out.
  int inner(int construct, int block, const Stmt* body, bool optional, bool manual) {
    int part = out_.blocks[static_cast<size_t>(block)].part;
    if (optional) {
      part = static_cast<int>(out_.parts.size());
      out_.parts.push_back({part, part});
    }
    const int made = new_block(block, construct, part, manual);
    stmt(body, made);
    out_.constructs[static_cast<size_t>(construct)].end_task = static_cast<int>(out_.tasks.size());
    if (optional) out_.parts[static_cast<size_t>(part)].last = static_cast<int>(out_.parts.size()) - 1;
    return made;
  }

  void loop(const Stmt* s, List<const Var*> iter_args, const Stmt* body, std::optional<int64_t> trips, int block) {
    const bool always = trips && *trips >= 1;
    const int made = add_construct(Construct::Kind::Loop, s, block);
    const int outer = loop_;
    loop_ = static_cast<int>(out_.construct_of_loop.size());
    out_.construct_of_loop.push_back(made);
    std::vector<int> carried;
    for (const Var* arg : iter_args) carried.insert(carried.end(), roots_.of(arg).begin(), roots_.of(arg).end());
    std::sort(carried.begin(), carried.end());
    out_.carried_roots.push_back(std::move(carried));
    out_.constructs[static_cast<size_t>(made)].loop = loop_;
    out_.constructs[static_cast<size_t>(made)].runs_always = always;
    out_.constructs[static_cast<size_t>(made)].trips = trips;
    if (const YieldStmt* yield = trailing_yield(body))
      for (size_t i = 0; i < iter_args.size() && i < yield->value.size(); ++i)
        out_.carried_value[iter_args[i]] = {yield->value[i], loop_};
    const int inside = inner(made, block, body, !always, out_.blocks[static_cast<size_t>(block)].manual);
    out_.constructs[static_cast<size_t>(made)].first_block = inside;
    loop_ = outer;
  }

  void branch(const IfStmt* s, int block) {
    const int made = add_construct(Construct::Kind::Branch, s, block);
    const bool manual = out_.blocks[static_cast<size_t>(block)].manual;
    const int then_block = inner(made, block, s->then_body, true, manual);
    out_.constructs[static_cast<size_t>(made)].first_block = then_block;
    if (s->else_body == nullptr) return;
    const int else_block = inner(made, block, s->else_body, true, manual);
    out_.constructs[static_cast<size_t>(made)].second_block = else_block;
  }

  void scope(const ScopeStmt* s, int block) {
    const RuntimeScopeStmt* runtime = as<RuntimeScopeStmt>(s);
    const int made = add_construct(Construct::Kind::Scope, s, block);
    const bool manual = out_.blocks[static_cast<size_t>(block)].manual || (runtime != nullptr && runtime->manual);
    const int inside = inner(made, block, s->body, false, manual);
    out_.constructs[static_cast<size_t>(made)].first_block = inside;
  }

  // --- Tasks

  // Where the buffers that `call` makes are made, and the name that they get.
  void note_made_buffers(const Expr* call, const Var* result) {
    makers_.for_each_made_by(call, [&](size_t root) {
      out_.root_loop[root] = loop_;
      if (result != nullptr) out_.root_name[root] = result->name_hint;
    });
  }

  // By value: inserting may move what the number was found in.
  void note_written(const Var* result, int task) { out_.written_by[result] = task; }
  void note_made(const Var* result, int task) { out_.made_by[result] = task; }
  bool is_made_by_runtime(const Var* var) const {
    const std::optional<int> root = roots_.single(var);
    return root && roots_.root(*root).kind == Root::Kind::RuntimeMade;
  }

  void value(const Stmt* s, const Expr* e, const Var* result, int block) {
    note_made_buffers(e, result);
    const Call* call = as<Call>(e);
    const bool is_dummy = call != nullptr && call->op->id == OpId::SystemTaskDummy;
    if (const Var* renamed = as<Var>(e); renamed != nullptr && result != nullptr) {
      if (const int* task = out_.written_by.find(renamed)) note_written(result, *task);
      if (const int* task = out_.made_by.find(renamed)) note_made(result, *task);
      return;
    }
    if (const TupleGetItemExpr* get = as<TupleGetItemExpr>(e); get != nullptr && result != nullptr) {
      const int* task = written_tuple_.find(get->tuple);
      if (task != nullptr && as_tensor(result->type) != nullptr) note_written(result, *task);
      if (const int* made = result_tuple_.find(get->tuple); made != nullptr && is_made_by_runtime(result))
        note_made(result, *made);
    }
    if (is_dummy || called_function(e) != nullptr) {
      add_task(s, e, result, block, is_dummy);
    } else if (call != nullptr &&
               ((call->op->id == OpId::TensorRead && needed_->contains(result)) || call->op->id == OpId::TensorWrite)) {
      HostAccess host;
      host.stmt = s;
      host.block = block;
      host.writes = call->op->id == OpId::TensorWrite;
      host.tensor = call->args[0];
      own_regions_.push_back(std::make_unique<Region>(regions_.element(call->args[0], call->args[1])));
      Access access;
      access.reads = !host.writes;
      access.writes = host.writes;
      access.looks_up = true;
      add_accesses(call->args[0], own_regions_.back().get(), access, host.accesses);
      out_.hosts.push_back(std::move(host));
      add_item(block, TaskItem::Kind::Host, out_.hosts.size() - 1);
    }
  }

  void add_task(const Stmt* s, const Expr* e, const Var* result, int block, bool is_dummy) {
    Task task;
    task.call = e;
    task.result = result;
    task.stmt = s;
    task.block = block;
    task.loop = loop_;
    task.manual = out_.blocks[static_cast<size_t>(block)].manual;
    task.is_dummy = is_dummy;
    const Submit* submit = as<Submit>(e);
    List<Attr> attrs = call_attrs(e);
    if (submit != nullptr) task.deps.assign(submit->deps.begin(), submit->deps.end());
    for (const char* key : {"manual_dep_edges", "compiler_manual_dep_edges"}) {
      if (key[0] == 'c') task.own_deps = task.deps.size();
      const AttrValue* edges = find_attr(attrs, key);
      if (edges == nullptr || edges->kind() != AttrKind::VarList) continue;
      for (const Var* var : edges->as_vars()) {
        if (var != nullptr && as_tensor(var->type) != nullptr)
          result_dependency(task, var);
        else if (var != nullptr)
          task.deps.push_back(var);
      }
    }
    if (!is_dummy) {
      arguments(task, attrs);
      const AttrValue* attr = find_attr(attrs, "predicate");
      predicate(task, submit != nullptr                                   ? submit->predicate
                      : attr != nullptr && attr->kind() == AttrKind::Expr ? attr->as_expr()
                                                                          : nullptr);
      peers(task);
    }
    note_result(task);
    makers_.for_each_made_by(e, [&](size_t root) {
      if (roots_.root(static_cast<int>(root)).kind == Root::Kind::RuntimeMade)
        out_.root_maker[root] = static_cast<int>(out_.tasks.size());
    });
    out_.tasks.push_back(std::move(task));
    add_item(block, TaskItem::Kind::Task, out_.tasks.size() - 1);
  }

  void result_dependency(Task& task, const Var* tensor) {
    task.names_results = true;
    const int* from = out_.written_by.find(tensor);
    if (from == nullptr) from = out_.made_by.find(tensor);
    if (from != nullptr) {
      task.results_of.push_back(*from - 1);
      return;
    }
    Access access;
    access.reads = true;
    access.predicate = true;
    add_accesses(tensor, &regions_.of(tensor), access, task.accesses);
  }

  // Where one argument is written, what comes back is that argument.
  void note_result(const Task& task) {
    if (task.result == nullptr || task.is_dummy) return;
    if (as_tuple(task.result->type) != nullptr) result_tuple_[task.result] = static_cast<int>(out_.tasks.size()) + 1;
    int written = -1;
    for (const Access& access : task.accesses) {
      if (access.arg < 0 || !access.registers || !access.writes) continue;
      if (written >= 0 && written != access.arg) return;
      written = access.arg;
    }
    if (written < 0) return;
    const int number = static_cast<int>(out_.tasks.size()) + 1;
    const TupleType* results = as_tuple(task.result->type);
    if (as_tensor(task.result->type) != nullptr) out_.written_by[task.result] = number;
    if (results != nullptr && std::count_if(results->types.begin(), results->types.end(),
                                            [](const Type* type) { return as_tensor(type) != nullptr; }) == 1)
      written_tuple_[task.result] = number;
  }

  void arguments(Task& task, List<Attr> attrs) {
    const AttrValue* directions = find_attr(attrs, "arg_directions");
    if (directions == nullptr || directions->kind() != AttrKind::ArgDirectionVector) return;
    List<const Expr*> args = call_args(task.call);
    const Function* callee = program_->find(called_function(task.call));
    task.accesses.reserve(task.accesses.size() + args.size());
    for (size_t i = 0; i < args.size() && i < directions->as_ints().size(); ++i) {
      if (as_tensor(args[i]->type) == nullptr) continue;
      const ArgDirection direction = static_cast<ArgDirection>(directions->as_ints()[i]);
      Access access;
      access.arg = static_cast<int>(i);
      access.reads = direction == ArgDirection::Input || direction == ArgDirection::InOut;
      access.writes = direction == ArgDirection::Output || direction == ArgDirection::OutputExisting ||
                      direction == ArgDirection::InOut;
      if (!access.reads && !access.writes) continue;  // the user vouches for NoDep
      access.looks_up = access.reads && !task.manual;
      access.registers = access.writes && !task.manual;
      // InOut says how the runtime orders the task; what the kernel does says its parameter.
      if (callee != nullptr && i < callee->param_directions.size() && direction == ArgDirection::InOut) {
        access.reads = callee->param_directions[i] != ParamDirection::Out;
        access.writes = callee->param_directions[i] != ParamDirection::In;
      }
      add_accesses(args[i], &regions_.of(args[i]), access, task.accesses);
    }
  }

  // The scheduler reads the tensor of a predicate just before the task starts.
  void predicate(Task& task, const Expr* e) {
    if (e == nullptr) return;
    class Reads : public Walker {
     public:
      std::vector<const Call*> found;

     protected:
      void visit(const Node* node) override {
        if (const Call* call = as<Call>(node); call != nullptr && call->op->id == OpId::TensorRead)
          found.push_back(call);
        children(node);
      }
    };
    Reads reads;
    reads.walk(e);
    for (const Call* call : reads.found) {
      own_regions_.push_back(std::make_unique<Region>(regions_.element(call->args[0], call->args[1])));
      Access access;
      access.reads = true;
      access.predicate = true;
      add_accesses(call->args[0], own_regions_.back().get(), access, task.accesses);
    }
  }

  void peers(Task& task) {
    std::string_view callee = called_function(task.call)->name;
    static const Region kNoBuffer;
    Access order;
    order.region = &kNoBuffer;
    order.writes = true;
    if (blocking_.can_block(callee)) {
      task.can_block = true;
      order.root = out_.peers_root;
      task.accesses.push_back(order);
    }
    bool touches = blocking_.is_barrier(callee);
    order.writes = touches;
    order.reads = true;
    order.root = out_.windows_root;
    for (const Expr* arg : call_args(task.call)) touches |= is_distributed(arg->type);
    if (touches) task.accesses.push_back(order);
  }

  // One access for each root that the value can be; for an unknown one root -1, which is spread at the end.
  void add_accesses(const Expr* value, const Region* region, Access access, std::vector<Access>& out) {
    access.region = region;
    const List<int> set = roots_.of(value);
    for (int root : set) {
      if (manual_roots_[static_cast<size_t>(root)]) continue;
      access.root = root;
      out.push_back(access);
      add_aliases(root, access, out);
    }
    access.root = -1;
    if (set.empty()) out.push_back(access);
    unknown_ |= set.empty();
  }

  // The views may have other shapes, so that nothing is known of the part.
  void add_aliases(int root, Access access, std::vector<Access>& out) {
    const int param = roots_.root(root).param;
    if (aliases_ == nullptr || param < 0) return;
    static const Region kSomewhere;
    access.region = &kSomewhere;
    for (int other : aliases_->of(out_.function, param)) {
      const std::optional<int> its = roots_.single(out_.function->params[static_cast<size_t>(other)]);
      if (!its) continue;
      access.root = *its;
      out.push_back(access);
    }
  }

  // --- Roots

  // What the user keeps out of the runtime's tracking for its whole life is kept out of ours.
  void find_manual_roots() {
    manual_roots_.assign(roots_.size(), false);
    for (size_t i = 0; i < roots_.size(); ++i) {
      const Root& root = roots_.root(static_cast<int>(i));
      const Call* call = root.kind == Root::Kind::Created ? as<Call>(root.node) : nullptr;
      manual_roots_[i] = call != nullptr && bool_attr(call->kwargs, "manual_dep", false);
    }
  }

  void finish_roots() {
    for (size_t i = 0; i < roots_.size(); ++i) {
      const Root& root = roots_.root(static_cast<int>(i));
      if (const Var* param = as<Var>(root.node)) out_.root_name[i] = param->name_hint;
      if (root.kind == Root::Kind::Param) continue;
      out_.made_on_chip[i] = root.kind != Root::Kind::CallResult;
    }
    out_.several_at_once.assign(static_cast<size_t>(out_.root_count), false);
    for (size_t loop = 0; loop < out_.carried_roots.size(); ++loop)
      for (int root : out_.carried_roots[loop]) {
        const int made_in = out_.root_loop[static_cast<size_t>(root)];
        if (made_in >= 0 && out_.loops->lies_in(made_in, static_cast<int>(loop)))
          out_.several_at_once[static_cast<size_t>(root)] = true;
      }
    for (const Task& task : out_.tasks) note_writes(task.accesses);
    for (const HostAccess& host : out_.hosts) note_writes(host.accesses);
  }
  void note_writes(const std::vector<Access>& accesses) {
    for (const Access& access : accesses) {
      if (!access.writes) continue;
      if (access.root < 0)
        out_.written.assign(out_.written.size(), true);
      else
        out_.written[static_cast<size_t>(access.root)] = true;
    }
  }

  // A value of unknown origin can be every buffer that anything writes. This is rare: recursion, unknown operators.
  void everything_where_unknown() {
    if (!unknown_) return;
    auto spread = [&](std::vector<Access>& accesses) {
      std::vector<Access> all;
      for (const Access& access : accesses) {
        if (access.root >= 0) {
          all.push_back(access);
          continue;
        }
        Access any = access;
        for (int root = 0; root < out_.peers_root; ++root) {
          any.root = root;
          if (out_.written[static_cast<size_t>(root)]) all.push_back(any);
        }
      }
      accesses = std::move(all);
    };
    for (Task& task : out_.tasks) spread(task.accesses);
    for (HostAccess& host : out_.hosts) spread(host.accesses);
  }
  void find_predicate_roots() {
    for (const Task& task : out_.tasks)
      for (const Access& access : task.accesses)
        if (access.predicate) out_.in_predicate[static_cast<size_t>(access.root)] = true;
  }

  const Program* program_;
  FunctionRegions& regions_;
  const FunctionRoots& roots_;
  const BufferMakers makers_;
  const BlockingKernels& blocking_;
  const ParamAliases* aliases_;
  std::optional<NeededValues> needed_;  // where the function reads elements
  TaskProgram& out_;
  std::vector<std::unique_ptr<Region>>& own_regions_;
  std::vector<bool> manual_roots_;
  NodeMap<int> written_tuple_;  // result tuple with one tensor -> the task that wrote it, plus 1
  NodeMap<int> result_tuple_;   // result tuple -> its task, plus 1
  bool unknown_ = false;
  int loop_ = -1;
  int depth_ = 0;
};

}  // namespace

TaskProgram task_program(const Program* program, const Function* function, FunctionRegions& regions,
                         const BlockingKernels& blocking, const ParamAliases* aliases) {
  TaskProgram out;
  TaskCollector(program, function, regions, blocking, aliases, out, out.own_regions).run();
  return out;
}

}  // namespace pyptoc::passes
