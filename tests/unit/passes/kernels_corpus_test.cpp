// SPDX-License-Identifier: Apache-2.0
// The outlining and kernel passes on every real program: the IR stays valid, and kernels, cores and the order of task
// arguments are those of the facts. Directions that a later pass strengthens are compared as that pass leaves them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "corpus.h"
#include "ir/verifier.h"
#include "ir/walker.h"
#include "passes/assign_cores.h"
#include "passes/call_graph.h"
#include "passes/convert_tensor_to_tile_ops.h"
#include "passes/convert_to_ssa.h"
#include "passes/ctrl_flow_transform.h"
#include "passes/derive_call_directions.h"
#include "passes/flatten_call_expr.h"
#include "passes/fuse_create_assemble_to_slice.h"
#include "passes/inline_functions.h"
#include "passes/normalize_return_order.h"
#include "passes/optimize_orch_tensors.h"
#include "passes/outline_cluster_scopes.h"
#include "passes/outline_hierarchy_scopes.h"
#include "passes/outline_incore_scopes.h"
#include "passes/property_checks.h"
#include "passes/simplify.h"
#include "passes/unroll_loops.h"
#include "paths.h"
#include "serial/reader.h"

namespace pyptoc::passes {
namespace {

namespace fs = std::filesystem;
using test_support::bytes_of;
using namespace ir;

void nothing(const Program*, Findings&) {}

struct Step {
  const char* name;
  PassFunction run;
  void (*check)(const Program*, Findings&);
};
constexpr Step kSteps[] = {
    {"InlineFunctions", inline_functions, nothing},
    {"UnrollLoops", unroll_loops, nothing},
    {"CtrlFlowTransform", ctrl_flow_transform, nothing},
    {"ConvertToSSA", convert_to_ssa, nothing},
    {"Simplify", simplify, nothing},
    {"FlattenCallExpr", flatten_call_expr, nothing},
    {"OutlineHierarchyScopes", outline_hierarchy_scopes, check_SSAForm},
    {"OutlineIncoreScopes", outline_incore_scopes, check_SplitIncoreOrch},
    {"OutlineClusterScopes", outline_cluster_scopes, check_SSAForm},
    {"ConvertTensorToTileOps", convert_tensor_to_tile_ops, check_SSAForm},
    {"OptimizeOrchTensors", optimize_orch_tensors, check_SSAForm},
    {"AssignCores", assign_cores, check_KernelsReady},
    {"NormalizeReturnOrder", normalize_return_order, check_ReturnParamsExplicit},
    {"FuseCreateAssembleToSlice", fuse_create_assemble_to_slice, check_SSAForm},
    {"DeriveCallDirections", derive_call_directions, nothing},
};

// What one task takes: kernels with their cores, and the tensor arguments in the order of the kernels' parameters.
struct Inner {
  std::vector<const Function*> kernels;
  std::vector<int> order;  // outer argument of each kernel parameter, -1 where it is none
};

Inner inner_of(const Program* program, const Function* f) {
  Inner out;
  if (is_kernel(f)) {
    out.kernels.push_back(f);
    for (size_t i = 0; i < f->params.size(); ++i) out.order.push_back(static_cast<int>(i));
    return out;
  }
  for (const Expr* call : function_calls(f)) {
    const Function* callee = program->find(called_function(call));
    if (callee == nullptr) continue;
    Inner inner = inner_of(program, callee);
    List<const Expr*> args = call_args(call);
    out.order.clear();
    for (int at : inner.order) {
      auto found = at < 0 || static_cast<size_t>(at) >= args.size()
                       ? f->params.end()
                       : std::find(f->params.begin(), f->params.end(), args[static_cast<size_t>(at)]);
      out.order.push_back(found != f->params.end() ? static_cast<int>(found - f->params.begin()) : -1);
    }
    out.kernels.insert(out.kernels.end(), inner.kernels.begin(), inner.kernels.end());
  }
  return out;
}

std::string tag_of(int32_t direction) {
  switch (static_cast<ArgDirection>(direction)) {
    case ArgDirection::Input:
      return "add_input";
    case ArgDirection::Output:
    case ArgDirection::OutputExisting:
      return "add_output";
    case ArgDirection::InOut:
      return "add_inout";
    default:
      return "add_no_dep";
  }
}

class Tasks : public Walker {
 public:
  explicit Tasks(const Program* program) : program_(program) {}
  std::vector<std::string> events;
  std::vector<std::string> kernels;  // by first submit

