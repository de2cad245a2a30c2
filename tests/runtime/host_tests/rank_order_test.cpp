// SPDX-License-Identifier: Apache-2.0
// Ranks that get their collectives in different orders: E0627 is said of the programs that hang on the ranks of the
// stand-in, and of no others.
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <random>

#include "host_text.h"
#include "ranks/host.h"

namespace host_tests {
namespace {

using standin::ranks::host_argument;
using standin::ranks::HostArgument;
using standin::ranks::HostProgram;
using standin::ranks::HostRecord;

// A dispatch of a chip function to a device.
using Step = std::pair<std::string, int>;

std::string chip(const std::string& name, const std::string& body) {
  return "@pl.function(type=pl.FunctionType.Orchestration)\ndef " + name +
         "(self, s: pl.InOut[pld.DistributedTensor[[4], pl.INT32]], t: pl.InOut[pld.DistributedTensor[[4], "
         "pl.INT32]]):\n" +
         body + "\n";
}

std::string text(const std::string& dispatches, const std::string& parameters = "") {
  const std::string one = "    s = pld.tensor.barrier(s)\n";
  const std::string two = "    t = pld.tensor.barrier(t)\n";
  HostText out;
  out.types = {};
  out.functions = chip("left", one) + chip("right", two) + chip("both", one + two);
  out.parameters = parameters;
  out.body =
      "sb = pld.alloc_window_buffer([4], dtype=pl.INT32)\ns = pld.window(sb, [4], dtype=pl.INT32)\n"
      "tb = pld.alloc_window_buffer([4], dtype=pl.INT32)\nt = pld.window(tb, [4], dtype=pl.INT32)\n" +
      dispatches;
  return out.text();
}

std::string lines(const std::vector<Step>& steps) {
  std::string out;
  for (const auto& [name, device] : steps) out += "self." + name + "(s, t, device=" + std::to_string(device) + ")\n";
  return out;
}

bool hangs(const HostRecord& record) {
  const HostProgram program(record);
  REQUIRE(program.error() == "");
  const std::string wrong = program.run(1).wrong;
  INFO(wrong);
  CHECK((wrong.empty() || wrong.find("can never go on") != std::string::npos));
  return !wrong.empty();
}

bool refused(const std::vector<Step>& steps) {
  const std::string error = Tree(text(lines(steps))).error();
  INFO(error);
  CHECK((error.empty() || error.find("[E0627]") != std::string::npos));
  return !error.empty();
}

// Runs steps that the compiler may refuse, by dispatches of a program that it takes.
class Steps {
 public:
  explicit Steps(int devices) {
    std::vector<Step> all;
    for (const char* name : {"left", "right", "both"})
      for (int device = 0; device < devices; ++device) all.emplace_back(name, device);
    tree_ = std::make_unique<Tree>(text(lines(all)));
    REQUIRE(tree_->error() == "");
    record_ = standin::ranks::record_host(tree_->folder(), devices, {});
    REQUIRE(record_.error == "");
    REQUIRE(record_.dispatches.size() == all.size());
    for (size_t i = 0; i < all.size(); ++i) by_step_[all[i]] = record_.dispatches[i];
  }
  bool hang(const std::vector<Step>& steps) const {
    HostRecord record = record_;
    record.dispatches.clear();
    for (const Step& step : steps) record.dispatches.push_back(by_step_.at(step));
    return hangs(record);
  }

 private:
  HostRecord record_;
  std::map<Step, standin::ranks::HostDispatch> by_step_;
  std::unique_ptr<Tree> tree_;  // which has the chip programs
};

}  // namespace

TEST_CASE("what is refused hangs and what is taken runs") {
  const Steps on_two(2);
  auto check = [&](const std::vector<Step>& steps, bool bad) {
    INFO(lines(steps));
    CHECK(on_two.hang(steps) == bad);
    CHECK(refused(steps) == bad);
  };
  check({{"left", 0}, {"right", 0}, {"left", 1}, {"right", 1}}, false);
  check({{"left", 0}, {"right", 0}, {"right", 1}, {"left", 1}}, true);
  check({{"both", 0}, {"left", 1}, {"right", 1}}, false);
  check({{"both", 0}, {"right", 1}, {"left", 1}}, true);
  check({{"left", 0}, {"left", 1}, {"left", 1}}, true);
}

TEST_CASE("random orders on two and three ranks") {
  std::mt19937_64 random(20);
  int bad = 0;
  constexpr int kRuns = 60;
  const Steps on_two(2);
  const Steps on_three(3);
  for (int run = 0; run < kRuns; ++run) {
    const int devices = 2 + run % 2;
    // Each device's own version of a few meetings, once in a while with two of them crossed or one too many; then all
    // in one order.
    std::vector<std::vector<Step>> own(static_cast<size_t>(devices));
    const size_t meetings = 1 + random() % 4;
    for (size_t i = 0; i < meetings; ++i) {
      const bool both = random() % 2 == 0;
      const std::string name = random() % 2 == 0 ? "left" : "right";
      for (int device = 0; device < devices; ++device) {
        std::vector<Step>& mine = own[static_cast<size_t>(device)];
        if (both && random() % 2 == 0) {
          mine.insert(mine.end(), {{"left", device}, {"right", device}});
        } else {
          mine.emplace_back(both ? "both" : name, device);
        }
      }
    }
    std::vector<Step>& changed = own[random() % own.size()];
    const size_t at = random() % changed.size();
    if (random() % 3 == 0) std::swap(changed[at], changed.front());
    if (random() % 5 == 0) changed.push_back(changed[at]);
    std::vector<Step> steps;
    for (bool left = true; left;) {
      left = false;
      for (std::vector<Step>& mine : own) {
        if (mine.empty()) continue;
        left = true;
        if (random() % 2 == 0) continue;
        steps.push_back(mine.front());
        mine.erase(mine.begin());
      }
    }
    INFO(lines(steps));
    const bool hung = (devices == 2 ? on_two : on_three).hang(steps);
    CHECK(refused(steps) == hung);
    bad += hung ? 1 : 0;
  }
  CHECK(bad > kRuns / 10);
  CHECK(bad < kRuns * 2 / 3);
}

TEST_CASE("a number that only a run shows is checked when the program starts") {
  Tree tree(text("self.left(s, t, device=0)\nif n > 3:\n    self.left(s, t, device=1)\n", "n: pl.Scalar[pl.INDEX]"));
  REQUIRE(tree.error() == "");
  auto record = [&](int64_t n) {
    return standin::ranks::record_host(tree.folder(), 2, {standin::ranks::host_scalar("n", n)});
  };
  CHECK_FALSE(hangs(record(4)));
  CHECK(record(3).error ==
        "ValueError: `pld.tensor.barrier` would wait for ever: device 0 in it for device 1, which runs it less often");
  REQUIRE(tree.replace("raise ValueError(", "str(") > 0);
  CHECK(hangs(record(3)));
}

TEST_CASE("a collective of the HOST function in the loop over the devices is right on one of them") {
  const std::string each = "for r in pl.range(pld.world_size()):\n    self.left(s, t, device=r)\n    ";
  Tree tree(text(each + "pld.tensor.barrier(t)\n"));
  REQUIRE(tree.error() == "");
  auto record = [&](int devices) { return standin::ranks::record_host(tree.folder(), devices, {}); };
  CHECK_FALSE(hangs(record(1)));
  CHECK(
      record(2).error.starts_with("ValueError: `pld.tensor.barrier` would wait for ever: device 0 in it for device 1"));
}

}  // namespace host_tests
