// SPDX-License-Identifier: Apache-2.0
// What the tile library's headers of the stand-in ask the stand-in to do: plain descriptors and functions with C
// linkage, so that kernels of any compiler can be loaded.
#pragma once

#include <cstdint>

// Element types by the numbers that the runtime gives them.
enum StandinType : int32_t {
  STANDIN_FP32 = 0,
  STANDIN_FP16 = 1,
  STANDIN_INT32 = 2,
  STANDIN_INT16 = 3,
  STANDIN_INT8 = 4,
  STANDIN_UINT8 = 5,
  STANDIN_BF16 = 6,
  STANDIN_INT64 = 7,
  STANDIN_UINT64 = 8,
  STANDIN_UINT16 = 9,
  STANDIN_UINT32 = 10,
  STANDIN_BOOL = 11,
};

// A view of memory: extents and strides in elements.
struct StandinGlobal {
  uint64_t address;
  int64_t shape[5];
  int64_t stride[5];
  int32_t type;
};

// A place in on-chip memory; `at` is -1 before it is assigned.
struct StandinTile {
  int64_t at;
  int64_t rows;
  int64_t cols;
  int64_t valid_rows;
  int64_t valid_cols;
  int32_t type;
};

enum StandinOp : int32_t { STANDIN_ADD, STANDIN_MUL, STANDIN_MAX, STANDIN_MIN, STANDIN_SUB };

extern "C" {
[[noreturn]] void standin_misuse(const char* why);
void standin_load(const StandinTile* tile, const StandinGlobal* from);
void standin_store(const StandinGlobal* to, const StandinTile* tile, int32_t atomic_add);
// dst = a op b, or dst = a op scalar where b is null.
void standin_binary(int32_t op, const StandinTile* dst, const StandinTile* a, const StandinTile* b, double scalar);
void standin_fill(const StandinTile* dst, double value);
// `mode` is the library's RoundMode.
void standin_convert(const StandinTile* dst, const StandinTile* src, int32_t mode);
void standin_copy_through(const StandinGlobal* to, const StandinGlobal* from, const StandinTile* stage,
                          int32_t atomic_add);
void standin_notify(uint64_t cell, int32_t value, int32_t set);
void standin_wait(const StandinGlobal* cells, int32_t value, int32_t compare);
int32_t standin_test(const StandinGlobal* cells, int32_t value, int32_t compare);
void standin_set_flag(int32_t from, int32_t to, int32_t event);
void standin_wait_flag(int32_t from, int32_t to, int32_t event);
void standin_pipe_barrier(int32_t pipe);
void standin_fence();
void standin_cache(const volatile void* line, int32_t whole);  // writes dirty lines back and drops the lines
}
