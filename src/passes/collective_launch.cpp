// SPDX-License-Identifier: Apache-2.0
#include "passes/collective_launch.h"

#include <fmt/format.h>

#include "diag/codes_host.h"
#include "ir/op_table.h"
#include "passes/run_time_check.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

class LaunchFinder {
 public:
  LaunchFinder(const CollectiveInfo& info, const Call* call, const std::vector<const Expr*>& args, PassContext& pass)
      : info_(info), call_(call), args_(args), pass_(pass), ir_(pass.ir) {}

  CollectiveLaunch run() {
    const Expr* width = requested_width();
    if (width == nullptr) return {true, nullptr, {}};
    const bool exact = info_.id != Collective::AllToAllV;
    if ((!exact || info_.id == Collective::IndexedAllToAllV) && !find_ranks()) return {};
    std::optional<int64_t> constant = const_int(width);
    if (constant) return fixed(*constant, exact);
    return at_run_time(width);
  }

 private:
  std::string_view name() const { return info_.public_name; }

  // Null where the operator has no width of its own.
  const Expr* requested_width() {
    if (args_.size() > info_.operand_count) return args_[info_.operand_count];
    const AttrValue* keyword = find_attr(call_->kwargs, "core_num");
    if (keyword != nullptr && keyword->kind() == AttrKind::Int)
      return ir_.const_int(keyword->as_int(), DType::Index, call_->span);
    return info_.has_core_num || info_.id == Collective::AllreduceRing ? ir_.const_int(1, DType::Index, call_->span)
                                                                       : nullptr;
  }

  const TensorType* signal_type() const { return as_tensor(args_[info_.signal_operand]->type); }
  std::string signal_text() const { return operand_text(info_, info_.signal_operand, args_[info_.signal_operand]); }

  // The rank count of both exchanges of counted rows is the signal's own.
  bool find_ranks() {
    std::optional<int64_t> rows = const_int(signal_type()->shape[0]);
    if (rows && *rows >= 1 && *rows <= kMaxRanks) {
      ranks_ = *rows;
      return true;
    }
    pass_.diags.report(diag::codes::collective_rank_count, place_of(call_), signal_text(), name(), kMaxRanks);
    return false;
  }

  // Cells for each rank; null when there is one.
  const Expr* stride() const {
    List<const Expr*> shape = signal_type()->shape;
    return shape.size() > 1 ? shape[1] : nullptr;
  }

  bool in_range(int64_t width) {
    const int64_t most = info_.id == Collective::AllreduceRing ? 1 : INT32_MAX;
    if (width >= 1 && width <= most) return true;
    pass_.diags.report(diag::codes::collective_core_num_range, place_of(call_), name(), most, width);
    return false;
  }

  CollectiveLaunch fixed(int64_t width, bool exact) {
    if (!in_range(width)) return {};
    const int64_t blocks = exact ? width : all_to_all_v_blocks(ranks_, width);
    CollectiveLaunch out;
    out.good = true;
    const Expr* cells = stride();
    std::optional<int64_t> known = cells != nullptr ? const_int(cells) : std::optional<int64_t>(1);
    if (known && *known < blocks) {
      pass_.diags.report(diag::codes::collective_signal_stride, place_of(call_), signal_text(), name(), *known, blocks);
      out.good = false;
    }
    if (blocks > 1 && blocks > pass_.options.target.aiv_cores) {
      pass_.diags.report(diag::codes::collective_too_wide, place_of(call_), name(), blocks, pass_.options.target.name,
                         static_cast<int64_t>(pass_.options.target.aiv_cores));
      out.good = false;
    }
    if (blocks > 1) out.blocks = constant(blocks);
    if (!known && blocks > 1) require_cells(cells, out.blocks, out);
    return out;
  }

