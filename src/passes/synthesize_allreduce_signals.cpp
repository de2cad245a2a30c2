// SPDX-License-Identifier: Apache-2.0
#include "passes/synthesize_allreduce_signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "diag/codes_host.h"
#include "ir/collectives.h"
#include "ir/describe.h"
#include "ir/map_functions.h"
#include "ir/rewriter.h"
#include "ir/walker.h"
#include "passes/host_windows.h"

namespace pyptoc::passes {

namespace {

using namespace ir;

constexpr int64_t kCellBytes = 4;

// The signals of one allocation.
struct Signals {
  int64_t lanes = 0;  // 0: no mesh allreduce
  bool ring = false;
  const Var* mesh_view = nullptr;
  const Var* ring_view = nullptr;
};

bool lacks_signal(const Call* call) {
  return !call->op->is_global_var && call->op->id == OpId::PldTensorAllreduce && call->args.size() == 1;
}

class Calls : public Walker {
 public:
  std::vector<const Call*> found;

 protected:
  void visit(const Node* node) override {
    const Call* call = as<Call>(node);
    if (call != nullptr && lacks_signal(call)) found.push_back(call);
    children(node);
  }
};

class Completer : public Rewriter {
 public:
  Completer(Context& context, const HostWindows& windows, const std::vector<Signals>& signals)
      : Rewriter(context), windows_(windows), signals_(signals) {}

 protected:
  using Rewriter::rewrite;
  const Expr* rewrite(const Expr* e) override {
    const Call* call = as<Call>(e);
    if (call == nullptr || !lacks_signal(call)) return rebuild(e);
    const CollectiveInfo* info = collective_of(call);
    std::optional<size_t> allocation = windows_.single(call->args[0]);
    if (info == nullptr || !allocation) return e;
    const Signals& own = signals_[*allocation];
    Call draft = *call;
    draft.args = context().list(
        {call->args[0],
         static_cast<const Expr*>(info->id == Collective::AllreduceRing ? own.ring_view : own.mesh_view)});
    return context().make(draft);
  }

 private:
  const HostWindows& windows_;
  const std::vector<Signals>& signals_;
};

class Synthesis {
 public:
  Synthesis(const Function* f, const HostWindows& windows, PassContext& context)
      : function_(f), windows_(windows), context_(context), ir_(context.ir), signals_(windows.all().size()) {
    for (const WindowAllocation& allocation : windows.all()) names_.insert(allocation.name);
  }

  const Function* run(const std::vector<const Call*>& calls) {
    for (const Call* call : calls) note(call);
    std::vector<const Stmt*> body;
    for (size_t i = 0; i < signals_.size(); ++i) {
      const WindowAllocation& data = windows_.all()[i];
      if (signals_[i].lanes > 0)
        signals_[i].mesh_view =
            allocate(data, "signal", world_size(), ir_.const_int(signals_[i].lanes, DType::Int64), body);
      if (signals_[i].ring) signals_[i].ring_view = allocate(data, "ring_signal", ring_rows(), world_size(), body);
    }
    if (body.empty()) return function_;
    body.push_back(Completer(ir_, windows_, signals_).stmt(function_->body));
    Function draft = *function_;
    draft.body = ir_.seq(body, function_->body->span);
    return ir_.make(draft);
  }

 private:
  void note(const Call* call) {
    const CollectiveInfo* info = collective_of(call);
    if (info == nullptr) return;  // the type rule has reported the mode
    std::vector<size_t> behind = windows_.behind(call->args[0]);
    if (behind.size() != 1) return report(call, behind);
    Signals& own = signals_[behind.front()];
    const AttrValue* lanes = find_attr(call->kwargs, "core_num");
    if (info->id == Collective::AllreduceRing)
      own.ring = true;
    else
      own.lanes = std::max(own.lanes, lanes != nullptr ? lanes->as_int() : 1);
  }
  void report(const Call* call, const std::vector<size_t>& behind) {
    const std::string value = describe(call->args[0]);
    if (behind.empty()) {
      context_.diags.report(diag::codes::window_not_followed, place_of(call), value);
      return;
    }
    const WindowAllocation& a = windows_.all()[behind[0]];
    const WindowAllocation& b = windows_.all()[behind[1]];
    context_.diags.report(diag::codes::window_ambiguous, place_of(call), value, a.name, b.name)
        .note(fmt::format("`{}` is allocated here", a.name), place_of(a.at))
        .note(fmt::format("`{}` is allocated here", b.name), place_of(b.at));
  }

