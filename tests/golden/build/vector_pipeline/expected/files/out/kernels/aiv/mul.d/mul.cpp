// SPDX-License-Identifier: Apache-2.0
// mul(x, y) -> out: out = x * y, element by element.
//   args[0..2]  x, y, out (ChipTensor *), FP32, contiguous, of one size
#include "vector.h"

extern "C" __aicore__ void kernel_entry(__gm__ int64_t* args) {
  const vec::Tensor x(args[0]);
  const vec::Tensor y(args[1]);
  const vec::Tensor out(args[2]);
  for (int64_t at = 0; at < out.count; at += vec::kRun) {
    const int64_t n = vec::run_length(out.count - at);
    vec::Run from_x = x.run(at, n);
    vec::Run from_y = y.run(at, n);
    vec::Run to = out.run(at, n);
    vec::Stage a(1, n);
    vec::Stage b(1, n);
    TASSIGN(a, 0);
    TASSIGN(b, vec::kStageBytes);
    TLOAD(a, from_x);
    TLOAD(b, from_y);
    vec::loaded();
    TMUL(a, a, b);
    vec::computed();
    TSTORE(to, a);
    vec::stored();
  }
  pipe_barrier(PIPE_ALL);
}
