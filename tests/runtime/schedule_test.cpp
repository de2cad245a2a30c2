// SPDX-License-Identifier: Apache-2.0
// The dependency rule of the stand-in, direction by direction, with orchestrations written in place.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "programs.h"

using namespace standin_test;

namespace {

std::vector<int> edges(const RunResult& result, size_t task) {
  return result.tasks.at(task).depends_on;
}

RunResult run_once(const Program& p, const Arguments& arguments, uint64_t seed = 0) {
  Config config;
  config.seed = seed;
  return standin::run(p, arguments, config);
}

const Arguments kTwo{{ints("x", Direction::kInOut, {1, 2, 3, 4}), ints("y", Direction::kInOut, {0, 0, 0, 0})}, {}};

}  // namespace

TEST_CASE("a reader after a writer waits for it, in every order") {
  const Program p = program([](const ChipTaskArgs& args) {
    const ChipTensor& x = args.tensor(0).ref();
    const ChipTensor& y = args.tensor(1).ref();
    submit_fill(x, 7);
    submit_copy(x, y);
  });
  const std::string wrong = standin::run_seeds(p, kTwo, Config{}, 100, [](const RunResult& r) -> std::string {
    if (edges(r, 1) != std::vector<int>{0}) return "no edge";
    return standin::values_of<int32_t>(r.tensors[1]) == std::vector<int32_t>{7, 7, 7, 7} ? "" : "wrong values";
  });
  CHECK(wrong == "");
}

TEST_CASE("a program with only a write-after-read hazard fails") {
  // copy reads x, then fill overwrites it: the runtime derives nothing between the two
  const auto body = [](const ChipTaskArgs& args, bool explicit_edge) {
    const ChipTensor& x = args.tensor(0).ref();
    const ChipTensor& y = args.tensor(1).ref();
    const PTO2TaskId reader = submit_copy(x, y).task_id();
    CoreTaskArgs fill;
    fill.add_output(x);
    fill.add_scalar(9);
    if (explicit_edge) fill.set_dependencies(&reader, 1);
    rt_submit_aiv_task(kFill, fill);
  };
  const Program hazard = program([&](const ChipTaskArgs& args) { body(args, false); });
  CHECK(count_of(hazard, kTwo, ProblemKind::kUnorderedAccess, 20) == 20);
  const RunResult r = run_once(hazard, kTwo);
  CHECK(edges(r, 1).empty());
  CHECK(r.text().find("`copy` (task 0)") != std::string::npos);
  CHECK(r.text().find("`fill` (task 1)") != std::string::npos);
  CHECK(r.text().find("no dependency orders them") != std::string::npos);

  SECTION("the wrong result really happens in some order and the right one in others") {
    std::set<std::vector<int32_t>> seen;
    for (uint64_t s = 0; s < 40; ++s) seen.insert(standin::values_of<int32_t>(run_once(hazard, kTwo, s).tensors[1]));
    CHECK(seen == std::set<std::vector<int32_t>>{{1, 2, 3, 4}, {9, 9, 9, 9}});
  }
  SECTION("an explicit dependency repairs it") {
    const Program repaired = program([&](const ChipTaskArgs& args) { body(args, true); });
    CHECK(standin::run_seeds(repaired, kTwo, Config{}, 50, [](const RunResult& result) -> std::string {
            return standin::values_of<int32_t>(result.tensors[1]) == std::vector<int32_t>{1, 2, 3, 4} ? "" : "wrong";
          }) == "");
  }
}

TEST_CASE("what each direction of the later task looks up after a writer") {
  const auto after_bump = [](TensorArgType tag) {
    return program([tag](const ChipTaskArgs& args) {
      const ChipTensor& x = args.tensor(0).ref();
      submit_bump(x);
      CoreTaskArgs later;
      if (tag == TensorArgType::INPUT) later.add_input(x);
      if (tag == TensorArgType::INOUT) later.add_inout(x);
      if (tag == TensorArgType::OUTPUT_EXISTING) later.add_output(x);
      if (tag == TensorArgType::NO_DEP) later.add_no_dep(x);
      rt_submit_dummy_task(later);
    });
  };
  CHECK(edges(run_once(after_bump(TensorArgType::INPUT), kTwo), 1) == std::vector<int>{0});
  CHECK(edges(run_once(after_bump(TensorArgType::INOUT), kTwo), 1) == std::vector<int>{0});
  CHECK(edges(run_once(after_bump(TensorArgType::OUTPUT_EXISTING), kTwo), 1).empty());
  CHECK(edges(run_once(after_bump(TensorArgType::NO_DEP), kTwo), 1).empty());
}

