// SPDX-License-Identifier: Apache-2.0
// Random HOST programs that move blocks of three tensors about, on three devices, with and without a window: every
// schedule leaves what the statements leave one after the other.
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "host_text.h"
#include "ranks/host.h"

namespace host_tests {
namespace {

using standin::ranks::host_argument;
using standin::ranks::HostArgument;
using standin::ranks::HostResult;

constexpr int kBlocks = 3;   // of each tensor; also devices, and iterations of a loop
constexpr size_t kSize = 4;  // elements of a block

// A constant, a loop variable, or 2 minus one.
struct Index {
  int constant = 0;
  int variable = -1;
  bool mirrored = false;

  std::string text() const {
    if (variable < 0) return std::to_string(constant);
    return mirrored ? "(2 - i" + std::to_string(variable) + ")" : "i" + std::to_string(variable);
  }
  size_t value(const std::vector<int>& loops) const {
    const int v = variable < 0 ? constant : loops[static_cast<size_t>(variable)];
    return static_cast<size_t>(mirrored ? 2 - v : v);
  }
};

struct Statement {
  enum Kind { kLoop, kBranch, kMove, kPut, kGet } kind = kMove;
  int loop = 0;                  // its variable
  bool taken = false;            // of a branch
  std::vector<Statement> body;   // of a loop, or the first of a branch
  std::vector<Statement> other;  // the second of a branch
  bool updates = false;          // the chip program calls its target InOut, not Out
  int from = 0, to = 0;          // tensors
  Index from_block, to_block, device;
  bool placed = true;  // says its device
};

// What the program works on: three tensors and a window on each device.
struct State {
  using Block = std::array<float, kSize>;
  std::array<std::array<Block, kBlocks>, 3> tensors{};
  std::array<Block, kBlocks> windows{};
};

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  std::vector<Statement> statements(int depth) {
    std::vector<Statement> out;
    for (int left = 2 + below(3); left > 0; --left) out.push_back(statement(depth));
    return out;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  Index index(bool mirror) {
    Index out;
    if (open_.empty() || below(2) == 0) {
      out.constant = below(kBlocks);
      return out;
    }
    out.variable = open_[static_cast<size_t>(below(static_cast<int>(open_.size())))];
    out.mirrored = mirror && below(3) == 0;
    return out;
  }

  Statement statement(int depth) {
    Statement s;
    const int kind = below(20);
    if (kind < 5 && depth < 2) {
      s.kind = Statement::kLoop;
      s.loop = loops_++;
      open_.push_back(s.loop);
      s.body = statements(depth + 1);
      open_.pop_back();
      return s;
    }
    if (kind < 7 && depth < 2) {
      s.kind = Statement::kBranch;
      s.taken = below(2) == 0;
      s.body = statements(depth + 1);
      s.other = statements(depth + 1);
      return s;
    }
    s.kind = kind < 14 ? Statement::kMove : kind < 17 ? Statement::kPut : Statement::kGet;
    s.updates = below(3) == 0;
    s.from = below(3);
    s.to = (s.from + 1 + below(2)) % 3;
    s.from_block = index(true);
    s.to_block = index(true);
    s.device = index(false);
    s.placed = s.kind != Statement::kMove || below(4) != 0;
    return s;
  }

  std::mt19937_64 random_;
  std::vector<int> open_;
  int loops_ = 0;
};

std::string text_of(const std::vector<Statement>& body) {
  std::string out;
  for (const Statement& s : body) {
    const std::string from = "a" + std::to_string(s.from) + "[" + s.from_block.text() + "]";
    const std::string to = "a" + std::to_string(s.to) + "[" + s.to_block.text() + "]";
    const std::string device = s.placed ? ", device=" + s.device.text() : "";
    switch (s.kind) {
      case Statement::kLoop:
        out += "for i" + std::to_string(s.loop) + " in pl.range(3):\n" + indented(text_of(s.body), 4);
        break;
      case Statement::kBranch:
        out += std::string("if n > ") + (s.taken ? "0" : "1") + ":\n" + indented(text_of(s.body), 4) + "else:\n" +
               indented(text_of(s.other), 4);
        break;
      case Statement::kMove:
        out += std::string("self.") + (s.updates ? "update" : "move") + "(" + from + ", " + to + device + ")\n";
        break;
      case Statement::kPut:
        out += "self.put_fp32(" + from + ", w" + device + ")\n";
        break;
      case Statement::kGet:
        out += "self.get_fp32(w, " + to + device + ")\n";
        break;
    }
  }
  return out;
}

void interpret(const std::vector<Statement>& body, std::vector<int>& loops, State& state) {
  for (const Statement& s : body) {
    if (s.kind == Statement::kBranch) interpret(s.taken ? s.body : s.other, loops, state);
    if (s.kind == Statement::kLoop) {
      loops.resize(std::max(loops.size(), static_cast<size_t>(s.loop) + 1));
      for (int i = 0; i < kBlocks; ++i) {
        loops[static_cast<size_t>(s.loop)] = i;
        interpret(s.body, loops, state);
      }
    }
    if (s.kind == Statement::kLoop || s.kind == Statement::kBranch) continue;
    State::Block& from = state.tensors[static_cast<size_t>(s.from)][s.from_block.value(loops)];
    State::Block& to = state.tensors[static_cast<size_t>(s.to)][s.to_block.value(loops)];
    State::Block& window = state.windows[s.device.value(loops)];
    if (s.kind == Statement::kMove) to = from;
    if (s.kind == Statement::kPut) window = from;
    if (s.kind == Statement::kGet) to = window;
  }
}

constexpr const char* kChips =
    "@pl.function(type=pl.FunctionType.AIV, attrs={\"external_source\": \"copy.cpp\"})\n"
    "def copy(self, a: pl.Tensor[[R, C], pl.FP32], b: pl.Out[pl.Tensor[[R, C], pl.FP32]]) -> pl.Tensor[[R, C], "
    "pl.FP32]:\n    return b\n\n"
    "@pl.function(type=pl.FunctionType.Orchestration)\n"
    "def move(self, a: pl.Tensor[[R, C], pl.FP32], b: pl.Out[pl.Tensor[[R, C], pl.FP32]]):\n"
    "    b = self.copy(a, b)\n\n"
    "@pl.function(type=pl.FunctionType.Orchestration)\n"
    "def update(self, a: pl.Tensor[[R, C], pl.FP32], b: pl.InOut[pl.Tensor[[R, C], pl.FP32]]):\n"
    "    b = self.copy(a, b)\n";

std::string run(uint64_t seed, int schedules) {
  Generator generator(seed);
  std::vector<Statement> body = generator.statements(0);
  HostText text;
  text.functions = kChips;
  text.body = text_of(body);
  if (text.body.find("(w") != std::string::npos || text.body.find(", w") != std::string::npos)
    text.body = "buf = pld.alloc_window_buffer([1, 4], dtype=pl.FP32)\nw = pld.window(buf, [1, 4], dtype=pl.FP32)\n" +
                text.body;
  State state;
  std::vector<HostArgument> arguments = {standin::ranks::host_scalar("n", 1)};
  for (size_t t = 0; t < 3; ++t) {
    std::vector<float> values;
    for (State::Block& block : state.tensors[t]) {
      for (float& value : block) {
        value = static_cast<float>(100 * t + values.size() + 1);
        values.push_back(value);
      }
    }
    const std::string name = "a" + std::to_string(t);
    arguments.push_back(host_argument(name, DataType::FLOAT32, {kBlocks, 1, static_cast<int64_t>(kSize)}, values));
    text.parameters += name + ": pl.InOut[pl.Tensor[[3, 1, 4], pl.FP32]], ";
  }
  text.parameters += "n: pl.Scalar[pl.INDEX]";
  std::vector<int> loops;
  interpret(body, loops, state);
  const Tree tree(text.text());
  if (!tree.error().empty()) return text.body + tree.error();
  const std::string wrong =
      standin::ranks::run_host_tree(tree.folder(), kBlocks, arguments, schedules, [&](const HostResult& result) {
        for (size_t t = 0; t < 3; ++t) {
          const auto& found = result.tensors.at("a" + std::to_string(t));
          if (found.size() != sizeof state.tensors[t] ||
              std::memcmp(found.data(), state.tensors[t].data(), found.size()) != 0)
            return "a" + std::to_string(t) + " is not what the statements leave in order";
        }
        return std::string();
      });
  return wrong.empty() ? "" : text.body + wrong;
}

}  // namespace

TEST_CASE("random moves of blocks between host tensors and windows") {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    INFO("seed " << seed);
    CHECK(run(seed, 4) == "");
  }
}

TEST_CASE("more random moves of blocks", "[.many]") {
  for (uint64_t seed = 100; seed < 1100; ++seed) {
    INFO("seed " << seed);
    CHECK(run(seed, 8) == "");
  }
}

}  // namespace host_tests
