// SPDX-License-Identifier: Apache-2.0
// The writer made for MessagePack.
#include "serial/graph_writer.h"
#include "serial/writer.h"

namespace pyptoc::serial {

std::string write_msgpack(const ir::Program* program) {
  return GraphWriter<MsgpackEncoder>().write(program);
}

}  // namespace pyptoc::serial
