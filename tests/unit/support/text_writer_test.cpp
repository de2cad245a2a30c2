// SPDX-License-Identifier: Apache-2.0
// The promises of TextWriter about spaces and line ends.
#include "support/text_writer.h"

#include <catch2/catch.hpp>

#include "support/internal_error.h"

using pyptoc::support::TextWriter;

TEST_CASE("blocks are indented and closed") {
  TextWriter out(2);
  out.open("for (int i = 0; i < {}; ++i) {{", 3);
  out.line("f({});", "i").blank().blank();
  {
    const auto deeper = out.indented();
    out.lines("a {}\n\nb\r\n");
  }
  out.close("}");
  CHECK(out.take() == "for (int i = 0; i < 3; ++i) {\n  f(i);\n\n    a {}\n\n    b\n}\n");
  CHECK(out.text().empty());
}

TEST_CASE("no line ends with a space and no text begins with an empty line") {
  TextWriter out;
  out.blank().line("x = {}", "1 \t ").open("if y:").line("").line("pass").close("");
  CHECK(out.text() == "x = 1\nif y:\n\n    pass\n");
}

TEST_CASE("blocks that do not match are a bug") {
  TextWriter out;
  CHECK_THROWS_AS(out.close("}"), pyptoc::support::InternalError);
  out.open("{{");
  CHECK_THROWS_AS(out.take(), pyptoc::support::InternalError);
}
