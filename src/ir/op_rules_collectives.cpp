// SPDX-License-Identifier: Apache-2.0
// Type rules of the collectives, public and builtin: what one call shows of its operands. Element types, ReduceOps and
// operand roles are read from the table in collectives.h. What depends on where the call stands (devices, cores, the
// layout of a ring's signal) is for the pass of each rail.
#include <fmt/format.h>

#include <limits>

#include "diag/codes_host.h"
#include "ir/collectives.h"
#include "ir/describe.h"
#include "ir/equal.h"
#include "ir/op_rules.h"

namespace pyptoc::ir {

namespace {

constexpr int64_t kMaxCoreNum = std::numeric_limits<int32_t>::max();

std::string shape_text(const TensorType* type) {
  std::string out = "[";
  for (const Expr* extent : type->shape) out += (out.size() > 1 ? ", " : "") + describe(extent);
  return out + "]";
}

template <class T>
std::string list_text(List<T> values) {
  std::string out;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += i + 1 == values.size() ? " or " : ", ";
    out += name_of(values[i]);
  }
  return out;
}

class CollectiveRule {
 public:
  CollectiveRule(TypeRuleInput& in, const CollectiveInfo& info) : in_(in), info_(info) {}

  // The type follows from the data operand whatever is wrong with the rest, so that a text whose types are not written
  // is read, and its faults are then told one by one.
  const Type* result() {
    distinct_operands();
    if (info_.id != Collective::Barrier) data_operands();
    signal();
    if (info_.id == Collective::AllToAllV || info_.id == Collective::IndexedAllToAllV) counts();
    scalars();
    return in_.args[info_.data_operand]->type;
  }

 private:
  template <class... Args>
  void report(const diag::Code<Args...>& code, std::type_identity_t<Args>... arguments) {
    good_ = false;
    if (in_.engine != nullptr) in_.engine->report(code, in_.place, arguments...);
  }
  std::string_view op() const { return in_.info.name; }
  std::string_view name_of_operand(size_t i) const { return in_.info.operands[i].name; }
  size_t tensors() const { return std::min(info_.operand_count, in_.args.size()); }
  const TensorType* type_of(size_t i) const { return i < tensors() ? as_tensor(in_.args[i]->type) : nullptr; }
  static std::optional<int64_t> extent(const TensorType* type, size_t axis) {
    return axis < type->shape.size() ? const_int(type->shape[axis]) : std::nullopt;
  }

  void distinct_operands() {
    for (size_t i = 0; i < tensors(); ++i)
      for (size_t j = i + 1; j < tensors(); ++j)
        if (in_.args[i] == in_.args[j] || expr_equal(in_.args[i], in_.args[j]))
          report(diag::codes::operand_passed_twice, op(), describe(in_.args[i]), name_of_operand(i),
                 name_of_operand(j));
  }

