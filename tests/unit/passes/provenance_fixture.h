// SPDX-License-Identifier: Apache-2.0
// HOST functions that dispatch chip functions with collectives, run up to CheckWindowProvenance.
#pragma once

#include <fmt/format.h>

#include <cctype>
#include <string>

#include "front_fixture.h"
#include "passes/check_window_provenance.h"
#include "passes/convert_to_ssa.h"
#include "passes/flatten_call_expr.h"
#include "passes/lower_l2_tensor_collectives.h"
#include "passes/materialize_comm_domain_scopes.h"
#include "passes/normalize_return_order.h"
#include "passes/simplify.h"

namespace pyptoc::passes::testing {

// W is a window of 4 INT32, which serves as data and as a signal of 4 ranks; X a plain tensor of 4 INT32.
inline std::string provenance_words(std::string text) {
  auto replace = [&](std::string_view word, std::string_view type) {
    auto is_letter = [&](size_t at) {
      return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
    };
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
      const bool alone = (at == 0 || !is_letter(at - 1)) && !is_letter(at + word.size());
      if (alone) text.replace(at, word.size(), type);
      at += alone ? type.size() : word.size();
    }
  };
  replace("W", "pld.DistributedTensor[[4], pl.INT32]");
  replace("X", "pl.Tensor[[4], pl.INT32]");
  replace("SUM", "op=pld.ReduceOp.Sum");
  return text;
}

inline constexpr std::string_view kProvenanceKernels = R"(
@pl.function(type=pl.FunctionType.AIV)
def touch(w: pl.InOut[W]) -> W:
    return w

@pl.function(type=pl.FunctionType.AIV)
def swap(a: pl.InOut[W], b: pl.InOut[W]) -> tuple[W, W]:
    return a, b

)";

// Three allocations a, b and c with a view of each, and `dispatch` in a loop over the 4 devices.
inline std::string in_device_loop(std::string_view dispatch) {
  return "    a_buf = pld.tensor.alloc_window_buffer(16, name=\"a_buf\")\n"
         "    b_buf = pld.tensor.alloc_window_buffer(16, name=\"b_buf\")\n"
         "    c_buf = pld.tensor.alloc_window_buffer(16, name=\"c_buf\")\n"
         "    a = pld.tensor.window(a_buf, [4], dtype=pl.INT32)\n"
         "    a2 = pld.tensor.window(a_buf, [4], dtype=pl.INT32)\n"
         "    b = pld.tensor.window(b_buf, [4], dtype=pl.INT32)\n"
         "    c = pld.tensor.window(c_buf, [4], dtype=pl.INT32)\n"
         "    for r in pl.range(4):\n"
         "        keep(a, b, c, device=r)\n"
         "        " +
         std::string(dispatch) + "\n";
}

class ProvenanceRun : public PassRun {
 public:
  // `chip` is text of functions, among them what `host` dispatches.
  ProvenanceRun(std::string_view chip, std::string_view host,
                std::string_view host_params = "x: X, n: pl.Scalar[pl.INDEX]", const Options& options = {})
      : PassRun(provenance_words(std::string(kProvenanceKernels) +
                                 "@pl.function(type=pl.FunctionType.Orchestration)\n"
                                 "def keep(a: pl.InOut[W], b: pl.InOut[W], c: pl.InOut[W]):\n    a = touch(a)\n\n" +
                                 std::string(chip) +
                                 "\n@pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\ndef host(" +
                                 std::string(host_params) + "):\n" + std::string(host)),
                {convert_to_ssa, simplify, flatten_call_expr, normalize_return_order, lower_l2_tensor_collectives,
                 materialize_comm_domain_scopes, check_window_provenance},
                options) {}

  // `E0660: message`, one a line, each message once.
  std::string errors() {
    std::string out;
    for (const diag::Diagnostic& d : diags().sorted()) out += std::string(d.code->id) + ": " + d.message + "\n";
    return out;
  }
  // The codes only, `E0660 E0664`.
  std::string codes() {
    std::string out;
    for (const diag::Diagnostic& d : diags().sorted()) {
      std::string id(d.code->id);
      if (out.find(id) == std::string::npos) out += (out.empty() ? "" : " ") + id;
    }
    return out;
  }
};

// A program, and the codes that it must give.
struct Case {
  std::string_view what;
  std::string chip;
  std::string host;
  std::string_view codes = "";
};

inline void check(const Case& one) {
  ProvenanceRun run(one.chip, one.host);
  INFO(one.what << "\n" << run.messages());
  CHECK(run.codes() == one.codes);
}

// One chip function `chip` over windows a, b, c, a plain tensor x and a scalar n.
inline std::string chip_function(std::string_view body, std::string_view name = "chip") {
  return "@pl.function(type=pl.FunctionType.Orchestration)\ndef " + std::string(name) +
         "(a: pl.InOut[W], b: pl.InOut[W], c: pl.InOut[W], x: X, n: pl.Scalar[pl.INDEX]):\n" + std::string(body) + "\n";
}

inline const std::string kReduce = "    a = pld.tensor.allreduce(a, b, SUM)\n";
inline std::string dispatch(std::string_view args) {
  return in_device_loop(fmt::format("chip({}, device=r)", args));
}
inline constexpr std::string_view kGood = "a, b, c, x, n";

// A chip body under a dispatch of three different windows, and the same under one that passes a for b, for c.
inline Case body(std::string_view what, std::string_view text, std::string_view args, std::string_view codes) {
  return {what, chip_function(text), dispatch(args), codes};
}

inline std::string typed_chip(std::string_view params, std::string_view text) {
  return "@pl.function(type=pl.FunctionType.Orchestration)\ndef chip(" + std::string(params) + "):\n" +
         std::string(text) + "\n";
}
inline std::string typed_host(std::string_view views, std::string_view devices, std::string_view args) {
  std::string out;
  for (const char* name : {"p", "q", "s", "t"})
    out += fmt::format("    {0}_buf = pld.tensor.alloc_window_buffer(4096, name=\"{0}_buf\")\n", name);
  return out + std::string(views) + "    for r in pl.range(" + std::string(devices) + "):\n        chip(" +
         std::string(args) + ", device=r)\n";
}

}  // namespace pyptoc::passes::testing
