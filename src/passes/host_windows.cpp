// SPDX-License-Identifier: Apache-2.0
#include "passes/host_windows.h"

#include <algorithm>

#include "ir/walker.h"

namespace pyptoc::passes {

using namespace ir;

DeviceSet DeviceSet::range(int64_t begin, int64_t end) {
  DeviceSet out;
  for (int64_t device = begin; device < end; ++device) out.devices_.push_back(device);
  return out;
}

void DeviceSet::merge(const DeviceSet& other) {
  if (every_ || other.every_) {
    *this = every();
    return;
  }
  if (std::includes(devices_.begin(), devices_.end(), other.devices_.begin(), other.devices_.end())) return;
  std::vector<int64_t> out;
  std::set_union(devices_.begin(), devices_.end(), other.devices_.begin(), other.devices_.end(),
                 std::back_inserter(out));
  devices_ = std::move(out);
}

std::string DeviceSet::text() const {
  if (every_) return "every device";
  std::string out = "{";
  for (int64_t device : devices_) out += (out.size() > 1 ? ", " : "") + std::to_string(device);
  return out + "}";
}

class WindowWalk : public Walker {
 public:
  explicit WindowWalk(HostWindows& out) : out_(out) {}
  std::vector<const AssignStmt*> views;

 protected:
  void visit(const Node* node) override {
    if (const AssignStmt* assign = as<AssignStmt>(node)) return note(assign);
    if (!is_stmt(node->kind)) return;
    std::string_view outer = inside_;
    if (node->kind == NodeKind::ForStmt || node->kind == NodeKind::WhileStmt) inside_ = "loop";
    if (node->kind == NodeKind::IfStmt) inside_ = "branch";
    children(node);
    inside_ = outer;
  }

 private:
  void note(const AssignStmt* assign) {
    const Call* call = as<Call>(assign->value);
    if (call == nullptr || call->op->is_global_var) return;
    if (call->op->id == OpId::PldTensorWindow) views.push_back(assign);
    if (call->op->id != OpId::PldTensorAllocWindowBuffer) return;
    const AttrValue* name = find_attr(call->kwargs, "name");
    bool named = name != nullptr && name->kind() == AttrKind::String && !name->as_string().empty();
    out_.by_call_[call] = out_.all_.size();
    out_.all_.push_back({assign, named ? name->as_string() : assign->var->name_hint, inside_, nullptr});
  }

  HostWindows& out_;
  std::string_view inside_;
};

HostWindows::HostWindows(const Function* function, const FunctionRoots& roots) : roots_(roots) {
  WindowWalk walk(*this);
  walk.walk(function->body);
  for (const AssignStmt* view : walk.views)
    for (size_t allocation : behind(view->var))
      if (all_[allocation].view == nullptr) all_[allocation].view = view;
}

std::vector<size_t> HostWindows::behind(const Expr* value) const {
  std::vector<size_t> out;
  for (int root : roots_.of(value))
    if (const size_t* number = by_call_.find(roots_.root(root).node)) out.push_back(*number);
  return out;
}

std::optional<size_t> HostWindows::single(const Expr* value) const {
  std::vector<size_t> numbers = behind(value);
  return numbers.size() == 1 ? std::optional(numbers.front()) : std::nullopt;
}

}  // namespace pyptoc::passes
