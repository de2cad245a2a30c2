// SPDX-License-Identifier: Apache-2.0
// Numbers in their shortest form, texts escaped as little as JSON wants.
#include "serial/encoders.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "support/json_text.h"

namespace pyptoc::serial {

void JsonEncoder::key(std::string_view name, bool first) {
  if (!first) out_ += ',';
  out_ += '"';
  out_ += name;
  out_ += "\":";
}

void JsonEncoder::integer(std::int64_t value) {
  char digits[24];
  out_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void JsonEncoder::whole(std::uint64_t value) {
  char digits[24];
  out_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void JsonEncoder::real(double value) {
  if (!std::isfinite(value)) {
    out_ += R"({"type":"Float","value":")";
    out_ += std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    out_ += "\"}";
    return;
  }
  char digits[40];
  char* end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out_.append(digits, end);
  // Digits alone would be an integer beyond 64 bits.
  if (std::none_of(digits, end, [](char c) { return c == '.' || c == 'e'; })) out_ += ".0";
}

void JsonEncoder::text(std::string_view value) {
  bool plain =
      std::all_of(value.begin(), value.end(), [](char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; });
  if (!plain) return support::append_json_string(out_, value);
  out_ += '"';
  out_ += value;
  out_ += '"';
}

void MsgpackEncoder::big_endian(std::uint64_t value, unsigned bytes) {
  for (unsigned shift = bytes * 8; shift > 0; shift -= 8) byte(static_cast<unsigned>(value >> (shift - 8)) & 0xFFU);
}

void MsgpackEncoder::header(std::size_t count, unsigned small, std::size_t small_limit, unsigned wide) {
  if (count <= small_limit) return byte(small | static_cast<unsigned>(count));
  byte(count <= 0xFFFF ? wide : wide + 1);
  big_endian(count, count <= 0xFFFF ? 2 : 4);
}

void MsgpackEncoder::whole(std::uint64_t value) {
  if (value < 0x80) return byte(static_cast<unsigned>(value));
  unsigned log_bytes = value <= 0xFF ? 0 : value <= 0xFFFF ? 1 : value <= 0xFFFFFFFF ? 2 : 3;
  byte(0xCC + log_bytes);
  big_endian(value, 1U << log_bytes);
}

void MsgpackEncoder::integer(std::int64_t value) {
  if (value >= 0) return whole(static_cast<std::uint64_t>(value));
  if (value >= -32) return byte(static_cast<unsigned>(value) & 0xFFU);
  unsigned log_bytes = value >= INT8_MIN ? 0 : value >= INT16_MIN ? 1 : value >= INT32_MIN ? 2 : 3;
  byte(0xD0 + log_bytes);
  big_endian(static_cast<std::uint64_t>(value), 1U << log_bytes);
}

void MsgpackEncoder::real(double value) {
  byte(0xCB);
  big_endian(std::bit_cast<std::uint64_t>(value), 8);
}

void MsgpackEncoder::text(std::string_view value) {
  std::size_t size = value.size();
  if (size >= 32 && size <= 0xFF) {
    byte(0xD9);
    byte(static_cast<unsigned>(size));
  } else {
    header(size, 0xA0, 31, 0xDA);
  }
  out_ += value;
}

}  // namespace pyptoc::serial
