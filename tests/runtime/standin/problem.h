// SPDX-License-Identifier: Apache-2.0
// What a run can be wrong about. The stand-in returns these as data; it never ends the process.
#pragma once

#include <string>
#include <vector>

namespace standin {

enum class ProblemKind {
  kUnorderedAccess,   // two tasks touch the same bytes, one writes, and no dependency orders them
  kUnwrittenRead,     // bytes that no input and no earlier task wrote
  kDirection,         // a kernel writes an input, or a task writes a tensor that the caller passed in as IN
  kOutsideArguments,  // a kernel touches memory that none of its arguments covers
  kLifetime,          // an allocation is used when its memory may be someone else's
  kUnwrittenOutput,   // bytes of an OUT tensor of the program that no task wrote
  kKernelTable,       // a submit names no kernel, one of another core type, or gives it another number of tensors
  kKernelFailed,      // a kernel threw
  kFatal,             // the run ended with a latched error code
  kAbort,             // the real runtime would have ended the process here
  kArguments,         // the program was called with too few arguments
  kResources,         // the stand-in's own limits
  kDeadlock,          // blocks wait for what can never come, or tasks for cores that never get free
  kStaleRead,         // a scalar load of bytes that others wrote, from a cache that was not invalidated since
  kLeftCredit,        // a cell of a signal is not 0 when all ranks have finished
  kInstruction,       // an instruction that the library does not allow, or that some timing would break
};

struct Problem {
  ProblemKind kind;
  std::string text;
};

using Problems = std::vector<Problem>;

}  // namespace standin
