// SPDX-License-Identifier: Apache-2.0
// pyptoc as a library: compiles a program in memory, without touching the machine's files, streams or environment.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pyptoc {

struct CompileRequest {
  // Path -> content: the program, and the external kernel sources that it names, relative to the program's folder.
  std::map<std::string, std::string> files;
  std::string program = "prog.json";  // which of them is the program
  std::vector<std::string> options;   // as of `pyptoc build`, without PROG and -o: {"--target", "a5"}
};

struct CompileResult {
  int status = 0;  // the exit status that `pyptoc build` would have
  // Path -> content of what a build writes, manifest.json included. Empty when `status` is not 0.
  std::map<std::string, std::string> files;
  std::string diagnostics;  // in the format that the options choose
};

// Any number of calls may run at once.
CompileResult compile(const CompileRequest& request);

std::string_view version_string();

}  // namespace pyptoc
