// SPDX-License-Identifier: Apache-2.0
#include "passes/host_collective_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "diag/codes_host.h"
#include "ir/describe.h"
#include "ir/op_table.h"
#include "ir/walker.h"

namespace pyptoc::passes {

using namespace ir;

class DomainWalk : public Walker {
 public:
  explicit DomainWalk(HostDomains& out) : out_(out) {}

 protected:
  void visit(const Node* node) override {
    if (const CommDomainScopeStmt* domain = as<CommDomainScopeStmt>(node)) {
      DeviceSet devices = domain->devices.empty() ? DeviceSet::every() : DeviceSet();
      for (int64_t device : domain->devices) devices.merge(DeviceSet::range(device, device + 1));
      for (const Var* slot : domain->slots) out_.by_slot_[slot] = out_.domains_.size();
      out_.domains_.push_back(std::move(devices));
    }
    if (is_stmt(node->kind)) children(node);
  }

 private:
  HostDomains& out_;
};

HostDomains::HostDomains(const Function* function) {
  DomainWalk(*this).walk(function->body);
}

const DeviceSet* HostDomains::devices_of(const Expr* window) const {
  return devices_at(slot_of(window));
}

const DeviceSet* HostDomains::devices_at(const Var* slot) const {
  const size_t* number = slot != nullptr ? by_slot_.find(slot) : nullptr;
  return number != nullptr ? &domains_[*number] : nullptr;
}

std::string_view HostCollectiveChecks::name(size_t operand) const {
  return op_info(call_->op->id).operands[operand].name;
}

const Expr* HostCollectiveChecks::ranks() {
  if (devices_->is_every()) return checks_.world_size();
  return checks_.number(static_cast<int64_t>(devices_->devices().size()));
}

const DeviceSet* HostCollectiveChecks::check(const Call* call, const CollectiveInfo& info, const Node* at,
                                             const std::vector<Around>& around) {
  around_ = &around;
  call_ = call;
  info_ = &info;
  at_ = at;
  size_t errors = context_.diags.error_count();
  if (!info.on_host) {
    context_.diags.report(diag::codes::collective_not_on_rail, place_of(at), info.public_name, "HOST function");
    return nullptr;
  }
  if (call->args.size() < info.operand_count) {
    context_.diags.report(diag::codes::signal_not_made, place_of(at), info.public_name);
    return nullptr;
  }
  if (!operands()) return nullptr;
  SignalUse& use = signals_[slot_of(call->args[info.signal_operand])];
  if (use.ring == nullptr && use.other == nullptr) signal_order_.push_back(slot_of(call->args[info.signal_operand]));
  (info.id == Collective::AllreduceRing ? use.ring : use.other) = call;
  shapes();
  return context_.diags.error_count() == errors ? devices_ : nullptr;
}

// Windows, of allocations that differ, in one domain.
bool HostCollectiveChecks::operands() {
  size_t errors = context_.diags.error_count();
  for (size_t i = 0; i < info_->operand_count; ++i) {
    const Expr* operand = call_->args[i];
    if (!is_window(operand))
      context_.diags.report(diag::codes::operand_not_window, place_of(at_), name(i), info_->public_name,
                            describe(operand->type));
    else if (domains_.devices_of(operand) == nullptr)
      context_.diags.report(diag::codes::window_not_followed, place_of(at_), describe(operand));
  }
  if (context_.diags.error_count() != errors) return false;
  for (size_t i = 0; i < info_->operand_count; ++i) {
    for (size_t j = i + 1; j < info_->operand_count; ++j) {
      const Expr* a = call_->args[i];
      const Expr* b = call_->args[j];
      if (slot_of(a) == slot_of(b))
        context_.diags
            .report(diag::codes::operands_share_window, place_of(at_), info_->public_name, describe(a), describe(b),
                    slot_of(a)->name_hint)
            .note(fmt::format("`{}` is made here", describe(a)), place_of(a))
            .note(fmt::format("`{}` is made here", describe(b)), place_of(b))
            .note(fmt::format("`{}` is allocated here", slot_of(a)->name_hint), place_of(slot_of(a)))
            .help(fmt::format("allocate `{}` separately with `pld.alloc_window_buffer`", describe(b)));
      else if (!domains_.same(a, b))
        context_.diags
            .report(diag::codes::operands_of_two_domains, place_of(at_), info_->public_name, describe(a), describe(b),
                    domains_.devices_of(a)->text(), domains_.devices_of(b)->text())
            .note(fmt::format("`{}` is allocated here", slot_of(a)->name_hint), place_of(slot_of(a)))
            .note(fmt::format("`{}` is allocated here", slot_of(b)->name_hint), place_of(slot_of(b)));
    }
  }
  devices_ = domains_.devices_of(call_->args[info_->data_operand]);
  return context_.diags.error_count() == errors;
}

void HostCollectiveChecks::require(const Expr* condition, std::string_view about, const std::string& text,
                                   const std::vector<const Expr*>& values) {
  const Var* later =
      checks_.require(condition, fmt::format("`{}`: {}", info_->public_name, text), at_->span, *around_, values);
  if (later == nullptr) return;
  context_.diags.report(diag::codes::check_needs_later_value, place_of(at_), about, later->name_hint)
      .note(fmt::format("`{}` gets its value here", later->name_hint), place_of(later));
}

void HostCollectiveChecks::rows_for_ranks(size_t operand, const Expr* needed) {
  const Expr* have = type(operand)->shape[0];
  const Expr* enough = checks_.condition(NodeKind::Ge, have, needed);
  if (checks_.known(enough) != Truth::No)
    return require(
        enough, name(operand),
        fmt::format("`{}` `{}` has {{}} rows, and {{}} ranks need {{}}", name(operand), describe(call_->args[operand])),
        {have, ranks(), needed});
  const BinaryExpr* both = as<BinaryExpr>(enough);
  context_.diags
      .report(diag::codes::signal_too_small, place_of(at_), info_->public_name, const_int(both->right).value_or(0),
              name(operand), static_cast<int64_t>(devices_->devices().size()), describe(call_->args[operand]),
              const_int(both->left).value_or(0))
      .note(fmt::format("`{}` is made here", describe(call_->args[operand])), place_of(call_->args[operand]));
}

// The type rule has compared what is constant.
void HostCollectiveChecks::equal_extents(size_t a, size_t b, size_t axis, std::string_view what) {
  const Expr* equal = checks_.condition(NodeKind::Eq, type(a)->shape[axis], type(b)->shape[axis]);
  require(equal, name(a),
          fmt::format("the {} of `{}` `{}` is {{}}, that of `{}` `{}` {{}}", what, name(a), describe(call_->args[a]),
                      name(b), describe(call_->args[b])),
          {type(a)->shape[axis], type(b)->shape[axis]});
}

void HostCollectiveChecks::shapes() {
  switch (info_->id) {
    case Collective::AllreduceRing:
      return ring();
    case Collective::AllToAllV:
      return all_to_all_v();
    case Collective::Allreduce: {
      const AttrValue* count = find_attr(call_->kwargs, "core_num");
      blocks(count != nullptr ? count->as_int() : 1);
      break;
    }
    case Collective::Broadcast:
      root();
      break;
    case Collective::ReduceScatter:
      rows_for_ranks(0, ranks());
      break;
    case Collective::Allgather:
      require(checks_.condition(NodeKind::Eq, type(0)->shape[0], checks_.number(1)), name(0),
              fmt::format("`{}` `{}` has {{}} rows, and 1 is due", name(0), describe(call_->args[0])),
              {type(0)->shape[0]});
      equal_extents(0, 1, 1, "row length");
      rows_for_ranks(1, ranks());
      break;
    case Collective::AllToAll:
      equal_extents(0, 1, 1, "row length");
      rows_for_ranks(0, ranks());
      rows_for_ranks(1, ranks());
      break;
    default:
      break;
  }
  rows_for_ranks(info_->signal_operand, ranks());
}

void HostCollectiveChecks::root() {
  const AttrValue* keyword = find_attr(call_->kwargs, "root");
  int64_t root = keyword->as_int();
  const Expr* in_range = checks_.condition(NodeKind::Gt, ranks(), checks_.number(root));
  if (checks_.known(in_range) == Truth::No)
    context_.diags.report(diag::codes::root_out_of_range, place_of(at_), info_->public_name, root,
                          static_cast<int64_t>(devices_->devices().size()));
  else
    require(in_range, "root", fmt::format("`root` is {}, but the domain has {{}} ranks", root), {ranks()});
}

void HostCollectiveChecks::ring() {
  const AttrValue* op = find_attr(call_->kwargs, "op");
  if (!is_supported(info_->id, static_cast<ReduceOp>(op->as_int())))
    context_.diags.report(diag::codes::collective_reduce_op, place_of(at_),
                          fmt::format("{}` with mode `ring", info_->public_name), "Sum",
                          name_of(static_cast<ReduceOp>(op->as_int())));
  const TensorType* signal = type(1);
  std::optional<int64_t> rows = const_int(signal->shape[0]);
  std::optional<int64_t> columns = const_int(signal->shape[1]);
  if (rows && columns && *rows != 2 * (*columns - 1) + 1) {
    context_.diags
        .report(diag::codes::ring_signal_rows, place_of(at_), info_->public_name, describe(call_->args[1]), *rows,
                *columns)
        .note(fmt::format("`{}` is made here", describe(call_->args[1])), place_of(call_->args[1]))
        .help(fmt::format("allocate {} rows", 2 * (*columns - 1) + 1));
    return;
  }
  const Expr* steps = context_.ir.binary(NodeKind::Sub, context_.ir.binary(NodeKind::Mul, checks_.number(2), ranks()),
                                         checks_.number(1));
  if (!devices_->is_every()) steps = checks_.number(2 * static_cast<int64_t>(devices_->devices().size()) - 1);
  rows_for_ranks(1, steps);
  const Expr* wide = checks_.condition(NodeKind::Ge, signal->shape[1], ranks());
  if (checks_.known(wide) == Truth::No)
    context_.diags.report(diag::codes::signal_too_small, place_of(at_), info_->public_name,
                          static_cast<int64_t>(devices_->devices().size()), "signal` (columns) `",
                          static_cast<int64_t>(devices_->devices().size()), describe(call_->args[1]), *columns);
  else
    require(wide, name(1),
            fmt::format("`{}` `{}` has {{}} columns, and {{}} ranks need as many", name(1), describe(call_->args[1])),
            {signal->shape[1], ranks()});
}

void HostCollectiveChecks::blocks(int64_t count) {
  const Target& target = context_.options.target;
  if (count > target.aiv_cores)
    context_.diags.report(diag::codes::too_many_blocks, place_of(at_), info_->public_name, count, target.name,
                          static_cast<int64_t>(target.aiv_cores));
}

void HostCollectiveChecks::all_to_all_v() {
  int64_t rows = const_int(type(2)->shape[0]).value_or(0);
  const Expr* equal = checks_.condition(NodeKind::Eq, checks_.number(rows), ranks());
  if (checks_.known(equal) == Truth::No) {
    context_.diags
        .report(diag::codes::ranks_differ_from_signal, place_of(at_), info_->public_name, rows,
                static_cast<int64_t>(devices_->devices().size()))
        .note(fmt::format("`{}` is made here", describe(call_->args[2])), place_of(call_->args[2]));
    return;
  }
  require(equal, "signal",
          fmt::format("`signal` `{}` has {} rows, one for each rank, but the domain has {{}} ranks",
                      describe(call_->args[2]), rows),
          {ranks()});
  if (!const_int(type(1)->shape[0])) {
    const Expr* rest = context_.ir.binary(NodeKind::FloorMod, type(1)->shape[0], checks_.number(rows));
    require(checks_.condition(NodeKind::Eq, rest, checks_.number(0)), "target",
            fmt::format("`target` `{}` has {{}} rows, which {} ranks do not divide", describe(call_->args[1]), rows),
            {type(1)->shape[0]});
  }
  equal_extents(0, 1, 1, "row length");
  equal_extents(0, 1, 0, "number of rows");
  rows_for_ranks(3, checks_.number(rows));
  rows_for_ranks(4, checks_.number(rows));
  blocks_of_all_to_all_v(rows);
}

// B blocks for a width L and P ranks: L while L < P, else the largest multiple of P in L.
void HostCollectiveChecks::blocks_of_all_to_all_v(int64_t ranks) {
  const AttrValue* keyword = find_attr(call_->kwargs, "core_num");
  const Expr* operand = call_->args.size() > info_->operand_count ? call_->args[info_->operand_count] : nullptr;
  std::optional<int64_t> width = keyword != nullptr   ? std::optional(keyword->as_int())
                                 : operand != nullptr ? const_int(operand)
                                                      : std::optional<int64_t>(1);
  const Expr* stride = type(2)->shape[1];
  const std::string few =
      fmt::format("`core_num` is {{}}, which asks for more blocks than the {{}} cells in a row of `signal` `{}`",
                  describe(call_->args[2]));
  if (width) {
    int64_t count = all_to_all_v_blocks(ranks, *width);
    blocks(count);
    const Expr* fits = checks_.condition(NodeKind::Ge, stride, checks_.number(count));
    if (checks_.known(fits) == Truth::No)
      context_.diags.report(diag::codes::stride_below_blocks, place_of(at_), info_->public_name, count,
                            describe(call_->args[2]), const_int(stride).value_or(0));
    else
      require(fits, "signal", few, {checks_.number(*width), stride});
    return;
  }
  auto both = [&](const Expr* a, const Expr* b) { return context_.ir.binary(NodeKind::And, a, b); };
  const Expr* least = checks_.condition(NodeKind::Ge, operand, checks_.number(1));
  const Expr* most = checks_.condition(NodeKind::Le, operand, checks_.number(std::numeric_limits<int32_t>::max()));
  require(both(least, most), "core_num", "`core_num` is {}, which is not in the range from 1 to 2147483647", {operand});
  // The blocks do not exceed a limit: L <= limit below P, L // P * P <= limit from P on.
  auto within = [&](const Expr* limit) {
    const Expr* below = both(checks_.condition(NodeKind::Lt, operand, checks_.number(ranks)),
                             checks_.condition(NodeKind::Le, operand, limit));
    const Expr* whole = context_.ir.binary(
        NodeKind::Mul, context_.ir.binary(NodeKind::FloorDiv, operand, checks_.number(ranks)), checks_.number(ranks));
    const Expr* above = both(checks_.condition(NodeKind::Ge, operand, checks_.number(ranks)),
                             checks_.condition(NodeKind::Le, whole, limit));
    return context_.ir.binary(NodeKind::Or, below, above);
  };
  require(within(stride), "core_num", few, {operand, stride});
  require(within(checks_.number(context_.options.target.aiv_cores)), "core_num",
          fmt::format("`core_num` is {{}}, which asks for more blocks than the {} AIV cores of {}",
                      context_.options.target.aiv_cores, context_.options.target.name),
          {operand});
}

void HostCollectiveChecks::finish() {
  for (const Var* slot : signal_order_) {
    const SignalUse& use = *signals_.find(slot);
    if (use.ring == nullptr || use.other == nullptr) continue;
    context_.diags
        .report(diag::codes::ring_signal_shared, place_of(use.ring), slot->name_hint,
                collective_of(use.other)->public_name)
        .note(fmt::format("the other use of `{}` is here", slot->name_hint), place_of(use.other))
        .note(fmt::format("`{}` is allocated here", slot->name_hint), place_of(slot));
  }
}

}  // namespace pyptoc::passes
