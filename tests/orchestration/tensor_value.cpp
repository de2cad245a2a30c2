// SPDX-License-Identifier: Apache-2.0
#include "orchestration/tensor_value.h"

#include <cstring>

#include "runtime/standin/memory.h"
#include "support/internal_error.h"

namespace pyptoc::orchestration {

using ir::DType;

size_t size_of(DType dtype) {
  return static_cast<size_t>(ir::bits_of(dtype) + 7) / 8;
}

DataType runtime_type(DType dtype) {
  switch (dtype) {
    case DType::Bool:
      return DataType::BOOL;
    case DType::Int8:
      return DataType::INT8;
    case DType::Int16:
      return DataType::INT16;
    case DType::Int32:
      return DataType::INT32;
    case DType::Int64:
    case DType::Index:
      return DataType::INT64;
    case DType::UInt8:
      return DataType::UINT8;
    case DType::UInt32:
      return DataType::UINT32;
    case DType::Fp32:
      return DataType::FLOAT32;
    default:
      PYPTOC_UNREACHABLE("an element type that the programs of this test do not use");
  }
}

namespace {
std::vector<int64_t> packed(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}
}  // namespace

Tensor Tensor::make(DType dtype, std::vector<int64_t> shape) {
  Tensor out;
  out.dtype = dtype;
  out.shape = std::move(shape);
  out.strides = packed(out.shape);
  out.storage = std::make_shared<std::vector<unsigned char>>(static_cast<size_t>(out.count()) * size_of(dtype), 0xA5);
  out.base = reinterpret_cast<uint64_t>(out.storage->data());
  out.bytes = out.storage->size();
  return out;
}

Tensor Tensor::of(const ChipTensor& tensor, DType dtype) {
  Tensor out;
  out.base = tensor.buffer.addr;
  out.bytes = tensor.buffer.size;
  out.dtype = dtype;
  out.offset = static_cast<int64_t>(tensor.start_offset);
  out.shape.assign(tensor.shapes, tensor.shapes + tensor.ndims);
  out.strides.assign(tensor.strides, tensor.strides + tensor.ndims);
  return out;
}

ChipTensor Tensor::descriptor() const {
  ChipTensor out{};
  out.buffer = {base, bytes};
  out.owner_task_id = PTO2TaskId::invalid();
  out.start_offset = static_cast<uint64_t>(offset);
  out.ndims = static_cast<uint32_t>(shape.size());
  out.dtype = runtime_type(dtype);
  for (size_t d = 0; d < shape.size(); ++d) {
    out.shapes[d] = static_cast<uint32_t>(shape[d]);
    out.strides[d] = static_cast<uint32_t>(strides[d]);
  }
  return out;
}

int64_t Tensor::count() const {
  int64_t n = 1;
  for (int64_t extent : shape) n *= extent;
  return n;
}

std::vector<int64_t> Tensor::index_of(int64_t flat) const {
  std::vector<int64_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    index[d] = flat % shape[d];
    flat /= shape[d];
  }
  return index;
}

unsigned char* Tensor::address(const std::vector<int64_t>& index, bool write) const {
  PYPTOC_ASSERT(index.size() == shape.size(), "an index of another rank");
  int64_t at = offset;
  for (size_t d = 0; d < index.size(); ++d) {
    PYPTOC_ASSERT(index[d] >= 0 && index[d] < shape[d], "an index out of range");
    at += index[d] * strides[d];
  }
  const uint64_t size = size_of(dtype);
  const uint64_t where = static_cast<uint64_t>(at) * size;
  PYPTOC_ASSERT(where + size <= bytes, "an element outside of its buffer");
  if (standin::Memory* memory = standin::recording_memory()) memory->note(base + where, size, write);
  return reinterpret_cast<unsigned char*>(base + where);
}

int64_t Tensor::load_int(const std::vector<int64_t>& index) const {
  uint64_t bits = 0;
  const size_t size = size_of(dtype);
  std::memcpy(&bits, address(index, false), size);
  if (!ir::is_signed_int(dtype) || size == 8) return static_cast<int64_t>(bits);
  const uint64_t sign = uint64_t{1} << (size * 8 - 1);
  return static_cast<int64_t>((bits ^ sign) - sign);
}

void Tensor::store_int(const std::vector<int64_t>& index, int64_t value) const {
  std::memcpy(address(index, true), &value, size_of(dtype));
}

double Tensor::load(const std::vector<int64_t>& index) const {
  if (dtype != DType::Fp32) return static_cast<double>(load_int(index));
  float value = 0;
  std::memcpy(&value, address(index, false), sizeof(value));
  return static_cast<double>(value);
}

void Tensor::store(const std::vector<int64_t>& index, double value) const {
  if (dtype != DType::Fp32) return store_int(index, static_cast<int64_t>(value));
  const float narrow = static_cast<float>(value);
  std::memcpy(address(index, true), &narrow, sizeof(narrow));
}

Tensor Tensor::slice(const std::vector<int64_t>& extents, const std::vector<int64_t>& offsets) const {
  Tensor out = *this;
  for (size_t d = 0; d < shape.size(); ++d) {
    out.shape[d] = std::max<int64_t>(0, std::min(extents[d], shape[d] - offsets[d]));
    out.offset += offsets[d] * strides[d];
  }
  return out;
}

Tensor Tensor::without_axes(const std::vector<int64_t>& dropped) const {
  Tensor out = *this;
  out.shape.clear();
  out.strides.clear();
  for (size_t d = 0; d < shape.size(); ++d) {
    bool gone = false;
    for (int64_t axis : dropped) gone |= axis == static_cast<int64_t>(d);
    if (gone) continue;
    out.shape.push_back(shape[d]);
    out.strides.push_back(strides[d]);
  }
  return out;
}

Tensor Tensor::reshape(const std::vector<int64_t>& extents) const {
  std::vector<int64_t> row_major = packed(shape);
  for (size_t d = 0; d < shape.size(); ++d)
    PYPTOC_ASSERT(shape[d] == 1 || strides[d] == row_major[d], "a reshape of what is not packed");
  Tensor out = *this;
  out.shape = extents;
  out.strides = packed(extents);
  PYPTOC_ASSERT(out.count() == count(), "a reshape to another number of elements");
  return out;
}

Tensor Tensor::transpose(size_t a, size_t b) const {
  Tensor out = *this;
  std::swap(out.shape.at(a), out.shape.at(b));
  std::swap(out.strides.at(a), out.strides.at(b));
  return out;
}

}  // namespace pyptoc::orchestration
