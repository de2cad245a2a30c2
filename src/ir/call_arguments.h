// SPDX-License-Identifier: Apache-2.0
// Which argument of a call belongs to which parameter.
#pragma once

#include <optional>

#include "ir/program.h"

namespace pyptoc::ir {

// By position, except where a Submit leaves trailing Out parameters to the runtime: contexts of windows, which a pass
// appends to signatures and arguments, are never left out, so the last arguments are theirs.
class CallArguments {
 public:
  CallArguments(const Function* f, List<const Expr*> args) : args_(args.size()), params_(f->params.size()) {
    if (args_ >= params_) return;
    while (contexts_ < args_ && f->params[params_ - contexts_ - 1]->type->kind == TypeKind::CommCtxType) ++contexts_;
  }
  // How many parameters get theirs by position.
  size_t by_position() const { return args_ - contexts_; }
  std::optional<size_t> of_param(size_t param) const {
    if (param < by_position()) return param;
    if (param + contexts_ >= params_ && param < params_) return args_ + param - params_;
    return std::nullopt;
  }
  // Requires an argument of a parameter.
  size_t param_of(size_t arg) const { return arg < by_position() ? arg : arg + params_ - args_; }

 private:
  size_t args_;
  size_t params_;
  size_t contexts_ = 0;  // counted only where arguments are left out
};

}  // namespace pyptoc::ir
