// SPDX-License-Identifier: Apache-2.0
// The functions of a program in a readable order, each walked after its callees, and windows followed from their
// allocation into the functions that get them.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph/function_walk.h"
#include "graph/model.h"
#include "ir/describe.h"
#include "ir/walker.h"

namespace pyptoc::graph {

using namespace ir;

namespace {

constexpr size_t kMostWindows = 4;  // named behind one parameter

class CalleeFinder : public Walker {
 public:
  explicit CalleeFinder(const Program* program) : program_(program) {}
  std::vector<const Function*> run(const Function* function) {
    walk(function->body);
    return std::move(callees_);
  }

 protected:
  void visit(const Node* node) override {
    const Op* op = nullptr;
    if (const auto* call = as<Call>(node)) op = call->op;
    if (const auto* submit = as<Submit>(node)) op = submit->op;
    if (op != nullptr && op->is_global_var) {
      const Function* callee = program_->find(op);
      if (callee != nullptr && seen_.insert(callee)) callees_.push_back(callee);
    }
    children(node);
  }

 private:
  const Program* program_;
  NodeSet seen_;
  std::vector<const Function*> callees_;
};

std::string role_of(const Function* f) {
  if (is_host_orchestrator(f)) return "HOST orchestrator";
  if (f->level == Level::Host) return "HOST worker";
  if (f->func_type == FunctionType::Aiv) return "AIV kernel";
  if (f->func_type == FunctionType::Aic) return "AIC kernel";
  if (f->func_type == FunctionType::InCore) return "kernel";
  if (f->func_type == FunctionType::Opaque) return "function";
  std::string name(name_of(f->func_type));
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return name;
}

// Groups without anything in them say nothing.
void drop_empty_groups(FunctionGraph& graph) {
  std::vector<Item>& items = graph.items;
  std::vector<bool> kept(items.size());
  for (size_t i = items.size(); i-- > 0;) {
    if (!is_group(items[i].kind)) kept[i] = true;
    if (kept[i] && items[i].parent >= 0) kept[static_cast<size_t>(items[i].parent)] = true;
  }
  std::vector<int> numbers(items.size(), -1);
  std::vector<Item> left;
  for (size_t i = 0; i < items.size(); ++i) {
    if (!kept[i]) continue;
    numbers[i] = static_cast<int>(left.size());
    if (items[i].parent >= 0) items[i].parent = numbers[static_cast<size_t>(items[i].parent)];
    left.push_back(std::move(items[i]));
  }
  items = std::move(left);
  for (Flow& flow : graph.flows) {
    if (flow.from >= 0) flow.from = numbers[static_cast<size_t>(flow.from)];
    flow.to = numbers[static_cast<size_t>(flow.to)];
  }
  const auto key = [](const Flow& flow) { return std::tie(flow.to, flow.from, flow.is_order, flow.tensor); };
  std::ranges::sort(graph.flows, {}, key);
  // std::ranges::unique returns a subrange, which clang 14 cannot read out of this standard library.
  const auto same = [&key](const Flow& a, const Flow& b) { return key(a) == key(b); };
  graph.flows.erase(std::unique(graph.flows.begin(), graph.flows.end(), same), graph.flows.end());
}

class GraphMaker {
 public:
  explicit GraphMaker(const Program* program) : known_{program, {}, {}} {}

  ProgramGraph run() {
    const auto functions = known_.program->functions;
    for (const Function* f : functions) callees_[f] = CalleeFinder(known_.program).run(f);
    NodeSet called;
    for (const Function* f : functions)
      for (const Function* callee : *callees_.find(f))
        if (callee != f) called.insert(callee);
    // What nobody calls is where a program begins; a circle has no beginning and comes last.
    for (const Function* f : functions)
      if (is_host_orchestrator(f) && !called.contains(f)) visit(f);
    for (const Function* f : functions)
      if (!called.contains(f) && !is_kernel(f)) visit(f);
    for (const Function* f : functions) visit(f);

    results_.resize(order_.size());
    for (const Function* f : callees_first_) walk(f);
    hand_windows_down();
    ProgramGraph graph;
    graph.name = known_.program->name;
    for (WalkResult& result : results_) graph.functions.push_back(std::move(result.graph));
    return graph;
  }

