// SPDX-License-Identifier: Apache-2.0
// Names of kinds and facts about element types.
#include "ir/attr.h"
#include "ir/enums.h"
#include "ir/type.h"

namespace pyptoc::ir {

std::string_view name_of(NodeKind kind) {
  switch (kind) {
#define PYPTOC_KIND(K, S) \
  case NodeKind::K:       \
    return #K;
    PYPTOC_NODE_KINDS(PYPTOC_KIND)
#undef PYPTOC_KIND
  }
  return "?";
}

std::string_view name_of(TypeKind kind) {
  switch (kind) {
#define PYPTOC_KIND(K) \
  case TypeKind::K:    \
    return #K;
    PYPTOC_TYPE_KINDS(PYPTOC_KIND)
#undef PYPTOC_KIND
  }
  return "?";
}

std::string_view name_of(AttrKind kind) {
  switch (kind) {
    case AttrKind::Int:
      return "int";
    case AttrKind::Bool:
      return "bool";
    case AttrKind::Float:
      return "float";
    case AttrKind::String:
      return "string";
#define PYPTOC_KIND(K) \
  case AttrKind::K:    \
    return #K;
      PYPTOC_ATTR_TAGS(PYPTOC_KIND)
#undef PYPTOC_KIND
  }
  return "?";
}

int bits_of(DType dtype) {
  switch (dtype) {
    case DType::Int4:
    case DType::UInt4:
    case DType::Fp4:
    case DType::Hf4:
      return 4;
    case DType::Bool:
    case DType::Int8:
    case DType::UInt8:
    case DType::Fp8E4M3FN:
    case DType::Fp8E5M2:
    case DType::Fp8E8M0:
    case DType::Hf8:
      return 8;
    case DType::Int16:
    case DType::UInt16:
    case DType::Fp16:
    case DType::Bf16:
      return 16;
    case DType::Int32:
    case DType::UInt32:
    case DType::Fp32:
      return 32;
    case DType::Int64:
    case DType::Index:
    case DType::UInt64:
    case DType::Fp64:
      return 64;
    case DType::TaskId:
      return 0;
  }
  return 0;
}

bool is_float(DType dtype) {
  switch (dtype) {
    case DType::Fp4:
    case DType::Fp8E4M3FN:
    case DType::Fp8E5M2:
    case DType::Fp8E8M0:
    case DType::Fp16:
    case DType::Fp32:
    case DType::Fp64:
    case DType::Bf16:
    case DType::Hf4:
    case DType::Hf8:
      return true;
    default:
      return false;
  }
}

bool is_signed_int(DType dtype) {
  return dtype == DType::Int4 || dtype == DType::Int8 || dtype == DType::Int16 || dtype == DType::Int32 ||
         dtype == DType::Int64 || dtype == DType::Index;
}

bool is_unsigned_int(DType dtype) {
  return dtype == DType::UInt4 || dtype == DType::UInt8 || dtype == DType::UInt16 || dtype == DType::UInt32 ||
         dtype == DType::UInt64;
}

}  // namespace pyptoc::ir
