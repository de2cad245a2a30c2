// SPDX-License-Identifier: Apache-2.0
#include "passes/caller_obligations.h"

#include <fmt/format.h>

#include <algorithm>

#include "diag/codes_host.h"
#include "ir/describe.h"
#include "ir/op_table.h"
#include "passes/call_graph.h"
#include "passes/collective_launch.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

class Obligations : public WindowFlowClient {
 public:
  Obligations(const Function* chip, diag::Engine& diags) : chip_(chip), diags_(diags) {}

  std::vector<ParamBinding> bindings() const {
    std::vector<ParamBinding> out;
    for (const Var* param : chip_->params) {
      ParamBinding binding;
      binding.place = static_cast<int>(out.size());
      if (const TensorType* type = as_tensor(param->type)) {
        for (const Expr* extent : type->shape) binding.extents.push_back({std::nullopt, extent, 1});
      } else {
        binding.scalar.host = param;
        binding.scalar.varies = {"what the caller passes", param};
      }
      out.push_back(std::move(binding));
    }
    return out;
  }
  const std::vector<std::string>& lines() const { return lines_; }

  void collective(const CollectiveUse& use) override {
    const CollectiveInfo& info = collective_info(use.variant.id);
    for (const std::optional<Variation>* varies : {&use.control_varies, &use.width_varies})
      if (*varies) agreed(use, **varies, varies == &use.control_varies);
    std::vector<std::string_view> windows;
    for (size_t i = 0; i < use.places.size(); ++i) {
      const bool window = op_info(info.op).operands[i].kind == OperandKind::Window;
      if (window && use.places[i] < 0)
        diags_.report(diag::codes::collective_window_unknown, place_of(use.call), text_of(use, i), info.public_name);
      for (size_t j = i + 1; j < use.places.size(); ++j)
        if (use.places[i] >= 0 && use.places[i] == use.places[j])
          diags_.report(diag::codes::collective_operands_alias, place_of(use.call), info.public_name, text_of(use, i),
                        text_of(use, j), fmt::format("one tensor, `{}`", param(use.places[i])->name_hint));
      if (window && use.places[i] >= 0) windows.push_back(param(use.places[i])->name_hint);
    }
    if (windows.size() > 1)
      add(fmt::format("windows {} are views of different allocations of one communication domain", listed(windows)));
    ranks(use, info);
  }

  void require(const RequireUse& use) override {
    if (use.varies) agreed_value(*use.varies);
    const AttrValue* text = find_attr(use.call->kwargs, "text");
    if (text == nullptr || text->kind() != AttrKind::String) return;
    std::string line;
    size_t next = 0;
    for (std::string_view rest = text->as_string(); !rest.empty();) {
      const size_t at = rest.find("{}");
      line += rest.substr(0, at);
      if (at == std::string_view::npos) break;
      line += next < use.values.size() ? describe(use.values[next]) : std::string("its value");
      ++next;
      rest.remove_prefix(at + 2);
    }
    add(fmt::format("on every rank alike holds {}, which the chip reports as a violation of `{}`",
                    use.condition != nullptr ? fmt::format("`{}`", describe(use.condition)) : "the check", line));
  }

  void too_many_paths(const Stmt* at) override {
    diags_.report(diag::codes::collective_too_many_paths, place_of(at), chip_->name);
  }

 private:
  const Var* param(int place) const { return chip_->params[static_cast<size_t>(place)]; }
  static std::string text_of(const CollectiveUse& use, size_t operand) {
    return operand_text(collective_info(use.variant.id), operand, call_args(use.call)[operand]);
  }
  static std::string listed(const std::vector<std::string_view>& names) {
    std::string out;
    for (size_t i = 0; i < names.size(); ++i)
      out += fmt::format("{}`{}`", i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]);
    return out;
  }

  // A scalar parameter may be the same on every rank: that is the caller's to see to.
  bool agreed_value(const Variation& varies) {
    const Var* var = as<Var>(varies.at);
    if (var == nullptr || std::find(chip_->params.begin(), chip_->params.end(), var) == chip_->params.end())
      return false;
    add(fmt::format("`{}` has the same value on every rank", var->name_hint));
    return true;
  }
  void agreed(const CollectiveUse& use, const Variation& varies, bool control) {
    if (agreed_value(varies)) return;
    std::string_view name = collective_info(use.variant.id).public_name;
    auto report = control ? diags_.report(diag::codes::collective_control_varies, place_of(use.call), name, varies.text)
                          : diags_.report(diag::codes::collective_width_varies, place_of(use.call), name, varies.text);
    if (varies.at != nullptr) report.note("it gets its value here", place_of(varies.at));
  }

  void ranks(const CollectiveUse& use, const CollectiveInfo& info) {
    const int place = use.places[info.signal_operand];
    if (place < 0 || use.extents[info.signal_operand].empty()) return;
    const Expr* rows = use.extents[info.signal_operand].front().host;
    if (rows == nullptr) return;
    std::string_view signal = param(place)->name_hint;
    if (use.variant.id == Collective::AllToAllV || use.variant.id == Collective::IndexedAllToAllV)
      add(fmt::format("the communication domain of `{}` has exactly {} ranks", signal, describe(rows)));
    else if (use.variant.id == Collective::AllreduceRing)
      add(fmt::format("the communication domain of `{}` has at most ({} + 1) / 2 ranks", signal, describe(rows)));
    else
      add(fmt::format("the communication domain of `{}` has at most {} ranks", signal, describe(rows)));
    if (use.variant.id == Collective::Broadcast)
      add(fmt::format("the communication domain of `{}` has more than {} ranks", signal, use.variant.root));
  }

  void add(std::string line) {
    if (std::find(lines_.begin(), lines_.end(), line) == lines_.end()) lines_.push_back(std::move(line));
  }

  const Function* chip_;
  diag::Engine& diags_;
  std::vector<std::string> lines_;
};

}  // namespace

const Function* add_obligations(const Function* function, const std::vector<std::string>& lines, Context& context) {
  const AttrValue* known = find_attr(function->attrs, "obligations");
  std::string text(known != nullptr && known->kind() == AttrKind::String ? known->as_string() : std::string_view());
  const size_t before = text.size();
  for (const std::string& line : lines) {
    if (("\n" + text + "\n").find("\n" + line + "\n") != std::string::npos) continue;
    if (!text.empty()) text += '\n';
    text += line;
  }
  if (text.size() == before) return function;
  std::vector<Attr> attrs;
  for (const Attr& attr : function->attrs)
    if (attr.key != "obligations") attrs.push_back(attr);
  attrs.push_back({"obligations", AttrValue::of_string(context.copy_string(text))});
  Function draft = *function;
  draft.attrs = context.list(attrs);
  return context.make(draft);
}

const Function* with_obligations(const Program* program, const Function* chip, const CollectiveReach& reach,
                                 ReturnedParams& returned, PassContext& context) {
  Obligations client(chip, context.diags);
  follow_windows(program, chip, client.bindings(), reach, returned, context.ir, client);
  return add_obligations(chip, client.lines(), context.ir);
}

}  // namespace pyptoc::passes
