// SPDX-License-Identifier: Apache-2.0
// Bytes that are neither JSON nor MessagePack, or not all of it: the place and the words.
#include <sys/mman.h>

#include <catch2/catch.hpp>

#include "sample.h"

namespace pyptoc::serial::testing {
namespace {

TEST_CASE("E0100: neither JSON nor MessagePack") {
  CHECK(faults("") == "E0100 1:1: expected JSON or MessagePack, found an empty input\n");
  CHECK(faults(" \n ") == "E0100 1:1: expected JSON or MessagePack, found nothing but spaces\n");
  CHECK(faults("\n import pypto") == "E0100 2:2: expected JSON or MessagePack, found `i`\n");
  CHECK(faults("\xC1") == "E0100 1:1: expected JSON or MessagePack, found byte 0xc1\n");
  CHECK(
      faults("\xEF\xBB\xBF{}") ==
      "E0100 1:1: expected JSON or MessagePack, found a byte order mark; help: write the file in UTF-8 without a byte "
      "order mark\n");
  CHECK(faults(std::string_view("\xFF\xFE{\0}\0", 6)) ==
        "E0100 1:1: expected JSON or MessagePack, found UTF-16 text; help: write the file in UTF-8\n");
}

TEST_CASE("E0101: malformed JSON") {
  CHECK(faults("{\"a\" 1}") == "E0101 1:6: expected `:` after a key, found `1`\n");
  CHECK(faults("{a: 1}") == "E0101 1:2: expected a key in double quotes or `}`, found `a`\n");
  CHECK(
      faults("{\"a\": 1,\n}") ==
      "E0101 2:1: expected a key in double quotes, found `}`; help: the last entry of a list or map has no comma after "
      "it\n");
  CHECK(faults("[1, ]") ==
        "E0101 1:5: expected a value, found `]`; help: the last entry of a list or map has no comma after it\n");
  CHECK(faults("[1 2]") == "E0101 1:4: expected `,` or `]`, found `2`\n");
  CHECK(faults("{\"a\": 1 \"b\": 2}") == "E0101 1:9: expected `,` or `}`, found `\"`\n");
  CHECK(faults("{\"a\": [}") == "E0101 1:8: expected a value or `]`, found `}`\n");
  CHECK(faults("[1}") == "E0101 1:3: expected `,` or `]`, found `}`\n");
  CHECK(faults("['a']") ==
        "E0101 1:2: expected a value or `]`, found `'`; help: JSON strings stand in double quotes\n");
  CHECK(faults("[// no\n1]") == "E0101 1:2: expected a value or `]`, found `/`; help: JSON has no comments\n");
  CHECK(faults("[None]") == "E0101 1:2: expected a value or `]`, found `None`; help: JSON writes `null`\n");
  CHECK(faults("[True]") == "E0101 1:2: expected a value or `]`, found `True`; help: JSON writes `true`\n");
  CHECK(
      faults("[NaN]") ==
      "E0101 1:2: expected a value or `]`, found `NaN`; help: a float that is no finite number is written `{\"type\": "
      "\"Float\", \"value\": \"nan\"}`, or with `inf` or `-inf`\n");
  CHECK(faults("[1, -Infinity]").substr(0, 54) == "E0101 1:5: expected a number, found `-Infinity`; help:");
  CHECK(faults("[01]") == "E0101 1:2: expected a number, found `01`\n");
  CHECK(faults("[1, 2.5.7]") == "E0101 1:5: expected a number, found `2.5.7`\n");
  CHECK(faults("{\"a\":0x1F}") == "E0101 1:6: expected a number, found `0x1F`\n");
  CHECK(faults("[0 1]") == "E0101 1:4: expected `,` or `]`, found `1`\n");
  CHECK(faults("[1., 2]") == "E0101 1:2: expected a number, found `1.`\n");
  CHECK(faults("[-]") == "E0101 1:2: expected a number, found `-`\n");
  CHECK(faults("[1e+]") == "E0101 1:2: expected a number, found `1e+`\n");
  CHECK(faults("[\"a\nb\"]") ==
        "E0101 1:4: expected an escape such as `\\n` for a control character, found byte 0x0a\n");
  CHECK(faults("[\"\\x41\"]") == "E0101 1:3: expected one of `\"\\/bfnrtu` after a backslash, found `x41`\n");
  CHECK(faults("[\"\\u12G4\"]") == "E0101 1:7: expected four hexadecimal digits after `\\u`, found `G4`\n");
  CHECK(faults("[\"\\ud800\"]") == "E0101 1:3: expected a pair of surrogates, found `\\ud800` alone\n");
  CHECK(faults("[\"\\ud800\\u0041\"]") == "E0101 1:3: expected a pair of surrogates, found `\\ud800` alone\n");
  CHECK(faults("[\"\\udc00\"]") == "E0101 1:3: expected a pair of surrogates, found `\\udc00` alone\n");
  CHECK(faults("[1,\n \"é\" x]") == "E0101 2:6: expected `,` or `]`, found `x`\n");
  CHECK(faults("[1 \x01]") == "E0101 1:4: expected `,` or `]`, found byte 0x01\n");
}

TEST_CASE("E0102: cut short") {
  CHECK(faults("{") == "E0102 1:2: expected a key in double quotes or `}`, found the end of the input\n");
  CHECK(faults("{\"a\"") == "E0102 1:5: expected `:` after a key, found the end of the input\n");
  CHECK(faults("{\"a\":") == "E0102 1:6: expected a value, found the end of the input\n");
  CHECK(faults("{\"a\": 12") == "E0102 1:9: expected `,` or `}`, found the end of the input\n");
  CHECK(faults("{\"a\": 12,") == "E0102 1:10: expected a key in double quotes, found the end of the input\n");
  CHECK(faults("{\"a\": -") == "E0102 1:8: expected the rest of a number, found the end of the input\n");
  CHECK(faults("{\"a\": 1e") == "E0102 1:9: expected the rest of a number, found the end of the input\n");
  CHECK(faults("{\"a\": tr") == "E0102 1:9: expected the rest of `true`, found the end of the input\n");
  CHECK(faults("{\"a\": \"x") == "E0102 1:9: expected the closing quote of a string, found the end of the input\n");
  CHECK(faults("{\"a\": \"\xC3") == "E0102 1:9: expected the closing quote of a string, found the end of the input\n");
  CHECK(faults("{\"a\": \"\\") == "E0102 1:9: expected the rest of an escape, found the end of the input\n");
  CHECK(faults("{\"a\": \"\\u00") == "E0102 1:12: expected the rest of an escape, found the end of the input\n");
  CHECK(faults("{\"a\": [") == "E0102 1:8: expected a value or `]`, found the end of the input\n");

  CHECK(faults("\x81") == "E0102 byte 1: expected a string as the key of a map, found the end of the input\n");
  CHECK(faults("\x81\xA1"
               "a") == "E0102 byte 3: expected a value, found the end of the input\n");
  CHECK(faults(std::string_view("\x81\xA1"
                                "a\xCD\x01",
                                5)) == "E0102 byte 5: expected a value, found the end of the input\n");
  CHECK(faults("\xDD\xFF\xFF\xFF\xFF") == "E0102 byte 5: expected a value, found the end of the input\n");
}

TEST_CASE("E0103: wrong UTF-8") {
  CHECK(faults("[\"a\xFFz\"]") == "E0103 1:4: expected UTF-8 text, found byte 0xff\n");
  CHECK(faults("[\"\xC3(\"]") == "E0103 1:3: expected UTF-8 text, found byte 0xc3\n");
  CHECK(faults("[\"\xED\xA0\x80\"]") == "E0103 1:3: expected UTF-8 text, found byte 0xed\n");
  CHECK(faults("[\"\xC0\x80\"]") == "E0103 1:3: expected UTF-8 text, found byte 0xc0\n");
  CHECK(faults("{\"\xE2\x82\": 1}") == "E0103 1:3: expected UTF-8 text, found byte 0xe2\n");
  CHECK(faults("\x91\xA3"
               "a\xFFz") == "E0103 byte 3: expected UTF-8 text, found byte 0xff\n");
  CHECK(faults("\x81\xA2\xC3(\x01") == "E0103 byte 2: expected UTF-8 text, found byte 0xc3\n");
}

TEST_CASE("E0106: duplicate keys") {
  std::string text = replaced(in_body(eval_of("{\"ref\":11}")), "\"name\":\"P\"", "\"name\":\"P\",\n \"name\":\"Q\"");
  CHECK(faults(text) == "E0106 2:9: key `name` occurs twice in one map\n");
  // Escapes do not hide one, and all are found, in maps that nothing reads too.
  CHECK(faults("{\"a\":{\"b\":1,\"\\u0062\":2},\n\"a\":3,\"a\":4}")
            .find("E0106 1:22: key `b` occurs twice in one map\nE0106 2:5: key `a` occurs twice in one map\n"
                  "E0106 2:11: key `a` occurs twice in one map\nE0105 $: missing field `type` of `node`\n") == 0);
  CHECK(faults("\x82\xA1"
               "a\x01\xA1"
               "a\x02")
            .substr(0, 49) == "E0106 byte 6: key `a` occurs twice in one map\nE01");
}

TEST_CASE("E0107: nesting beyond the limit") {
  std::string deep(1000000, '[');
  CHECK(faults(deep) == "E0107 1:513: lists and maps are nested more than 512 levels deep\n");
  CHECK(faults(std::string(1000000, '\x91')) ==
        "E0107 byte 512: lists and maps are nested more than 512 levels deep\n");
  std::string maps;
  for (int i = 0; i < 100000; ++i) maps += "{\"a\":";
  CHECK(faults(maps, {.max_nesting = 5}) == "E0107 1:26: lists and maps are nested more than 5 levels deep\n");
  std::string program = with_expr("{\"ref\":11}");
  CHECK(faults(program, {.max_nesting = 13}).empty());
  CHECK(faults(program, {.max_nesting = 8}).substr(0, 5) == "E0107");
}

TEST_CASE("E0111: integers beyond 64 bits") {
  std::string text = with_expr(replaced(index_of(7), "7", "18446744073709551616"));
  CHECK(faults(text) ==
        "E0111 1:" + std::to_string(text.find("18446744073709551616") + 1) +
            ": expected an integer from -9223372036854775808 to 18446744073709551615, found `18446744073709551616`\n");
  CHECK(faults(replaced(text, "18446744073709551616", "-9223372036854775809")).find("`-9223372036854775809`") !=
        std::string::npos);
}

TEST_CASE("E0115: something after the program") {
  CHECK(faults("{} x") == "E0115 1:4: expected the end of the input, found `x`\n");
  CHECK(faults("{}\n{}") == "E0115 2:1: expected the end of the input, found `{`\n");
  CHECK(faults("12 3") == "E0115 1:4: expected the end of the input, found `3`\n");
  CHECK(faults("{},") == "E0115 1:3: expected the end of the input, found `,`\n");
  CHECK(faults(std::string_view("\x80\x00", 2)) == "E0115 byte 1: expected the end of the input, found 1 more byte\n");
}

TEST_CASE("E0116: beyond 32-bit offsets") {
  std::size_t size = std::size_t{1} << 32U;
  void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  auto reading = read(std::string_view(static_cast<const char*>(memory), size));
  munmap(memory, size);
  REQUIRE(reading->diagnostics.error_count() == 1);
  CHECK(reading->diagnostics.sorted()[0].code->id == "E0116");
  CHECK(reading->diagnostics.sorted()[0].message == "expected an input of at most 4294967294 bytes, found 4294967296");
}

TEST_CASE("E0117: numbers beyond a double") {
  CHECK(faults("[1e999]") == "E0117 1:2: expected a number in the range of a 64-bit float, found `1e999`\n");
  CHECK(faults("[1, -2.5E+400]") == "E0117 1:5: expected a number in the range of a 64-bit float, found `-2.5E+400`\n");
}

TEST_CASE("E0125: what MessagePack has and programs have not") {
  CHECK(faults("\x91\xC1") == "E0125 byte 1: expected a value of a kind that JSON has, found the unused byte 0xc1\n");
  CHECK(faults("\x91\xC4\x01z") == "E0125 byte 1: expected a value of a kind that JSON has, found binary data\n");
  CHECK(faults("\x91\xD4\x05z") == "E0125 byte 1: expected a value of a kind that JSON has, found an extension type\n");
  CHECK(faults("\x81\x07\x01") == "E0125 byte 1: expected a string as the key of a map, found an integer\n");
  CHECK(faults("\x82\xA1"
               "a\x01\xC0\x01") == "E0125 byte 4: expected a string as the key of a map, found null\n");
  CHECK(faults("\x81\x90\x01") == "E0125 byte 1: expected a string as the key of a map, found a list\n");
}

TEST_CASE("no words of the JSON library come through") {
  for (std::string_view text : {"{", "[1 2]", "[1e999]", "[\"\\q\"]", "\x81\x07\x01", "\x91", "[nul]", "{} {}"})
    CHECK(faults(text).find("exception") == std::string::npos);
}

}  // namespace
}  // namespace pyptoc::serial::testing
