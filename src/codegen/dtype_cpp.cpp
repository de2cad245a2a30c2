// SPDX-License-Identifier: Apache-2.0
#include "codegen/dtype_cpp.h"

#include "ir/dtype_names.h"

namespace pyptoc::codegen {

using ir::DType;

std::optional<std::string_view> orchestration_type(DType dtype) {
  if (dtype == DType::TaskId) return "PTO2TaskId";
  return ir::cpp_type(dtype);
}

std::optional<std::string_view> runtime_dtype(DType dtype) {
  switch (dtype) {
    case DType::Fp32:
      return "FLOAT32";
    case DType::Fp16:
      return "FLOAT16";
    case DType::Int32:
      return "INT32";
    case DType::Int16:
      return "INT16";
    case DType::Int8:
      return "INT8";
    case DType::UInt8:
      return "UINT8";
    case DType::Bf16:
      return "BFLOAT16";
    case DType::Int64:
    case DType::Index:
      return "INT64";
    case DType::UInt64:
      return "UINT64";
    case DType::UInt16:
      return "UINT16";
    case DType::UInt32:
      return "UINT32";
    case DType::Bool:
      return "BOOL";
    case DType::Fp8E4M3FN:
      return "FP8E4M3FN";
    case DType::Fp8E8M0:
      return "FP8E8M0";
    case DType::Fp4:
      return "FP4E2M1";
    default:
      return std::nullopt;
  }
}

std::optional<std::string_view> torch_dtype(DType dtype) {
  switch (dtype) {
    case DType::Fp32:
      return "float32";
    case DType::Fp16:
      return "float16";
    case DType::Bf16:
      return "bfloat16";
    case DType::Index:
      return "int64";
    case DType::Bool:
    case DType::Int8:
    case DType::Int16:
    case DType::Int32:
    case DType::Int64:
    case DType::UInt8:
    case DType::UInt16:
    case DType::UInt32:
    case DType::UInt64:
      return ir::lower_name_of(dtype);
    case DType::Fp8E4M3FN:
      return "float8_e4m3fn";
    case DType::Fp8E8M0:
      return "float8_e8m0fnu";
    default:
      return std::nullopt;
  }
}

}  // namespace pyptoc::codegen
