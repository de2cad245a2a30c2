// SPDX-License-Identifier: Apache-2.0
// The orchestration API: latched errors, limits, launches, predicates, single elements, and the life of allocations.
#include <catch2/catch.hpp>
#include <set>
#include <type_traits>

#include "programs.h"

using namespace standin_test;

namespace {

const Arguments kTwo{{ints("x", Direction::kInOut, {1, 2, 3, 4}), ints("y", Direction::kInOut, {0, 0, 0, 0})}, {}};

RunResult run_once(const Program& p, const Arguments& arguments = kTwo, Config config = {}) {
  return standin::run(p, arguments, config);
}

const uint32_t kFour[] = {4};

template <typename T, typename = void>
struct TakesTemporary : std::false_type {};
template <typename T>
struct TakesTemporary<T, std::void_t<decltype(std::declval<CoreTaskArgs&>().add_input(std::declval<T>()))>>
    : std::true_type {};

}  // namespace

static_assert(TakesTemporary<const ChipTensor&>::value && !TakesTemporary<ChipTensor>::value, "lvalues only");

TEST_CASE("a reported error latches: later submits do nothing, and their outputs may not be taken") {
  bool reached = false;
  Program p = program([&](const ChipTaskArgs& args) {
    rt_report_fatal(5, "collective `%s`: %d of %d", "sum", 3, 4);
    rt_report_fatal(6, "later");
    CHECK(rt_is_fatal());
    CHECK_FALSE(submit_bump(args.tensor(0).ref()).task_id().is_valid());
    TensorCreateInfo info(kFour, 1, DataType::INT32);
    const TaskOutputTensors made = alloc_tensors(info);
    CHECK(made.empty());
    reached = true;
  });
  const RunResult r = run_once(p);
  CHECK(reached);
  CHECK(r.fatal_code == 5);
  CHECK(r.problems.at(0).text == "error 5: collective `sum`: 3 of 4");
  CHECK(r.tasks.empty());

  p.entry = [](const ChipTaskArgs&) {
    rt_report_fatal(5, "stop");
    TensorCreateInfo info(kFour, 1, DataType::INT32);
    const TaskOutputTensors made = alloc_tensors(info);
    made.get_ref(0);
  };
  CHECK(run_once(p).has(ProblemKind::kAbort));
}

TEST_CASE("misuse of the arguments latches error 5 at the submit") {
  const auto with = [](auto misuse) {
    return run_once(program([misuse](const ChipTaskArgs& args) {
      CoreTaskArgs task;
      task.add_inout(args.tensor(0).ref());
      misuse(task, args);
      rt_submit_aiv_task(kBump, task);
    }));
  };
  const RunResult order = with([](CoreTaskArgs& task, const ChipTaskArgs& args) {
    task.add_scalar(1);
    task.add_input(args.tensor(1).ref());
  });
  CHECK(order.fatal_code == 5);
  CHECK(order.text().find("tensor after a scalar") != std::string::npos);
  const RunResult twice = with([](CoreTaskArgs& task, const ChipTaskArgs& args) {
    const PTO2TaskId id = submit_bump(args.tensor(1).ref()).task_id();
    task.set_dependencies(&id, 1);
    task.set_dependencies(&id, 1);
  });
  CHECK(twice.text().find("called twice") != std::string::npos);
  const RunResult tensors = with([](CoreTaskArgs& task, const ChipTaskArgs& args) {
    for (int i = 0; i < 32; ++i) task.add_input(args.tensor(1).ref());
  });
  CHECK(tensors.text().find("too many tensor") != std::string::npos);
  const RunResult scalars = with([](CoreTaskArgs& task, const ChipTaskArgs&) {
    for (int i = 0; i < 17; ++i) task.add_scalar(i);
  });
  CHECK(scalars.text().find("too many scalar") != std::string::npos);
  const RunResult invalid = with([](CoreTaskArgs& task, const ChipTaskArgs&) {
    static const PTO2TaskId none = PTO2TaskId::invalid();
    task.set_dependencies(&none, 1);
  });
  CHECK(invalid.fatal_code == 5);
  CHECK(invalid.text().find("id of no task") != std::string::npos);
}