 protected:
  void visit(const Node* node) override {
    children(node);
    const Op* op = called_function(node);
    const Function* callee = op != nullptr ? program_->find(op) : nullptr;
    if (callee == nullptr || (!is_kernel(callee) && !is_wrapper(callee))) return;
    Inner inner = inner_of(program_, callee);
    List<Attr> attrs = as<Call>(node) != nullptr ? as<Call>(node)->attrs : as<Submit>(node)->attrs;
    const AttrValue* directions = find_attr(attrs, "arg_directions");
    List<const Expr*> args = call_args(node);
    for (int at : inner.order) {
      if (at < 0 || directions == nullptr) continue;
      size_t i = static_cast<size_t>(at);
      if (i >= args.size())
        events.push_back("add_output");
      else if (as_tensor(args[i]->type) != nullptr)
        events.push_back(tag_of(directions->as_ints()[i]));
    }
    events.push_back(inner.kernels.size() > 1 ? "rt_submit_task" : submit_of(inner.kernels.front()));
    for (const Function* kernel : inner.kernels) {
      std::string row = std::string(kernel->name) + (kernel->func_type == FunctionType::Aic ? " aic" : " aiv");
      if (std::find(kernels.begin(), kernels.end(), row) == kernels.end()) kernels.push_back(row);
    }
  }

 private:
  static std::string submit_of(const Function* kernel) {
    if (kernel->func_type == FunctionType::Aic) return "rt_submit_aic_task";
    return bool_attr(kernel->attrs, "dual_aiv_dispatch", false) ? "rt_submit_task" : "rt_submit_aiv_task";
  }
  const Program* program_;
};

// The parts of the facts that this test is about, read by events of the JSON reader.
using Json = nlohmann::json;

bool is_compared(const std::string& event) {
  return event.starts_with("add_") ? event != "add_scalar"
                                   : event.starts_with("rt_submit") && event != "rt_submit_dummy_task";
}

std::string compare(const Program* program, const Json& facts) {
  std::map<std::string, Tasks> found;
  for (const auto& [folder, build] : facts.at("sub_builds").items()) {
    if (folder.find("builtin.") != std::string::npos || !build.contains("orchestration_events") ||
        build["orchestration_events"].is_null())
      continue;
    std::string source = build.at("orchestration").at("source").get<std::string>();
    std::string name = fs::path(source).stem().string();
    const Function* f = program->find(name);
    if (f == nullptr) return "no orchestration " + name;
    Tasks tasks(program);
    tasks.walk(f->body);
    std::vector<std::string> kernels;
    for (const Json& k : build["kernels"])
      kernels.push_back(k["name"].get<std::string>() + " " + k["core_type"].get<std::string>());
    if (kernels != tasks.kernels) return name + ": other kernels";
    std::vector<std::string> events;
    for (const Json& e : build["orchestration_events"])
      if (is_compared(e.get<std::string>())) events.push_back(e.get<std::string>());
    if (events != tasks.events) return name + ": other arguments";
  }
  return "";
}

// What is wrong with the passes on one program; empty when nothing is.
std::string run_on(const fs::path& path, const Json& facts) {
  Context ir;
  diag::Engine diags;
  Options options;
  if (const Target* target = find_target(facts.value("target", "a2a3"))) options.target = *target;
  PassContext context{ir, diags, options};
  const Program* program = serial::read_program(ir, bytes_of(path), diags);
  if (program == nullptr) return "not read";
  for (const Step& step : kSteps) {
    program = step.run(program, context);
    auto error = [&](std::string text) {
      for (const diag::Diagnostic& d : diags.sorted()) text += " " + std::string(d.code->id) + " " + d.message;
      return std::string(step.name) + text;
    };
    if (diags.has_errors()) return error(" reports");
    Findings findings;
    step.check(program, findings);
    if (!findings.empty()) return error(": " + findings[0]);
    if (!verify(program, diags)) return error(" leaves");
    bool repeatable = step.run == optimize_orch_tensors || step.run == normalize_return_order ||
                      step.run == fuse_create_assemble_to_slice;
    if (repeatable && step.run(program, context) != program) return error(" changes its own result");
  }
  return facts.contains("sub_builds") ? compare(program, facts) : "";
}

// Programs whose facts differ and why; docs/differences.md has the whole story.
const std::map<std::string, std::string> kExplained = {};

TEST_CASE("kernels of real programs are those of the facts") {
  fs::path folder = test_support::shared_dir() / "corpus";
  if (!fs::exists(folder)) {
    WARN("no corpus in " << folder.string());
    return;
  }
  std::vector<fs::path> programs;
  for (const char* part : {"programs", "models"})
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / part))
      if (entry.path().extension() == ".msgpack") programs.push_back(entry.path());
  std::sort(programs.begin(), programs.end());
  int agree = 0;
  int compared = 0;
  for (const fs::path& path : programs) {
    Json facts = Json::parse(bytes_of(fs::path(path).replace_extension(".facts.json")));
    if (!facts.value("compiles", false)) continue;
    ++compared;
    std::string why = run_on(path, facts);
    if (why.empty()) ++agree;
    INFO(path.filename().string() << ": " << why);
    CHECK((why.empty() || kExplained.contains(path.stem().string())));
  }
  std::printf("kernels, cores and task arguments as in the facts: %d of %d programs\n", agree, compared);
}

}  // namespace
}  // namespace pyptoc::passes
