// SPDX-License-Identifier: Apache-2.0
// Arithmetic of tile instructions, element by element.
//
// FP16 and BF16 are computed in FP32 and rounded to nearest even once for each instruction, which for one addition,
// multiplication, maximum or minimum of FP16 is exactly the IEEE result. Integers wrap. BF16 has no tile arithmetic (as
// on a2a3); only conversions and the atomic add of a store take it.
#pragma once

#include <cstdint>

#include "standin_instructions.h"

namespace standin::ranks {

float from_half(uint16_t bits);
uint16_t to_half(float value);
float from_bfloat16(uint16_t bits);
uint16_t to_bfloat16(float value);

uint64_t size_of_type(int32_t type);  // 0 for an unknown one

// What was wrong, or null. `a`, `b`, `dst` may be equal. Where b is null, `scalar` is the second operand.
const char* apply(int32_t op, int32_t type, unsigned char* dst, const unsigned char* a, const unsigned char* b,
                  double scalar, int64_t count);
const char* fill(int32_t type, unsigned char* dst, double value, int64_t count);
const char* convert(int32_t to_type, unsigned char* dst, int32_t from_type, const unsigned char* src, int32_t mode,
                    int64_t count);
// memory += values, as an atomic add of the transfer units does it.
const char* add_to(int32_t type, unsigned char* memory, const unsigned char* values, int64_t count);

}  // namespace standin::ranks
