// SPDX-License-Identifier: Apache-2.0
// The layout of written JSON, byte for byte, and the mistakes that cannot be made.
#include "support/json_writer.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/internal_error.h"

using pyptoc::support::InternalError;
using pyptoc::support::JsonWriter;

TEST_CASE("lines outside, one line inside") {
  JsonWriter out;
  out.begin_object().member("schema", 1).member("name", "a\"b\n").member("on", true);
  out.key("none").null().key("empty").begin_array().end();
  out.key("files").begin_array();
  for (const uint64_t size : {uint64_t{18446744073709551615U}, uint64_t{0}}) {
    out.begin_object(JsonWriter::Layout::kInline).member("size", size);
    out.key("signature").inline_array(std::vector<std::string>{"IN", "OUT"}).end();
  }
  out.end().end();
  CHECK(out.take() == R"({
  "schema": 1,
  "name": "a\"b\n",
  "on": true,
  "none": null,
  "empty": [],
  "files": [
    {"size": 18446744073709551615, "signature": ["IN", "OUT"]},
    {"size": 0, "signature": ["IN", "OUT"]}
  ]
}
)");
  CHECK(out.value(int64_t{-5}).take() == "-5\n");
}

TEST_CASE("documents that do not nest are a bug") {
  JsonWriter out;
  CHECK_THROWS_AS(out.end(), InternalError);
  CHECK_THROWS_AS(out.key("a"), InternalError);
  CHECK_THROWS_AS(out.take(), InternalError);
  out.begin_object();
  CHECK_THROWS_AS(out.value(1), InternalError);
  CHECK_THROWS_AS(out.take(), InternalError);
  out.key("a");
  CHECK_THROWS_AS(out.key("b"), InternalError);
  CHECK_THROWS_AS(out.end(), InternalError);
  out.value(1).end();
  CHECK_THROWS_AS(out.value(2), InternalError);
}
