// SPDX-License-Identifier: Apache-2.0
// Tokens, indentation, joined lines, comments, literals.
#include "text/lexer.h"
#include "text/literals.h"
#include "text/source_map.h"
#include "text_testing.h"

namespace pyptoc::text::testing {
namespace {

// Tokens as words: `(` and its like as they are, N newline, > indent, < dedent, ! faults.
std::string shape_of(std::string_view text) {
  Names names;
  TokenList list = tokenize(text, names);
  std::string out;
  for (const Token& token : list.tokens) {
    if (!out.empty()) out += ' ';
    switch (token.kind) {
      case Tok::End:
        out += "$";
        break;
      case Tok::Newline:
        out += "N";
        break;
      case Tok::Indent:
        out += ">";
        break;
      case Tok::Dedent:
        out += "<";
        break;
      case Tok::Fault:
        out += "!";
        break;
      default:
        out += text.substr(token.begin, token.end - token.begin);
    }
  }
  return out;
}

TEST_CASE("lines, blocks and joined lines") {
  CHECK(shape_of("") == "$");
  CHECK(shape_of("a\n\n  \n# c\nb") == "a N b N $");
  CHECK(shape_of("if a:\n  b\n  c\nd\n") == "if a : N > b N c N < d N $");
  CHECK(shape_of("if a:\n  b:\n\tc\nd") == "if a : N > b : N > c N < < d N $");
  CHECK(shape_of("f(a,\n b)\nc") == "f ( a , b ) N c N $");
  CHECK(shape_of("a = \\\n  b\r\nc\rd") == "a = b N c N d N $");
  CHECK(shape_of("if a:\n    b\n  c\n") == "if a : N > b N < ! c N $");
  CHECK(shape_of("\xEF\xBB\xBFx") == "x N $");
}

TEST_CASE("operators, numbers and names") {
  CHECK(shape_of("a:=b->c**d//e<<f") == "a := b -> c ** d // e << f N $");
  CHECK(shape_of("x//=1 y>>=2") == "x //= 1 y >>= 2 N $");
  CHECK(shape_of("1_0 0xFF 1.5e-3 .5 1. 12ab") == "1_0 0xFF 1.5e-3 .5 1. ! N $");
  CHECK(shape_of("gr\xC3\xB6\xC3\x9F"
                 "e ... $") ==
        "gr\xC3\xB6\xC3\x9F"
        "e ... ! N $");
}

TEST_CASE("strings and what is not closed") {
  CHECK(shape_of("'a' \"b\\\"c\" r'\\d' '''x\ny''' z") == "'a' \"b\\\"c\" r'\\d' '''x\ny''' z N $");
  CHECK(shape_of("a = 'x\nb") == "a = ! N b N $");
  CHECK(shape_of("a = '''x\nb") == "a = ! N b N $");
  // A forgotten bracket ends where the next statement begins.
  CHECK(shape_of("x = f(a\ny = 2\n") == "x = f ( a ! N y = 2 N $");
  CHECK(shape_of("if a:\n  x = f(a\n  return\nb") == "if a : N > x = f ( a ! N return N < b N $");
  CHECK(shape_of("f([a)\nb\n") == "f ( [ a ) N b N $");
}

TEST_CASE("comments know their place") {
  Names names;
  TokenList list = tokenize("# one\na  # two\n  # three\nb\n", names);
  REQUIRE(list.comments.size() == 3);
  CHECK(list.comments[0].own_line);
  CHECK(list.comments[0].token == 0);
  CHECK_FALSE(list.comments[1].own_line);
  CHECK(list.comments[1].token == 1);
  CHECK(list.comments[2].column == 2);
}

TEST_CASE("values of literals") {
  CHECK(parse_int("1_000", false) == 1000);
  CHECK(parse_int("0xff", true) == -255);
  CHECK(parse_int("9223372036854775808", true) == INT64_MIN);
  CHECK(parse_int("18446744073709551616", false) == std::nullopt);
  CHECK(parse_int("18446744073709551615", false) == -1);
  CHECK(parse_float("1e5") == 100000.0);
  CHECK(parse_float("1.") == 1.0);
  std::string text;
  CHECK(append_string("\"a\\n\\x41\\u00e9\\U0001F600\\udc80\\101\"", text));
  CHECK(text ==
        "a\nA\xC3\xA9\xF0\x9F\x98\x80\x80"
        "A");
  CHECK_FALSE(append_string("b'x'", text));
  CHECK_FALSE(append_string("'\\x4'", text));
}

TEST_CASE("columns count characters") {
  SourceMap map("ab\n\xC3\xA9z\r\nq");
  CHECK(map.at(1).column == 2);
  CHECK(map.at(5).line == 2);
  CHECK(map.at(5).column == 2);
  CHECK(map.at(3).column == 1);
  CHECK(map.at(8).line == 3);
  CHECK(map.at(0).line == 1);
}

TEST_CASE("names get one number each") {
  Names names;
  CHECK(names.id("pl") == words::w_pl);
  CHECK(names.id("while") == words::kw_while);
  NameId first = names.id("something_long_enough");
  for (int i = 0; i < 5000; ++i) {
    static std::vector<std::string> keep(5000);
    keep[static_cast<size_t>(i)] = "n" + std::to_string(i);
    names.id(keep[static_cast<size_t>(i)]);
  }
  CHECK(names.id("something_long_enough") == first);
  CHECK(names.text(first) == "something_long_enough");
}

}  // namespace
}  // namespace pyptoc::text::testing
