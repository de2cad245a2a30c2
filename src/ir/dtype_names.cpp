// SPDX-License-Identifier: Apache-2.0
#include "ir/dtype_names.h"

namespace pyptoc::ir {

std::optional<std::string_view> cpp_type(DType dtype) {
  switch (dtype) {
    case DType::Bool:
      return "bool";
    case DType::Int8:
      return "int8_t";
    case DType::Int16:
      return "int16_t";
    case DType::Int32:
      return "int32_t";
    case DType::Int64:
    case DType::Index:
      return "int64_t";
    case DType::UInt8:
      return "uint8_t";
    case DType::UInt16:
      return "uint16_t";
    case DType::UInt32:
      return "uint32_t";
    case DType::UInt64:
      return "uint64_t";
    case DType::Fp32:
      return "float";
    case DType::Fp64:
      return "double";
    default:
      return std::nullopt;
  }
}

std::string_view lower_name_of(DType dtype) {
  switch (dtype) {
    case DType::Bool:
      return "bool";
    case DType::Int4:
      return "int4";
    case DType::Int8:
      return "int8";
    case DType::Int16:
      return "int16";
    case DType::Int32:
      return "int32";
    case DType::Int64:
      return "int64";
    case DType::Index:
      return "index";
    case DType::UInt4:
      return "uint4";
    case DType::UInt8:
      return "uint8";
    case DType::UInt16:
      return "uint16";
    case DType::UInt32:
      return "uint32";
    case DType::UInt64:
      return "uint64";
    case DType::Fp4:
      return "fp4";
    case DType::Fp8E4M3FN:
      return "fp8e4m3fn";
    case DType::Fp8E5M2:
      return "fp8e5m2";
    case DType::Fp8E8M0:
      return "fp8e8m0";
    case DType::Fp16:
      return "fp16";
    case DType::Fp32:
      return "fp32";
    case DType::Fp64:
      return "fp64";
    case DType::Bf16:
      return "bfloat16";
    case DType::Hf4:
      return "hf4";
    case DType::Hf8:
      return "hf8";
    case DType::TaskId:
      return "task_id";
  }
  return "?";
}

}  // namespace pyptoc::ir
