// SPDX-License-Identifier: Apache-2.0
// Shows what passes do: --dump-passes, --print-after and its like, -vv.
#pragma once

#include <string>

#include "driver/session.h"
#include "ir/program.h"

namespace pyptoc::driver {

class PassObserver {
 public:
  // Removes the dumps of an earlier run, which would mislead since unchanged programs are not dumped.
  explicit PassObserver(Session& session);

  void after_pass(size_t row, const ir::Program* before, const ir::Program* after);

 private:
  void dump(size_t row, const ir::Program* program);
  void print(size_t row, const ir::Program* program, bool changed);
  bool is_print_wanted(size_t row, bool changed) const;

  Session& session_;
};

// `05-Simplify`: the number of a row of the pipeline, from 1, and its name.
std::string numbered_name(size_t row);

}  // namespace pyptoc::driver
