// SPDX-License-Identifier: Apache-2.0
// The text around the statements: kernels, chip programs, the HOST function.
#include "random_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "random_generator.h"

namespace chip_tests::random {

// Elements of the program's type, called DATA until the text is complete, or numbers.
std::string tensor_type(bool window, const std::string& shape, const char* elements = "DATA") {
  return std::string(window ? "pld.DistributedTensor" : "pl.Tensor") + "[[" + shape + "], pl." + elements + "]";
}

std::string with_type(std::string text, ElementType type) {
  static constexpr const char* kNames[] = {"INT32", "INT16", "INT8", "FP32", "FP16", "BF16"};
  for (size_t at = text.find("DATA"); at != std::string::npos; at = text.find("DATA", at))
    text.replace(at, 4, kNames[static_cast<size_t>(type)]);
  return text;
}

int bytes_of(ElementType type) {
  if (type == ElementType::kInt8) return 1;
  return type == ElementType::kInt32 || type == ElementType::kFloat ? 4 : 2;
}

std::string kernel(const std::string& name, const std::string& source, const std::string& from, const std::string& to,
                   bool number) {
  return "    @pl.function(type=pl.FunctionType.AIV, attrs={\"external_source\": \"" + source + ".cpp\"})\n    def " +
         name + "(self, a: " + from + ", b: " + to + (number ? ", k: pl.Scalar[pl.INDEX]" : "") + ") -> " +
         to.substr(to.find('[') + 1, to.size() - to.find('[') - 2) + ":\n        return b\n\n";
}

std::string Generator::functions() const {
  std::string out;
  const std::string whole = symbolic_ ? "R, C" : fmt::format("{}, {}", ranks(), kColumns);
  const auto any_shape = [&](bool window) { return tensor_type(window, whole); };
  out +=
      kernel("part_copy_tt", "copy", tensor_type(false, "R, C"), "pl.Out[" + tensor_type(false, "R, C") + "]", false);
  out += kernel("part_mix_tt", "mix", tensor_type(false, "R, C"), "pl.InOut[" + tensor_type(false, "R, C") + "]", true);
  for (const bool from : {false, true}) {
    const std::string f = from ? "w" : "t";
    for (const bool to : {false, true}) {
      const std::string both = f + (to ? "w" : "t");
      out += kernel("copy_" + both, "copy", any_shape(from), "pl.Out[" + any_shape(to) + "]", false);
      out += kernel("mix_" + both, "mix", any_shape(from), "pl.InOut[" + any_shape(to) + "]", true);
    }
    out += kernel("count_" + f, "count", any_shape(from),
                  "pl.Out[" + tensor_type(false, fmt::format("{}, 1", ranks()), "INT32") + "]", false);
    out += kernel("take_" + f, "copy", tensor_type(true, fmt::format("{}, {}", ranks() * kRows, kColumns / kRows)),
                  "pl.Out[" + any_shape(from) + "]", false);
  }
  out += kernel("mask", "mask", tensor_type(true, fmt::format("{}, 1", ranks()), "INT32"),
                "pl.InOut[" + tensor_type(true, fmt::format("{}, {}", ranks() * kRows, kColumns / kRows)) + "]", false);
  out += kernel("near", "near", any_shape(true), "pl.Out[" + any_shape(false) + "]", false);
  std::string parameters;
  std::string results;
  for (const char* name : {"x", "y", "z", "a", "b", "c"}) {
    const std::string type = any_shape(name[0] < 'x');
    parameters += std::string(", ") + name + ": pl.InOut[" + type + "]";
    results += (results.empty() ? "" : ", ") + type;
  }
  return out +
         "    @pl.function(type=pl.FunctionType.AIV, attrs={\"external_source\": \"touch.cpp\"})\n    def touch(self" +
         parameters + ") -> tuple[" + results + "]:\n        return x, y, z, a, b, c\n\n";
}

struct Window {
  const char* name;
  std::string shape;
  int elements;
  bool is_data() const { return (name[0] >= 'a' && name[0] <= 'c') || name[0] == 'v'; }
  const char* type() const { return is_data() ? "DATA" : "INT32"; }
};
std::vector<Window> windows_of(int p) {
  const auto two = [](int rows, int columns) { return fmt::format("{}, {}", rows, columns); };
  const int ring = 2 * (p - 1) + 1;
  const int size = p * kColumns;
  return {{"a", two(p, kColumns), size}, {"b", two(p, kColumns), size},
          {"c", two(p, kColumns), size}, {"v", two(p * kRows, kColumns / kRows), size},
          {"e", two(p, 1), p},           {"s", two(p, 1), p},
          {"t", two(p, 1), p},           {"u", two(p, 4), p * 4},
          {"g", two(ring, p), ring * p}};
}

Generator::Block Generator::chip(const std::string& name, bool inlined) {
  nesting_ = inlined ? 1 : 0;
  knows_k_ = !inlined;
  ids_.clear();
  elements_.clear();
  names_.clear();
  const char* const texts[] = {"x", "y", "z", "", "a", "b", "c"};
  for (int buffer = kX; buffer <= kC; ++buffer) {
    if (buffer == kQ) continue;
    Name one;
    one.text = texts[buffer];
    one.buffer = buffer;
    one.window = buffer >= kA;
    one.rows = ranks();
    names_.push_back(one);
  }
  Block out;
  out.text = std::string("    @pl.function(type=pl.FunctionType.") + (inlined ? "Inline" : "Orchestration") +
             ")\n    def " + name + "(self";
  for (const char* plain : {"x", "y", "z"}) {
    out.text +=
        std::string(", ") + plain + ": pl.InOut[" + tensor_type(false, fmt::format("{}, {}", ranks(), kColumns)) + "]";
  }
  out.text += ", q: pl.InOut[" + tensor_type(false, fmt::format("{}, 1", ranks()), "INT32") + "]";
  for (const Window& w : windows_of(ranks())) {
    out.text += std::string(", ") + w.name + ": pl.InOut[" + tensor_type(true, w.shape, w.type()) + "]";
  }
  out.text += ", n: pl.Scalar[pl.INDEX], w: pl.Scalar[pl.INDEX], k: pl.Scalar[pl.INDEX]):\n";
  if (inlined) {
    statements(out, 1 + below(4));
  } else {
    statements(out, 4 + below(8));
  }
  nesting_ = 0;
  knows_k_ = false;
  return out;
}

Generator::Block Generator::host() {
  std::vector<Block> chips;
  Block out;
  if (chance(40)) {
    const Block made = chip("inlined", true);
    out.text += made.text + "\n";
    inlined_ = made;
  }
  for (int i = 1 + below(2); i > 0; --i) {
    chips.push_back(chip("chip" + std::to_string(chips.size()), false));
    out.text += chips.back().text + "\n";
  }
  out.text += "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n    def host(self";
  for (const char* plain : {"xs", "ys", "zs"}) {
    out.text += std::string(", ") + plain + ": pl.InOut[" +
                tensor_type(false, fmt::format("{}, {}, {}", ranks(), ranks(), kColumns)) + "]";
  }
  out.text += ", qs: pl.InOut[" + tensor_type(false, fmt::format("{}, {}, 1", ranks(), ranks()), "INT32") + "]" +
              ", n: pl.Scalar[pl.INDEX], w: pl.Scalar[pl.INDEX]):\n";
  depth_ = 2;
  for (const Window& w : windows_of(ranks())) {
    line(out, fmt::format("{}_buf = pld.tensor.alloc_window_buffer({}, name=\"{}\")", w.name,
                          w.elements * (w.is_data() ? bytes_of(type()) : 4), w.name));
    line(out, fmt::format("{0} = pld.tensor.window({0}_buf, [{1}], dtype=pl.{2})", w.name, w.shape, w.type()));
  }
  for (size_t i = 0; i < chips.size() || chance(30); ++i) {
    std::vector<int> order = {kX, kY, kZ};
    std::vector<int> windows = {kA, kB, kC};
    std::shuffle(order.begin(), order.end(), random_);
    std::shuffle(windows.begin(), windows.end(), random_);
    order.insert(order.end(), windows.begin(), windows.end());
    std::string arguments;
    for (size_t j = 0; j < 6; ++j)
      arguments += std::string(kHostNames[order[j]]) + (j < 3 ? "[r], " : ", ") + (j == 2 ? "qs[r], " : "");
    const size_t which = i < chips.size() ? i : static_cast<size_t>(below(static_cast<int>(chips.size())));
    const bool loop = chance(30);
    const int64_t value = below(3);
    if (loop) {
      line(out, "for h in pl.range(2):");
      ++depth_;
    }
    line(out, "for r in pl.range(" + std::to_string(ranks()) + "):");
    line(out, fmt::format("    self.chip{}({}v, e, s, t, u, g, n, w, {}, device=r)", which, arguments,
                          loop ? "h" : std::to_string(value)));
    Block collective;
    if (chance(30)) {
      names_.clear();
      for (int buffer = kA; buffer <= kC; ++buffer) {
        Name one;
        one.text = kHostNames[buffer];
        one.buffer = buffer;
        one.window = true;
        one.rows = ranks();
        names_.push_back(one);
      }
      const int kind = below(4);
      switch (reduces() ? kind : 1 + kind % 2) {
        case 0:
          allreduce(collective);
          break;
        case 1:
          broadcast(collective);
          break;
        case 2:
          all_to_all(collective);
          break;
        default:
          reduce_scatter(collective);
      }
      out.text += collective.text;
    }
    if (loop) --depth_;
    const Actions actions = chips[which].actions;
    const Actions more = collective.actions;
    out.actions.push_back([=](Machine& m) {
      for (int64_t j = loop ? 0 : value; j <= (loop ? 1 : value); ++j) {
        on_arguments(actions, order, {"", [j](Machine&) { return j; }})(m);
        for (const auto& action : more) action(m);
      }
    });
  }
  return out;
}

RandomProgram Generator::run() {
  program_.start.scalars = {program_.n, 0};
  scalars_ = {{"n", [](Machine& m) { return m.scalars[0]; }}, {"k", [](Machine& m) { return m.scalars[1]; }}};
  Block all = host();
  program_.text =
      "import pypto.language as pl\nimport pypto.language.distributed as pld\n\n"
      "R = pl.dynamic(\"R\")\nC = pl.dynamic(\"C\")\n\n\n"
      "@pl.program\nclass Random:\n" +
      functions() + all.text;
  program_.text = with_type(program_.text, type());
  program_.actions = std::move(all.actions);
  program_.start.ranks.assign(static_cast<size_t>(ranks()), {});
  for (int r = 0; r < ranks(); ++r) {
    auto& buffers = program_.start.ranks[static_cast<size_t>(r)];
    buffers.assign(static_cast<size_t>(buffers_), Machine::Buffer(static_cast<size_t>(ranks() * kColumns)));
    for (int buffer = kX; buffer <= kZ; ++buffer) {
      for (int32_t& value : buffers[static_cast<size_t>(buffer)])
        value = is_float(type()) ? below(kFloatLimit) : in_range(below(1000) - 300, type());
    }
  }
  return std::move(program_);
}

}  // namespace chip_tests::random

namespace chip_tests {

RandomProgram random_program(uint64_t seed) {
  return random::Generator(seed).run();
}

}  // namespace chip_tests
