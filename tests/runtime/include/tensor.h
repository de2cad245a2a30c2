// SPDX-License-Identifier: Apache-2.0
// Stand-in for the runtime's "tensor.h": element types, task ids and the tensor descriptor that orchestration and
// kernels share. Declares what the runtime contract names and nothing more, so that code which compiles here compiles
// there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

// Ends the orchestration as the runtime's assertions end the process; the stand-in turns it into a result.
[[noreturn]] void standin_abort(const char* why);

inline constexpr uint32_t MAX_TENSOR_DIMS = 5;

enum class DataType : uint8_t {
  FLOAT32 = 0,
  FLOAT16 = 1,
  INT32 = 2,
  INT16 = 3,
  INT8 = 4,
  UINT8 = 5,
  BFLOAT16 = 6,
  INT64 = 7,
  UINT64 = 8,
  UINT16 = 9,
  UINT32 = 10,
  BOOL = 11,
  FP8E4M3FN = 12,
  FP8E8M0 = 13,
  FP4E2M1 = 14,
};

inline uint64_t get_element_size(DataType dtype) {
  switch (dtype) {
    case DataType::INT64:
    case DataType::UINT64:
      return 8;
    case DataType::FLOAT32:
    case DataType::INT32:
    case DataType::UINT32:
      return 4;
    case DataType::FLOAT16:
    case DataType::BFLOAT16:
    case DataType::INT16:
    case DataType::UINT16:
      return 2;
    default:
      return 1;
  }
}

enum class AddressSpace : uint8_t { HOST = 0, DEVICE = 1 };

struct PTO2TaskId {
  uint64_t raw;

  static constexpr PTO2TaskId invalid() { return PTO2TaskId{UINT64_MAX}; }
  constexpr bool is_valid() const { return raw != UINT64_MAX; }
  constexpr bool operator==(const PTO2TaskId& other) const { return raw == other.raw; }
  constexpr bool operator!=(const PTO2TaskId& other) const { return raw != other.raw; }
};

// A scalar travels as the bits of its own width, zero-extended.
template <typename T>
inline uint64_t to_u64(T value) {
  static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>, "a scalar is arithmetic or an enumerator");
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <typename T>
inline T from_u64(uint64_t bits) {
  static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>, "a scalar is arithmetic or an enumerator");
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

struct PTOBufferHandle {
  uint64_t addr;
  uint64_t size;
};

// A strided view of a buffer. Offsets and strides count elements; strides are never 0.
struct alignas(64) ChipTensor {
  PTOBufferHandle buffer;
  PTO2TaskId owner_task_id;  // the task that made the buffer; invalid for a tensor from outside
  uint64_t start_offset;
  int32_t version;
  uint32_t ndims;
  DataType dtype;
  bool manual_dep;
  bool is_contiguous;
  AddressSpace address_space;
  uint32_t shapes[MAX_TENSOR_DIMS];
  uint64_t extent_elem_cache;  // elements from the first to one past the last that the view reaches
  uint32_t strides[MAX_TENSOR_DIMS];
  uint8_t reserved[36];

  ChipTensor view(const uint32_t view_shapes[], const uint32_t view_offsets[], bool with_manual_dep = false) const {
    ChipTensor result = *this;
    result.manual_dep = with_manual_dep;
    bool empty = false;
    for (uint32_t d = 0; d < ndims; ++d) {
      empty = empty || view_shapes[d] == 0;
    }
    for (uint32_t d = 0; d < ndims; ++d) {
      result.shapes[d] = view_shapes[d];
      if (empty) continue;  // reaches no element, so any offset is harmless
      if (static_cast<uint64_t>(view_offsets[d]) + view_shapes[d] > shapes[d]) standin_abort("view: beyond the tensor");
      result.start_offset += static_cast<uint64_t>(view_offsets[d]) * strides[d];
    }
    result.derive();
    return result;
  }

  ChipTensor transpose(uint32_t x, uint32_t y, bool with_manual_dep = false) const {
    if (x >= ndims || y >= ndims) standin_abort("transpose: no such axis");
    ChipTensor result = *this;
    result.manual_dep = with_manual_dep;
    result.shapes[x] = shapes[y];
    result.shapes[y] = shapes[x];
    result.strides[x] = strides[y];
    result.strides[y] = strides[x];
    result.derive();
    return result;
  }

  ChipTensor reshape(const uint32_t new_shapes[], uint32_t new_ndims, bool with_manual_dep = false) const {
    if (!is_contiguous) standin_abort("reshape: the tensor is not contiguous");
    if (new_ndims == 0 || new_ndims > MAX_TENSOR_DIMS) standin_abort("reshape: 1 to 5 dimensions");
    uint64_t old_count = 1;
    for (uint32_t d = 0; d < ndims; ++d) old_count *= shapes[d];
    ChipTensor result = *this;
    result.manual_dep = with_manual_dep;
    result.ndims = new_ndims;
    uint32_t stride = 1;
    for (uint32_t d = new_ndims; d-- > 0;) {
      result.shapes[d] = new_shapes[d];
      result.strides[d] = stride;
      stride *= new_shapes[d];
    }
    if (stride != old_count) standin_abort("reshape: another number of elements");
    result.derive();
    return result;
  }

 private:
  void derive() {
    uint64_t reach = 1;
    uint64_t packed = 1;
    bool empty = false;
    bool contiguous = true;
    for (uint32_t d = ndims; d-- > 0;) {
      contiguous = contiguous && strides[d] == packed;
      packed *= shapes[d];
      empty = empty || shapes[d] == 0;
      if (shapes[d] != 0) reach += static_cast<uint64_t>(shapes[d] - 1) * strides[d];
    }
    extent_elem_cache = empty ? 0 : reach;
    is_contiguous = empty || contiguous;
    if (!empty && (start_offset + reach) * get_element_size(dtype) > buffer.size) {
      standin_abort("the view reaches beyond its buffer");
    }
  }
};

static_assert(sizeof(ChipTensor) == 128 && alignof(ChipTensor) == 64, "two cache lines");
static_assert(std::is_trivially_copyable_v<ChipTensor>, "descriptors are copied as bytes");
static_assert(offsetof(ChipTensor, buffer) == 0 && offsetof(PTOBufferHandle, size) == 8, "buffer");
static_assert(offsetof(ChipTensor, owner_task_id) == 16, "owner_task_id");
static_assert(offsetof(ChipTensor, start_offset) == 24, "start_offset");
static_assert(offsetof(ChipTensor, version) == 32 && offsetof(ChipTensor, ndims) == 36, "version, ndims");
static_assert(offsetof(ChipTensor, dtype) == 40 && offsetof(ChipTensor, manual_dep) == 41, "dtype, manual_dep");
static_assert(offsetof(ChipTensor, is_contiguous) == 42 && offsetof(ChipTensor, address_space) == 43, "flags");
static_assert(offsetof(ChipTensor, shapes) == 44, "shapes");
static_assert(offsetof(ChipTensor, extent_elem_cache) == 64 && offsetof(ChipTensor, strides) == 72, "second line");
