// SPDX-License-Identifier: Apache-2.0
// From the text of a program to something that the stand-in runs, and what a run of it should give.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codegen/chip_unit.h"
#include "ir/context.h"
#include "orchestration/kernels.h"
#include "passes/pipeline.h"
#include "runtime/standin/compile.h"

namespace pyptoc::orchestration {

// Arguments of one run: the extents M and N, and the scalars in order.
struct Sample {
  int64_t m = 64;
  int64_t n = 4;
  std::vector<double> scalars = {};
};

struct Case {
  std::string name;
  std::string text;
  std::vector<Sample> samples = {{64, 4, {4}}, {32, 3, {1}}};
  bool analyze_deps = false;  // --analyze-deps
  bool for_a5 = false;        // --target a5
};

// Changes the program behind the last pass.
using Change = std::function<const ir::Program*(ir::Context&, const ir::Program*)>;

// A program before and after the passes, and the C++ of its orchestrations.
class Lowered {
 public:
  explicit Lowered(const Case& one, const Change& change = {});

  const std::string& error() const { return error_; }
  const ir::Program* before() const { return before_; }
  const ir::Program* after() const { return after_; }
  const std::vector<codegen::ChipUnit>& units() const { return units_; }
  ir::Context& ir() { return ir_; }

 private:
  void lower(const Case& one, const Change& change);

  ir::Context ir_;
  diag::Engine diags_;
  const ir::Program* before_ = nullptr;
  const ir::Program* after_ = nullptr;
  std::vector<codegen::ChipUnit> units_;
  std::string error_;
};

// One orchestration of a program, loaded.
struct Runnable {
  const Lowered* lowered = nullptr;
  const ir::Function* meant = nullptr;  // before any pass
  standin::Program program;
  std::vector<standin::Direction> signature = {};  // of its tensors
};

// Compiles all units in one go; `error` is empty when that worked.
struct Batch {
  std::vector<std::vector<Runnable>> programs;  // for each program its orchestrations
  std::string error;
};
Batch compile(const std::vector<const Lowered*>& programs);

standin::Arguments arguments_of(const ir::Function* function, const Sample& sample);
// The tensors of a run in order of parameters, by the interpreter.
std::vector<std::vector<unsigned char>> meaning(const ir::Program* program, const ir::Function* function,
                                                const Sample& sample);
// What is wrong in `seeds` runs of it; empty when each one gives what the program means. `strict` also looks at whether
// kernels write what they were given as inputs.
std::string wrong(const Runnable& one, const Sample& sample, int seeds, bool strict = true);

}  // namespace pyptoc::orchestration