 private:
  size_t number_of(const Function* f) const { return static_cast<size_t>(*known_.numbers.find(f)); }

  // Depth first, without recursion: programs can have any number of functions.
  void visit(const Function* first) {
    if (!known_.numbers.insert(first, static_cast<int>(order_.size()))) return;
    order_.push_back(first);
    std::vector<std::pair<const Function*, size_t>> open = {{first, 0}};
    while (!open.empty()) {
      auto& [function, next] = open.back();
      const std::vector<const Function*>& callees = *callees_.find(function);
      if (next == callees.size()) {
        callees_first_.push_back(function);
        open.pop_back();
        continue;
      }
      const Function* callee = callees[next++];
      if (!known_.numbers.insert(callee, static_cast<int>(order_.size()))) continue;
      order_.push_back(callee);
      open.emplace_back(callee, 0);
    }
  }

  void walk(const Function* f) {
    WalkResult result = walk_function(f, known_);
    FunctionGraph& graph = result.graph;
    graph.name = f->name;
    graph.role = role_of(f);
    graph.is_kernel = is_kernel(f) || is_wrapper(f);
    for (size_t i = 0; i < f->params.size(); ++i) {
      graph.parameters.push_back({std::string(f->params[i]->name_hint), describe(f->params[i]->type),
                                  std::string(name_of(f->param_directions[i])), ""});
    }
    known_.summaries[f] = result.summary;
    results_[number_of(f)] = std::move(result);
  }

  // Callers before callees; what a circle hands to itself is left out.
  void hand_windows_down() {
    std::vector<std::vector<std::vector<std::string>>> names(results_.size());
    for (size_t i = 0; i < results_.size(); ++i) names[i].resize(results_[i].graph.parameters.size());
    for (size_t step = callees_first_.size(); step-- > 0;) {
      const size_t caller = number_of(callees_first_[step]);
      for (const WindowArgument& argument : results_[caller].arguments) {
        const auto& own = names[caller];
        const std::vector<std::string> handed =
            argument.window.empty() ? own[static_cast<size_t>(argument.caller_param)] : std::vector{argument.window};
        auto& into = names[static_cast<size_t>(argument.callee)][static_cast<size_t>(argument.param)];
        for (const std::string& window : handed)
          if (std::ranges::count(into, window) == 0 && into.size() < kMostWindows) into.push_back(window);
      }
    }
    for (size_t i = 0; i < results_.size(); ++i) finish(results_[i], names[i]);
  }

  void finish(WalkResult& result, const std::vector<std::vector<std::string>>& windows) {
    FunctionGraph& graph = result.graph;
    for (size_t i = 0; i < windows.size(); ++i)
      graph.parameters[i].windows = fmt::format("{}", fmt::join(windows[i], ", "));
    for (const auto& [item, param] : result.collective_params) {
      const std::string& behind = graph.parameters[static_cast<size_t>(param)].windows;
      if (behind.empty()) continue;
      std::string& detail = graph.items[static_cast<size_t>(item)].detail;
      const std::string& name = graph.parameters[static_cast<size_t>(param)].name;
      detail += fmt::format("{}{} in {}", detail.empty() ? "" : ", ", name, behind);
    }
    drop_empty_groups(graph);
    for (const Item& item : graph.items)
      if (item.callee >= 0) ++results_[static_cast<size_t>(item.callee)].graph.callers;
  }

  Surroundings known_;
  NodeMap<std::vector<const Function*>> callees_;
  std::vector<const Function*> order_;
  std::vector<const Function*> callees_first_;
  std::vector<WalkResult> results_;  // by number
};

}  // namespace

std::string_view name_of(ItemKind kind) {
  constexpr std::array<std::string_view, 9> kNames = {"task",   "dispatch", "call", "collective", "window",
                                                      "domain", "loop",     "if",   "scope"};
  return kNames[static_cast<size_t>(kind)];
}

ProgramGraph make_graph(const Program* program) {
  return GraphMaker(program).run();
}

}  // namespace pyptoc::graph
