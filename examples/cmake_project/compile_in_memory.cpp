// SPDX-License-Identifier: Apache-2.0
// Compiles the files that are named on the command line, the program first, and lists what a build would write.
#include <fstream>
#include <iostream>
#include <iterator>

#include "pyptoc/compile.h"

int main(int argc, char** argv) {
  pyptoc::CompileRequest request;
  for (int i = 1; i < argc; ++i) {
    std::ifstream in(argv[i], std::ios::binary);
    request.files[argv[i]] = {std::istreambuf_iterator<char>(in), {}};
  }
  if (argc > 1) request.program = argv[1];
  const pyptoc::CompileResult result = pyptoc::compile(request);
  std::cerr << result.diagnostics;
  for (const auto& [path, content] : result.files) std::cout << path << ' ' << content.size() << '\n';
  return result.status;
}
