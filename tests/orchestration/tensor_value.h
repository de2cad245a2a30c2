// SPDX-License-Identifier: Apache-2.0
// Tensors of the interpreter: strided views of memory, with arithmetic of their own, so that a fault of the stand-in's
// views does not hide one of the compiler's.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ir/enums.h"
#include "runtime/include/tensor.h"

namespace pyptoc::orchestration {

struct Tensor {
  std::shared_ptr<std::vector<unsigned char>> storage;  // null for what the stand-in owns
  uint64_t base = 0;                                    // address of the buffer
  uint64_t bytes = 0;
  ir::DType dtype = ir::DType::Fp32;
  int64_t offset = 0;  // elements
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;

  static Tensor make(ir::DType dtype, std::vector<int64_t> shape);
  static Tensor of(const ChipTensor& tensor, ir::DType dtype);
  ChipTensor descriptor() const;

  int64_t count() const;
  std::vector<int64_t> index_of(int64_t flat) const;  // row-major
  // Elements as numbers; each access is reported to the stand-in when one of its kernels runs.
  double load(const std::vector<int64_t>& index) const;
  void store(const std::vector<int64_t>& index, double value) const;
  int64_t load_int(const std::vector<int64_t>& index) const;
  void store_int(const std::vector<int64_t>& index, int64_t value) const;

  // As far as the extents fit behind the offsets.
  Tensor slice(const std::vector<int64_t>& extents, const std::vector<int64_t>& offsets) const;
  Tensor without_axes(const std::vector<int64_t>& dropped) const;
  Tensor reshape(const std::vector<int64_t>& extents) const;
  Tensor transpose(size_t a, size_t b) const;

 private:
  unsigned char* address(const std::vector<int64_t>& index, bool write) const;
};

DataType runtime_type(ir::DType dtype);
size_t size_of(ir::DType dtype);

}  // namespace pyptoc::orchestration
