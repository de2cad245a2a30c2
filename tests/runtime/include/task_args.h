// SPDX-License-Identifier: Apache-2.0
// Stand-in for the runtime's argument containers: what a task is launched with and what a chip program is called with.
// Misuse is recorded in the container, as the runtime does, and latched as a fatal error by the submit.
#pragma once

#include "tensor.h"

enum class TensorArgType : int32_t { INPUT = 0, OUTPUT = 1, INOUT = 2, OUTPUT_EXISTING = 3, NO_DEP = 4 };

// A contiguous tensor that the runtime is to allocate.
class TensorCreateInfo {
 public:
  TensorCreateInfo(const uint32_t shapes_in[], uint32_t ndims_in, DataType dtype_in = DataType::FLOAT32,
                   bool manual_dep_in = false)
      : ndims(ndims_in), dtype(dtype_in), manual_dep(manual_dep_in) {
    if (ndims == 0 || ndims > MAX_TENSOR_DIMS) standin_abort("TensorCreateInfo: 1 to 5 dimensions");
    for (uint32_t d = 0; d < ndims; ++d) shapes[d] = shapes_in[d];
  }

  template <typename T = uint64_t>
  void set_initial_value(T value) {
    has_initial_value = true;
    initial_value = to_u64(value);
  }

  uint64_t initial_value = 0;
  bool has_initial_value = false;
  uint32_t ndims;
  DataType dtype;
  bool manual_dep;
  uint32_t shapes[MAX_TENSOR_DIMS] = {};
};

class TensorRef {
 public:
  const ChipTensor& ref() const { return *tensor_; }
  const TensorCreateInfo& create_info() const { return *create_info_; }
  TensorRef& operator=(const ChipTensor* tensor) {
    tensor_ = tensor;
    return *this;
  }
  TensorRef& operator=(const TensorCreateInfo* create_info) {
    create_info_ = create_info;
    return *this;
  }

 private:
  const ChipTensor* tensor_ = nullptr;
  const TensorCreateInfo* create_info_ = nullptr;
};

inline constexpr int32_t INVALID_KERNEL_ID = -1;

struct MixedKernels {
  int32_t aic_kernel_id{INVALID_KERNEL_ID};
  int32_t aiv0_kernel_id{INVALID_KERNEL_ID};
  int32_t aiv1_kernel_id{INVALID_KERNEL_ID};
};

// The setter's name differs between the platforms; define STANDIN_A5 for the second one.
class PTO2LaunchSpec {
 public:
#ifdef STANDIN_A5
  int16_t core_num() const {
    return width_;
  }
  void set_core_num(int16_t n) {
    width_ = n;
  }
#else
  int16_t block_num() const {
    return width_;
  }
  void set_block_num(int16_t n) {
    width_ = n;
  }
#endif
  bool require_sync_start() const {
    return sync_start_;
  }
  void set_require_sync_start(bool v) {
    sync_start_ = v;
  }

 private:
  friend int16_t standin_width(const PTO2LaunchSpec& spec);
  int16_t width_ = 1;
  bool sync_start_ = false;
};

enum class PredicateOp : uint8_t { NONE = 0, EQ, NE, GT, LT, GE, LE };

struct CorePredicateOperand {
  const ChipTensor* tensor{nullptr};
  uint32_t ndims{0};
  uint32_t indices[MAX_TENSOR_DIMS]{};
};

// The task runs only where `operand op target` holds when all that it depends on is done.
struct CoreTaskPredicate {
  CorePredicateOperand operand;
  PredicateOp op{PredicateOp::NONE};
  int64_t target{0};
};

// Holds pointers to what it is given: everything must outlive the submit, and temporaries are refused.
template <uint32_t kMaxTensors, uint32_t kMaxScalars>
class Arg {
 public:
  Arg() = default;
  Arg(const Arg&) = delete;
  Arg& operator=(const Arg&) = delete;

  bool has_error = false;
  const char* error_msg = nullptr;
  PTO2LaunchSpec launch_spec;

  void add_input(const ChipTensor& t) { add(&t, TensorArgType::INPUT); }
  void add_inout(const ChipTensor& t) { add(&t, TensorArgType::INOUT); }
  void add_output(const ChipTensor& t) { add(&t, TensorArgType::OUTPUT_EXISTING); }
  void add_output(const TensorCreateInfo& t) { add(&t, TensorArgType::OUTPUT); }
  void add_no_dep(const ChipTensor& t) { add(&t, TensorArgType::NO_DEP); }
  void add_input(const ChipTensor&&) = delete;
  void add_inout(const ChipTensor&&) = delete;
  void add_output(const ChipTensor&&) = delete;
  void add_output(const TensorCreateInfo&&) = delete;
  void add_no_dep(const ChipTensor&&) = delete;

