// SPDX-License-Identifier: Apache-2.0
// Every step of the contiguity rule x every operand of an exchange x every way by which a value gets there: straight,
// the start of a loop that may not run, a carry, both sides of a branch, while, a submit inside nested control flow;
// with the step at the root, in the middle and at the end of a chain of steps that are followed.
#include <fmt/format.h>

#include "chip_fixture.h"

namespace pyptoc::passes {
namespace {

using testing::ChipRun;

struct Role {
  std::string_view name;   // in messages
  std::string_view param;  // of the chip function
  int64_t rows;
  int64_t columns;
  std::string_view dtype;
  bool window;

  std::string type(std::string_view view = "", int64_t by_rows = 1, int64_t by_columns = 1) const {
    return fmt::format("{}[[{}, {}], pl.{}{}{}]", window ? "pld.DistributedTensor" : "pl.Tensor", rows * by_rows,
                       columns * by_columns, dtype, view.empty() ? "" : ", ", view);
  }
  std::string shape() const { return fmt::format("[{}, {}]", rows, columns); }
};

constexpr std::array<Role, 5> kRoles = {{{"input", "stage", 64, 32, "FP32", false},
                                         {"target", "data", 64, 32, "FP32", true},
                                         {"signal", "signal", 4, 8, "INT32", true},
                                         {"send_counts", "counts", 4, 1, "INT32", false},
                                         {"recv_counts", "recv", 4, 1, "INT32", true}}};

struct Step {
  std::string_view what;
  // Lines that make `{to}` of `{from}`, both of the role's type. Other words: {T} that type, {S} its shape.
  std::string_view text;
  std::string_view why = "";    // behind `contiguous: `; empty where the step is followed
  std::string_view param = "";  // type of one more parameter `odd`, by the words above and {TALL}, {WIDE}
  bool plain_only = false;      // makes a tensor that is no window
};

const Step kSteps[] = {
    // followed
    {"a kernel's result", "{to} = keep({from})\n"},
    {"an element of a tuple", "both = pair({from}, inp)\n{to} = both[0]\n"},
    {"a submit's result", "sent = pl.submit(keep, {from})\n{to} = sent[0]\n"},
    {"a reshape and back", "flat = pl.tensor.reshape({from}, [{N}])\n{to} = pl.tensor.reshape(flat, {S})\n", "", "",
     true},
    {"a reshape", "flat = pl.tensor.reshape({from}, [{N}])\n{to} = keep(flat)\n"},
    {"a view", "seen = pl.tensor.view({from}, {S})\n{to} = keep(seen)\n"},
    {"a valid shape that is the shape", "whole = pl.tensor.set_validshape({from}, {R}, {C})\n{to} = keep(whole)\n"},
    {"the target of an assemble",
     "part = pl.tensor.slice({from}, [1, {C}], [0, 0])\n{to} = pl.tensor.assemble({from}, part, [0, 0])\n"},
    {"a slice that narrows nothing", "{to} = pl.tensor.slice({from}, {S}, [0, 0])\n"},
    {"a slice of the leading dimension", "{to} = pl.tensor.slice(odd, {S}, [{R}, 0])\n", "", "{TALL}"},
    {"another name", "{to} = {from}\n"},
    {"a tensor of its own", "{to} = pl.tensor.create({S}, dtype={D})\n", "", "", true},
    {"what a submit leaves to the runtime", "sent = pl.submit(make, inp)\n{to} = sent[0]\n", "", "", true},
    // not followed
    {"an element that the orchestration writes", "{to} = pl.tensor.write({from}, [0, 0], {V})\n",
     "it comes from `tensor.write`"},
    {"a transpose", "turned = pl.tensor.transpose({from}, 0, 1)\n{to} = keep(turned)\n",
     "it comes from `tensor.transpose`"},
    {"a slice of another dimension", "{to} = pl.tensor.slice(odd, {S}, [0, 0])\n",
     "it is a slice that narrows dimension 1", "{WIDE}"},
    {"a slice from a row that varies", "{to} = pl.tensor.slice(odd, {S}, [n, 0])\n",
     "it is a slice with offsets that are not constant", "{TALL}"},
    {"a slice that ends too far down", "{to} = pl.tensor.slice(odd, {S}, [{R1}, 0])\n",
     "it is a slice that leaves its source", "{TALL}"},
    {"a result that is no parameter", "{to} = lose({from}, odd, n)\n", "result 0 of `lose` is none of its parameters",
     "{T}"},
    {"another layout", "{to} = keep(odd)\n", "`odd` has layout `DN`", "{DN}"},
    {"strides with gaps", "{to} = keep(odd)\n", "`odd` has strides that are not the packed ones of a constant shape",
     "{GAPS}"},
    {"a valid shape that is narrower", "{to} = keep(odd)\n", "`odd` has a valid shape that is not its shape",
     "{VALID}"},
};

std::string replaced(std::string text, std::string_view word, std::string_view by) {
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
    text.replace(at, word.size(), by);
  return text;
}

std::string in_words(std::string text, const Role& role) {
  text = replaced(text, "{TALL}", role.type("", 2));
  text = replaced(text, "{WIDE}", role.type("", 1, 2));
  text = replaced(text, "{DN}", role.type("pl.DN"));
  text = replaced(text, "{GAPS}",
                  role.type(fmt::format("pl.TensorView(stride=[{}, 1], layout=pl.TensorLayout.ND)", 2 * role.columns)));
  text = replaced(text, "{VALID}",
                  role.type(fmt::format("pl.TensorView(valid_shape=[{}, {}], stride=[], layout=pl.TensorLayout.ND)",
                                        role.rows - 1, role.columns)));
  text = replaced(text, "{T}", role.type());
  text = replaced(text, "{S}", role.shape());
  text = replaced(text, "{N}", std::to_string(role.rows * role.columns));
  text = replaced(text, "{R1}", std::to_string(role.rows + 1));
  text = replaced(text, "{R}", std::to_string(role.rows));
  text = replaced(text, "{C}", std::to_string(role.columns));
  text = replaced(text, "{D}", fmt::format("pl.{}", role.dtype));
  return replaced(text, "{V}", role.dtype == "FP32" ? "1.0" : "pl.const(1, pl.INT32)");
}

std::string indented(std::string_view lines, int by) {
  std::string out;
  for (size_t at = 0; at < lines.size();) {
    const size_t end = lines.find('\n', at);
    out += std::string(static_cast<size_t>(by), ' ') + std::string(lines.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return out;
}

std::string lines_of(const Step& step, std::string_view from, std::string_view to) {
  return replaced(replaced(std::string(step.text), "{from}", from), "{to}", to);
}

// Bodies that bring `x` to the exchange, with the step somewhere on a path to it. `p` is the parameter.
struct Path {
  std::string_view what;
  std::string (*body)(const Step& step, std::string_view p);
};

const Path kPaths[] = {
    {"straight", [](const Step& s, std::string_view p) { return indented(lines_of(s, p, "x"), 4); }},
    {"at the root of a chain",
     [](const Step& s, std::string_view p) {
       return indented(lines_of(s, p, "a") +
                           "b = pl.tensor.reshape(a, [{N}])\nc = pl.tensor.reshape(b, {S})\n"
                           "x = keep(c)\n",
                       4);
     }},
    {"in the middle of a chain",
     [](const Step& s, std::string_view p) {
       return indented(fmt::format("a = keep({})\n", p) + lines_of(s, "a", "b") + "x = keep(b)\n", 4);
     }},
    {"at the end of a chain",
     [](const Step& s, std::string_view p) {
       return indented(fmt::format("a = keep({})\nb = keep(a)\n", p) + lines_of(s, "b", "x"), 4);
     }},
    {"the start of a loop that may not run",
     [](const Step& s, std::string_view p) {
       return indented(lines_of(s, p, "x"), 4) + fmt::format("    for i in pl.range(n):\n        x = keep({})\n", p);
     }},
    {"what a loop hands on",
     [](const Step& s, std::string_view p) {
       return fmt::format("    x = keep({})\n    for i in pl.range(n):\n", p) + indented(lines_of(s, p, "x"), 8);
     }},
    {"what a loop makes of its carry",
     [](const Step& s, std::string_view p) {
       return fmt::format("    x = keep({})\n    for i in pl.range(n):\n", p) + indented(lines_of(s, "x", "y"), 8) +
              "        x = keep(y)\n";
     }},
    {"the first side of a branch",
     [](const Step& s, std::string_view p) {
       return "    if n > 0:\n" + indented(lines_of(s, p, "x"), 8) +
              fmt::format("    else:\n        x = keep({})\n", p);
     }},
    {"the second side of a branch",
     [](const Step& s, std::string_view p) {
       return fmt::format("    if n > 0:\n        x = keep({})\n    else:\n", p) + indented(lines_of(s, p, "x"), 8);
     }},
    {"the start of a while",
     [](const Step& s, std::string_view p) {
       return indented(lines_of(s, p, "x"), 4) + fmt::format("    while n > 3:\n        x = keep({})\n", p);
     }},
    {"what a while hands on",
     [](const Step& s, std::string_view p) {
       return fmt::format("    x = keep({})\n    while n > 3:\n", p) + indented(lines_of(s, p, "x"), 8);
     }},
    {"a submit in a loop in a branch in a loop",
     [](const Step& s, std::string_view p) {
       return fmt::format(
                  "    x = keep({})\n    for i in pl.range(n):\n        if i > 2:\n            for j in pl.range(n):\n",
                  p) +
              indented(lines_of(s, p, "y") + "r = pl.submit(keep, y)\nx = r[0]\n", 16);
     }},
};

// The messages of an exchange whose operand of that role came by the path.
std::string messages(const Role& role, const Step& step, const Path& path) {
  std::string body = path.body(step, role.param) + "    d = pld.tensor.all_to_all_v(";
  for (const Role& other : kRoles)
    body += fmt::format("{}{}", &other == &kRoles[0] ? "" : ", ", other.name == role.name ? "x" : other.param);
  body += ")\n";
  const std::string type = role.type();
  const std::string kernels = fmt::format(
      "@pl.function(type=pl.FunctionType.AIV)\ndef keep(x: pl.InOut[{0}]) -> {0}:\n    return x\n\n"
      "@pl.function(type=pl.FunctionType.AIV)\ndef pair(x: pl.InOut[{0}], y: ROWS) -> tuple[{0}, ROWS]:\n    return x, "
      "y\n\n"
      "@pl.function(type=pl.FunctionType.AIV)\ndef make(inp: ROWS, out: pl.Out[{0}]) -> {0}:\n    return out\n\n"
      "@pl.function(type=pl.FunctionType.AIV)\ndef lose(x: pl.InOut[{0}], y: pl.InOut[{0}], n: pl.Scalar[pl.INDEX]) -> "
      "{0}:\n    if n > 0:\n        z = x\n    else:\n        z = y\n    return z\n\n",
      type);
  std::string params(testing::kChipParams);
  if (!step.param.empty()) params += ", odd: pl.InOut[" + in_words(std::string(step.param), role) + "]";
  return ChipRun(in_words(body, role), params, kernels).errors();
}

}  // namespace

TEST_CASE("contiguity: every step, every operand, every path") {
  size_t programs = 0;
  for (const Role& role : kRoles) {
    for (const Step& step : kSteps) {
      if (step.plain_only && role.window) continue;
      for (const Path& path : kPaths) {
        ++programs;
        INFO(step.what << " as " << role.name << ", " << path.what);
        const std::string due =
            step.why.empty()
                ? ""
                : fmt::format("E0655: the operand `{}` (`x`) of `pld.tensor.all_to_all_v` may not be contiguous: {}\n",
                              role.name, step.why);
        CHECK(messages(role, step, path) == due);
      }
    }
  }
  CHECK(programs > 1000);
}

}  // namespace pyptoc::passes
