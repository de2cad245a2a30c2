// SPDX-License-Identifier: Apache-2.0
// Checks at run time: the first violation is latched for the host to see, and the orchestration ends there.
#include <fmt/format.h>

#include "codegen/chip_emitter.h"
#include "ir/op_table.h"
#include "support/literals.h"

namespace pyptoc::codegen {

using namespace ir;

namespace {

// The literal of a printf format in which each `{}` of the text is a 64-bit number.
std::string format_literal(std::string_view text) {
  std::string format;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '{' && at + 1 < text.size() && text[at + 1] == '}') {
      format += "%lld";
      ++at;
    } else {
      format += text[at];
      if (text[at] == '%') format += '%';
    }
  }
  return support::cpp_string_literal(format);
}

std::string_view text_of_check(const Call* call) {
  const AttrValue* text = find_attr(call->kwargs, "text");
  return text != nullptr && text->kind() == AttrKind::String ? text->as_string() : std::string_view("a check failed");
}

}  // namespace

// False when the call is no check.
bool ChipEmitter::run_time_check(const Call* call) {
  if (call->op->id == OpId::SystemRequire)
    require(call);
  else if (call->op->id == OpId::SystemRequireContiguous)
    require_contiguous(call);
  else
    return false;
  return true;
}

void ChipEmitter::require(const Call* call) {
  std::string condition = scalar(call->args[0]);
  out_.open(fmt::format("if (!({})) {{", condition));
  std::string values;
  for (const Expr* value : call->args.subspan(1)) values += fmt::format(", static_cast<long long>({})", scalar(value));
  report_invalid(fmt::format("{}{}", format_literal(text_of_check(call)), values));
}

// A tensor of one axis has no axis before the last: its own stride is shown.
void ChipEmitter::require_contiguous(const Call* call) {
  const size_t rank = as_tensor(call->args[0]->type)->shape.size();
  std::string tensor = text_of(call->args[0]);
  out_.open(fmt::format("if (!{}.is_contiguous) {{", tensor));
  std::string text(text_of_check(call));
  text += rank > 1 ? " is not contiguous: extent of its last axis {}, stride of the axis before it {}"
                   : " is not contiguous: extent of its axis {}, stride {}";
  tensor = text_of(call->args[0]);
  report_invalid(fmt::format("{}, static_cast<long long>({}.shapes[{}]), static_cast<long long>({}.strides[{}])",
                             format_literal(text), tensor, rank > 0 ? rank - 1 : 0, tensor, rank > 1 ? rank - 2 : 0));
}

void ChipEmitter::report_invalid(const std::string& arguments) {
  reports_ = true;
  out_.line(fmt::format("rt_report_fatal(kInvalidArgs, {});", arguments));
  out_.line("return;");
  out_.close("}");
}

}  // namespace pyptoc::codegen