TEST_CASE("an empty dependency set takes back what was set") {
  const RunResult r = run_once(program([](const ChipTaskArgs& args) {
    const PTO2TaskId first = submit_bump(args.tensor(0).ref()).task_id();
    CoreTaskArgs task;
    task.add_inout(args.tensor(1).ref());
    task.set_dependencies(&first, 1);
    task.set_dependencies(nullptr, 0);
    rt_submit_aiv_task(kBump, task);
  }));
  CHECK(r.ok());
  CHECK(r.tasks.at(1).depends_on.empty());
}

TEST_CASE("the stand-in's limits can be lowered") {
  const Program p = program([](const ChipTaskArgs& args) { submit_copy(args.tensor(0).ref(), args.tensor(1).ref()); });
  Config config;
  config.max_task_tensors = 1;
  CHECK(run_once(p, kTwo, config).fatal_code == 5);
  config = {};
  config.memory_bytes = 4096;
  CHECK(run_once(p, kTwo, config).has(ProblemKind::kAbort));
}

TEST_CASE("launch width and sync start") {
  const auto launch = [](int16_t width, bool sync, int32_t func_id) {
    return run_once(program([=](const ChipTaskArgs& args) {
      CoreTaskArgs task;
      if (func_id == kCube) {
        task.add_input(args.tensor(0).ref());
        task.add_output(args.tensor(1).ref());
      } else {
        task.add_inout(args.tensor(0).ref());
      }
      task.launch_spec.set_block_num(width);
      task.launch_spec.set_require_sync_start(sync);
      if (func_id == kCube) {
        rt_submit_aic_task(func_id, task);
      } else {
        rt_submit_aiv_task(func_id, task);
      }
    }));
  };
  CHECK(launch(48, true, kBump).ok());
  CHECK(launch(49, true, kBump).fatal_code == 7);
  CHECK(launch(49, false, kBump).ok());
  CHECK(launch(24, true, kCube).ok());
  CHECK(launch(25, true, kCube).fatal_code == 7);
  CHECK(launch(0, false, kBump).has(ProblemKind::kAbort));
  CHECK(launch(-3, false, kBump).has(ProblemKind::kAbort));
}

TEST_CASE("every block of a launch runs once") {
  Program p = program([](const ChipTaskArgs& args) {
    CoreTaskArgs task;
    task.add_inout(args.tensor(0).ref());
    task.launch_spec.set_block_num(4);
    rt_submit_aiv_task(kBump, task);
  });
  p.kernels[kBump].body = [](KernelCall& call) {
    const auto block = static_cast<uint64_t>(call.block());
    call.store(0, block, call.load<int32_t>(0, block) + call.blocks());
  };
  const RunResult r = run_once(p);
  CHECK(r.ok());
  CHECK(standin::values_of<int32_t>(r.tensors[0]) == std::vector<int32_t>{5, 6, 7, 8});
}

TEST_CASE("a mixed task calls its cube kernel and both vector lanes") {
  std::vector<std::string> calls;
  Program p = program([](const ChipTaskArgs& args) {
    CoreTaskArgs task;
    task.add_input(args.tensor(0).ref());
    task.add_output(args.tensor(1).ref());
    rt_submit_task(MixedKernels{kCube, kCopy, kCopy}, task);
  });
  p.kernels[kCube].body = [&](KernelCall&) { calls.push_back("cube"); };
  p.kernels[kCopy].body = [&](KernelCall& call) { calls.push_back("lane " + std::to_string(call.sub_block())); };
  const RunResult r = run_once(p);
  CHECK(r.ok());
  CHECK(calls == std::vector<std::string>{"cube", "lane 0", "lane 1"});
  CHECK(r.tasks.at(0).name == "cube+copy");
}

TEST_CASE("a submit that the kernel table contradicts") {
  CHECK(run_once(program([](const ChipTaskArgs& args) {
          CoreTaskArgs task;
          task.add_inout(args.tensor(0).ref());
          rt_submit_aiv_task(77, task);
        })).text() == "task 0 names func_id 77, no kernel\n");
  CHECK(run_once(program([](const ChipTaskArgs& args) {
          CoreTaskArgs task;
          task.add_inout(args.tensor(0).ref());
          rt_submit_aic_task(kBump, task);
        })).text() == "task 0 starts `bump` on the wrong kind of core\n");
  CHECK(run_once(program([](const ChipTaskArgs& args) {
          CoreTaskArgs task;
          task.add_inout(args.tensor(0).ref());
          task.add_inout(args.tensor(1).ref());
          rt_submit_aiv_task(kBump, task);
        })).text() == "task 0 gives `bump` 2 tensors, its signature has 1\n");
  CHECK(run_once(program([](const ChipTaskArgs&) {
          CoreTaskArgs task;
          rt_submit_task(MixedKernels{}, task);
        })).has(ProblemKind::kAbort));
}

