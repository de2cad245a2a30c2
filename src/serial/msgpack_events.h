// SPDX-License-Identifier: Apache-2.0
// MessagePack into events, for the handler that the JSON library has for JSON.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace pyptoc::serial {

// Reads one value. Before each event `*seen` is one past the bytes that it stands for. The library can do the same, but
// it copies texts byte by byte, which took two thirds of the time of reading a program. A handler that returns false
// ends the reading; what is no MessagePack goes to its fault(), the offset of the byte, or of the end where bytes are
// missing. Values of binary and extension types go to binary(). The handler bounds the nesting.
template <class Handler>
class MsgpackEvents {
 public:
  MsgpackEvents(std::string_view input, Handler& handler, const char** seen)
      : begin_(input.data()), end_(input.data() + input.size()), at_(begin_), handler_(handler), seen_(seen) {}

  bool value() {
    if (at_ == end_) return cut_short();
    const uint8_t first = static_cast<uint8_t>(*at_++);
    *seen_ = at_;
    if (first < 0x80) return handler_.number_unsigned(first);
    if (first < 0x90) return map(first & 0x0FU);
    if (first < 0xA0) return list(first & 0x0FU);
    if (first < 0xC0) return text(first & 0x1FU, false);
    if (first >= 0xE0) return handler_.number_integer(static_cast<int8_t>(first));
    return long_form(first);
  }

 private:
  bool long_form(uint8_t first) {
    switch (first) {
      case 0xC0:
        return handler_.null();
      case 0xC2:
      case 0xC3:
        return handler_.boolean(first == 0xC3);
      case 0xCA: {
        const uint64_t bits = number(4);
        return failed_ ? false : handler_.number_float(std::bit_cast<float>(static_cast<uint32_t>(bits)), {});
      }
      case 0xCB: {
        const uint64_t bits = number(8);
        return failed_ ? false : handler_.number_float(std::bit_cast<double>(bits), {});
      }
      case 0xCC:
      case 0xCD:
      case 0xCE:
      case 0xCF: {
        const uint64_t bits = number(1U << (first - 0xCC));
        return failed_ ? false : handler_.number_unsigned(bits);
      }
      case 0xD0:
      case 0xD1:
      case 0xD2:
      case 0xD3: {
        const unsigned bytes = 1U << (first - 0xD0);
        const unsigned unused = 64 - 8 * bytes;
        const uint64_t bits = number(bytes);
        return failed_ ? false : handler_.number_integer(static_cast<int64_t>(bits << unused) >> unused);
      }
      case 0xD9:
      case 0xDA:
      case 0xDB: {
        const uint64_t size = number(1U << (first - 0xD9));
        return failed_ ? false : text(size, false);
      }
      case 0xDC:
      case 0xDD: {
        const uint64_t count = number(2U << (first - 0xDC));
        return failed_ ? false : list(count);
      }
      case 0xDE:
      case 0xDF: {
        const uint64_t count = number(2U << (first - 0xDE));
        return failed_ ? false : map(count);
      }
      case 0xC1:
        return handler_.fault(offset() - 1);
      default:
        return other_bytes(first);
    }
  }

  // Binary data, and extensions with the byte of their type.
  bool other_bytes(uint8_t first) {
    uint64_t size = 0;
    if (first >= 0xD4)
      size = (uint64_t{1} << (first - 0xD4)) + 1;
    else if (first >= 0xC7)
      size = number(1U << (first - 0xC7)) + 1;
    else
      size = number(1U << (first - 0xC4));
    if (failed_) return false;
    if (size > left()) return cut_short();
    at_ += size;
    *seen_ = at_;
    return handler_.binary();
  }

  bool map(uint64_t count) {
    if (!handler_.start_object(count)) return false;
    for (; count > 0; --count)
      if (!key() || !value()) return false;
    return handler_.end_object();
  }
  bool list(uint64_t count) {
    if (!handler_.start_array(count)) return false;
    for (; count > 0; --count)
      if (!value()) return false;
    return handler_.end_array();
  }
  bool key() {
    if (at_ == end_) return cut_short();
    const uint8_t first = static_cast<uint8_t>(*at_++);
    *seen_ = at_;
    if (first >= 0xA0 && first < 0xC0) return text(first & 0x1FU, true);
    if (first < 0xD9 || first > 0xDB) return handler_.fault(offset() - 1);
    const uint64_t size = number(1U << (first - 0xD9));
    return failed_ ? false : text(size, true);
  }
  bool text(uint64_t size, bool is_key) {
    if (size > left()) return cut_short();
    const std::string_view found(at_, size);
    at_ += size;
    *seen_ = at_;
    return is_key ? handler_.key(found) : handler_.string(found);
  }

  // Big-endian.
  uint64_t number(unsigned bytes) {
    if (bytes > left()) {
      cut_short();
      return 0;
    }
    uint64_t out = 0;
    for (unsigned i = 0; i < bytes; ++i) out = out << 8 | static_cast<uint8_t>(*at_++);
    *seen_ = at_;
    return out;
  }
  bool cut_short() {
    failed_ = true;
    return handler_.fault(static_cast<size_t>(end_ - begin_));
  }
  uint64_t left() const { return static_cast<uint64_t>(end_ - at_); }
  size_t offset() const { return static_cast<size_t>(at_ - begin_); }

  const char* begin_;
  const char* end_;
  const char* at_;
  Handler& handler_;
  const char** seen_;
  bool failed_ = false;  // in a number, and reported
};

}  // namespace pyptoc::serial
