// SPDX-License-Identifier: Apache-2.0
// JSON strings and UTF-8 decoding, with all the ways in which bytes fail to be UTF-8.
#include "support/json_text.h"

#include <catch2/catch.hpp>
#include <string>

#include "support/utf8.h"

namespace pyptoc::support {
namespace {

std::string json(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST_CASE("plain text and other scripts pass through JSON strings") {
  CHECK(json("") == R"("")");
  CHECK(json("abc") == R"("abc")");
  CHECK(json("\u00e9\u6f22\U0001F600") == "\"\u00e9\u6f22\U0001F600\"");
}

TEST_CASE("JSON strings escape what JSON, terminals and line readers need") {
  CHECK(json("a\"b\\c/") == R"("a\"b\\c/")");
  CHECK(json("\b\f\n\r\t") == R"("\b\f\n\r\t")");
  CHECK(json(std::string_view("\0\x1b\x7f", 3)) == R"("\u0000\u001b\u007f")");
  CHECK(json("\u009b") == R"("\u009b")");
  CHECK(json("\u2028\u2029") == R"("\u2028\u2029")");
}

TEST_CASE("JSON strings replace broken UTF-8") {
  CHECK(json("a\x80z") == "\"a\uFFFDz\"");
  CHECK(json("\xff\xfe") == "\"\uFFFD\uFFFD\"");
  CHECK(json("\xe6\xbc") == "\"\uFFFD\"");                  // cut short: one character
  CHECK(json("\xe6\xbc\"") == "\"\uFFFD\\\"\"");            // and the quote after it still counts
  CHECK(json("\xc0\xaf") == "\"\uFFFD\uFFFD\"");            // overlong
  CHECK(json("\xed\xa0\x80") == "\"\uFFFD\uFFFD\uFFFD\"");  // a surrogate
  CHECK(json("\xf4\x90\x80\x80") == "\"\uFFFD\uFFFD\uFFFD\uFFFD\"");
}

TEST_CASE("every scalar value survives encoding and decoding") {
  for (char32_t c = 0; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 37) {
    if (c >= 0xD800 && c <= 0xDFFF) {
      continue;
    }
    std::string text;
    append_utf8(text, c);
    const DecodedCharacter decoded = decode_utf8(text + "\x80");
    if (!decoded.valid || decoded.code_point != c || decoded.length != text.size()) {
      FAIL("U+" << std::hex << static_cast<unsigned>(c));
    }
  }
}

}  // namespace
}  // namespace pyptoc::support
