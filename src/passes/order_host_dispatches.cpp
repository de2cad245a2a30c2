// SPDX-License-Identifier: Apache-2.0
// Accesses of all dispatches to host tensors, compared for each tensor by the parts that they show.
#include "passes/order_host_dispatches.h"

#include <algorithm>
#include <map>

#include "ir/equal.h"
#include "ir/rewriter.h"
#include "ir/walker.h"
#include "passes/call_graph.h"
#include "passes/task_regions.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// Accesses of more different parts of one tensor than these are not compared: all that write it look up what others
// wrote, and readers register.
constexpr size_t kMostParts = 48;

// Where a dispatch runs.
struct Device {
  const Var* var = nullptr;
  int var_loop = -1;  // the loop that counts `var`
  std::optional<int64_t> constant;

  bool known() const { return var != nullptr || constant.has_value(); }
  bool operator==(const Device&) const = default;
};

struct Dispatch {
  const Call* call;
  const Function* callee;
  Device device;
  bool token = false;  // takes the ordering token of its rank
  int loop = -1;       // the innermost around it
};

constexpr size_t kNoArgument = SIZE_MAX;  // what a dispatch makes for an Out parameter that it leaves out

// One argument, or several that meet others in the same way, in order of their dispatches.
struct Access {
  std::vector<std::pair<size_t, size_t>> where;  // dispatch, argument
  const Region* region = nullptr;                // null: all of the tensor
  bool reads = false;
  bool writes = false;
  bool looks_up = false;   // the runtime orders it behind earlier ones that registered
  bool registers = false;  // later ones can be ordered behind it
  bool spread = false;     // of several loops or devices, which are not looked at
};

// Calls, and which of their arguments become InOut.
using Turned = NodeMap<std::vector<size_t>>;

// The axis whose only element is numbered as the device.
std::optional<size_t> device_axis(const Region* region, const Device& device) {
  if (region == nullptr || !device.known()) return std::nullopt;
  Linear number;
  if (device.constant)
    number.constant = *device.constant;
  else
    number.terms.push_back({device.var, nullptr, 1});
  Linear behind = number;
  ++behind.constant;
  for (size_t axis = 0; axis < region->axes.size(); ++axis) {
    const Region::Axis& cut = region->axes[axis];
    if (!cut.whole && cut.begin == number && cut.end == behind) return axis;
  }
  return std::nullopt;
}

class Finder : public Walker {
 public:
  Finder(const Program* program, const Function* host, BufferRoots& roots) : program_(program), regions_(host, roots) {
    walk(host->body);
    for (size_t root = 0; root < regions_.roots().size(); ++root) {
      const Root& made = regions_.roots().root(static_cast<int>(root));
      if (made.kind == Root::Kind::RuntimeMade || made.kind == Root::Kind::CallResult)
        made_[made.node].push_back(static_cast<int>(root));
    }
    for (size_t i = 0; i < dispatches_.size(); ++i) collect(i);
  }

  Turned run() {
    for (auto& [root, accesses] : by_root_) compare(accesses);
    return std::move(turned_);
  }

 private:
  void visit(const Node* node) override {
    if (node->kind == NodeKind::ForStmt || node->kind == NodeKind::WhileStmt) {
      const int around = loop_;
      loop_ = loops_seen_++;
      if (const ForStmt* loop = as<ForStmt>(node)) loop_of_[loop->loop_var] = loop_;
      children(node);
      loop_ = around;
      return;
    }
    const Call* call = as<Call>(node);
    const Op* op = call != nullptr ? called_function(call) : nullptr;
    const Function* callee = op != nullptr ? program_->find(op) : nullptr;
    if (callee != nullptr) {
      Dispatch d{call, callee, device_of(call), false, loop_};
      d.token = d.device.known() && std::any_of(call->args.begin(), call->args.end(),
                                                [](const Expr* arg) { return is_distributed(arg->type); });
      dispatches_.push_back(d);
    }
    if (is_stmt(node->kind)) children(node);
  }

  Device device_of(const Call* call) const {
    Device out;
    const AttrValue* device = find_attr(call->attrs, "device");
    if (device == nullptr) return out;
    if (device->kind() == AttrKind::Int) out.constant = device->as_int();
    const Expr* value = device->kind() == AttrKind::Var    ? device->as_var()
                        : device->kind() == AttrKind::Expr ? device->as_expr()
                                                           : nullptr;
    if (value == nullptr) return out;
    out.constant = const_int(value);
    out.var = out.constant ? nullptr : as<Var>(value);
    const int* loop = out.var != nullptr ? loop_of_.find(out.var) : nullptr;
    if (loop == nullptr)
      out.var = nullptr;
    else
      out.var_loop = *loop;
    return out;
  }