  template <typename T>
  void add_scalar(T value) {
    if (scalar_count_ >= kMaxScalars) return set_error("too many scalar arguments");
    scalars_[scalar_count_++] = to_u64(value);
  }

  // An empty set takes back what was set; a second set that is not empty is an error.
  void set_dependencies(const PTO2TaskId* ids, uint32_t count) {
    if (count == 0) {
      deps_ = nullptr;
      dep_count_ = 0;
      return;
    }
    if (ids == nullptr) return set_error("set_dependencies: no array");
    if (deps_ != nullptr) return set_error("set_dependencies: called twice");
    deps_ = ids;
    dep_count_ = count;
  }

  void set_allow_early_resolve(bool v = true) { allow_early_resolve_ = v; }
  bool allow_early_resolve() const { return allow_early_resolve_; }
  void set_predicate(const CoreTaskPredicate& predicate) { predicate_ = predicate; }
  const CoreTaskPredicate& predicate() const { return predicate_; }

  // Marks for the runtime's argument dump: no effect here beyond the check that the mark names an argument.
  void dump(const ChipTensor& t) {
    for (uint32_t i = 0; i < tensor_count_; ++i) {
      if (tags_[i] != TensorArgType::OUTPUT && &tensors_[i].ref() == &t) return;
    }
    set_error("dump: the tensor is no argument of the task");
  }
  void dump(const ChipTensor&&) = delete;

  int32_t tensor_count() const { return static_cast<int32_t>(tensor_count_); }
  int32_t scalar_count() const { return static_cast<int32_t>(scalar_count_); }
  TensorArgType tag(int32_t i) const { return tags_[i]; }
  uint32_t explicit_dep_count() const { return dep_count_; }
  PTO2TaskId explicit_dep(uint32_t i) const { return deps_[i]; }

  const TensorRef& tensor(int32_t i) const {
    if (i < 0 || i >= tensor_count()) standin_abort("tensor: no such argument");
    return tensors_[i];
  }
  uint64_t scalar(int32_t i) const {
    if (i < 0 || i >= scalar_count()) standin_abort("scalar: no such argument");
    return scalars_[i];
  }

 private:
  void set_error(const char* what) {
    if (has_error) return;
    has_error = true;
    error_msg = what;
  }

  template <typename P>
  void add(const P* what, TensorArgType tag) {
    if (scalar_count_ != 0) return set_error("a tensor after a scalar: all tensors come before all scalars");
    if (tensor_count_ >= kMaxTensors) return set_error("too many tensor arguments");
    tensors_[tensor_count_] = what;
    tags_[tensor_count_] = tag;
    ++tensor_count_;
  }

  TensorRef tensors_[kMaxTensors];
  TensorArgType tags_[kMaxTensors] = {};
  uint64_t scalars_[kMaxScalars] = {};
  uint32_t tensor_count_ = 0;
  uint32_t scalar_count_ = 0;
  const PTO2TaskId* deps_ = nullptr;
  uint32_t dep_count_ = 0;
  bool allow_early_resolve_ = false;
  CoreTaskPredicate predicate_;
};

inline constexpr uint32_t MAX_TENSOR_ARGS = 32;
inline constexpr uint32_t MAX_SCALAR_ARGS = 16;
inline constexpr uint32_t CHIP_MAX_TENSOR_ARGS = 256;
inline constexpr uint32_t CHIP_MAX_SCALAR_ARGS = 128;

using CoreTaskArgs = Arg<MAX_TENSOR_ARGS, MAX_SCALAR_ARGS>;

struct ChipTaskArgs : Arg<CHIP_MAX_TENSOR_ARGS, CHIP_MAX_SCALAR_ARGS> {};

// What a submit hands back: its id and the tensors that the runtime made for it. Valid inside the scope of the submit.
class TaskOutputTensors {
 public:
  uint32_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  PTO2TaskId task_id() const { return task_id_; }
  const ChipTensor& get_ref(uint32_t i) const& {
    if (i >= count_) standin_abort("get_ref: no such output (a failed submit or allocation has none)");
    return *tensors_[i];
  }
  const ChipTensor& get_ref(uint32_t) const&& = delete;

  void set_task_id(PTO2TaskId id) { task_id_ = id; }
  void materialize_output(const ChipTensor& tensor) {
    if (count_ >= MAX_TENSOR_ARGS) standin_abort("too many outputs");
    tensors_[count_++] = &tensor;
  }

 private:
  PTO2TaskId task_id_ = PTO2TaskId::invalid();
  uint32_t count_ = 0;
  const ChipTensor* tensors_[MAX_TENSOR_ARGS] = {};
};
