// SPDX-License-Identifier: Apache-2.0
// CheckWindowProvenance: ranks that get their collectives in different orders, or not equally often, wait for each
// other for ever. Such programs compiled without a word and hung. tests/runtime/host_tests/rank_order_test.cpp runs
// what is refused here.
#include "ir/walker.h"
#include "provenance_fixture.h"

namespace pyptoc::passes {
namespace {

using namespace testing;

// Two chip functions whose collectives have a signal each, one with that of both, and one that notifies in a kernel.
const std::string kChips = chip_function(kReduce, "left") + chip_function("    c = pld.tensor.barrier(c)\n", "right") +
                           chip_function(kReduce + "    c = pld.tensor.barrier(c)\n", "both") +
                           chip_function("    c = pld.tensor.barrier(c)\n" + kReduce, "crossed") +
                           chip_function("    for i in pl.range(n):\n        c = pld.tensor.barrier(c)\n", "some") +
                           chip_function("    for i in pl.range(3):\n        c = pld.tensor.barrier(c)\n", "three") +
                           chip_function("    c = touch(c)\n", "reaches");

// Dispatches written as `left 0`, of any of these functions, within other lines; windows on `devices`.
std::string host(std::string lines, std::string_view devices = "2") {
  for (const char* name : {"left", "right", "both", "crossed", "some", "three", "reaches"}) {
    const std::string word = std::string(name) + " ";
    for (size_t at = lines.find(word); at != std::string::npos; at = lines.find(word, at + 1)) {
      const size_t begin = at + word.size();
      const size_t end = std::min(lines.find('\n', at), lines.size());
      const std::string device = lines.substr(begin, end - begin);
      lines.replace(at, end - at, std::string(name) + "(a, b, c, x, n, device=" + device + ")");
    }
  }
  std::string out = in_device_loop("");
  out = out.substr(0, out.find("    for r in pl.range(4)"));
  out += "    for q in pl.range(" + std::string(devices) + "):\n        keep(a, b, c, device=q)\n";
  for (size_t at = 0; at < lines.size();) {
    const size_t end = lines.find('\n', at) + 1;
    out += "    " + lines.substr(at, end - at);
    at = end;
  }
  return out;
}

void check_order(std::string_view what, const std::string& lines, std::string_view codes,
                 std::string_view devices = "2") {
  check({what, kChips, host(lines, devices), codes});
}

constexpr std::string_view kWorld = "pld.system.world_size()";

// The texts of the checks for ranks that would wait for ever.
class Checks : public ir::Walker {
 public:
  explicit Checks(const ir::Function* f) { walk(f->body); }
  std::vector<std::string> texts;

