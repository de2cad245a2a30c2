// SPDX-License-Identifier: Apache-2.0
// Well-formed JSON that is no program: the path, what was found, what the place takes, the closest known name.
#include <catch2/catch.hpp>

#include "sample.h"

namespace pyptoc::serial::testing {
namespace {

using std::string;

string at(std::string_view code, std::string_view path, std::string_view rest) {
  return fmt::format("{} {}{}: {}\n", code, kBody, path, rest);
}

TEST_CASE("the sample is a program") {
  CHECK(faults(with_expr("{\"ref\":11}")).empty());
  CHECK(faults(with_attr("1")).empty());
  CHECK(faults(with_type("{\"type_kind\":\"Ptr\"}")).empty());
}

TEST_CASE("E0104: unknown fields") {
  CHECK(faults(with_expr(call_of(",\"kwarg\":[]"))) ==
        at("E0104", ".expr.kwarg", "unknown field `kwarg` of `Call`; help: did you mean `kwargs`?"));
  CHECK(faults(with_expr(call_of(",\"zzz\":1"))) ==
        at("E0104", ".expr.zzz",
           "unknown field `zzz` of `Call`; help: `Call` has the fields `span`, `type`, `op`, `args`, `attrs`, "
           "`kwargs`"));
  CHECK(faults(with_type(R"({"type_kind":"Ptr","dtype":1})")) ==
        at("E0104", ".expr.type.dtype", "unknown field `dtype` of `Ptr`; help: `Ptr` has the fields `type_kind`"));
  CHECK(faults(with_expr("{\"ref\":11,\"id\":3}")) ==
        at("E0104", ".expr.id", "unknown field `id` of `ref`; help: `ref` has the fields `ref`"));
  CHECK(faults(in_body(R"({"type":"BreakStmt","fields":{},"feilds":{}})")) ==
        at("E0104", ".feilds", "unknown field `feilds` of `node`; help: did you mean `fields`?"));
  // Keys that need quotes in a path, and keys with escapes.
  CHECK(faults(with_expr(call_of(R"(,"a b":1)"))).substr(0, 37) == "E0104 $.functions[0].value.body.expr[");
  CHECK(faults(with_expr(call_of(R"(,"kwarg\u0073":[])"))).empty());
  // A tensor has no window buffer.
  CHECK(faults(with_type(R"({"type_kind":"TensorType","dtype":52,"shape":[],"window_buffer":null})")).substr(0, 5) ==
        "E0104");
}

TEST_CASE("E0105: missing fields") {
  CHECK(faults(with_expr(R"({"type":"ConstInt","fields":{"value":1}})")) ==
        at("E0105", ".expr", "missing field `type` of `ConstInt`"));
  CHECK(faults(with_expr(R"({"type":"Var"})")) == at("E0105", ".expr", "missing field `fields` of `Var`"));
  CHECK(faults(with_expr(R"({"fields":{}})")) == at("E0105", ".expr", "missing field `type` of `node`"));
  CHECK(faults(with_expr("{}")) == at("E0105", ".expr", "missing field `type` of `node`"));
  CHECK(faults(with_type("{}")) == at("E0105", ".expr.type", "missing field `type_kind` of `type`"));
  CHECK(faults(with_type(R"({"type_kind":"ScalarType"})")) ==
        at("E0105", ".expr.type", "missing field `dtype` of `ScalarType`"));
  CHECK(faults(replaced(with_expr(call_of("")), R"("name":"tensor.create",)", "")) ==
        at("E0105", ".expr.op", "missing field `name` of `op`"));
  CHECK(faults(with_expr(call_of(R"(,"kwargs":[{"key":"a"}])"))) ==
        at("E0105", ".expr.kwargs[0]", "missing field `value` of `kwargs`"));
  CHECK(faults(with_attr(R"({"type":"DataType"})")) ==
        at("E0105", ".expr.attrs[0].value", "missing field `code` of `DataType`"));
  CHECK(faults(with_attr(R"({"type":"Float"})")) ==
        at("E0105", ".expr.attrs[0].value", "missing field `value` of `Float`"));
  CHECK(faults(program_of(R"({"value":{"ref":0}})")) ==
        "E0105 $.functions[0]: missing field `key` of `functions`\n"
        "E0112 $.functions[0].value: no node has the id 0 of this `ref`\n");
  CHECK(faults(in_body(R"({"type":"IfStmt","fields":{"condition":{"ref":11}}})")) ==
        at("E0105", "", "missing field `then_body` of `IfStmt`") +
            at("E0105", "", "missing field `else_body` of `IfStmt`"));
  // A span has all its parts or is left out.
  CHECK(faults(
            in_body(R"({"type":"BreakStmt","fields":{"span":{"filename":"a.py","begin_line":1,"begin_column":1}}})")) ==
        at("E0105", ".span", "missing field `end_column` of `span`") +
            at("E0105", ".span", "missing field `end_line` of `span`"));
}

TEST_CASE("a misspelt field is not missing as well") {
  CHECK(faults(with_expr(
            R"({"type":"IterArg","fields":{"name_hint":"i","type":{"type_kind":"Ptr"},"init_value":{"ref":11}}})")) ==
        at("E0104", ".expr.init_value", "unknown field `init_value` of `IterArg`; help: did you mean `initValue`?"));
}

TEST_CASE("E0108: unknown node types") {
  CHECK(faults(with_expr(R"({"type":"Cal","fields":{}})")) ==
        at("E0108", ".expr.type", "unknown node type `Cal`; help: did you mean `Call`?"));
  CHECK(faults(with_expr(R"({"type":"Frobnicate","fields":{}})")) ==
        at("E0108", ".expr.type", "unknown node type `Frobnicate`"));
}

TEST_CASE("E0109: values of the wrong kind") {
  CHECK(faults("[]") == "E0109 $: expected a `Program` at the top, found an empty list\n");
  CHECK(faults(R"({"type":"BreakStmt","fields":{}})") ==
        "E0109 $: expected a `Program` at the top, found a `BreakStmt` node\n");
  CHECK(faults(with_expr("\"x\"")) ==
        at("E0109", ".expr", "expected an expression as `expr` of `EvalStmt`, found the string `x`"));
  CHECK(faults(with_expr("null")) ==
        at("E0109", ".expr", "expected an expression as `expr` of `EvalStmt`, found null"));
  CHECK(faults(with_expr(R"({"type":"BreakStmt","fields":{}})")) ==
        at("E0109", ".expr", "expected an expression as `expr` of `EvalStmt`, found a `BreakStmt` node"));
  CHECK(faults(in_body("{\"ref\":11}")) ==
        "E0109 $.functions[0].value.body: expected a statement as `body` of `Function`, found a ref to a `Var` node\n");
  CHECK(faults(with_expr(call_of(R"(,"args":{"ref":11})"))).find("E0106") == 0);
  CHECK(faults(replaced(with_expr(call_of("")), "\"args\":[]", "\"args\":{\"ref\":11}")) ==
        at("E0109", ".expr.args", "expected a list as `args` of `Call`, found a ref"));
  CHECK(faults(replaced(with_expr(call_of("")), "\"args\":[]", "\"args\":[16]")) ==
        at("E0109", ".expr.args[0]", "expected an expression in `args` of `Call`, found the integer 16"));
  CHECK(faults(replaced(with_expr(call_of("")), "\"args\":[]", "\"args\":[null,true]")) ==
        at("E0109", ".expr.args[0]", "expected an expression in `args` of `Call`, found null") +
            at("E0109", ".expr.args[1]", "expected an expression in `args` of `Call`, found true"));
  CHECK(faults(replaced(with_expr(index_of(7)), "\"value\":7", "\"value\":7.5")) ==
        at("E0109", ".expr.value", "expected an integer as `value` of `ConstInt`, found the number 7.5"));
  CHECK(faults(replaced(with_expr(index_of(7)), "\"value\":7", "\"value\":\"7\"")) ==
        at("E0109", ".expr.value", "expected an integer as `value` of `ConstInt`, found the string `7`"));
  CHECK(faults(with_type("{\"ref\":11}")) ==
        at("E0109", ".expr.type", "expected a type as `type` of `Var`, found a ref"));
  CHECK(faults(with_type(R"({"type_kind":"TupleType","types":[{"type":"Var","fields":{}}]})")) ==
        at("E0109", ".expr.type.types[0]", "expected a type in `types` of `TupleType`, found a `Var` node"));
  CHECK(faults(with_type(R"({"type_kind":7})")) ==
        at("E0109", ".expr.type.type_kind", "expected a string as `type_kind` of `type`, found the integer 7"));
  CHECK(faults(with_expr(R"({"type":7,"fields":{}})")) ==
        at("E0109", ".expr.type", "expected a string as `type` of `node`, found the integer 7"));
  CHECK(faults(with_expr(R"({"type":"Var","fields":[]})")) ==
        at("E0109", ".expr", "expected a map as `fields` of `Var`, found an empty list"));
  CHECK(faults(with_type(R"({"type_kind":"TensorType","dtype":52,"shape":[2.5]})")) ==
        at("E0109", ".expr.type.shape[0]", "expected an expression in `shape` of `TensorType`, found the number 2.5"));
  CHECK(faults(with_attr("[1]")) ==
        at("E0109", ".expr.attrs[0].value",
           "expected an integer, true, false, a float, a string or a tagged map as `k` of `attrs`, found a list"));
  CHECK(faults(with_attr("{\"ref\":11}")) ==
        at("E0109", ".expr.attrs[0].value",
           "expected an integer, true, false, a float, a string or a tagged map as `k` of `attrs`, found a ref"));
  CHECK(faults(with_attr("null")).substr(0, 5) == "E0109");
  CHECK(faults(with_attr(R"({"type":"Var","value":)" + index_of(1) + "}")) ==
        at("E0109", ".expr.attrs[0].value.value", "expected a variable as `value` of `Var`, found a `ConstInt` node"));
  CHECK(faults(with_attr(R"({"type":"VarList","value":null})")) ==
        at("E0109", ".expr.attrs[0].value.value", "expected a list as `value` of `VarList`, found null"));
  CHECK(faults(with_attr(R"({"type":"Float","value":"NaN"})")) ==
        at("E0109", ".expr.attrs[0].value.value",
           "expected `nan`, `inf` or `-inf` as `value` of `Float`, found the string `NaN`"));
  CHECK(faults(with_type(R"({"type_kind":"ScalarType","dtype":null})")) ==
        at("E0109", ".expr.type.dtype",
           "expected the number or name of a data type as `dtype` of `ScalarType`, found null"));
  CHECK(faults(in_body(R"({"type":"BreakStmt","fields":{"span":[1],"leading_comments":["a",2]}})")) ==
        at("E0109", ".span", "expected a map as `span` of `node`, found a list") +
            at("E0109", ".leading_comments[1]",
               "expected a string in `leading_comments` of `BreakStmt`, found the integer 2"));
  CHECK(
      faults(in_body(
          R"({"type":"WhileStmt","fields":{"iter_args":[{"ref":11}],"condition":{"ref":11},"body":{"type":"BreakStmt","fields":{}}}})")) ==
      at("E0109", ".iter_args[0]", "expected an `IterArg` in `iter_args` of `WhileStmt`, found a ref to a `Var` node"));
  CHECK(
      faults(with_type(R"({"type_kind":"DistributedTensorType","dtype":52,"shape":[],"window_buffer":{"ref":11}})")) ==
      at("E0109", ".expr.type.window_buffer",
         "expected a `WindowBuffer` as `window_buffer` of `DistributedTensorType`, found a ref to a `Var` node"));
  CHECK(faults(with_attr(R"({"type":"PadValue","value":null})")) ==
        at("E0109", ".expr.attrs[0].value.value",
           "expected the name of a pad value as `value` of `PadValue`, found null"));
  CHECK(faults(with_attr(R"({"type":"ArgDirection","value":true})")) ==
        at("E0109", ".expr.attrs[0].value.value",
           "expected the number or name of an argument direction as `value` of `ArgDirection`, found true"));
}

TEST_CASE("long strings are shortened in messages, at the edge of a character") {
  string accents;
  for (int i = 0; i < 30; ++i) accents += "é";
  string text = faults(with_expr("\"" + accents + "\""));
  CHECK(text ==
        at("E0109", ".expr",
           "expected an expression as `expr` of `EvalStmt`, found the string `" + accents.substr(0, 40) + "…`"));
}

TEST_CASE("E0110: unknown members of enumerations") {
  CHECK(faults(with_type(R"({"type_kind":"ScalarType","dtype":99})")) ==
        at("E0110", ".expr.type.dtype", "unknown data type `99`"));
  CHECK(faults(with_type(R"({"type_kind":"ScalarType","dtype":"FP23"})")) ==
        at("E0110", ".expr.type.dtype", "unknown data type `FP23`; help: did you mean `FP32`?"));
  CHECK(faults(with_type(R"({"type_kind":"ScalarType","dtype":18446744073709551615})")) ==
        at("E0110", ".expr.type.dtype", "unknown data type `18446744073709551615`"));
  CHECK(faults(with_attr(R"({"type":"PadValue","value":"average"})")) ==
        at("E0110", ".expr.attrs[0].value.value",
           "unknown pad value `average`; help: there are `null`, `zero`, `max`, `min`"));
  CHECK(faults(with_attr(R"({"type":"ArgDirection","value":6})")) ==
        at("E0110", ".expr.attrs[0].value.value",
           "unknown argument direction `6`; help: there are 0 `Input`, 1 `Output`, 2 `InOut`, 3 `OutputExisting`, 4 "
           "`NoDep`, 5 `Scalar`"));
  CHECK(
      faults(with_attr(R"({"type":"ArgDirectionVector","value":[0,"NoDeps"]})")) ==
      at("E0110", ".expr.attrs[0].value.value[1]", "unknown argument direction `NoDeps`; help: did you mean `NoDep`?"));
  CHECK(faults(replaced(in_body("{\"type\":\"BreakStmt\",\"fields\":{}}"), "[\"In\",\"In\"]", "[\"In\",3]")) ==
        "E0110 $.functions[0].value.param_directions[1]: unknown parameter direction `3`; help: there are 0 `In`, 1 "
        "`Out`, "
        "2 `InOut`\n");
  // The numbers of layouts are not those of any file.
  CHECK(faults(with_attr(R"({"type":"TensorLayout","value":0})")).substr(0, 5) == "E0109");
}

TEST_CASE("E0111: integers out of range") {
  CHECK(faults(replaced(with_expr(index_of(7)), "\"value\":7", "\"value\":9223372036854775808")) ==
        at("E0111", ".expr.value",
           "expected an integer from -9223372036854775808 to 9223372036854775807, found `9223372036854775808`"));
  CHECK(faults(with_attr(R"({"type":"Int32Vector","value":[2147483648]})")) ==
        at("E0111", ".expr.attrs[0].value.value[0]",
           "expected an integer from -2147483648 to 2147483647, found `2147483648`"));
  CHECK(faults(with_attr("18446744073709551615")) ==
        at("E0111", ".expr.attrs[0].value",
           "expected an integer from -9223372036854775808 to 9223372036854775807, found `18446744073709551615`"));
  CHECK(faults(with_expr("{\"ref\":-1}")) ==
        at("E0111", ".expr.ref", "expected an integer from 0 to 9223372036854775807, found `-1`"));
  CHECK(faults(in_body(R"({"type":"BreakStmt","id":-7,"fields":{}})")) ==
        at("E0111", ".id", "expected an integer from 0 to 9223372036854775807, found `-7`"));
  CHECK(faults(in_body(R"({"type":"BreakStmt","id":9223372036854775808,"fields":{}})")).substr(0, 5) == "E0111");
  CHECK(faults(with_expr(
            R"({"type":"TupleGetItemExpr","fields":{"tuple":{"ref":11},"index":-1,"type":{"type_kind":"Ptr"}}})")) ==
        at("E0111", ".expr.index", "expected an integer from 0 to 9223372036854775807, found `-1`"));
  string span = R"({"filename":"a.py","begin_line":2147483648,"begin_column":-2,"end_line":-1,"end_column":-1})";
  CHECK(faults(in_body(R"({"type":"BreakStmt","fields":{"span":)" + span + "}}")) ==
        at("E0111", ".span.begin_line", "expected an integer from -1 to 2147483647, found `2147483648`") +
            at("E0111", ".span.begin_column", "expected an integer from -1 to 2147483647, found `-2`"));
}

TEST_CASE("E0112: refs to nothing") {
  CHECK(faults(with_expr("{\"ref\":12}")) == at("E0112", ".expr", "no node has the id 12 of this `ref`"));
  CHECK(faults(with_expr("{\"ref\":9223372036854775807}")) ==
        at("E0112", ".expr", "no node has the id 9223372036854775807 of this `ref`"));
}

TEST_CASE("E0113: two nodes of one id") {
  CHECK(faults(with_expr(R"({"type":"Var","id":10,"fields":{"name_hint":"v","type":{"type_kind":"Ptr"}}})")) ==
        at("E0113", ".expr", "two nodes have the id 10"));
  string far = R"({"type":"Var","id":1000000000000,"fields":{"name_hint":"v","type":{"type_kind":"Ptr"}}})";
  CHECK(faults(replaced(with_expr(call_of("")), "\"args\":[]", "\"args\":[" + far + "," + far + "]")) ==
        at("E0113", ".expr.args[1]", "two nodes have the id 1000000000000"));
}

TEST_CASE("E0114: cycles") {
  CHECK(faults(with_expr(R"({"type":"Neg","id":20,"fields":{"operand":{"ref":20},"type":{"type_kind":"Ptr"}}})")) ==
        at("E0114", ".expr.operand", "the node with the id 20 contains itself"));
  string two = R"({"type":"Neg","id":20,"fields":{"type":{"type_kind":"Ptr"},"operand":)"
               R"({"type":"Neg","id":21,"fields":{"type":{"type_kind":"TensorType","dtype":52,"shape":[{"ref":20}]},)"
               R"("operand":{"ref":21}}}}})";
  CHECK(faults(with_expr(two)) ==
        at("E0114", ".expr.operand.type.shape[0]", "the node with the id 20 contains itself") +
            at("E0114", ".expr.operand.operand", "the node with the id 21 contains itself"));
  CHECK(faults(R"({"ref":0})") == "E0112 $: no node has the id 0 of this `ref`\n");
}

// A list of nodes, each of which refers to the one before or after it.
string chain(int length, bool forward) {
  string nodes;
  for (int i = 0; i < length; ++i) {
    bool last = i == (forward ? length - 1 : 0);
    string operand = last ? "{\"ref\":11}" : fmt::format("{{\"ref\":{}}}", 100 + (forward ? i + 1 : i - 1));
    nodes += fmt::format(R"({}{{"type":"Neg","id":{},"fields":{{"operand":{},"type":{{"type_kind":"Ptr"}}}}}})",
                         i == 0 ? "" : ",", 100 + i, operand);
  }
  return replaced(with_expr(call_of("")), "\"args\":[]", "\"args\":[" + nodes + "]");
}

TEST_CASE("E0118: nodes that contain each other too deep, through refs") {
  CHECK(faults(chain(500, true)).empty());
  CHECK(faults(chain(500, false)).empty());
  for (bool forward : {true, false}) {
    string text = faults(chain(100000, forward));
    CHECK(text.find("E0118") == 0);
    CHECK(text.find("nodes contain each other more than 512 levels deep") != string::npos);
    CHECK(std::count(text.begin(), text.end(), '\n') < 1001);
  }
  // The one fault of each chain, and no others in its wake.
  string once = faults(chain(510, false), {.max_nesting = 509});
  CHECK(once == at("E0118", ".expr.args[508]", "nodes contain each other more than 509 levels deep"));
}

TEST_CASE("E0119: levels and roles that contradict the type") {
  string body = R"({"type":"BreakStmt","fields":{}})";
  CHECK(faults(program_of(function_of("f", body, R"("level":"HOST","role":1,)"))) ==
        "E0119 $.functions[0].value.level: expected level `CHIP` for a function of type `Orchestration`, found `HOST`\n"
        "E0119 $.functions[0].value.role: expected role `Orchestrator` for a function of type `Orchestration`, found "
        "`SubWorker`\n");
  CHECK(faults(program_of(function_of("f", body, R"("level":4,"role":0,)"))).empty());
  CHECK(faults(program_of(function_of("f", body, R"("level":5,"role":0,)", "\"Opaque\""))).empty());
  CHECK(faults(program_of(function_of("f", body, R"("level":null,"role":null,)", "\"Spmd\""))).empty());
  CHECK(faults(program_of(function_of("f", body, "", "\"Opaque\""))) ==
        "E0105 $.functions[0].value: missing field `level` of `Function`\n"
        "E0105 $.functions[0].value: missing field `role` of `Function`\n");
  // A fault in the type itself says nothing about level and role.
  CHECK(faults(program_of(function_of("f", body, "", "\"Opake\""))) ==
        "E0110 $.functions[0].value.func_type: unknown function type `Opake`; help: did you mean `Opaque`?\n");
}

TEST_CASE("E0120, E0121: the table of functions") {
  string body = R"({"type":"BreakStmt","fields":{}})";
  string one = function_of("f", body);
  string other = replaced(replaced(one, "\"id\":10", "\"id\":20"), "\"id\":11", "\"id\":21");
  CHECK(faults(program_of(one + "," + other)) == "E0120 $.functions[1]: two functions have the name `f`\n");
  CHECK(faults(program_of(replaced(one, "{\"name\":\"f\"", "{\"name\":\"g\""))) ==
        "E0121 $.functions[0].key: expected the key `f` of a function of that name, found `g`\n");
  CHECK(faults(program_of(replaced(one, "\"is_global_var\":true", "\"is_global_var\":false"))) ==
        "E0121 $.functions[0].key: expected the key `f` of a function of that name, found `operator f`\n");
}

TEST_CASE("E0122: the base of a memref has the name of its node") {
  string memref =
      R"({"base":"mem","base_node":{"type":"Var","fields":{"name_hint":"memo","type":{"type_kind":"Ptr"}}},)"
      R"("byte_offset":)" +
      index_of(0) + R"(,"size":64})";
  string type = R"({"type_kind":"TensorType","dtype":52,"shape":[16],"memref":)" + memref + "}";
  CHECK(faults(with_type(type)) ==
        at("E0122", ".expr.type.memref.base", "expected the base `memo`, the name of `base_node`, found `mem`"));
  CHECK(faults(with_type(replaced(type, "\"mem\"", "\"memo\""))).empty());
  CHECK(faults(with_type(replaced(type, "\"base\":\"mem\",", ""))) ==
        at("E0105", ".expr.type.memref", "missing field `base` of `memref`"));
  CHECK(faults(with_type(
            replaced(replaced(type, "\"mem\"", "\"memo\""), "\"size\":64", "\"size\":64,\"slot_count\":0"))) ==
        at("E0111", ".expr.type.memref.slot_count", "expected an integer from 1 to 9223372036854775807, found `0`"));
}

TEST_CASE("E0123: unknown types") {
  CHECK(faults(with_type(R"({"type_kind":"TensorTyp"})")) ==
        at("E0123", ".expr.type.type_kind", "unknown type kind `TensorTyp`; help: did you mean `TensorType`?"));
}

TEST_CASE("E0124: unknown tags") {
  CHECK(faults(with_attr(R"({"type":"Datatype","code":52})")) ==
        at("E0124", ".expr.attrs[0].value.type",
           "unknown tag `Datatype` of an attribute value; help: did you mean `DataType`?"));
  CHECK(faults(with_attr(R"({"type":"Quaternion","value":1})")) ==
        at("E0124", ".expr.attrs[0].value.type",
           "unknown tag `Quaternion` of an attribute value; help: there are `DataType`, `MemorySpace`, `TensorLayout`, "
           "`TileLayout`, `PadValue`, `ArgDirection`, `ArgDirectionVector`, `Int32Vector`, `Var`, `VarList`, `Expr`, "
           "`Float`"));
}

TEST_CASE("E0126: lists of a certain length") {
  CHECK(faults(with_type(R"({"type_kind":"ArrayType","dtype":52,"shape":[1,2]})")) ==
        at("E0126", ".expr.type.shape", "expected one extent in `shape` of `ArrayType`, found 2"));
  CHECK(faults(replaced(in_body(R"({"type":"BreakStmt","fields":{}})"), "[\"In\",\"In\"]", "[\"In\"]")) ==
        "E0126 $.functions[0].value.param_directions: expected 2 directions in `param_directions` of `Function`, found "
        "1\n");
}

TEST_CASE("everything wrong is reported at once") {
  string text = program_of(function_of(
      "f",
      R"({"type":"SeqStmts","fields":{"stmts":[)"
      R"({"type":"EvalStmt","fields":{"expr":{"ref":99},"comment":1}},)"
      R"({"type":"AssignStmt","fields":{"var":{"ref":10},"value":{"type":"ConstInt","fields":{"value":"1"}}}},)"
      R"({"type":"BrakeStmt","fields":{}}]}})",
      R"("attrs":[{"key":1,"value":null}],)"));
  CHECK(faults(text) ==
        "E0109 $.functions[0].value.attrs[0].key: expected a string as `key` of `attrs`, found the integer 1\n"
        "E0109 $.functions[0].value.attrs[0].value: expected an integer, true, false, a float, a string or a tagged "
        "map as "
        "`value` of `attrs`, found null\n"
        "E0112 $.functions[0].value.body.stmts[0].expr: no node has the id 99 of this `ref`\n"
        "E0104 $.functions[0].value.body.stmts[0].comment: unknown field `comment` of `EvalStmt`; help: `EvalStmt` has "
        "the "
        "fields `span`, `leading_comments`, `expr`\n"
        "E0105 $.functions[0].value.body.stmts[1].value: missing field `type` of `ConstInt`\n"
        "E0109 $.functions[0].value.body.stmts[1].value.value: expected an integer as `value` of `ConstInt`, found the "
        "string `1`\n"
        "E0108 $.functions[0].value.body.stmts[2].type: unknown node type `BrakeStmt`; help: did you mean "
        "`BreakStmt`?\n");
}

TEST_CASE("a node that failed is reported once, however many refs it has") {
  string broken = R"({"type":"Var","id":30,"fields":{"name_hint":7,"type":{"type_kind":"Ptr"}}})";
  string text = replaced(with_expr(call_of("")), "\"args\":[]", "\"args\":[" + broken + R"(,{"ref":30},{"ref":30}])");
  CHECK(faults(text) ==
        at("E0109", ".expr.args[0].name_hint", "expected a string as `name_hint` of `Var`, found the integer 7"));
}

TEST_CASE("reading gives up after many errors") {
  string args;
  for (int i = 0; i < 5000; ++i) args += i == 0 ? "1" : ",1";
  string text = replaced(with_expr(call_of("")), "\"args\":[]", "\"args\":[" + args + "]");
  CHECK(read(text)->diagnostics.error_count() == 1000);
  CHECK(read(text, {.max_errors = 7})->diagnostics.error_count() == 7);
  string keys;
  for (int i = 0; i < 5000; ++i) keys += fmt::format(",\"k{}\":1,\"k{}\":1", i, i);
  CHECK(read(with_expr(call_of(keys)))->diagnostics.error_count() == 1000);
}

TEST_CASE("faults show the Python origin of the node that they are in") {
  string span = R"({"filename":"m.py","begin_line":7,"begin_column":3,"end_line":7,"end_column":9})";
  string text = with_expr(R"({"type":"Var","fields":{"nam_hint":"a","type":{"type_kind":"Ptr"},"span":)" + span + "}}");
  auto reading = read(text);
  REQUIRE(reading->diagnostics.error_count() == 1);
  diag::Diagnostic diagnostic = reading->diagnostics.sorted()[0];
  CHECK(diagnostic.place.filename == "m.py");
  CHECK(diagnostic.place.begin_line == 7);
  CHECK(diagnostic.place.end_column == 9);
  CHECK(diagnostic.place.offset == text.find("\"a\""));
  CHECK_FALSE(diagnostic.place.syntax);
}

}  // namespace
}  // namespace pyptoc::serial::testing
