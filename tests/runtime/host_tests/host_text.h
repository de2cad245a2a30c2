// SPDX-License-Identifier: Apache-2.0
// Programs with a HOST function as DSL text, and what the compiler under test makes of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "standin/compile.h"

namespace host_tests {

// The parts of a program. Its chip programs are, for each element type T of `types` (a DSL name, `FP32`) over tensors
// of two axes of any extent:
//   put_T(x, w)   copies a host tensor into a window
//   get_T(w, y)   copies a window into a host tensor
//   near_T(w, y)  copies what the next rank of the domain has in the window
struct HostText {
  std::vector<std::string> types = {"FP32"};
  std::string functions = "";   // more of them, as members of the class
  std::string parameters = "";  // of the HOST function, with extents NR and N that arguments bind
  std::string body = "";        // its statements, from column 0

  std::string text() const;
};

// `text` and the kernels that it names, compiled by the executable under test into a folder that goes with the object.
class Tree {
 public:
  explicit Tree(const std::string& text, const std::vector<std::string>& options = {});
  const std::filesystem::path& folder() const { return out_; }
  const std::string& error() const { return error_; }  // what the compiler printed; empty when it made a tree
  // Breaks host_orch.py: takes out the lines that hold `what`, or puts `with` in its place. How often it was found.
  int drop_lines(const std::string& what);
  int replace(const std::string& what, const std::string& with);

 private:
  standin::TempFolder work_;
  std::filesystem::path out_;
  std::string error_;
};

std::string indented(const std::string& lines, int by);

}  // namespace host_tests
