// SPDX-License-Identifier: Apache-2.0
// From the command line's PROG to a program.
#include <fmt/format.h>

#include <istream>
#include <iterator>
#include <ostream>

#include "diag/codes_io.h"
#include "driver/program_format.h"
#include "driver/session.h"
#include "ir/verifier.h"
#include "serial/reader.h"
#include "support/file_tools.h"
#include "text/parser.h"

namespace pyptoc::driver {
namespace {

support::Result<std::string> read_stdin(Session& session) {
  if (session.system.in_is_terminal && !session.options.quiet)
    session.system.err << "pyptoc: reading the program from standard input\n" << std::flush;
  std::istream& in = session.system.in;
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) return support::Error{"input/output error", 0};
  return bytes;
}

// Before the file is read, so that its bytes get large pages too.
void expect_heap(Session& session, const std::string& path) {
  // What a compilation takes for each byte of MessagePack, more than of JSON, and of text.
  constexpr uint64_t kHeapPerByte = 6;
  constexpr uint64_t kHeapPerCharacter = 80;
  if (!session.system.expect_heap) return;
  const auto stat = session.system.files.stat(path);
  if (!stat.ok() || !stat->has_value()) return;
  session.system.expect_heap((*stat)->size * (is_program_text(path, "") ? kHeapPerCharacter : kHeapPerByte));
}

}  // namespace

bool read_input(Session& session) {
  const auto stage = session.timings.scope("read file");
  const std::string& path = session.options.program;
  const bool from_stdin = path == "-";
  if (!from_stdin) expect_heap(session, path);
  auto bytes = from_stdin ? read_stdin(session) : session.system.files.read_file(path);
  Input& input = session.input.emplace();
  input.name = from_stdin ? "<stdin>" : path;
  input.folder = from_stdin ? "." : support::parent_path(path);
  if (!bytes.ok()) {
    session.diags.report(diag::codes::cannot_read_file, diag::kNowhere, input.name, bytes.error().message);
    return false;
  }
  input.bytes = std::move(bytes).value();
  input.is_text = is_program_text(path, input.bytes);
  session.log.step(fmt::format("read {} ({} bytes)", input.name, input.bytes.size()));
  return true;
}

const ir::Program* parse_input(Session& session) {
  const auto stage = session.timings.scope("parse");
  const Input& input = *session.input;
  if (input.is_text) return text::parse_program(session.ir, input.bytes, input.name, session.diags);
  return serial::read_program(session.ir, input.bytes, session.diags);
}

bool verify_input(Session& session, const ir::Program* program) {
  if (session.options.verify == Verify::kNone) return true;
  const auto stage = session.timings.scope("verify");
  // Dumps of passes are programs that a front end could not have made.
  return ir::verify(program, session.diags, {.allow_builtin = session.options.command == Command::kOpt});
}

const ir::Program* load_program(Session& session) {
  if (!read_input(session)) return nullptr;
  const ir::Program* program = parse_input(session);
  return program != nullptr && verify_input(session, program) ? program : nullptr;
}

}  // namespace pyptoc::driver
