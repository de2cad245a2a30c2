// SPDX-License-Identifier: Apache-2.0
#include "codegen/scalar_py.h"

#include <fmt/format.h>

#include <cmath>

#include "codegen/dtype_cpp.h"
#include "codegen/scalar_range.h"
#include "diag/codes_emit.h"
#include "ir/depth_guard.h"

namespace pyptoc::codegen {

using namespace ir;

namespace {

std::string mask(DType dtype) {
  switch (bits_of(dtype)) {
    case 8:
      return "0xFF";
    case 16:
      return "0xFFFF";
    case 32:
      return "0xFFFFFFFF";
    default:
      return "0xFFFFFFFFFFFFFFFF";
  }
}

// Every value of `from` is one of `to`.
bool holds_all_of(DType to, DType from) {
  if (from == DType::Bool) return true;
  if (is_signed_int(to) == is_signed_int(from)) return bits_of(to) >= bits_of(from);
  return is_signed_int(to) && bits_of(to) > bits_of(from);
}

constexpr std::string_view kF32 = R"(

def _f32(value):
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else -float("inf")
)";

constexpr std::string_view kF32Bits = R"(

def _f32_bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]
)";

constexpr std::string_view kF64Bits = R"(

def _f64_bits(value):
    return struct.unpack("<Q", struct.pack("<d", value))[0]
)";

constexpr std::string_view kWrapSigned = R"(

def _wrap_signed(value, bits):
    half = 1 << (bits - 1)
    return (value + half) % (2 * half) - half
)";

// Like the chip's: a negative exponent gives 0 but for bases 1 and -1.
constexpr std::string_view kIntPow = R"(

def _int_pow(base, exponent):
    if exponent >= 0:
        return base**exponent
    return base ** (exponent % 2) if base in (1, -1) else 0
)";

}  // namespace

std::string python_helper_text(const PythonHelpers& helpers) {
  std::string out;
  if (helpers.f32) out += kF32;
  if (helpers.f32_bits) out += kF32Bits;
  if (helpers.f64_bits) out += kF64Bits;
  if (helpers.wrap_signed) out += kWrapSigned;
  if (helpers.int_pow) out += kIntPow;
  return out;
}

std::string ScalarPy::primary(const Expr* e) {
  Text text = render(e);
  return text.primary ? text.text : "(" + text.text + ")";
}

std::string ScalarPy::f32(const std::string& text) {
  helpers_.f32 = true;
  return fmt::format("_f32({})", text);
}

std::string ScalarPy::real(double value, DType dtype) {
  if (dtype == DType::Fp32) value = static_cast<double>(static_cast<float>(value));
  if (std::isnan(value)) return "float(\"nan\")";
  if (std::isinf(value)) return value < 0 ? "-float(\"inf\")" : "float(\"inf\")";
  std::string text = fmt::format("{}", value);  // the shortest that reads back as the same value
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string ScalarPy::bits(DType dtype, const Expr* e) {
  if (dtype == DType::Fp32 || dtype == DType::Fp64) {
    bool single = dtype == DType::Fp32;
    (single ? helpers_.f32_bits : helpers_.f64_bits) = true;
    return fmt::format("{}({})", single ? "_f32_bits" : "_f64_bits", expr(e));
  }
  if (!orchestration_type(dtype)) {
    diags_.report(diag::codes::orchestration_scalar_type, place_of(e), name_of(dtype));
    return "0";
  }
  if (const ConstBool* c = ir::as<ConstBool>(e)) return c->value ? "1" : "0";
  if (dtype == DType::Bool) return fmt::format("int(bool({}))", expr(e));
  uint64_t width_mask = bits_of(dtype) >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits_of(dtype)) - 1;
  if (std::optional<int64_t> value = const_int(e)) return fmt::format("{}", static_cast<uint64_t>(*value) & width_mask);
  if (is_float(dtype_of(e))) return fmt::format("int({}) & {}", expr(e), mask(dtype));
  return fmt::format("{} & {}", primary(e), mask(dtype));
}

ScalarPy::Text ScalarPy::render(const Expr* e) {
  DepthGuard guard(depth_);
  if (const ConstInt* c = ir::as<ConstInt>(e)) return {fmt::format("{}", c->value), c->value >= 0};
  if (const ConstBool* c = ir::as<ConstBool>(e)) return {c->value ? "True" : "False", true};
  if (const ConstFloat* c = ir::as<ConstFloat>(e)) return {real(c->value, dtype_of(e)), !std::signbit(c->value)};
  if (is_binary(e->kind)) return binary(static_cast<const BinaryExpr*>(e));
  if (is_unary(e->kind)) return unary(static_cast<const UnaryExpr*>(e));
  return {leaf_(e), true};
}

