// SPDX-License-Identifier: Apache-2.0
// scale(x, factor) -> out: out = factor * x, element by element.
//   args[0..1]  x, out (ChipTensor *), FP32, contiguous, of one size
//   args[2]     factor, an FP32 in the low 32 bits
#include "vector.h"

extern "C" __aicore__ void kernel_entry(__gm__ int64_t* args) {
  const vec::Tensor x(args[0]);
  const vec::Tensor out(args[1]);
  union {
    int64_t bits;
    float value;
  } factor;
  factor.bits = args[2];
  for (int64_t at = 0; at < out.count; at += vec::kRun) {
    const int64_t n = vec::run_length(out.count - at);
    vec::Run from = x.run(at, n);
    vec::Run to = out.run(at, n);
    vec::Stage a(1, n);
    TASSIGN(a, 0);
    TLOAD(a, from);
    vec::loaded();
    TMULS(a, a, factor.value);
    vec::computed();
    TSTORE(to, a);
    vec::stored();
  }
  pipe_barrier(PIPE_ALL);
}