  void data_operands() {
    const TensorType* data = type_of(info_.data_operand);
    if (data == nullptr) return;
    if (!is_supported(info_.id, data->dtype))
      report(diag::codes::collective_dtype, name_of_operand(info_.data_operand), title(),
             list_text(supported_dtypes(info_.id)), name_of(data->dtype));
    for (size_t axis = 0; axis < data->shape.size(); ++axis)
      if (extent(data, axis) == 0)
        return report(diag::codes::collective_empty, name_of_operand(info_.data_operand), op(), shape_text(data));
    switch (info_.id) {
      case Collective::ReduceScatter:
        return shape(0, "[NR, SIZE]", data->shape.size() == 2);
      case Collective::Allgather: {
        const TensorType* input = type_of(0);
        shape(0, "[1, SIZE]", input != nullptr && input->shape.size() == 2 && extent(input, 0).value_or(1) == 1);
        shape(1, "[NR, SIZE]", data->shape.size() == 2);
        return same_rows(false);
      }
      case Collective::AllToAll:
        shape(0, "[NR, SIZE]", has_rank(0, 2));
        shape(1, "[NR, SIZE]", has_rank(1, 2));
        return same_rows(true);
      case Collective::IndexedAllToAllV:  // its index chooses among any number of rows
        shape(0, "[ROWS, SIZE]", has_rank(0, 2));
        shape(1, "[NR * MAX_RECV, SIZE]", has_rank(1, 2));
        return same_rows(false);
      case Collective::AllToAllV:
        shape(0, "[NR * MAX_RECV, SIZE]", has_rank(0, 2));
        shape(1, "[NR * MAX_RECV, SIZE]", has_rank(1, 2));
        return same_rows(true);
      default:
        return;
    }
  }
  // `pld.tensor.allreduce` names two rows of the table.
  std::string title() const {
    return info_.id == Collective::AllreduceRing ? fmt::format("{}` with mode `ring", op()) : std::string(op());
  }
  bool has_rank(size_t i, size_t rank) const {
    const TensorType* type = type_of(i);
    return type != nullptr && type->shape.size() == rank;
  }
  void shape(size_t i, std::string_view due, bool good) {
    const TensorType* type = type_of(i);
    if (type != nullptr && !good)
      report(diag::codes::collective_shape, name_of_operand(i), op(), due, shape_text(type));
  }

  // Of input and target: element type, row length, and the number of rows where both have one for each rank.
  void same_rows(bool rows_too) {
    const TensorType* input = type_of(0);
    const TensorType* target = type_of(1);
    if (!good_ || input == nullptr || target == nullptr) return;
    if (input->dtype != target->dtype)
      report(diag::codes::operands_disagree, "element type", op(), name_of(input->dtype), name_of_operand(0),
             name_of(target->dtype), name_of_operand(1));
    same_extent(0, 1, 1, 1, "row length");
    if (rows_too) same_extent(0, 0, 1, 0, "number of rows");
  }
  void same_extent(size_t a, size_t axis_a, size_t b, size_t axis_b, std::string_view what) {
    std::optional<int64_t> left = extent(type_of(a), axis_a);
    std::optional<int64_t> right = extent(type_of(b), axis_b);
    if (left.has_value() && right.has_value() && *left != *right)
      report(diag::codes::operands_disagree, what, op(), std::to_string(*left), name_of_operand(a),
             std::to_string(*right), name_of_operand(b));
  }

  void signal() {
    const TensorType* type = type_of(info_.signal_operand);
    if (type == nullptr) return;  // an allreduce that gets its signal from a pass
    control(info_.signal_operand);
    size_t rank = type->shape.size();
    std::optional<int64_t> stride = rank == 2 ? extent(type, 1) : std::nullopt;
    switch (info_.id) {
      case Collective::AllreduceRing:
        return shape(info_.signal_operand, "[2 * (NR - 1) + 1, NR]", rank == 2);
      case Collective::AllToAllV:
      case Collective::IndexedAllToAllV:
        return shape(info_.signal_operand, "[NR, S] with a constant NR", rank == 2 && extent(type, 0).has_value());
      default:
        break;
    }
    if (rank != 1 && rank != 2) return shape(info_.signal_operand, "[NR] or [NR, S]", false);
    int64_t lanes = info_.id == Collective::Allreduce ? in_.int_keyword("core_num", 1) : 1;
    if (rank == 1 ? lanes > 1 : !stride.has_value() || *stride < lanes)
      report(diag::codes::signal_stride, op(), lanes, shape_text(type));
  }
  void control(size_t i) {
    const TensorType* type = type_of(i);
    if (type != nullptr && type->dtype != DType::Int32)
      report(diag::codes::control_dtype, name_of_operand(i), op(), name_of(type->dtype));
  }