TEST_CASE("what each direction of the earlier task leaves for a reader") {
  const auto before_read = [](TensorArgType tag) {
    return program([tag](const ChipTaskArgs& args) {
      const ChipTensor& x = args.tensor(0).ref();
      CoreTaskArgs earlier;
      if (tag == TensorArgType::INPUT) earlier.add_input(x);
      if (tag == TensorArgType::INOUT) earlier.add_inout(x);
      if (tag == TensorArgType::OUTPUT_EXISTING) earlier.add_output(x);
      if (tag == TensorArgType::NO_DEP) earlier.add_no_dep(x);
      rt_submit_dummy_task(earlier);
      CoreTaskArgs reader;
      reader.add_input(x);
      rt_submit_dummy_task(reader);
    });
  };
  CHECK(edges(run_once(before_read(TensorArgType::INPUT), kTwo), 1).empty());
  CHECK(edges(run_once(before_read(TensorArgType::INOUT), kTwo), 1) == std::vector<int>{0});
  CHECK(edges(run_once(before_read(TensorArgType::OUTPUT_EXISTING), kTwo), 1) == std::vector<int>{0});
  CHECK(edges(run_once(before_read(TensorArgType::NO_DEP), kTwo), 1).empty());
}

TEST_CASE("two plain writers of one region are not ordered, two InOut are") {
  const Program plain = program([](const ChipTaskArgs& args) {
    submit_fill(args.tensor(0).ref(), 1);
    submit_fill(args.tensor(0).ref(), 2);
  });
  CHECK(count_of(plain, kTwo, ProblemKind::kUnorderedAccess, 10) == 10);
  const Program updates = program([](const ChipTaskArgs& args) {
    for (int i = 0; i < 5; ++i) submit_bump(args.tensor(0).ref());
  });
  CHECK(standin::run_seeds(updates, kTwo, Config{}, 50, [](const RunResult& r) -> std::string {
          return standin::values_of<int32_t>(r.tensors[0]) == std::vector<int32_t>{6, 7, 8, 9} ? "" : "wrong";
        }) == "");
}

TEST_CASE("an InOut takes covered writers off the record, a reader then waits for it alone") {
  const RunResult r = run_once(program([](const ChipTaskArgs& args) {
                                 const ChipTensor& x = args.tensor(0).ref();
                                 submit_bump(x);
                                 submit_bump(x);
                                 submit_copy(x, args.tensor(1).ref());
                               }),
                               kTwo);
  CHECK(edges(r, 2) == std::vector<int>{1});
  CHECK(r.ok());
}

TEST_CASE("views overlap by region") {
  Arguments arguments{
      {standin::host_tensor<int32_t>("m", Direction::kInOut, DataType::INT32, {4, 8}, std::vector<int32_t>(32, 5))},
      {}};
  const auto pair = [&](std::vector<uint32_t> shape_a, std::vector<uint32_t> at_a, std::vector<uint32_t> shape_b,
                        std::vector<uint32_t> at_b, bool flip) {
    return run_once(program([=](const ChipTaskArgs& args) {
                      const ChipTensor& m = args.tensor(0).ref();
                      const ChipTensor a = m.view(shape_a.data(), at_a.data());
                      ChipTensor b = m.view(shape_b.data(), at_b.data());
                      if (flip) b = b.transpose(0, 1);
                      submit_bump(a);
                      submit_bump(b);
                    }),
                    arguments);
  };
  const auto ordered = [&](const RunResult& r) { return edges(r, 1) == std::vector<int>{0}; };
  CHECK_FALSE(ordered(pair({2, 8}, {0, 0}, {2, 8}, {2, 0}, false)));
  CHECK(ordered(pair({2, 8}, {0, 0}, {2, 8}, {1, 0}, false)));
  // left and right halves: the spans interleave, the regions do not meet
  const RunResult halves = pair({4, 4}, {0, 0}, {4, 4}, {0, 4}, false);
  CHECK_FALSE(ordered(halves));
  CHECK(halves.ok());
  CHECK(ordered(pair({4, 5}, {0, 0}, {4, 4}, {0, 4}, false)));
  // of another layout: what the spans say counts, as in the runtime
  CHECK(ordered(pair({4, 4}, {0, 0}, {4, 4}, {0, 4}, true)));
  CHECK_FALSE(ordered(pair({1, 8}, {0, 0}, {2, 8}, {2, 0}, true)));
  // an empty view meets nothing
  CHECK_FALSE(ordered(pair({0, 8}, {0, 0}, {4, 8}, {0, 0}, false)));
}