  void collect(size_t number) {
    const Dispatch& d = dispatches_[number];
    const FunctionRoots& roots = regions_.roots();
    for (size_t i = 0; i < d.call->args.size() && i < d.callee->params.size(); ++i) {
      const Expr* arg = d.call->args[i];
      if (as_tensor(arg->type) == nullptr || is_distributed(arg->type)) continue;
      const ParamDirection direction = d.callee->param_directions[i];
      Access access;
      access.where.push_back({number, i});
      access.reads = direction != ParamDirection::Out;
      access.writes = direction != ParamDirection::In;
      const AttrValue* given = find_attr(d.call->attrs, "arg_directions");
      const bool known =
          given != nullptr && given->kind() == AttrKind::ArgDirectionVector && i < given->as_ints().size();
      const bool inout = known && static_cast<ArgDirection>(given->as_ints()[i]) == ArgDirection::InOut;
      access.looks_up = inout || access.reads;
      access.registers = inout || access.writes;
      const Region& region = regions_.of(arg);
      for (const int root : roots.of(arg)) {
        access.region = region.root == root ? &region : nullptr;
        note(root, access);
      }
    }
    if (const std::vector<int>* made = made_.find(d.call)) {
      Access access;
      access.where.push_back({number, kNoArgument});
      access.writes = access.registers = true;
      for (const int root : *made) note(root, access);
    }
  }

  void note(int root, const Access& access) {
    std::vector<Access>& all = by_root_[root];
    for (Access& other : all) {
      if (!alike(other, access)) continue;
      const Dispatch& x = at(other);
      const Dispatch& y = at(access);
      other.spread = other.spread || x.loop != y.loop || x.device != y.device;
      other.where.push_back(access.where.front());
      return;
    }
    if (all.size() < kMostParts) {
      all.push_back(access);
      return;
    }
    Access& rest = all.back();  // everything else, taken for the whole tensor
    rest.where.push_back(access.where.front());
    rest.region = nullptr;
    rest.reads |= access.reads;
    rest.writes |= access.writes;
    rest.looks_up &= access.looks_up;
    rest.registers &= access.registers;
    rest.spread = true;
  }

  const Dispatch& at(const Access& access) const { return dispatches_[access.where.front().first]; }

  // Whether a third access meets both in the same way: the same direction and part, in the same loop or cut by the
  // device, whichever loop counts it.
  bool alike(const Access& a, const Access& b) const {
    if (a.reads != b.reads || a.writes != b.writes || a.looks_up != b.looks_up || a.registers != b.registers)
      return false;
    const Dispatch& x = at(a);
    const Dispatch& y = at(b);
    if (x.token != y.token) return false;
    if (a.region == nullptr || b.region == nullptr)
      return a.region == b.region && x.loop == y.loop && x.device == y.device;
    std::optional<size_t> cut = device_axis(a.region, x.device);
    const bool by_device = x.token && cut && cut == device_axis(b.region, y.device);
    if (!by_device && (x.loop != y.loop || x.device != y.device)) return false;
    if (a.region->axes.size() != b.region->axes.size()) return false;
    for (size_t axis = 0; axis < a.region->axes.size(); ++axis) {
      const Region::Axis& one = a.region->axes[axis];
      const Region::Axis& other = b.region->axes[axis];
      if (by_device && axis == *cut) continue;
      if (one.whole != other.whole || (!one.whole && (one.begin != other.begin || one.end != other.end))) return false;
      if (by_device && !one.whole && !(one.begin.is_constant() && one.end.is_constant())) return false;
    }
    return true;
  }

  void compare(std::vector<Access>& accesses) {
    if (std::none_of(accesses.begin(), accesses.end(), [](const Access& a) { return a.writes; })) return;
    for (Access& earlier : accesses) {
      for (Access& later : accesses) {
        const bool conflict = earlier.writes || later.writes;
        if (!conflict || (earlier.registers && later.looks_up) || !unordered(earlier, later)) continue;
        if (!earlier.registers) turn(earlier, 0);
        const bool first_has_none = &earlier == &later && !later.spread && at(later).loop < 0;
        if (!later.looks_up) turn(later, first_has_none ? 1 : 0);
      }
    }
  }

