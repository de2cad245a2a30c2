// SPDX-License-Identifier: Apache-2.0
// Follows windows and scalars from one dispatch through a chip function and its callees to every collective.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/collectives.h"
#include "ir/context.h"
#include "ir/node_map.h"
#include "passes/returned_params.h"

namespace pyptoc::passes {

// Why a scalar may differ from rank to rank.
struct Variation {
  std::string text;  // `n`, which is read from a tensor
  const ir::Node* at = nullptr;
};

// What is known of a scalar under one dispatch.
struct ScalarFact {
  std::optional<Variation> varies;
  const ir::Expr* host = nullptr;  // the same value in terms of the HOST function; null where there is none
  int size = 1;                    // parts of `host`
};

// Places number the storages that a dispatch hands over.
inline constexpr int kOwnPlace = -1;      // made in the chip function
inline constexpr int kUnknownPlace = -2;  // could not be followed

// What a parameter of the chip function is bound to.
struct ParamBinding {
  int place = kOwnPlace;            // of a tensor; equal numbers are one storage
  ScalarFact scalar;                // of a scalar
  std::vector<ScalarFact> extents;  // of a tensor
};

// One collective met on one path.
struct CollectiveUse {
  const ir::Expr* call = nullptr;  // of the synthesized kernel, Call or Submit
  ir::CollectiveVariant variant;
  std::vector<int> places;                       // of the operands
  std::vector<std::vector<ScalarFact>> extents;  // of the operands
  std::optional<Variation> width_varies;
  std::optional<Variation> control_varies;  // a condition or a number of iterations around it
};

// One `system.require` of the chip function, met once for each way to it.
struct RequireUse {
  const ir::Call* call = nullptr;
  std::optional<Variation> varies;
  const ir::Expr* condition = nullptr;  // in terms of the HOST function; null where that cannot be said
  std::vector<const ir::Expr*> values;  // the same; empty when one of them cannot be said
  std::vector<const ir::Expr*> path;    // conditions that all hold then, as far as they can be said
};

class WindowFlowClient {
 public:
  virtual ~WindowFlowClient() = default;
  virtual void collective(const CollectiveUse& use) = 0;
  virtual void require(const RequireUse& use) = 0;
  // More combinations of windows reach one statement than are followed.
  virtual void too_many_paths(const ir::Stmt* at) = 0;
};

// Which functions lead to a collective.
class CollectiveReach {
 public:
  explicit CollectiveReach(const ir::Program* program);
  bool leads_to_collective(const ir::Function* function) const { return reaching_.contains(function); }

 private:
  ir::NodeSet reaching_;
};

// Runs `chip` on all combinations of windows that its branches and loops can bring about. Values that change places are
// followed together, so two buffers that a loop swaps stay two. The client may hear of one use several times.
void follow_windows(const ir::Program* program, const ir::Function* chip, const std::vector<ParamBinding>& params,
                    const CollectiveReach& reach, ReturnedParams& returned, ir::Context& context,
                    WindowFlowClient& client);

}  // namespace pyptoc::passes
