// SPDX-License-Identifier: Apache-2.0
// Element types and operations.
#include "ranks/arith.h"

#include <cmath>
#include <cstring>
#include <type_traits>

namespace standin::ranks {
namespace {

uint32_t bits_of(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

float float_of(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

struct Half {
  uint16_t bits;
};
struct Brain {
  uint16_t bits;
};

template <typename T>
T load(const unsigned char* at, int64_t i) {
  T value;
  std::memcpy(&value, at + static_cast<size_t>(i) * sizeof(T), sizeof(T));
  return value;
}
template <typename T>
void store(unsigned char* at, int64_t i, T value) {
  std::memcpy(at + static_cast<size_t>(i) * sizeof(T), &value, sizeof(T));
}

// What a type is computed in, and the way there and back. Integers wrap, so they are computed unsigned.
template <typename T>
auto widen(T value) {
  if constexpr (std::is_same_v<T, Half>) {
    return from_half(value.bits);
  } else if constexpr (std::is_same_v<T, Brain>) {
    return from_bfloat16(value.bits);
  } else {
    return value;
  }
}
template <typename T, typename V>
T narrow(V value) {
  if constexpr (std::is_same_v<T, Half>) {
    return Half{to_half(static_cast<float>(value))};
  } else if constexpr (std::is_same_v<T, Brain>) {
    return Brain{to_bfloat16(static_cast<float>(value))};
  } else {
    return static_cast<T>(value);
  }
}

template <typename V>
V compute(int32_t op, V a, V b) {
  if (op == STANDIN_MAX) return a < b ? b : a;
  if (op == STANDIN_MIN) return b < a ? b : a;
  if constexpr (std::is_integral_v<V>) {
    using U = std::make_unsigned_t<V>;
    const uint64_t x = static_cast<U>(a);
    const uint64_t y = static_cast<U>(b);
    const uint64_t r = op == STANDIN_ADD ? x + y : op == STANDIN_SUB ? x - y : x * y;
    return static_cast<V>(static_cast<U>(r));
  } else {
    return op == STANDIN_ADD ? a + b : op == STANDIN_SUB ? a - b : a * b;
  }
}

template <typename T>
void apply_typed(int32_t op, unsigned char* dst, const unsigned char* a, const unsigned char* b, double scalar,
                 int64_t count) {
  using V = decltype(widen(T{}));
  const V constant = static_cast<V>(scalar);
  for (int64_t i = 0; i < count; ++i) {
    const V y = b == nullptr ? constant : widen(load<T>(b, i));
    store<T>(dst, i, narrow<T>(compute<V>(op, widen(load<T>(a, i)), y)));
  }
}

double rounded(double value, int32_t mode) {
  switch (mode) {
    case 2:
      return std::round(value);
    case 3:
      return std::floor(value);
    case 4:
      return std::ceil(value);
    case 5:
      return std::trunc(value);
    default:
      return std::nearbyint(value);
  }
}

template <typename To, typename From>
void convert_typed(unsigned char* dst, const unsigned char* src, int32_t mode, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const auto value = widen(load<From>(src, i));
    if constexpr (std::is_integral_v<To> && !std::is_integral_v<decltype(value)>) {
      store<To>(dst, i, static_cast<To>(rounded(static_cast<double>(value), mode)));
    } else {
      store<To>(dst, i, narrow<To>(value));
    }
  }
}

template <typename From>
const char* convert_from(int32_t to, unsigned char* dst, const unsigned char* src, int32_t mode, int64_t count) {
  switch (to) {
    case STANDIN_FP32:
      return convert_typed<float, From>(dst, src, mode, count), nullptr;
    case STANDIN_FP16:
      return convert_typed<Half, From>(dst, src, mode, count), nullptr;
    case STANDIN_BF16:
      return convert_typed<Brain, From>(dst, src, mode, count), nullptr;
    case STANDIN_INT32:
      return convert_typed<int32_t, From>(dst, src, mode, count), nullptr;
    default:
      return "TCVT between types that the stand-in has not";
  }
}

}  // namespace

float from_half(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  const uint32_t exponent = (bits >> 10) & 31;
  const uint32_t fraction = bits & 1023;
  if (exponent == 31) return float_of(sign | 0x7F800000 | fraction << 13);
  if (exponent != 0) return float_of(sign | (exponent + 112) << 23 | fraction << 13);
  const float tiny = static_cast<float>(fraction) * 5.9604644775390625e-08f;  // 2^-24
  return sign != 0 ? -tiny : tiny;
}

uint16_t to_half(float value) {
  const uint32_t bits = bits_of(value);
  const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000);
  const uint32_t magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000) return static_cast<uint16_t>(sign | 0x7E00);
  if (magnitude >= 0x477FF000) return static_cast<uint16_t>(sign | 0x7C00);  // rounds to infinity
  if (magnitude < 0x38800000) {                                              // subnormal or zero
    const float scaled = float_of(magnitude) * 16777216.0f;                  // 2^24
    return static_cast<uint16_t>(sign | static_cast<uint16_t>(std::nearbyint(scaled)));
  }
  const uint32_t rebased = magnitude - 0x38000000;
  return static_cast<uint16_t>(sign | ((rebased + 0xFFF + ((rebased >> 13) & 1)) >> 13));
}

