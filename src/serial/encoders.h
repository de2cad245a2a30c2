// SPDX-License-Identifier: Apache-2.0
// The two encodings, token by token.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pyptoc::serial {

// Both encoders append to `out`. A map is begin_map, entries (each a key and a value), end_map; a list likewise.
// `first` says that nothing of the same map or list comes before.

class JsonEncoder {
 public:
  static constexpr bool kSeparated = true;  // entries have a comma between them

  explicit JsonEncoder(std::string& out) : out_(out) {}

  void begin_map(std::size_t) { out_ += '{'; }
  void end_map() { out_ += '}'; }
  void key(std::string_view name, bool first);  // a name of the format, which needs no escapes
  void begin_list(std::size_t) { out_ += '['; }
  void end_list() { out_ += ']'; }
  void entry(bool first) {
    if (!first) out_ += ',';
  }
  void new_line() { out_ += '\n'; }

  void null() { out_ += "null"; }
  void boolean(bool value) { out_ += value ? "true" : "false"; }
  void integer(std::int64_t value);
  void whole(std::uint64_t value);
  void real(double value);  // not a whole number that whole() or integer() can write
  void text(std::string_view value);

 private:
  std::string& out_;
};

class MsgpackEncoder {
 public:
  static constexpr bool kSeparated = false;

  explicit MsgpackEncoder(std::string& out) : out_(out) {}

  void begin_map(std::size_t count) { header(count, 0x80, 15, 0xDE); }
  void end_map() {}
  void key(std::string_view name, bool) { text(name); }
  void begin_list(std::size_t count) { header(count, 0x90, 15, 0xDC); }
  void end_list() {}
  void entry(bool) {}
  void new_line() {}

  void null() { byte(0xC0); }
  void boolean(bool value) { byte(value ? 0xC3 : 0xC2); }
  void integer(std::int64_t value);
  void whole(std::uint64_t value);
  void real(double value);
  void text(std::string_view value);

 private:
  void byte(unsigned value) { out_ += static_cast<char>(static_cast<unsigned char>(value)); }
  void big_endian(std::uint64_t value, unsigned bytes);
  // One byte for small counts, else a byte that says that 16 or 32 bits follow.
  void header(std::size_t count, unsigned small, std::size_t small_limit, unsigned wide);

  std::string& out_;
};

}  // namespace pyptoc::serial
