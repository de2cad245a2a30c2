// SPDX-License-Identifier: Apache-2.0
// Regions with constant bounds that operators read or write lie inside their tensor or tile.
#include "diag/codes_verify.h"
#include "ir/describe.h"
#include "ir/op_rules.h"
#include "ir/verifier_body.h"

namespace pyptoc::ir {

namespace {

struct Region {
  const ShapedType* of = nullptr;
  List<const Expr*> offsets;
  List<const Expr*> extents;  // empty: one element
};

List<const Expr*> elements(const Call& call, size_t position) {
  if (position >= call.args.size()) return {};
  return tuple_elements(call.args[position]).value_or(List<const Expr*>{});
}

// What a tensor or tile really holds.
List<const Expr*> held_by(const Type* type) {
  if (const TensorType* tensor = as_tensor(type)) return valid_shape_of(tensor);
  const TileType* tile = as_tile(type);
  if (tile == nullptr) return {};
  return tile->view != nullptr && !tile->view->valid_shape.empty() ? tile->view->valid_shape : tile->shape;
}

// `requested` where it is given, otherwise `shape`.
List<const Expr*> narrowed(List<const Expr*> shape, List<const Expr*> requested) {
  return requested.empty() ? shape : requested;
}

Region region_of(const Call& call) {
  auto shaped = [&](size_t position) { return as_shaped(call.args[position]->type); };
  switch (call.op->id) {
    case OpId::TensorSlice:
    case OpId::TileSlice:
      return {shaped(0), elements(call, 2), narrowed(elements(call, 1), elements(call, 3))};
    case OpId::TileLoad:
      return {shaped(0), elements(call, 1), elements(call, 3)};
    case OpId::TileStore:
      return {shaped(2), elements(call, 1), narrowed(held_by(call.args[0]->type), elements(call, 3))};
    case OpId::TensorAssemble:
    case OpId::TileAssemble:
      return {shaped(0), elements(call, 2), held_by(call.args[1]->type)};
    case OpId::TensorRead:
    case OpId::TensorWrite:
    case OpId::TileRead:
    case OpId::TileWrite:
    case OpId::PldSystemWait:
    case OpId::PldSystemDeferWait:
      return {shaped(0), elements(call, 1), {}};
    case OpId::PldSystemNotify:
      return {shaped(0), elements(call, 2), {}};
    case OpId::PldTileRemoteLoad:
      return {shaped(0), elements(call, 2), narrowed(elements(call, 3), elements(call, 4))};
    case OpId::PldTileRemoteStore:
      return {shaped(1), elements(call, 3), held_by(call.args[0]->type)};
    default:
      return {};
  }
}

}  // namespace

void BodyVerifier::region(const Call& call) {
  Region region = region_of(call);
  bool one_element = region.extents.empty();
  if (region.of == nullptr || region.offsets.size() != region.of->shape.size()) return;
  if (!one_element && region.extents.size() != region.offsets.size()) return;  // a view in another shape
  bool clamped = bool_attr(call.kwargs, "clamp", false);
  for (size_t axis = 0; axis < region.offsets.size(); ++axis) {
    std::optional<int64_t> from = const_int(region.offsets[axis]);
    std::optional<int64_t> count = one_element ? std::optional<int64_t>(1) : const_int(region.extents[axis]);
    std::optional<int64_t> extent = const_int(region.of->shape[axis]);
    if (!from.has_value()) continue;
    int64_t end = 0;
    bool beyond = !clamped && count.has_value() && extent.has_value() &&
                  (__builtin_add_overflow(*from, *count, &end) || end > *extent);
    if (*from >= 0 && !beyond) continue;
    std::string what = one_element ? "element " + std::to_string(*from)
                                   : describe(region.extents[axis]) + " elements from " + std::to_string(*from);
    engine_.report(diag::codes::region_out_of_bounds, place_of(at_), call.op->name, what, axis, describe(region.of));
  }
}

}  // namespace pyptoc::ir