float from_bfloat16(uint16_t bits) {
  return float_of(static_cast<uint32_t>(bits) << 16);
}

uint16_t to_bfloat16(float value) {
  const uint32_t bits = bits_of(value);
  if ((bits & 0x7FFFFFFF) > 0x7F800000) return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

uint64_t size_of_type(int32_t type) {
  switch (type) {
    case STANDIN_FP32:
    case STANDIN_INT32:
    case STANDIN_UINT32:
      return 4;
    case STANDIN_FP16:
    case STANDIN_BF16:
    case STANDIN_INT16:
    case STANDIN_UINT16:
      return 2;
    case STANDIN_INT8:
    case STANDIN_UINT8:
    case STANDIN_BOOL:
      return 1;
    case STANDIN_INT64:
    case STANDIN_UINT64:
      return 8;
    default:
      return 0;
  }
}

const char* apply(int32_t op, int32_t type, unsigned char* dst, const unsigned char* a, const unsigned char* b,
                  double scalar, int64_t count) {
  switch (type) {
    case STANDIN_FP32:
      return apply_typed<float>(op, dst, a, b, scalar, count), nullptr;
    case STANDIN_FP16:
      return apply_typed<Half>(op, dst, a, b, scalar, count), nullptr;
    case STANDIN_INT32:
      return apply_typed<int32_t>(op, dst, a, b, scalar, count), nullptr;
    case STANDIN_INT16:
      return apply_typed<int16_t>(op, dst, a, b, scalar, count), nullptr;
    default:
      return "arithmetic on tiles of a type that a2a3 has no instruction for";
  }
}

const char* fill(int32_t type, unsigned char* dst, double value, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    if (type == STANDIN_FP32) {
      store<float>(dst, i, static_cast<float>(value));
    } else if (type == STANDIN_INT32) {
      store<int32_t>(dst, i, static_cast<int32_t>(value));
    } else {
      return "TEXPANDS of a type that the stand-in has not";
    }
  }
  return nullptr;
}

const char* convert(int32_t to_type, unsigned char* dst, int32_t from_type, const unsigned char* src, int32_t mode,
                    int64_t count) {
  if (to_type == from_type) {
    std::memmove(dst, src, static_cast<size_t>(count) * size_of_type(to_type));
    return nullptr;
  }
  switch (from_type) {
    case STANDIN_FP32:
      // of the roundings of FP32 to a narrower float the stand-in has the nearest-even one
      if ((to_type == STANDIN_FP16 || to_type == STANDIN_BF16) && mode > 1) return "TCVT with another rounding mode";
      return convert_from<float>(to_type, dst, src, mode, count);
    case STANDIN_FP16:
      return convert_from<Half>(to_type, dst, src, mode, count);
    case STANDIN_BF16:
      return convert_from<Brain>(to_type, dst, src, mode, count);
    case STANDIN_INT32:
      return convert_from<int32_t>(to_type, dst, src, mode, count);
    default:
      return "TCVT between types that the stand-in has not";
  }
}

const char* add_to(int32_t type, unsigned char* memory, const unsigned char* values, int64_t count) {
  switch (type) {
    case STANDIN_FP32:
      return apply_typed<float>(STANDIN_ADD, memory, memory, values, 0, count), nullptr;
    case STANDIN_FP16:
      return apply_typed<Half>(STANDIN_ADD, memory, memory, values, 0, count), nullptr;
    case STANDIN_BF16:
      return apply_typed<Brain>(STANDIN_ADD, memory, memory, values, 0, count), nullptr;
    case STANDIN_INT32:
      return apply_typed<int32_t>(STANDIN_ADD, memory, memory, values, 0, count), nullptr;
    case STANDIN_INT16:
      return apply_typed<int16_t>(STANDIN_ADD, memory, memory, values, 0, count), nullptr;
    case STANDIN_INT8:
      return apply_typed<int8_t>(STANDIN_ADD, memory, memory, values, 0, count), nullptr;
    default:
      return "an atomic add of a type that the transfer units cannot add";
  }
}

}  // namespace standin::ranks