TEST_CASE("a dummy task orders and runs nothing") {
  const RunResult r = run_once(program([](const ChipTaskArgs& args) {
    const PTO2TaskId reader = submit_copy(args.tensor(0).ref(), args.tensor(1).ref()).task_id();
    CoreTaskArgs barrier;
    barrier.set_dependencies(&reader, 1);
    const PTO2TaskId passed = rt_submit_dummy_task(barrier).task_id();
    CoreTaskArgs fill;
    fill.add_output(args.tensor(0).ref());
    fill.add_scalar(9);
    fill.set_dependencies(&passed, 1);
    rt_submit_aiv_task(kFill, fill);
  }));
  CHECK(r.ok());
  CHECK(r.tasks.at(2).depends_on == std::vector<int>{1});
  CHECK_FALSE(r.tasks.at(1).ran);
}

TEST_CASE("a predicate decides when all that the task depends on is done") {
  const auto body = [](const ChipTaskArgs& args, int32_t flag, PredicateOp op, int64_t target, bool with_edge) {
    const ChipTensor& x = args.tensor(0).ref();
    const PTO2TaskId set = submit_fill(x, flag).task_id();
    CoreTaskArgs task;
    task.add_inout(args.tensor(1).ref());
    if (with_edge) task.set_dependencies(&set, 1);
    CoreTaskPredicate predicate;
    predicate.operand.tensor = &x;
    predicate.operand.ndims = 1;
    predicate.operand.indices[0] = 2;
    predicate.op = op;
    predicate.target = target;
    task.set_predicate(predicate);
    rt_submit_aiv_task(kBump, task);
  };
  const auto runs = [&](int32_t flag, PredicateOp op, int64_t target) {
    const RunResult r = run_once(program([&](const ChipTaskArgs& a) { body(a, flag, op, target, true); }));
    CHECK(r.ok());
    CHECK(standin::values_of<int32_t>(r.tensors[1])[0] == (r.tasks.at(1).ran ? 1 : 0));
    return r.tasks.at(1).ran;
  };
  CHECK(runs(7, PredicateOp::EQ, 7));
  CHECK_FALSE(runs(7, PredicateOp::NE, 7));
  CHECK(runs(-2, PredicateOp::LT, -1));
  CHECK_FALSE(runs(-2, PredicateOp::GT, 0));
  CHECK(runs(3, PredicateOp::GE, 3));
  CHECK_FALSE(runs(4, PredicateOp::LE, 3));
  const Program loose = program([&](const ChipTaskArgs& a) { body(a, 1, PredicateOp::EQ, 1, false); });
  CHECK(count_of(loose, kTwo, ProblemKind::kUnorderedAccess, 10) == 10);
}

TEST_CASE("get_tensor_data waits for the producer, and only for it") {
  int32_t seen = 0;
  const Program p = program([&](const ChipTaskArgs& args) {
    const ChipTensor& x = args.tensor(0).ref();
    submit_bump(x);
    submit_bump(x);
    const uint32_t at[] = {3};
    seen = get_tensor_data<int32_t>(x, 1, at);
    submit_fill(args.tensor(1).ref(), seen);
  });
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Config config;
    config.seed = seed;
    const RunResult r = run_once(p, kTwo, config);
    CHECK(r.ok());
    CHECK(seen == 6);
    CHECK(standin::values_of<int32_t>(r.tensors[1])[0] == 6);
  }
}

