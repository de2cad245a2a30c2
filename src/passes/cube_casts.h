// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/node_map.h"
#include "ir/program.h"
#include "ir/walker.h"

namespace pyptoc::passes {

// Casts that the cube core does by itself while it moves an accumulator to the operand memory of the next product.
class CubeCasts : public ir::Walker {
 public:
  explicit CubeCasts(const ir::Function* f) { walk(f->body); }

  // FP32 to BF16 or FP16 with rounding to the nearest even, of a plain product, used by nothing but other products.
  bool holds(const ir::Var* result, const ir::Call* cast) const;

 protected:
  void visit(const ir::Node* node) override;

 private:
  struct Use {
    int all;
    int in_products;
  };
  ir::NodeMap<Use> uses_;
  ir::NodeMap<const ir::Expr*> made_by_;
};

}  // namespace pyptoc::passes