TEST_CASE("a tensor marked for manual dependence keeps only the edge on its maker") {
  const Program p = program([](const ChipTaskArgs& args) {
    const uint32_t shape[] = {4};
    TensorCreateInfo info(shape, 1, DataType::INT32, true);
    CoreTaskArgs maker;
    maker.add_output(info);
    maker.add_scalar(3);
    const TaskOutputTensors made = rt_submit_aiv_task(kFill, maker);
    const ChipTensor& t = made.get_ref(0);
    submit_bump(t);
    submit_copy(t, args.tensor(1).ref());
  });
  const RunResult r = run_once(p, kTwo);
  CHECK(edges(r, 1) == std::vector<int>{0});
  CHECK(edges(r, 2) == std::vector<int>{0});
  CHECK(r.has(ProblemKind::kUnorderedAccess));  // bump and copy
}

TEST_CASE("an output of one task reaches the next through its maker") {
  const Program p = program([](const ChipTaskArgs& args) {
    PTO2_SCOPE() {
      const uint32_t shape[] = {4};
      TensorCreateInfo info(shape, 1, DataType::INT32);
      CoreTaskArgs copy;
      copy.add_input(args.tensor(0).ref());
      copy.add_output(info);
      const TaskOutputTensors made = rt_submit_aiv_task(kCopy, copy);
      submit_copy(made.get_ref(0), args.tensor(1).ref());
    }
  });
  CHECK(standin::run_seeds(p, kTwo, Config{}, 30, [](const RunResult& r) -> std::string {
          return standin::values_of<int32_t>(r.tensors[1]) == std::vector<int32_t>{1, 2, 3, 4} ? "" : "wrong";
        }) == "");
}

TEST_CASE("in a manual scope nothing is derived and nothing is registered") {
  const auto body = [](const ChipTaskArgs& args, bool with_edge) {
    const ChipTensor& x = args.tensor(0).ref();
    const ChipTensor& y = args.tensor(1).ref();
    PTO2_SCOPE(PTO2ScopeMode::MANUAL) {
      const PTO2TaskId first = submit_bump(x).task_id();
      CoreTaskArgs copy;
      copy.add_input(x);
      copy.add_output(y);
      if (with_edge) copy.set_dependencies(&first, 1);
      rt_submit_aiv_task(kCopy, copy);
    }
  };
  const RunResult bare = run_once(program([&](const ChipTaskArgs& args) { body(args, false); }), kTwo);
  CHECK(edges(bare, 1).empty());
  CHECK(bare.has(ProblemKind::kUnorderedAccess));
  const Program with_edge = program([&](const ChipTaskArgs& args) { body(args, true); });
  CHECK(count_of(with_edge, kTwo, ProblemKind::kUnorderedAccess, 20) == 0);
  SECTION("a later automatic scope does not know of it") {
    const RunResult r = run_once(program([](const ChipTaskArgs& args) {
                                   PTO2_SCOPE(PTO2ScopeMode::MANUAL) {
                                     submit_bump(args.tensor(0).ref());
                                   }
                                   submit_copy(args.tensor(0).ref(), args.tensor(1).ref());
                                 }),
                                 kTwo);
    CHECK(edges(r, 1).empty());
    CHECK(r.has(ProblemKind::kUnorderedAccess));
  }
}

