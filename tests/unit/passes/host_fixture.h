// SPDX-License-Identifier: Apache-2.0
// HOST functions for tests: a body, with chip programs to dispatch, run through the passes up to a given one.
#pragma once

#include <algorithm>

#include "front_fixture.h"
#include "ir/verifier.h"
#include "passes/convert_to_ssa.h"
#include "passes/flatten_call_expr.h"
#include "passes/lower_host_tensor_collectives.h"
#include "passes/materialize_comm_domain_scopes.h"
#include "passes/materialize_dist_tensor_ctx.h"
#include "passes/require_host_extents.h"
#include "passes/simplify.h"
#include "passes/synthesize_allreduce_signals.h"

namespace pyptoc::passes::testing {

// A chip program for a window of each of a few types: `use` for 64 floats, `rows` for 4 x 64, `cells` for a signal
// of 4.
inline constexpr std::string_view kChips = R"(
@pl.function(type=pl.FunctionType.Orchestration)
def use(x: pl.InOut[pld.DistributedTensor[[64], pl.FP32]]):
    pass

@pl.function(type=pl.FunctionType.Orchestration)
def rows(x: pl.InOut[pld.DistributedTensor[[4, 64], pl.FP32]]):
    pass

@pl.function(type=pl.FunctionType.Orchestration)
def cells(x: pl.InOut[pld.DistributedTensor[[4], pl.INT32]]):
    pass

)";

// `body` is written as at the top level: without indentation.
inline std::string host_source(std::string_view body, std::string_view parameters = "") {
  std::string out(kChips);
  out += "@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\ndef host(" + std::string(parameters) + "):\n";
  while (!body.empty()) {
    size_t end = std::min(body.find('\n'), body.size() - 1);
    out += "    " + std::string(body.substr(0, end + 1));
    body.remove_prefix(end + 1);
  }
  return out;
}
inline int first_body_line(std::string_view parameters = "") {
  std::string before = program_text(host_source("", parameters));
  return static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
}

// The passes that make a HOST function ready for the pass under test, and that one.
inline const std::vector<PassFunction>& up_to(PassFunction last) {
  static std::vector<PassFunction> out;
  out.clear();
  for (PassFunction pass :
       {convert_to_ssa, simplify, flatten_call_expr, synthesize_allreduce_signals, materialize_comm_domain_scopes,
        lower_host_tensor_collectives, require_host_extents, materialize_dist_tensor_ctx}) {
    out.push_back(pass);
    if (pass == last) break;
  }
  return out;
}

class HostRun {
 public:
  explicit HostRun(std::string_view body, PassFunction last = materialize_dist_tensor_ctx,
                   std::string_view parameters = "", const Options& options = {})
      : first_line_(first_body_line(parameters)) {
    program_ = text::parse_program(ir_, program_text(host_source(body, parameters)), "test.py", diags_);
    PassContext context{ir_, diags_, options};
    for (PassFunction pass : up_to(last))
      if (program_ != nullptr && !diags_.has_errors()) program_ = pass(program_, context);
    if (program_ != nullptr && !diags_.has_errors()) ir::verify(program_, diags_, {.allow_builtin = true});
  }

  // `E0613 8: message`, `  note: text`, `  help: text` for each diagnostic; lines count from the body's first.
  std::string messages() const {
    std::string out;
    for (const diag::Diagnostic& d : diags_.sorted()) {
      out += std::string(d.code->id) + " " + std::to_string(d.place.begin_line - first_line_ + 1) + ": " + d.message +
             "\n";
      for (const auto& note : d.notes)
        out += "  note " + std::to_string(note.place ? note.place->begin_line - first_line_ + 1 : 0) + ": " +
               note.text + "\n";
      for (const std::string& help : d.helps) out += "  help: " + help + "\n";
    }
    return out;
  }
  // The text of the HOST function's body, without indentation.
  std::string body() const {
    if (program_ == nullptr || diags_.has_errors()) return messages();
    std::string text = text::print_program(program_);
    size_t at = text.find("def host(");
    at = text.find(":\n", at) + 2;
    std::string out;
    while (at < text.size() && text.compare(at, 8, "        ") == 0) {
      size_t end = text.find('\n', at);
      out += text.substr(at + 8, end - at - 7);
      at = end + 1;
    }
    return out;
  }
  // How often a text occurs in the body.
  int count(std::string_view what) const {
    std::string text = body();
    int out = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++out;
    return out;
  }
  const ir::Program* program() const { return program_; }
  ir::Context& ir() { return ir_; }
  diag::Engine& diags() { return diags_; }

 private:
  int first_line_;
  ir::Context ir_;
  diag::Engine diags_;
  const ir::Program* program_ = nullptr;
};

// An allreduce over every device and what it needs; the call itself is the next line, 7.
inline std::string two_windows(std::string_view signal_shape = "[4]", std::string_view devices = "pld.world_size()") {
  return "buf = pld.alloc_window_buffer(256)\nsbuf = pld.alloc_window_buffer(1024)\n"
         "x = pld.window(buf, [64], dtype=pl.FP32)\ns = pld.window(sbuf, " +
         std::string(signal_shape) + ", dtype=pl.INT32)\nfor r in pl.range(" + std::string(devices) +
         "):\n    use(x, device=r)\n";
}

}  // namespace pyptoc::passes::testing
