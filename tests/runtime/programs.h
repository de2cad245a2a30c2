// SPDX-License-Identifier: Apache-2.0
// Small kernels and arguments from which the tests build programs in place.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pto_orchestration_api.h"
#include "standin/run.h"

namespace standin_test {

using standin::Arguments;
using standin::Config;
using standin::Direction;
using standin::Kernel;
using standin::KernelCall;
using standin::ProblemKind;
using standin::Program;
using standin::RunResult;

constexpr int kFill = 0;  // out = scalar
constexpr int kCopy = 1;  // out = in
constexpr int kBump = 2;  // inout += 1
constexpr int kSum = 3;   // out = a + b
constexpr int kCube = 4;  // out = in, on a cube core

inline std::vector<Kernel> kernels() {
  const auto fill = [](KernelCall& call) {
    for (uint64_t i = 0; i < call.count(0); ++i) call.store<int32_t>(0, i, static_cast<int32_t>(call.scalar(0)));
  };
  const auto copy = [](KernelCall& call) {
    for (uint64_t i = 0; i < call.count(1); ++i) call.store(1, i, call.load<int32_t>(0, i));
  };
  const auto bump = [](KernelCall& call) {
    for (uint64_t i = 0; i < call.count(0); ++i) call.store(0, i, call.load<int32_t>(0, i) + 1);
  };
  const auto sum = [](KernelCall& call) {
    for (uint64_t i = 0; i < call.count(2); ++i) {
      call.store(2, i, call.load<int32_t>(0, i) + call.load<int32_t>(1, i));
    }
  };
  using D = Direction;
  return {{"fill", standin::CoreType::kAiv, {D::kOut}, fill},
          {"copy", standin::CoreType::kAiv, {D::kIn, D::kOut}, copy},
          {"bump", standin::CoreType::kAiv, {D::kInOut}, bump},
          {"sum", standin::CoreType::kAiv, {D::kIn, D::kIn, D::kOut}, sum},
          {"cube", standin::CoreType::kAic, {D::kIn, D::kOut}, copy}};
}

template <typename Entry>
Program program(Entry entry) {
  return {nullptr, entry, kernels()};
}

inline standin::HostTensor ints(std::string name, Direction direction, std::vector<int32_t> values) {
  const auto n = static_cast<uint32_t>(values.size());
  return standin::host_tensor<int32_t>(std::move(name), direction, DataType::INT32, {n}, values);
}

// Shortcuts of one submit each; the descriptors must outlive the call only.
inline TaskOutputTensors submit_copy(const ChipTensor& from, const ChipTensor& to) {
  CoreTaskArgs args;
  args.add_input(from);
  args.add_output(to);
  return rt_submit_aiv_task(kCopy, args);
}

inline TaskOutputTensors submit_fill(const ChipTensor& to, int32_t value) {
  CoreTaskArgs args;
  args.add_output(to);
  args.add_scalar(value);
  return rt_submit_aiv_task(kFill, args);
}

inline TaskOutputTensors submit_bump(const ChipTensor& t) {
  CoreTaskArgs args;
  args.add_inout(t);
  return rt_submit_aiv_task(kBump, args);
}

// How many of `seeds` runs have a problem of this kind.
inline int count_of(const Program& p, const Arguments& arguments, ProblemKind kind, int seeds) {
  int n = 0;
  Config config;
  for (int s = 0; s < seeds; ++s) {
    config.seed = static_cast<uint64_t>(s);
    n += standin::run(p, arguments, config).has(kind) ? 1 : 0;
  }
  return n;
}

}  // namespace standin_test