TEST_CASE("set_tensor_data waits for producers and for who keeps them, not for mere readers") {
  const uint32_t at[] = {0};
  const Program mere_reader = program([&](const ChipTaskArgs& args) {
    submit_copy(args.tensor(0).ref(), args.tensor(1).ref());
    set_tensor_data<int32_t>(args.tensor(0).ref(), 1, at, 50);
  });
  CHECK(count_of(mere_reader, kTwo, ProblemKind::kUnorderedAccess, 20) == 20);

  const Program made_here = program([&](const ChipTaskArgs& args) {
    TensorCreateInfo info(kFour, 1, DataType::INT32);
    const TaskOutputTensors made = alloc_tensors(info);
    submit_fill(made.get_ref(0), 3);
    submit_copy(made.get_ref(0), args.tensor(1).ref());
    set_tensor_data<int32_t>(made.get_ref(0), 1, at, 50);
    submit_copy(made.get_ref(0), args.tensor(0).ref());
  });
  CHECK(standin::run_seeds(made_here, kTwo, Config{}, 30, [](const RunResult& r) -> std::string {
          const bool right = standin::values_of<int32_t>(r.tensors[1])[0] == 3 &&
                             standin::values_of<int32_t>(r.tensors[0]) == std::vector<int32_t>{50, 3, 3, 3};
          return right ? "" : "wrong values";
        }) == "");
}

TEST_CASE("an element outside the buffer ends the run") {
  const uint32_t at[] = {4};
  CHECK(run_once(program([&](const ChipTaskArgs& args) {
          get_tensor_data<int32_t>(args.tensor(0).ref(), 1, at);
        })).has(ProblemKind::kAbort));
}

TEST_CASE("an allocation lives until its scope ends and who keeps it is done") {
  const auto another = [] {
    TensorCreateInfo info(kFour, 1, DataType::INT32);
    alloc_tensors(info);
  };
  SECTION("tasks that were submitted in time keep it") {
    const Program p = program([&](const ChipTaskArgs& args) {
      PTO2_SCOPE() {
        TensorCreateInfo info(kFour, 1, DataType::INT32);
        const TaskOutputTensors made = alloc_tensors(info);
        submit_fill(made.get_ref(0), 2);
        submit_copy(made.get_ref(0), args.tensor(0).ref());
      }
      another();
    });
    CHECK(standin::run_seeds(p, kTwo, Config{}, 20, [](const RunResult&) { return std::string(); }) == "");
  }
  SECTION("a submit after the scope is too late") {
    const RunResult r = run_once(program([&](const ChipTaskArgs& args) {
      ChipTensor kept{};
      PTO2_SCOPE() {
        TensorCreateInfo info(kFour, 1, DataType::INT32);
        const TaskOutputTensors made = alloc_tensors(info);
        submit_fill(made.get_ref(0), 2);
        kept = made.get_ref(0);
      }
      submit_copy(kept, args.tensor(0).ref());
    }));
    CHECK(r.has(ProblemKind::kLifetime));
    CHECK(r.text().find("`copy` (task 1) uses `allocation 1.0` after the scope") == 0);
  }
  const auto manual = [&](const ChipTaskArgs& args, bool with_edge, bool reused) {
    PTO2_SCOPE() {
      TensorCreateInfo info(kFour, 1, DataType::INT32);
      const TaskOutputTensors made = alloc_tensors(info);
      PTO2_SCOPE(PTO2ScopeMode::MANUAL) {
        const PTO2TaskId maker = made.task_id();
        CoreTaskArgs fill;
        fill.add_output(made.get_ref(0));
        fill.add_scalar(2);
        if (with_edge) fill.set_dependencies(&maker, 1);
        rt_submit_aiv_task(kFill, fill);
      }
    }
    (void)args;
    if (reused) another();
  };
  SECTION("a task of a manual scope keeps nothing unless it says so") {
    CHECK(run_once(program([&](const ChipTaskArgs& a) { manual(a, false, true); })).has(ProblemKind::kLifetime));
    CHECK(run_once(program([&](const ChipTaskArgs& a) { manual(a, true, true); })).ok());
  }
  SECTION("memory that nobody takes afterwards does no harm") {
    CHECK(run_once(program([&](const ChipTaskArgs& a) { manual(a, false, false); })).ok());
  }
}

TEST_CASE("an automatic scope inside a manual one latches error 5") {
  CHECK(run_once(program([](const ChipTaskArgs&) {
          PTO2_SCOPE(PTO2ScopeMode::MANUAL) {
            PTO2_SCOPE() {}
          }
        })).fatal_code == 5);
  CHECK(run_once(program([](const ChipTaskArgs&) {
          PTO2_SCOPE(PTO2ScopeMode::MANUAL) {
            PTO2_SCOPE(PTO2ScopeMode::MANUAL) {}
          }
        })).ok());
}