  CollectiveLaunch at_run_time(const Expr* width) {
    CollectiveLaunch out;
    out.good = true;
    const Expr* wide = as_scalar(width->type)->dtype == DType::Index ? width : cast(width);
    const Expr* asked = is_var(wide->kind) ? wide : assign("core_num", wide, out);
    require(both(compare(NodeKind::Ge, asked, constant(1)), compare(NodeKind::Le, asked, constant(INT32_MAX))), {asked},
            "core_num lies in [1, 2147483647], it is {}", out);
    // L // P * P is 0 below P, and min(L, P - 1) is below every multiple of P from P on.
    const Expr* below = ir_.binary(NodeKind::Min, asked, constant(ranks_ - 1), call_->span);
    const Expr* turns = ir_.binary(NodeKind::FloorDiv, asked, constant(ranks_), call_->span);
    const Expr* above = ir_.binary(NodeKind::Mul, turns, constant(ranks_), call_->span);
    out.blocks = assign("blocks", ir_.binary(NodeKind::Max, below, above, call_->span), out);
    require_cells(stride() != nullptr ? stride() : constant(1), out.blocks, out);
    const int64_t cores = pass_.options.target.aiv_cores;
    require(compare(NodeKind::Le, out.blocks, constant(cores)), {out.blocks},
            fmt::format("{{}} blocks wait for each other, the device has {} AIV cores", cores), out);
    return out;
  }

  void require_cells(const Expr* cells, const Expr* blocks, CollectiveLaunch& out) {
    const Var* signal = as<Var>(args_[info_.signal_operand]);
    std::string operand = signal != nullptr ? fmt::format("signal ('{}')", check_name(signal->name_hint)) : "signal";
    require(compare(NodeKind::Le, blocks, cells), {cells, blocks},
            fmt::format("operand {} has {{}} cells for each rank, {{}} blocks need as many", operand), out);
  }

  void require(const Expr* condition, const std::vector<const Expr*>& values, const std::string& text,
               CollectiveLaunch& out) {
    std::vector<const Expr*> args = {condition};
    args.insert(args.end(), values.begin(), values.end());
    out.before.push_back(
        run_time_check(ir_, OpId::SystemRequire, args, fmt::format("{}: {}", name(), text), call_->span));
  }

  const Expr* constant(int64_t value) { return ir_.const_int(value, DType::Index, call_->span); }
  const Expr* compare(NodeKind kind, const Expr* a, const Expr* b) { return ir_.binary(kind, a, b, call_->span); }
  const Expr* both(const Expr* a, const Expr* b) { return ir_.binary(NodeKind::And, a, b, call_->span); }
  const Expr* cast(const Expr* e) { return ir_.unary(NodeKind::Cast, e, ir_.scalar_type(DType::Index), call_->span); }
  const Var* assign(std::string_view hint, const Expr* value, CollectiveLaunch& out) {
    const Var* var = ir_.var(ir_.intern(hint), value->type, call_->span);
    out.before.push_back(ir_.assign(var, value, call_->span));
    return var;
  }

  const CollectiveInfo& info_;
  const Call* call_;
  const std::vector<const Expr*>& args_;
  PassContext& pass_;
  Context& ir_;
  int64_t ranks_ = 1;
};

}  // namespace

CollectiveLaunch collective_launch(const CollectiveInfo& info, const Call* call, const std::vector<const Expr*>& args,
                                   PassContext& context) {
  return LaunchFinder(info, call, args, context).run();
}

std::string operand_text(const CollectiveInfo& info, size_t operand, const Expr* value) {
  std::string_view role = op_info(info.op).operands[operand].name;
  const Var* var = as<Var>(value);
  if (var == nullptr) return fmt::format("`{}`", role);
  return var->name_hint == role ? fmt::format("`{}`", role) : fmt::format("`{}` (`{}`)", role, var->name_hint);
}

std::string check_name(std::string_view name) {
  std::string out;
  for (char c : name)
    if (c != '{' && c != '}') out += c;
  return out;
}

}  // namespace pyptoc::passes