  const Expr* world_size() {
    return ir_.call(ir_.op("pld.system.world_size", false), {}, ir_.scalar_type(DType::Int64));
  }
  const Expr* number(int64_t value) { return ir_.const_int(value, DType::Int64); }
  const Expr* product(const Expr* a, const Expr* b) { return ir_.binary(NodeKind::Mul, a, b); }
  const Expr* ring_rows() {
    const Expr* steps = ir_.binary(NodeKind::Sub, world_size(), number(1));
    return ir_.binary(NodeKind::Add, product(number(2), steps), number(1));
  }

  // The view of a new allocation of rows x columns cells.
  const Var* allocate(const WindowAllocation& data, std::string_view what, const Expr* rows, const Expr* columns,
                      std::vector<const Stmt*>& out) {
    const Span* span = data.at->span;
    std::string_view name = fresh_name(fmt::format("{}_{}", data.name, what));
    const Type* ptr = ir_.plain_type(TypeKind::Ptr);
    Call alloc = call("pld.tensor.alloc_window_buffer", ptr, span);
    alloc.args = ir_.list({product(product(rows, columns), number(kCellBytes))});
    alloc.kwargs = ir_.list({Attr{"name", AttrValue::of_string(name)}});
    const Var* buffer = ir_.var(name, ptr, span);
    out.push_back(ir_.assign(buffer, ir_.make(alloc), span));

    MakeTuple shape;
    shape.kind = NodeKind::MakeTuple;
    shape.span = span;
    shape.type = ir_.tuple_type({rows->type, columns->type});
    shape.elements = ir_.list({rows, columns});
    Call window =
        call("pld.tensor.window", ir_.tensor_type(DType::Int32, shape.elements, TypeKind::DistributedTensorType), span);
    window.args = ir_.list({static_cast<const Expr*>(buffer), static_cast<const Expr*>(ir_.make(shape))});
    window.kwargs = ir_.list({Attr{"dtype", AttrValue::of_dtype(DType::Int32)}});
    const Var* view = ir_.var(fmt::format("{}_view", name), window.type, span);
    out.push_back(ir_.assign(view, ir_.make(window), span));
    return view;
  }
  Call call(std::string_view op, const Type* type, const Span* span) {
    Call draft;
    draft.kind = NodeKind::Call;
    draft.span = span;
    draft.type = type;
    draft.op = ir_.op(op, false);
    return draft;
  }
  std::string_view fresh_name(const std::string& wanted) {
    std::string_view name = ir_.intern(wanted);
    for (int i = 1; !names_.insert(name).second; ++i) name = ir_.intern(fmt::format("{}_{}", wanted, i));
    return name;
  }

  const Function* function_;
  const HostWindows& windows_;
  PassContext& context_;
  Context& ir_;
  std::vector<Signals> signals_;
  std::set<std::string_view> names_;
};

}  // namespace

const Program* synthesize_allreduce_signals(const Program* program, PassContext& context) {
  BufferRoots roots(program, context.roots);
  return map_functions(program, context.ir, [&](const Function* f) {
    Calls calls;
    if (is_host_orchestrator(f)) calls.walk(f->body);
    if (calls.found.empty()) return f;
    HostWindows windows(f, roots.of(f));
    return Synthesis(f, windows, context).run(calls.found);
  });
}

}  // namespace pyptoc::passes