TEST_CASE("fewer arguments than expected are an error, more are not") {
  Program p = program([](const ChipTaskArgs& args) { CHECK(from_u64<float>(args.scalar(0)) == 2.5F); });
  p.config = [](const ChipTaskArgs&) { return PTO2OrchestrationConfig{3}; };
  Arguments arguments = kTwo;
  CHECK(run_once(p, arguments).has(ProblemKind::kArguments));
  arguments.scalars = {to_u64(2.5F), to_u64(1)};
  CHECK(run_once(p, arguments).ok());
  p.entry = [](const ChipTaskArgs& args) { args.tensor(2).ref(); };
  CHECK(run_once(p, arguments).has(ProblemKind::kAbort));
}

TEST_CASE("scalars are bit copies of their own width, zero-extended") {
  CHECK(to_u64<int32_t>(-1) == 0xFFFFFFFFU);
  CHECK(to_u64(int8_t{-2}) == 0xFEU);
  CHECK(to_u64(true) == 1U);
  CHECK(from_u64<int32_t>(to_u64<int32_t>(-5)) == -5);
}

TEST_CASE("views, transposes and reshapes of a tensor") {
  const std::vector<int32_t> values(24, 1);
  const Arguments cube{{standin::host_tensor("c", Direction::kInOut, DataType::INT32, {2, 3, 4}, values)}, {}};
  const auto look = [&](auto what) {
    return run_once(program([what](const ChipTaskArgs& args) { what(args.tensor(0).ref()); }), cube);
  };
  CHECK(look([](const ChipTensor& c) {
          CHECK((c.strides[0] == 12 && c.strides[1] == 4 && c.strides[2] == 1 && c.is_contiguous));
          const uint32_t shape[] = {1, 2, 4};
          const uint32_t at[] = {1, 1, 0};
          const ChipTensor v = c.view(shape, at);
          CHECK((v.start_offset == 16 && v.extent_elem_cache == 8 && !v.is_contiguous));
          const uint32_t narrow[] = {2, 3, 2};
          const uint32_t zero[] = {0, 0, 0};
          CHECK_FALSE(c.view(narrow, zero).is_contiguous);
          const ChipTensor t = c.transpose(0, 2);
          CHECK((t.shapes[0] == 4 && t.strides[0] == 1 && t.strides[2] == 12 && !t.is_contiguous));
          const uint32_t flat[] = {24};
          CHECK(c.reshape(flat, 1).strides[0] == 1);
          const uint32_t none[] = {0, 3, 4};
          const uint32_t far[] = {9, 9, 9};
          CHECK(c.view(none, far).extent_elem_cache == 0);
        }).ok());
  const uint32_t shape[] = {1, 2, 4};
  const uint32_t too_far[] = {1, 2, 0};
  CHECK(look([&](const ChipTensor& c) { c.view(shape, too_far); }).has(ProblemKind::kAbort));
  CHECK(look([&](const ChipTensor& c) { c.transpose(0, 3); }).has(ProblemKind::kAbort));
  const uint32_t other[] = {5};
  CHECK(look([&](const ChipTensor& c) { c.reshape(other, 1); }).has(ProblemKind::kAbort));
  const uint32_t flat[] = {24};
  CHECK(look([&](const ChipTensor& c) { c.transpose(0, 1).reshape(flat, 1); }).has(ProblemKind::kAbort));
}

TEST_CASE("a strided argument arrives as not contiguous") {
  Arguments arguments{
      {standin::host_tensor("s", Direction::kInOut, DataType::INT32, {2, 3}, std::vector<int32_t>(9, 1))}, {}};
  arguments.tensors[0].strides = {4, 1};
  const RunResult r = run_once(program([](const ChipTaskArgs& args) {
                                 CHECK_FALSE(args.tensor(0).ref().is_contiguous);
                                 submit_bump(args.tensor(0).ref());
                               }),
                               arguments);
  CHECK(r.ok());
  CHECK(standin::values_of<int32_t>(r.tensors[0]) == std::vector<int32_t>{2, 2, 2, 1, 2, 2, 2, 1, 1});
  arguments.tensors[0].strides = {7, 1};
  CHECK(run_once(program([](const ChipTaskArgs&) {}), arguments).has(ProblemKind::kAbort));
}