ScalarPy::Text ScalarPy::binary(const BinaryExpr* e) {
  auto infix = [&](const char* op) -> Text {
    return {fmt::format("{} {} {}", primary(e->left), op, primary(e->right)), false};
  };
  auto function = [&](const char* name) -> Text {
    return {fmt::format("{}({}, {})", name, expr(e->left), expr(e->right)), true};
  };
  const DType dtype = dtype_of(e);
  // What may lie outside the result's type.
  auto within = [&](Text value) -> Text {
    if (!orchestration_type(dtype)) diags_.report(diag::codes::orchestration_scalar_type, place_of(e), name_of(dtype));
    if (dtype == DType::Fp32) return {f32(value.text), true};
    const std::string inner = value.primary ? value.text : "(" + value.text + ")";
    if (is_unsigned_int(dtype)) return {fmt::format("{} & {}", inner, mask(dtype)), false};
    if (!is_signed_int(dtype) || bits_of(dtype) > 32 || !may_overflow(e)) return value;
    helpers_.wrap_signed = true;
    return {fmt::format("_wrap_signed({}, {})", value.text, bits_of(dtype)), true};
  };
  if (const char* comparison = comparison_operator(e->kind)) return infix(comparison);
  switch (e->kind) {
    case NodeKind::Add:
      return within(infix("+"));
    case NodeKind::Sub:
      return within(infix("-"));
    case NodeKind::Mul:
      return within(infix("*"));
    case NodeKind::FloorDiv:
      return is_unsigned_int(dtype) ? infix("//") : within(infix("//"));
    case NodeKind::FloorMod:
      return is_float(dtype) ? within(infix("%")) : infix("%");
    case NodeKind::FloatDiv:
      return within(infix("/"));
    case NodeKind::Min:
      return function("min");
    case NodeKind::Max:
      return function("max");
    case NodeKind::Pow:
      if (is_float(dtype) || const_int(e->right).value_or(-1) >= 0) return within(infix("**"));
      helpers_.int_pow = true;
      return within(function("_int_pow"));
    case NodeKind::And:
      return infix("and");
    case NodeKind::Or:
      return infix("or");
    case NodeKind::BitAnd:
      return infix("&");
    case NodeKind::BitOr:
      return infix("|");
    case NodeKind::BitXor:
      return infix("^");
    case NodeKind::BitShiftLeft:
      return within(infix("<<"));
    case NodeKind::BitShiftRight:
      return infix(">>");
    default:
      PYPTOC_UNREACHABLE("binary kind");
  }
}

ScalarPy::Text ScalarPy::cast(const UnaryExpr* e) {
  DType to = dtype_of(e);
  DType from = dtype_of(e->operand);
  if (to == DType::Bool) return {fmt::format("bool({})", expr(e->operand)), true};
  const bool rounds = to == DType::Fp32 && (is_float(from) ? from != to : bits_of(from) > 16);
  if (rounds) return {f32(expr(e->operand)), true};
  if (is_float(to)) return {fmt::format("float({})", expr(e->operand)), true};
  if (is_float(from) || from == DType::Bool) return {fmt::format("int({})", expr(e->operand)), true};
  if (holds_all_of(to, from)) return render(e->operand);
  if (is_unsigned_int(to)) return {fmt::format("{} & {}", primary(e->operand), mask(to)), false};
  helpers_.wrap_signed = true;
  return {fmt::format("_wrap_signed({}, {})", expr(e->operand), bits_of(to)), true};
}

ScalarPy::Text ScalarPy::unary(const UnaryExpr* e) {
  bool is_unsigned = is_unsigned_int(dtype_of(e));
  // The lowest value of a type is its own negation.
  auto narrow = [&](const Text& value) -> Text {
    if (!is_signed_int(dtype_of(e)) || bits_of(dtype_of(e)) > 32 || !may_overflow(e)) return value;
    helpers_.wrap_signed = true;
    return {fmt::format("_wrap_signed({}, {})", value.text, bits_of(dtype_of(e))), true};
  };
  switch (e->kind) {
    case NodeKind::Neg:
      return is_unsigned ? Text{fmt::format("-{} & {}", primary(e->operand), mask(dtype_of(e))), false}
                         : narrow({"-" + primary(e->operand), false});
    case NodeKind::Not:
      return {"not " + primary(e->operand), false};
    case NodeKind::BitNot:
      return is_unsigned ? Text{fmt::format("~{} & {}", primary(e->operand), mask(dtype_of(e))), false}
                         : Text{"~" + primary(e->operand), false};
    case NodeKind::Abs:
      return narrow({fmt::format("abs({})", expr(e->operand)), true});
    case NodeKind::Cast:
      return cast(e);
    default:
      PYPTOC_UNREACHABLE("unary kind");
  }
}

}  // namespace pyptoc::codegen