TEST_CASE("a read of what nothing wrote is an error, a read of an input is not") {
  const Program p = program([](const ChipTaskArgs& args) {
    const uint32_t shape[] = {4};
    TensorCreateInfo info(shape, 1, DataType::INT32);
    const TaskOutputTensors made = alloc_tensors(info);
    submit_copy(made.get_ref(0), args.tensor(1).ref());
    submit_copy(args.tensor(0).ref(), made.get_ref(0));
  });
  const RunResult r = run_once(p, kTwo);
  CHECK((r.has(ProblemKind::kUnwrittenRead) || r.has(ProblemKind::kUnorderedAccess)));
  CHECK(count_of(p, kTwo, ProblemKind::kUnwrittenRead, 40) > 0);

  const Program initial = program([](const ChipTaskArgs& args) {
    const uint32_t shape[] = {4};
    TensorCreateInfo info(shape, 1, DataType::INT32);
    info.set_initial_value<int32_t>(6);
    const TaskOutputTensors made = alloc_tensors(info);
    submit_copy(made.get_ref(0), args.tensor(1).ref());
  });
  CHECK(standin::run_seeds(initial, kTwo, Config{}, 20, [](const RunResult& result) -> std::string {
          return standin::values_of<int32_t>(result.tensors[1]) == std::vector<int32_t>{6, 6, 6, 6} ? "" : "wrong";
        }) == "");
}

TEST_CASE("bytes of an OUT tensor that nothing wrote are reported") {
  const Arguments out{{ints("o", Direction::kOut, {0, 0, 0, 0})}, {}};
  const RunResult r = run_once(program([](const ChipTaskArgs& args) {
                                 const uint32_t shape[] = {3};
                                 const uint32_t at[] = {0};
                                 const ChipTensor part = args.tensor(0).ref().view(shape, at);
                                 submit_fill(part, 4);
                               }),
                               out);
  REQUIRE(r.problems.size() == 1);
  CHECK(r.problems[0].kind == ProblemKind::kUnwrittenOutput);
  CHECK(r.problems[0].text.find("bytes [12, 16) of `o`") == 0);
}

TEST_CASE("kernels are held to their arguments and their directions") {
  Program p = program([](const ChipTaskArgs& args) { submit_copy(args.tensor(0).ref(), args.tensor(1).ref()); });
  SECTION("writing an input") {
    p.kernels[kCopy].body = [](KernelCall& call) { call.store<int32_t>(0, 0, 1); };
    CHECK(run_once(p, kTwo).has(ProblemKind::kDirection));
  }
  SECTION("beyond the view, inside the buffer") {
    p.entry = [](const ChipTaskArgs& args) {
      const uint32_t shape[] = {2};
      const uint32_t at[] = {0};
      const ChipTensor half = args.tensor(1).ref().view(shape, at);
      submit_fill(half, 1);
    };
    p.kernels[kFill].body = [](KernelCall& call) { call.store<int32_t>(0, 2, 1); };
    CHECK(run_once(p, kTwo).has(ProblemKind::kOutsideArguments));
  }
  SECTION("beyond the buffer") {
    p.kernels[kCopy].body = [](KernelCall& call) { call.store<int32_t>(1, 4, 1); };
    CHECK(run_once(p, kTwo).has(ProblemKind::kOutsideArguments));
  }
  SECTION("writing what the caller passed in as IN") {
    const Arguments in{{ints("x", Direction::kIn, {1, 2, 3, 4})}, {}};
    p.entry = [](const ChipTaskArgs& args) { submit_bump(args.tensor(0).ref()); };
    CHECK(run_once(p, in).has(ProblemKind::kDirection));
  }
  SECTION("a kernel that throws") {
    p.kernels[kCopy].body = [](KernelCall&) { throw std::runtime_error("no"); };
    const RunResult r = run_once(p, kTwo);
    CHECK(r.has(ProblemKind::kKernelFailed));
    CHECK(r.text().find("`copy` (task 0) failed: no") != std::string::npos);
  }
}

TEST_CASE("the same seed gives the same run, other seeds other orders") {
  const Program p = program([](const ChipTaskArgs& args) {
    const uint32_t shape[] = {1};
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t at[] = {i};
      const ChipTensor cell = args.tensor(0).ref().view(shape, at);
      submit_bump(cell);
    }
  });
  CHECK(run_once(p, kTwo, 11).start_order == run_once(p, kTwo, 11).start_order);
  std::set<std::vector<int>> orders;
  for (uint64_t s = 0; s < 500; ++s) orders.insert(run_once(p, kTwo, s).start_order);
  CHECK(orders.size() == 24);  // four independent tasks: every permutation
}