  void turn(const Access& access, size_t from) {
    for (size_t i = from; i < access.where.size(); ++i)
      if (access.where[i].second != kNoArgument)
        turned_[dispatches_[access.where[i].first].call].push_back(access.where[i].second);
  }

  // Whether `earlier` can come before `later` in an element of both, without the token of one rank between them.
  bool unordered(const Access& earlier, const Access& later) const {
    const Dispatch& a = at(earlier);
    const Dispatch& b = at(later);
    const bool tokens = a.token && b.token;
    const bool spread = earlier.spread || later.spread;
    if (tokens && !spread && a.device.constant && a.device.constant == b.device.constant) return false;
    std::optional<size_t> cut = device_axis(earlier.region, a.device);
    if (tokens && cut && cut == device_axis(later.region, b.device) && same_frame(earlier, later)) return false;
    if (spread) return true;
    const bool one_rank = tokens && a.device.var != nullptr && a.device.var == b.device.var;
    if (earlier.where.front().first < later.where.back().first && !one_rank && may_meet(earlier, later, -1))
      return true;
    for (int loop = a.loop; loop >= 0; loop = regions_.loops().parent(loop)) {
      if (b.loop < 0 || !regions_.loops().lies_in(b.loop, loop)) continue;
      const bool inside = one_rank && loop != a.device.var_loop && regions_.loops().lies_in(loop, a.device.var_loop);
      if (!inside && may_meet(earlier, later, loop)) return true;
    }
    return false;
  }

  static bool same_frame(const Access& a, const Access& b) { return extents_equal(a.region->frame, b.region->frame); }

  bool may_meet(const Access& earlier, const Access& later, int crossing) const {
    if (earlier.region == nullptr || later.region == nullptr) return true;
    return meet(*later.region, *earlier.region, regions_.scalars(), crossing).may;
  }

  const Program* program_;
  FunctionRegions regions_;
  NodeMap<int> loop_of_;  // by loop variable
  int loop_ = -1;
  int loops_seen_ = 0;
  std::vector<Dispatch> dispatches_;
  std::map<int, std::vector<Access>> by_root_;
  NodeMap<std::vector<int>> made_;  // by the dispatch that makes them: roots of what it leaves out
  Turned turned_;
};

class Writer : public Rewriter {
 public:
  Writer(Context& context, const Program* program, const Turned& turned)
      : Rewriter(context), program_(program), turned_(turned) {}

 protected:
  using Rewriter::rewrite;
  const Expr* rewrite(const Expr* e) override {
    const Call* call = as<Call>(e);
    const std::vector<size_t>* turned = call != nullptr ? turned_.find(call) : nullptr;
    if (turned == nullptr) return Rewriter::rewrite(e);
    const Function* callee = program_->find(call->op);
    std::vector<Attr> attrs;
    List<int32_t> given;
    for (const Attr& attr : call->attrs) {
      if (attr.key != "arg_directions")
        attrs.push_back(attr);
      else if (attr.value.kind() == AttrKind::ArgDirectionVector)
        given = attr.value.as_ints();
    }
    std::vector<int32_t> directions(given.begin(), given.end());
    for (size_t i = directions.size(); i < call->args.size(); ++i) {
      const bool tensor = as_tensor(call->args[i]->type) != nullptr && i < callee->params.size();
      directions.push_back(static_cast<int32_t>(tensor ? declared(callee->param_directions[i]) : ArgDirection::Scalar));
    }
    for (const size_t i : *turned) directions[i] = static_cast<int32_t>(ArgDirection::InOut);
    attrs.push_back({context().intern("arg_directions"),
                     AttrValue::of_ints(AttrKind::ArgDirectionVector, context().list(directions))});
    Call draft = *call;
    draft.attrs = context().list(attrs);
    return context().make(draft);
  }

 private:
  static ArgDirection declared(ParamDirection direction) {
    return direction == ParamDirection::In    ? ArgDirection::Input
           : direction == ParamDirection::Out ? ArgDirection::OutputExisting
                                              : ArgDirection::InOut;
  }

  const Program* program_;
  const Turned& turned_;
};

}  // namespace

const Function* order_host_dispatches(const Program* program, const Function* host, BufferRoots& roots,
                                      Context& context) {
  const Turned turned = Finder(program, host, roots).run();
  if (turned.size() == 0) return host;
  return Writer(context, program, turned).function(host);
}

}  // namespace pyptoc::passes
