// SPDX-License-Identifier: Apache-2.0
// Every real program with a HOST function through the whole pipeline: no error, the IR stays valid after each pass,
// what the HOST passes leave comes back from its text, and domains and dispatches are those of the facts.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "corpus.h"
#include "first_error.h"
#include "ir/collectives.h"
#include "ir/equal.h"
#include "ir/op_table.h"
#include "ir/verifier.h"
#include "ir/walker.h"
#include "passes/call_graph.h"
#include "passes/pipeline.h"
#include "serial/reader.h"
#include "text/parser.h"
#include "text/printer.h"

namespace pyptoc::passes {
namespace {

namespace fs = std::filesystem;
using test_support::bytes_of;
using test_support::corpus_folder;
using test_support::graphs_in;
using namespace ir;

bool has_host(const Program* program) {
  return std::any_of(program->functions.begin(), program->functions.end(), is_host_orchestrator);
}

// The program comes back from its text.
std::string round_trip(const Program* program) {
  Context ir;
  diag::Engine diags;
  const Program* again = text::parse_program(ir, text::print_program(program), "again.py", diags);
  if (again == nullptr) return "text is not read: " + first_error(diags);
  std::optional<Difference> found = first_difference(program, again);
  return found ? "text gives another program: " + found->path + ": " + found->text : "";
}

// Domains with their buffers and dispatches with their loops, as host_events of the facts have them; arguments and
// tensors are what emission adds.
class Events : public Walker {
 public:
  explicit Events(const Program* program) : program_(program) {}
  std::vector<std::string> events;

 protected:
  void visit(const Node* node) override {
    if (const CommDomainScopeStmt* domain = as<CommDomainScopeStmt>(node)) {
      events.push_back("domain");
      events.insert(events.end(), domain->slots.size(), "buffer");
    }
    if (node->kind == NodeKind::ForStmt) events.push_back("for");
    if (const Op* op = called_function(node)) {
      const Function* callee = program_->find(op);
      if (callee->role != Role::SubWorker) events.push_back("dispatch:" + std::string(op->name));
    }
    const Call* call = as<Call>(node);
    if (call != nullptr && !call->op->is_global_var && is_builtin(call->op->id))
      events.push_back("dispatch:" + builtin_name(*variant_of(call)));
    children(node);
  }

 private:
  const Program* program_;
};

std::vector<std::string> events_of(const Program* program) {
  Events out(program);
  for (const Function* f : program->functions)
    if (is_host_orchestrator(f)) out.walk(f->body);
  return out.events;
}
std::vector<std::string> events_due(const fs::path& facts) {
  std::vector<std::string> out;
  nlohmann::json all = nlohmann::json::parse(bytes_of(facts));
  for (const auto& event : all.value("host_events", nlohmann::json::array())) {
    std::string text = event.get<std::string>();
    if (text == "domain" || text == "buffer" || text == "for" || text.starts_with("dispatch:")) out.push_back(text);
  }
  return out;
}

// What is wrong with one program; empty when nothing is, or when it has no HOST function.
std::string run_on(const std::string& bytes, const fs::path& facts, int& programs) {
  Context ir;
  diag::Engine diags;
  Options options;
  PassContext context{ir, diags, options};
  const Program* program = serial::read_program(ir, bytes, diags);
  if (program == nullptr) return "not read: " + first_error(diags);
  if (!has_host(program)) return "";
  ++programs;
  if (!verify(program, diags)) return first_error(diags);
  RunPlan plan;
  plan.rows = rows_between("", "", options);
  std::string fault;
  size_t first_host = static_cast<size_t>(find_pass("SynthesizeAllReduceSignals"));
  plan.after_pass = [&](size_t row, const Program*, const Program* after) {
    if (!fault.empty() || diags.has_errors() || row < first_host) return;
    diag::Engine found;
    if (!verify(after, found, {.allow_builtin = true}))
      fault = std::string(pipeline()[row].name) + " leaves " + first_error(found);
    else if (fault = round_trip(after); !fault.empty())
      fault = std::string(pipeline()[row].name) + ": " + fault;
  };
  program = run_passes(program, context, plan);
  if (program == nullptr) return first_error(diags);
  if (!fault.empty() || !fs::exists(facts)) return fault;
  std::vector<std::string> due = events_due(facts);
  std::vector<std::string> have = events_of(program);
  if (due.empty() || due == have) return "";
  for (size_t i = 0; i < std::max(due.size(), have.size()); ++i)
    if (i >= due.size() || i >= have.size() || due[i] != have[i])
      return "host event " + std::to_string(i) + " is " + (i < have.size() ? have[i] : "missing") + ", due is " +
             (i < due.size() ? due[i] : "none");
  return "";
}

TEST_CASE("real programs with a HOST function go through the pipeline", "[corpus]") {
  int programs = 0;
  for (const char* folder : {"programs", "models", "large"}) {
    for (const fs::path& file : graphs_in(corpus_folder() / folder)) {
      if (std::string_view(folder) == "large" && file.filename().string().substr(0, 4) != "host") continue;
      fs::path facts = file;
      facts.replace_extension(".facts.json");
      std::string fault = run_on(bytes_of(file), facts, programs);
      INFO(file.filename().string() << ": " << fault);
      CHECK(fault.empty());
    }
  }
  if (programs == 0) WARN("skipped: no programs");
}

}  // namespace
}  // namespace pyptoc::passes