 private:
  void visit(const ir::Node* node) override {
    const ir::Call* call = ir::as<ir::Call>(node);
    if (call != nullptr && call->op->id == ir::OpId::SystemRequire) {
      const std::string_view text = ir::find_attr(call->kwargs, "text")->as_string();
      if (text.find("for ever") != std::string_view::npos) texts.emplace_back(text);
    }
    children(node);
  }
};
std::vector<std::string> checks_of(const std::string& lines, std::string_view devices = "2") {
  ProvenanceRun run(kChips, host(lines, devices));
  INFO(run.messages());
  REQUIRE(run.codes() == "");
  return Checks(run.after()->find("host")).texts;
}

}  // namespace

TEST_CASE("dispatches in different orders") {
  check_order("the same", "left 0\nright 0\nleft 1\nright 1\n", "");
  check_order("the same, interleaved", "left 0\nleft 1\nright 1\nright 0\n", "");
  check_order("different", "left 0\nright 0\nright 1\nleft 1\n", "E0627");
  check_order("within chip functions", "both 0\ncrossed 1\n", "E0627");
  check_order("parts of one, as one", "both 0\nleft 1\nright 1\n", "");
  check_order("parts of one, in the other order", "both 0\nright 1\nleft 1\n", "E0627");
  check_order("within a loop of any number of iterations",
              "for i in pl.range(n):\n    left 0\n    right 0\n    right 1\n    left 1\n", "E0627");
  check_order("each device's loop on its own",
              "for i in pl.range(n):\n    left 0\n    right 0\nfor i in pl.range(n):\n    left 1\n    right 1\n", "");
  check_order("one of the orders within a loop of one iteration",
              "for i in pl.range(1):\n    right 0\n    left 0\nleft 1\nright 1\n", "E0627");
  check_order("the first dispatch before the loop, the last behind it",
              "left 0\nfor i in pl.range(n):\n    left 1\n    right 1\n    right 0\n    left 0\nleft 1\n", "");
}

// One trace for each device up to the largest would be 48 GB.
TEST_CASE("a device that no machine has") {
  check_order("in different orders",
              "keep(a, b, c, device=2000000000)\nleft 0\nright 0\nleft 1\nright 1\nright 2000000000\nleft 2000000000\n",
              "");
}

TEST_CASE("the message names both dispatches and both collectives") {
  ProvenanceRun run(kChips, host("left 0\nright 0\nright 1\nleft 1\n"));
  CHECK(run.errors() ==
        "E0627: device 0 waits for ever in `pld.tensor.allreduce` for device 1, which waits in `pld.tensor.barrier`\n");
  const diag::Diagnostic report = run.diags().sorted().front();
  REQUIRE(report.notes.size() == 3);
  CHECK(report.notes[1].text == "device 1 waits in what is dispatched here");
}

TEST_CASE("not equally often") {
  check_order("twice and once", "left 0\nleft 0\nleft 1\n", "E0627");
  check_order("constant numbers of iterations",
              "for i in pl.range(3):\n    left 0\nfor i in pl.range(4):\n    left 1\n", "E0627");
  check_order("equal numbers", "for i in pl.range(3):\n    right 0\nthree 1\n", "");
  check_order("another number", "for i in pl.range(2):\n    right 0\nthree 1\n", "E0627");
  check_order("numbers that may be equal", "for i in pl.range(n):\n    left 0\nfor i in pl.range(4):\n    left 1\n",
              "");
  check_order("a number that a chip function decides", "right 0\nsome 1\n", "");
  check_order("all devices, then one again", "for r in pl.range(2):\n    left r\nleft 1\n", "E0627");
  check_order("another kernel may say what the second time waits for", "right 0\nright 0\nreaches 1\nright 1\n", "");
}

TEST_CASE("collectives of the HOST function among dispatches") {
  const std::string meet = "pld.tensor.barrier(c)\n";
  check_order("between", "left 0\nleft 1\n" + meet + "left 0\nleft 1\n", "");
  check_order("one before, one behind", "left 0\n" + meet + "left 1\n", "E0627");
  check_order("in the loop over the devices", "for r in pl.range(2):\n    left r\n    " + meet, "E0627");
  check_order("behind it", "for r in pl.range(2):\n    left r\n" + meet, "");
}

TEST_CASE("three devices in a circle of two domains each") {
  // No two of them disagree about an order: 0 is with 1 before 2, 1 with 2 before 0, 2 with 0 before 1.
  std::string text;
  std::string dispatches;
  for (int i = 0; i < 3; ++i) {
    const std::string k = std::to_string(i);
    text += "    b" + k + " = pld.tensor.alloc_window_buffer(16, name=\"b" + k + "\")\n    w" + k +
            " = pld.tensor.window(b" + k + ", [4], dtype=pl.INT32)\n";
  }
  const std::string chip =
      "@pl.function(type=pl.FunctionType.Orchestration)\ndef meet(w: pl.InOut[W]):\n"
      "    w = pld.tensor.barrier(w)\n\n";
  auto meet = [](int window, int device) {
    return "    meet(w" + std::to_string(window) + ", device=" + std::to_string(device) + ")\n";
  };
  std::string circle = text;
  for (int i = 0; i < 3; ++i) circle += meet(i, i) + meet((i + 2) % 3, i);
  check({"a circle", chip, circle, "E0627"});
  check({"no circle", chip, text + meet(0, 0) + meet(2, 0) + meet(0, 1) + meet(1, 1) + meet(1, 2) + meet(2, 2), ""});
}

TEST_CASE("what only run time can tell is checked when the program starts") {
  using Texts = std::vector<std::string>;
  const std::string of = "`pld.tensor.allreduce` would wait for ever: device ";
  CHECK(checks_of("left 0\nleft 1\n") == Texts{});
  CHECK(checks_of("left 0\nif n > 3:\n    left 1\n") == Texts{of + "0 in it for device 1, which runs it less often"});
  CHECK(checks_of("if n > 3:\n    left 0\nif n > 3:\n    left 1\n") == Texts{});
  CHECK(checks_of("if n > 3:\n    left 0\nelse:\n    left 0\nleft 1\n") == Texts{});
  CHECK(checks_of("if n > 3:\n    left 0\n    right 0\nelse:\n    right 0\n    left 0\nleft 1\nright 1\n") ==
        Texts{"`pld.tensor.barrier` would wait for ever: device 0 in it for device 1, which waits in "
              "`pld.tensor.allreduce`"});
  // The loop may not run at all.
  CHECK(checks_of("for i in pl.range(n):\n    if n > 3:\n        left 0\n    left 1\n") == Texts{});
}

TEST_CASE("any number of devices") {
  const std::string each = "for r in pl.range(" + std::string(kWorld) + "):\n    ";
  check_order("each the same", each + "left r\n" + each + "right r\n", "", kWorld);
  check_order("two of them crossed", "left 0\nright 0\nright 1\nleft 1\n", "E0627", kWorld);
  using Texts = std::vector<std::string>;
  // Right on one device.
  CHECK(checks_of(each + "left r\nleft 0\n", kWorld) ==
        Texts{"`pld.tensor.allreduce` would wait for ever: device 0 in it for device 1, which runs it less often"});
  CHECK(checks_of(each + "left r\n    pld.tensor.barrier(c)\n", kWorld).size() == 1);
}

}  // namespace pyptoc::passes