  // all_to_all_v: counts have an entry for each rank, the ranks divide input and target, and an index has an entry for
  // each row of the target.
  void counts() {
    for (size_t i = info_.signal_operand + 1; i < tensors(); ++i) control(i);
    const TensorType* send = type_of(3);
    const TensorType* recv = type_of(4);
    if (!good_ || send == nullptr || recv == nullptr) return;
    auto column = [&](const TensorType* type) { return type->shape.size() == 2 && is_one(type->shape[1]); };
    shape(3, "[NR] or [NR, 1]", send->shape.size() == 1 || column(send));
    shape(4, "[NR, 1]", column(recv));
    same_extent(info_.signal_operand, 0, 3, 0, "number of ranks");
    same_extent(info_.signal_operand, 0, 4, 0, "number of ranks");
    std::optional<int64_t> ranks = extent(type_of(info_.signal_operand), 0);
    std::optional<int64_t> rows = extent(type_of(1), 0);
    if (ranks.has_value() && rows.has_value() && *ranks > 0 && *rows % *ranks != 0)
      report(diag::codes::rows_not_divisible, name_of_operand(1), op(), *rows, *ranks);
    if (info_.id != Collective::IndexedAllToAllV || type_of(5) == nullptr) return;
    shape(5, "[NR * MAX_RECV] or [NR * MAX_RECV, 1]", type_of(5)->shape.size() == 1 || column(type_of(5)));
    if (good_) same_extent(1, 0, 5, 0, "number of rows");
  }

  void scalars() {
    const AttrValue* reduce = in_.keyword("op", AttrKind::Int);
    // An InCore ring pulls and reduces on the core, so what a ring can do depends on the rail.
    bool any_rail = info_.id == Collective::AllreduceRing && info_.op == OpId::PldTensorAllreduce;
    if (info_.reduces && reduce != nullptr && !any_rail &&
        !is_supported(info_.id, static_cast<ReduceOp>(reduce->as_int())))
      report(diag::codes::collective_reduce_op, title(), list_text(supported_reduce_ops(info_.id)),
             name_of(static_cast<ReduceOp>(reduce->as_int())));
    if (const AttrValue* root = in_.keyword("root", AttrKind::Int); root != nullptr && root->as_int() < 0)
      report(diag::codes::negative_root, op(), root->as_int());
    const AttrValue* keyword = in_.keyword("core_num", AttrKind::Int);
    const Expr* operand = in_.args.size() > info_.operand_count ? in_.args[info_.operand_count] : nullptr;
    if (operand != nullptr && keyword != nullptr) report(diag::codes::core_num_twice, op());
    std::optional<int64_t> cores = keyword != nullptr ? std::optional(keyword->as_int()) : const_int(operand);
    int64_t most = info_.id == Collective::AllreduceRing ? 1 : kMaxCoreNum;
    if (cores.has_value() && (*cores < 1 || *cores > most))
      report(diag::codes::collective_core_num, title(), most, *cores);
  }

  TypeRuleInput& in_;
  const CollectiveInfo& info_;
  bool good_ = true;
};

const CollectiveInfo* info_of(TypeRuleInput& in) {
  const AttrValue* mode = in.keyword("mode", AttrKind::String);
  bool ring = mode != nullptr && mode->as_string() == "ring";
  if (mode != nullptr && !ring && mode->as_string() != "mesh") {
    if (in.engine != nullptr)
      in.engine->report(diag::codes::collective_mode, in.place, in.info.name, mode->as_string());
    return nullptr;
  }
  for (const CollectiveInfo& info : all_collectives()) {
    bool is_public = op_name(info.op) == in.info.name && (info.id == Collective::AllreduceRing) == ring;
    bool is_builtin_form = info.builtin != OpId::Unknown && op_name(info.builtin) == in.info.name;
    if (is_public || is_builtin_form) return &info;
  }
  PYPTOC_UNREACHABLE("a collective without a row");
}

}  // namespace

const Type* rules::collective(TypeRuleInput& in) {
  const CollectiveInfo* info = info_of(in);
  return info != nullptr ? CollectiveRule(in, *info).result() : in.args[0]->type;  // only allreduce has modes
}

}  // namespace pyptoc::ir
