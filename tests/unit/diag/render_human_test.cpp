// SPDX-License-Identifier: Apache-2.0
// The exact text that people see.
#include <catch2/catch.hpp>
#include <string>

#include "diag/render.h"
#include "sample.h"

namespace pyptoc::diag {
namespace {

using sample::FakeSources;
using sample::no_detail;
using sample::odd_thing;
using sample::rendered;
using sample::too_many;
using sample::wrong_thing;

std::string human(const Engine& engine, SourceProvider& sources, const RenderOptions& options = {}) {
  return rendered(render_human, engine, sources, options);
}

TEST_CASE("nothing to tell is told by nothing") {
  FakeSources sources;
  const Engine engine;
  CHECK(human(engine, sources).empty());
  CHECK(rendered(render_short, engine, sources).empty());
}

TEST_CASE("a diagnostic with origin, excerpt, notes and help") {
  FakeSources sources("{}");
  sources.lines[{"moe.py", 41}] = "        data = pld.tensor.allreduce(data, signal)  ";
  sources.paths[0] = "$.functions[4].value.body.stmts[7]";
  Engine engine;
  const Place place{.filename = "moe.py", .begin_line = 41, .begin_column = 16, .offset = 0};
  engine.report(wrong_thing, place, "data")
      .note("`data` is made here", {.filename = "moe.py", .begin_line = 36, .begin_column = 9})
      .note("views of one window share its memory")
      .help("allocate the signal separately");
  CHECK(human(engine, sources) == R"(error[E9101]: wrong thing `data`
  --> moe.py:41:16 (prog.json $.functions[4].value.body.stmts[7])
   |
41 |         data = pld.tensor.allreduce(data, signal)
   |                ^^^^^^^^^^^^^^^^^^^^
   = note: `data` is made here: moe.py:36:9
   = note: views of one window share its memory
   = help: allocate the signal separately

1 error
)");
}

TEST_CASE("the gutter grows with the line number, and the end of the place is marked") {
  FakeSources sources;
  sources.lines[{"moe.py", 1041}] = "x = f(a, b) + 1";
  Engine engine;
  engine
      .report(odd_thing,
              {.filename = "moe.py", .begin_line = 1041, .begin_column = 5, .end_line = 1041, .end_column = 12}, "f")
      .help("h");
  CHECK(human(engine, sources) == R"(warning[W9101]: odd thing `f`
    --> moe.py:1041:5
     |
1041 | x = f(a, b) + 1
     |     ^^^^^^^
     = help: h

1 warning
)");
}

TEST_CASE("a place of several lines is marked to the end of its first line") {
  FakeSources sources;
  sources.lines[{"moe.py", 7}] = "x = f(a,  # c";
  Engine engine;
  engine.report(odd_thing, {.filename = "moe.py", .begin_line = 7, .begin_column = 5, .end_line = 8, .end_column = 3},
                "f");
  CHECK(human(engine, sources) == R"(warning[W9101]: odd thing `f`
  --> moe.py:7:5
   |
 7 | x = f(a,  # c
   |     ^^^^^^^^^

1 warning
)");
}

TEST_CASE("without an origin the IR path is shown") {
  FakeSources sources("[1, 2]");
  sources.paths[4] = "$.functions[0]";
  Engine engine;
  engine.report(too_many, {.offset = 4}, 1, 2).note("first", {.offset = 4});
  CHECK(human(engine, sources) == R"(error[E9102]: expected 1 things, found 2
  --> prog.json $.functions[0]
   = note: first: prog.json $.functions[0]

1 error
)");
}

TEST_CASE("an origin with unknown parts, or a file that cannot be read, has no excerpt") {
  FakeSources sources;
  Engine engine;
  engine.report(wrong_thing, {.filename = "gone.py", .begin_line = 3, .begin_column = 1}, "a");
  engine.report(wrong_thing, {.filename = "gone.py", .begin_line = 4}, "b");
  engine.report(wrong_thing, {.filename = "gone.py"}, "c");
  engine.report(no_detail, kNowhere);
  CHECK(human(engine, sources) == R"(error[E9103]: something is odd

error[E9101]: wrong thing `c`
  --> gone.py

error[E9101]: wrong thing `a`
  --> gone.py:3:1

error[E9101]: wrong thing `b`
  --> gone.py:4

4 errors
)");
}

TEST_CASE("a fault of syntax shows line, column and text of the input") {
  FakeSources sources("{\"a\": 1,\n \"b\" 2}");
  Engine engine;
  engine.report(wrong_thing, {.offset = 14, .syntax = true}, "2");
  engine.report(wrong_thing, {.offset = 10, .syntax = true, .end_offset = 13}, "b");
  CHECK(human(engine, sources) == R"(error[E9101]: wrong thing `b`
  --> prog.json:2:2
   |
 2 |  "b" 2}
   |  ^^^

error[E9101]: wrong thing `2`
  --> prog.json:2:6
   |
 2 |  "b" 2}
   |      ^

2 errors
)");
}

TEST_CASE("a fault at the end of the input is marked behind the last character") {
  FakeSources sources("[1, 2");
  Engine engine;
  engine.report(no_detail, {.offset = 6, .syntax = true});
  CHECK(human(engine, sources) == R"(error[E9103]: something is odd
  --> prog.json:1:6
   |
 1 | [1, 2
   |      ^

1 error
)");
}

TEST_CASE("a fault of syntax in binary input shows the byte") {
  FakeSources sources;
  sources.name = "prog.msgpack";
  sources.paths[9] = "$.functions[1]";
  Engine engine;
  engine.report(no_detail, {.offset = 5, .syntax = true});
  engine.report(no_detail, {.offset = 9, .syntax = true});
  CHECK(human(engine, sources) == R"(error[E9103]: something is odd
  --> prog.msgpack (byte 5)

error[E9103]: something is odd
  --> prog.msgpack $.functions[1] (byte 9)

2 errors
)");
}

TEST_CASE("long lines are windowed around the mark") {
  FakeSources sources(R"({"begin": ")" + std::string(200, 'a') + R"(", "bad" , ")" + std::string(3000, 'b') + "\"}");
  Engine engine;
  const auto at = [&](std::uint32_t begin, std::uint32_t end) {
    engine.report(no_detail, {.offset = begin, .syntax = true, .end_offset = end});
  };
  at(1, 8);
  at(214, 219);
  at(3225, 3226);
  CHECK(human(engine, sources, {.color = false, .width = 60}) == R"(error[E9103]: something is odd
  --> prog.json:1:2
   |
 1 | {"begin": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...
   |  ^^^^^^^

error[E9103]: something is odd
  --> prog.json:1:215
   |
 1 | ...aaaaaaaaaaaaaaaaaaa", "bad" , "bbbbbbbbbbbbbbbbbb...
   |                          ^^^^^

error[E9103]: something is odd
  --> prog.json:1:3226
   |
 1 | ...bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"}
   |                                                       ^

3 errors
)");
}

TEST_CASE("a mark wider than the window begins in it") {
  FakeSources sources;
  sources.lines[{"a.py", 1}] = "x = [" + std::string(300, '1') + "]";
  Engine engine;
  engine.report(no_detail, {.filename = "a.py", .begin_line = 1, .begin_column = 5, .end_line = 1, .end_column = 307});
  CHECK(human(engine, sources, {.color = false, .width = 40}) == R"(error[E9103]: something is odd
  --> a.py:1:5
   |
 1 | ...[1111111111111111111111111111...
   |    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

1 error
)");
}

TEST_CASE("carets stand below wide, combining and tabbed characters") {
  FakeSources sources;
  sources.lines[{"a.py", 1}] = "\t\u6f22\u5b57 = e\u0301 + bad";
  Engine engine;
  engine.report(no_detail, {.filename = "a.py", .begin_line = 1, .begin_column = 2, .end_line = 1, .end_column = 4});
  engine.report(no_detail, {.filename = "a.py", .begin_line = 1, .begin_column = 12});
  CHECK(human(engine, sources) ==
        "error[E9103]: something is odd\n"
        "  --> a.py:1:2\n"
        "   |\n"
        " 1 |     \u6f22\u5b57 = e\u0301 + bad\n"
        "   |     ^^^^\n"
        "\n"
        "error[E9103]: something is odd\n"
        "  --> a.py:1:12\n"
        "   |\n"
        " 1 |     \u6f22\u5b57 = e\u0301 + bad\n"
        "   |                ^^^\n"
        "\n"
        "2 errors\n");
}

TEST_CASE("no text reaches the terminal as a control code") {
  FakeSources sources;
  sources.lines[{"a\x1b[2J.py", 1}] = "s = '\x1b]0;title\x07' + bad";
  Engine engine;
  engine.report(wrong_thing, {.filename = "a\x1b[2J.py", .begin_line = 1, .begin_column = 20}, "a\nerror: b\x9b\u202e")
      .note("n\r\u009b")
      .help(std::string("h\0", 2));
  CHECK(human(engine, sources) ==
        "error[E9101]: wrong thing `a\\nerror: b\uFFFD\\u{202e}`\n"
        "  --> a\\x1b[2J.py:1:20\n"
        "   |\n"
        " 1 | s = '\\x1b]0;title\\x07' + bad\n"
        "   |                          ^^^\n"
        "   = note: n\\r\\x9b\n"
        "   = help: h\\x00\n"
        "\n"
        "1 error\n");
}

TEST_CASE("colour goes around the parts and leaves the text as it is") {
  FakeSources sources;
  sources.lines[{"a.py", 1}] = "bad";
  Engine engine;
  engine.report(no_detail, {.filename = "a.py", .begin_line = 1, .begin_column = 1}).help("h");
  const std::string colored = human(engine, sources, {.color = true, .width = 80});
  CHECK(colored.substr(0, colored.find('\n')) == "\x1b[1;31merror[E9103]\x1b[0m\x1b[1m: something is odd\x1b[0m");
  std::string stripped;
  for (std::size_t i = 0; i < colored.size(); ++i) {
    if (colored[i] == '\x1b') {
      i = colored.find('m', i);
    } else {
      stripped += colored[i];
    }
  }
  CHECK(stripped == human(engine, sources));
}

TEST_CASE("the closing line counts everything and says what is not shown") {
  FakeSources sources;
  Engine engine;
  engine.set_error_limit(1);
  engine.report(wrong_thing, kNowhere, "a");
  engine.report(wrong_thing, kNowhere, "b");
  engine.report(odd_thing, kNowhere, "c");
  const std::string one_hidden = human(engine, sources);
  CHECK_THAT(one_hidden, Catch::EndsWith("\n\n1 more error is not shown (see `--error-limit`)\n2 errors, 1 warning\n"));
  engine.report(wrong_thing, kNowhere, "d");
  engine.report(odd_thing, kNowhere, "e");
  CHECK_THAT(human(engine, sources),
             Catch::EndsWith("\n\n2 more errors are not shown (see `--error-limit`)\n3 errors, 2 warnings\n"));
}

TEST_CASE("short form: one line each") {
  FakeSources sources("[1,\n 2]");
  sources.paths[1] = "$.functions[0]";
  Engine engine;
  engine.report(no_detail, kNowhere);
  engine.report(wrong_thing, {.offset = 5, .syntax = true}, "2");
  engine.report(wrong_thing, {.filename = "a.py", .begin_line = 2, .begin_column = 3, .offset = 1}, "x\ny")
      .note("made here", {.filename = "b.py", .begin_line = 1, .begin_column = 2})
      .help("do otherwise");
  engine.report(odd_thing, {.offset = 1}, "z");
  CHECK(rendered(render_short, engine, sources) == R"(error[E9103]: something is odd
prog.json:2:2: error[E9101]: wrong thing `2`
a.py:2:3: error[E9101]: wrong thing `x\ny`
b.py:1:2: note: made here
a.py:2:3: help: do otherwise
prog.json $.functions[0]: warning[W9101]: odd thing `z`
3 errors, 1 warning
)");
}

}  // namespace
}  // namespace pyptoc::diag
