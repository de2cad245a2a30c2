// SPDX-License-Identifier: Apache-2.0
// Stand-in for the runtime's orchestration API: the one header that an emitted orchestration includes. The functions
// are resolved when the compiled orchestration is loaded into a test that links the stand-in.
#pragma once

#include <cstdint>

#include "task_args.h"
#include "tensor.h"

enum class PTO2ScopeMode : uint8_t { AUTO = 0, MANUAL = 1 };

struct PTO2OrchestrationConfig {
  int expected_arg_count;
};

// The stand-in's side of the API.
TaskOutputTensors standin_submit(const MixedKernels& kernels, const CoreTaskArgs& args);
TaskOutputTensors standin_submit_dummy(const CoreTaskArgs& args);
TaskOutputTensors standin_alloc(const TensorCreateInfo* const infos[], uint32_t count);
void standin_scope_begin(PTO2ScopeMode mode);
void standin_scope_end();
bool standin_is_fatal();
__attribute__((format(printf, 2, 3))) void standin_report_fatal(int32_t code, const char* format, ...);
uint64_t standin_get_tensor_data(const ChipTensor& tensor, uint32_t ndims, const uint32_t indices[]);
void standin_set_tensor_data(const ChipTensor& tensor, uint32_t ndims, const uint32_t indices[], uint64_t bits);
int32_t standin_aiv_count();
int32_t standin_cluster_count();

inline TaskOutputTensors rt_submit_task(const MixedKernels& kernels, const CoreTaskArgs& args) {
  return standin_submit(kernels, args);
}

inline TaskOutputTensors rt_submit_aic_task(int32_t kernel_id, const CoreTaskArgs& args) {
  MixedKernels kernels;
  kernels.aic_kernel_id = kernel_id;
  return standin_submit(kernels, args);
}

inline TaskOutputTensors rt_submit_aiv_task(int32_t kernel_id, const CoreTaskArgs& args) {
  MixedKernels kernels;
  kernels.aiv0_kernel_id = kernel_id;
  return standin_submit(kernels, args);
}

// Takes part in the dependencies like any task and runs nothing.
inline TaskOutputTensors rt_submit_dummy_task(const CoreTaskArgs& args) {
  return standin_submit_dummy(args);
}

template <typename... Infos>
inline TaskOutputTensors alloc_tensors(const Infos&... infos) {
  static_assert(sizeof...(infos) > 0, "alloc_tensors takes at least one TensorCreateInfo");
  static_assert((std::is_same_v<Infos, TensorCreateInfo> && ...), "alloc_tensors takes TensorCreateInfo only");
  const TensorCreateInfo* const list[] = {&infos...};
  return standin_alloc(list, sizeof...(infos));
}

inline bool rt_is_fatal() {
  return standin_is_fatal();
}
inline int32_t rt_available_aiv_count() {
  return standin_aiv_count();
}
inline int32_t rt_available_cluster_count() {
  return standin_cluster_count();
}

#define rt_report_fatal(code, ...) standin_report_fatal((code), __VA_ARGS__)

// Waits for the tensor's producers, then reads one element.
template <typename T = uint64_t>
inline T get_tensor_data(const ChipTensor& tensor, uint32_t ndims, const uint32_t indices[]) {
  return from_u64<T>(standin_get_tensor_data(tensor, ndims, indices));
}

// Waits for the tensor's producers and for the tasks that depend on them, then writes one element. Does not wait for a
// task that merely reads a tensor which no task wrote.
template <typename T = uint64_t>
inline void set_tensor_data(const ChipTensor& tensor, uint32_t ndims, const uint32_t indices[], T value) {
  standin_set_tensor_data(tensor, ndims, indices, to_u64(value));
}

class PTO2ScopeGuard {
 public:
  explicit PTO2ScopeGuard(PTO2ScopeMode mode = PTO2ScopeMode::AUTO) { standin_scope_begin(mode); }
  ~PTO2ScopeGuard() { standin_scope_end(); }
  PTO2ScopeGuard(const PTO2ScopeGuard&) = delete;
  PTO2ScopeGuard& operator=(const PTO2ScopeGuard&) = delete;
};

#define STANDIN_JOIN_IMPL(a, b) a##b
#define STANDIN_JOIN(a, b) STANDIN_JOIN_IMPL(a, b)
#define PTO2_SCOPE(...) if (PTO2ScopeGuard STANDIN_JOIN(pto2_scope_, __COUNTER__){__VA_ARGS__}; true)
