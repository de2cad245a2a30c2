// SPDX-License-Identifier: Apache-2.0
// Tokens of both encodings, the order of keys and numbers, and the limit on depth.
#include <catch2/catch.hpp>
#include <limits>

#include "sample.h"
#include "serial/encoders.h"
#include "serial/shuffled_text.h"

namespace pyptoc::serial::testing {
namespace {

template <class F>
std::string msgpack(F&& f) {
  std::string out;
  MsgpackEncoder encoder(out);
  f(encoder);
  std::string hex;
  for (char c : out) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return hex;
}
template <class F>
std::string json(F&& f) {
  std::string out;
  JsonEncoder encoder(out);
  f(encoder);
  return out;
}

TEST_CASE("MessagePack integers take their smallest form") {
  auto integer = [](int64_t value) { return msgpack([&](MsgpackEncoder& e) { e.integer(value); }); };
  CHECK(integer(0) == "00");
  CHECK(integer(127) == "7f");
  CHECK(integer(128) == "cc80");
  CHECK(integer(255) == "ccff");
  CHECK(integer(256) == "cd0100");
  CHECK(integer(65535) == "cdffff");
  CHECK(integer(65536) == "ce00010000");
  CHECK(integer(4294967295) == "ceffffffff");
  CHECK(integer(4294967296) == "cf0000000100000000");
  CHECK(integer(std::numeric_limits<int64_t>::max()) == "cf7fffffffffffffff");
  CHECK(integer(-1) == "ff");
  CHECK(integer(-32) == "e0");
  CHECK(integer(-33) == "d0df");
  CHECK(integer(-128) == "d080");
  CHECK(integer(-129) == "d1ff7f");
  CHECK(integer(-32768) == "d18000");
  CHECK(integer(-32769) == "d2ffff7fff");
  CHECK(integer(std::numeric_limits<int32_t>::min()) == "d280000000");
  CHECK(integer(-2147483649) == "d3ffffffff7fffffff");
  CHECK(integer(std::numeric_limits<int64_t>::min()) == "d38000000000000000");
  CHECK(msgpack([](MsgpackEncoder& e) { e.whole(std::numeric_limits<uint64_t>::max()); }) == "cfffffffffffffffff");
}

TEST_CASE("MessagePack headers by size") {
  auto text = [](std::size_t size) {
    return msgpack([&](MsgpackEncoder& e) { e.text(std::string(size, 'a')); }).substr(0, 10);
  };
  CHECK(text(0) == "a0");
  CHECK(text(31).substr(0, 4) == "bf61");
  CHECK(text(32).substr(0, 6) == "d92061");
  CHECK(text(255).substr(0, 6) == "d9ff61");
  CHECK(text(256).substr(0, 8) == "da010061");
  CHECK(text(65535).substr(0, 8) == "daffff61");
  CHECK(text(65536) == "db00010000");
  auto list = [](std::size_t size) { return msgpack([&](MsgpackEncoder& e) { e.begin_list(size); }); };
  CHECK(list(15) == "9f");
  CHECK(list(16) == "dc0010");
  CHECK(list(65535) == "dcffff");
  CHECK(list(65536) == "dd00010000");
  CHECK(msgpack([](MsgpackEncoder& e) { e.begin_map(15); }) == "8f");
  CHECK(msgpack([](MsgpackEncoder& e) { e.begin_map(16); }) == "de0010");
  CHECK(msgpack([](MsgpackEncoder& e) { e.real(0.5); }) == "cb3fe0000000000000");
  CHECK(msgpack([](MsgpackEncoder& e) { e.boolean(true), e.boolean(false), e.null(); }) == "c3c2c0");
}

TEST_CASE("JSON numbers and texts") {
  auto real = [](double value) { return json([&](JsonEncoder& e) { e.real(value); }); };
  CHECK(real(0.1) == "0.1");
  CHECK(real(1e300) == "1e+300");
  CHECK(real(-2.5) == "-2.5");
  CHECK(real(18446744073709551616.0) == "18446744073709551616.0");
  CHECK(real(5e-324) == "5e-324");
  CHECK(real(std::numeric_limits<double>::infinity()) == R"({"type":"Float","value":"inf"})");
  auto text = [](std::string_view value) { return json([&](JsonEncoder& e) { e.text(value); }); };
  CHECK(text("plain") == "\"plain\"");
  CHECK(text("a\"b\\c\n") == R"("a\"b\\c\n")");
  CHECK(text(std::string_view("\0\x1F\x7F", 3)) == R"("\u0000\u001f\u007f")");
  CHECK(text("é\xE2\x80\xA8") == "\"é\\u2028\"");
}

std::string float_of(std::string_view spelling, bool as_msgpack) {
  auto reading = read(with_expr(fmt::format(
      R"({{"type":"ConstFloat","fields":{{"type":{{"type_kind":"ScalarType","dtype":52}},"value":{}}}}})", spelling)));
  REQUIRE(reading->program != nullptr);
  std::string text = as_msgpack ? write_msgpack(reading->program) : write_json(reading->program);
  std::string key = as_msgpack ? "\xA5value" : "\"value\":";
  std::size_t at = text.find(key, text.find("ScalarType", text.find(as_msgpack ? "expr" : "\"expr\""))) + key.size();
  std::string value = as_msgpack ? text.substr(at, 9) : text.substr(at, text.find("},\"id\"", at) - at);
  if (!as_msgpack) return value;
  std::string hex;
  for (char c : value) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return hex;
}

TEST_CASE("floats that are whole numbers are written as integers") {
  CHECK(float_of("1.0", false) == "1");
  CHECK(float_of("-0.0", false) == "0");
  CHECK(float_of("-7e2", false) == "-700");
  CHECK(float_of("18446744073709549568", false) == "18446744073709549568");
  CHECK(float_of("18446744073709551615", false) == "18446744073709551616.0");  // rounded to 2^64, no integer any more
  CHECK(float_of("-9223372036854775808", false) == "-9223372036854775808");
  CHECK(float_of("-9223372036854777856.0", false) == "-9223372036854777856.0");
  CHECK(float_of("1e20", false) == "1e+20");
  CHECK(float_of("0.5", false) == "0.5");
  CHECK(float_of(R"({"type":"Float","value":"nan"})", false) == R"({"type":"Float","value":"nan"})");

  CHECK(float_of("1.0", true).substr(0, 2) == "01");
  CHECK(float_of("-1.0", true).substr(0, 2) == "ff");
  CHECK(float_of("18446744073709549568", true) == "cffffffffffffff800");
  CHECK(float_of("1e20", true) == "cb4415af1d78b58c40");
  CHECK(float_of("0.5", true) == "cb3fe0000000000000");
  CHECK(float_of(R"({"type":"Float","value":"inf"})", true) == "cb7ff0000000000000");
  CHECK(float_of(R"({"type":"Float","value":"nan"})", true) == "cb7ff8000000000000");
}

TEST_CASE("each function and each statement of a list begins a line") {
  std::string text = json_of(in_body(R"({"type":"SeqStmts","fields":{"stmts":[{"type":"BreakStmt","fields":{}},)"
                                     R"({"type":"ContinueStmt","fields":{}}]}})"));
  std::vector<std::string> begins;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) begins.push_back(text.substr(at, 20));
  REQUIRE(begins.size() == 4);
  CHECK(begins[0] == "{\"fields\":{\"function");
  CHECK(begins[1] == "{\"key\":{\"is_global_v");
  CHECK(begins[2] == "{\"fields\":{\"leading_");
  CHECK(text.find("},\"id\":5,\"type\":\"SeqStmts\"}") != std::string::npos);
  CHECK(text.back() == '\n');
}

TEST_CASE("nodes are numbered by visit, keys are sorted, so refs come first") {
  // The value of an assignment is written before its variable, whose type is visited first.
  std::string text = json_of(in_body(
      R"({"type":"AssignStmt","fields":{"value":{"ref":50},"var":{"type":"Var","fields":{"name_hint":"v","type":)"
      R"({"type_kind":"TensorType","dtype":52,"shape":[{"type":"Var","id":50,"fields":{"name_hint":"s","type":)"
      R"({"type_kind":"ScalarType","dtype":21}}}]}}}}})"));
  std::size_t ref = text.find("\"value\":{\"ref\":7},\"var\":");
  std::size_t node = text.find("\"id\":7,");
  REQUIRE(ref != std::string::npos);
  CHECK(ref < node);
  CHECK(json_of(text) == text);
}

TEST_CASE("shuffled text") {
  ShuffledText shuffled;
  constexpr std::array<uint8_t, 3> kLastFirst = {2, 0, 1};
  constexpr std::array<uint8_t, 2> kSwapped = {1, 0};
  shuffled.text() += "<";
  std::size_t outer = shuffled.begin(kLastFirst);
  shuffled.entry(outer, 0);
  shuffled.text() += "a(";
  std::size_t inner = shuffled.begin(kSwapped);
  shuffled.entry(inner, 0);
  shuffled.text() += "x";
  shuffled.entry(inner, 1);
  shuffled.text() += "y";
  shuffled.end(inner);
  shuffled.text() += ")";
  shuffled.entry(outer, 1);
  shuffled.entry(outer, 2);
  shuffled.text() += "c[";
  std::size_t second = shuffled.begin(kSwapped);
  shuffled.entry(second, 0);
  shuffled.text() += "p";
  shuffled.entry(second, 1);
  shuffled.text() += "q";
  shuffled.end(second);
  shuffled.text() += "]";
  shuffled.end(outer);
  shuffled.text() += ">";
  CHECK(shuffled.finish(',') == "<c[q,p],a(y,x)>");
  CHECK(shuffled.finish('\0') == "<c[qp]a(yx)>");
}

TEST_CASE("IR deeper than the stack is refused, not overflowed") {
  ir::Context context;
  const ir::Expr* expr = context.const_int(1);
  for (int i = 0; i < 1900; ++i) expr = context.binary(ir::NodeKind::Add, expr, expr);
  auto program_with = [&](const ir::Expr* value) {
    ir::ReturnStmt body;
    body.kind = ir::NodeKind::ReturnStmt;
    body.value = context.list({value});
    ir::Function function;
    function.kind = ir::NodeKind::Function;
    function.name = "f";
    function.body = context.make(body);
    return context.program("P", {context.make(function)}, nullptr);
  };
  CHECK(write_json(program_with(expr)).size() > 100000);
  for (int i = 0; i < 200; ++i) expr = context.binary(ir::NodeKind::Add, expr, expr);
  CHECK_THROWS_AS(write_json(program_with(expr)), support::InternalError);
  CHECK_THROWS_AS(write_msgpack(program_with(expr)), support::InternalError);
}

}  // namespace
}  // namespace pyptoc::serial::testing
