// SPDX-License-Identifier: Apache-2.0
// Literals are read back by the real compilers: any bytes must come through them unchanged.
#include "support/literals.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "temporary_folder.h"

using namespace pyptoc::support;

namespace {

// Everything that has ever needed an escape, in random order, so that escapes meet whatever may prolong them.
std::vector<std::string> hostile_texts() {
  static constexpr std::string_view kPieces[] = {"\\",
                                                 "\"",
                                                 "'",
                                                 "\n",
                                                 "\r",
                                                 "\t",
                                                 "?",
                                                 "??",
                                                 "?\?/",
                                                 "%s",
                                                 "{}",
                                                 "0",
                                                 "7",
                                                 "f",
                                                 "a",
                                                 "*/",
                                                 "//",
                                                 "\x7f",
                                                 "\xc3\xa9",
                                                 "\xe2\x80\xa8",
                                                 "\xf0\x9f\x98\x80",
                                                 "\xff",
                                                 "\xc3",
                                                 "\x1b[0m",
                                                 "$",
                                                 "`"};
  std::vector<std::string> texts{"",
                                 std::string("\0"
                                             "1",
                                             2),
                                 "R\"(", "?\?="};
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    std::string text;
    for (auto n = random() % 12; n > 0; --n) text += kPieces[random() % std::size(kPieces)];
    if (random() % 4 == 0) text += '\0';
    texts.push_back(text);
  }
  return texts;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace

TEST_CASE("C++ literals hold exactly the bytes given, with trigraphs on and off") {
  const TemporaryFolder folder;
  const auto texts = hostile_texts();
  std::string source = "#include <cstdio>\n#include <string>\nint main() {\n  const std::string all[] = {\n";
  std::string expected;
  for (const std::string& text : texts) {
    const std::string literal = cpp_string_literal(text);
    for (const char c : literal) REQUIRE((c >= 0x20 && c < 0x7f));
    source += "    std::string(" + literal + ", " + std::to_string(text.size()) + "),\n";
    expected += text + "|";
  }
  source += "  };\n  for (auto& s : all) { std::fwrite(s.data(), 1, s.size(), stdout); std::putchar('|'); }\n}\n";
  write(folder.path("a.cpp"), source);
  for (const std::string standard : {"c++17", "c++11"}) {
    const std::string run = "cd '" + folder.path() + "' && g++ -std=" + standard +
                            " -trigraphs -Wall -Wextra -Werror a.cpp -o a && ./a > out";
    REQUIRE(std::system(run.c_str()) == 0);
    REQUIRE(folder.read("out") == expected);
  }
}

TEST_CASE("Python literals hold exactly the text given") {
  const TemporaryFolder folder;
  std::string source = "import sys\nfor text in [\n";
  std::string expected;
  for (const std::string& text : hostile_texts()) {
    source += "    " + python_string_literal(text) + ",\n";
    expected += text + "|";
  }
  source += "]:\n    sys.stdout.buffer.write(text.encode('utf-8', 'surrogateescape') + b'|')\n";
  write(folder.path("a.py"), source);
  REQUIRE(std::system(("cd '" + folder.path() + "' && python3 a.py > out").c_str()) == 0);
  CHECK(folder.read("out") == expected);
}

TEST_CASE("comments stay on their line") {
  CHECK(comment_text("moe.py:41") == "moe.py:41");
  CHECK(comment_text("a\nint x;\r\0") == "a\\x0aint x;\\x0d");
  CHECK(comment_text("path\\") == "path\\ .");
  CHECK(comment_text("path\\  ") == "path\\ .");
  CHECK(comment_text("what?\?/") == "what?\?/ .");
  CHECK(comment_text("\xc3\xa9") == "\\xc3\\xa9");
}
