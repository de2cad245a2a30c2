// SPDX-License-Identifier: Apache-2.0
// The writer made for JSON.
#include "serial/graph_writer.h"
#include "serial/writer.h"

namespace pyptoc::serial {

std::string write_json(const ir::Program* program) {
  return GraphWriter<JsonEncoder>().write(program);
}

}  // namespace pyptoc::serial
