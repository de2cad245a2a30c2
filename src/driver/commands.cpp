// SPDX-License-Identifier: Apache-2.0
// The commands that take a program and give a program or nothing: check, print, convert, opt.
#include "driver/commands.h"

#include "diag/codes_usage.h"
#include "passes/pipeline.h"
#include "serial/writer.h"
#include "text/printer.h"

namespace pyptoc::driver {
namespace {

std::string write_program(Session& session, const ir::Program* program, ProgramFormat format) {
  const auto stage = session.timings.scope("print");
  switch (format) {
    case ProgramFormat::kJson:
      return serial::write_json(program);
    case ProgramFormat::kMsgpack:
      return serial::write_msgpack(program);
    case ProgramFormat::kText:
      break;
  }
  return text::print_program(program);
}

bool may_write_format(Session& session) {
  const bool to_terminal = session.options.output == "-" && session.system.out_is_terminal;
  if (!to_terminal || session.options.format != ProgramFormat::kMsgpack) return true;
  session.diags.report(diag::codes::binary_to_terminal, diag::kNowhere).help("`--to json` is readable");
  return false;
}

std::vector<size_t> rows_of_opt(const Options& options, const passes::Options& pass_options) {
  if (options.passes.empty()) return passes::rows_between(options.start_after, options.stop_after, pass_options);
  std::vector<size_t> rows;
  for (const std::string& name : options.passes) rows.push_back(static_cast<size_t>(passes::find_pass(name)));
  return rows;
}

}  // namespace

void run_check(Session& session) {
  const ir::Program* program = load_program(session);
  if (program != nullptr) run_pipeline(session, program, passes::rows_between("", "", session.pass_options));
}

// Without --after nothing is verified, because what is wrong with a program is easier to see when it is printed.
void run_print(Session& session) {
  if (!read_input(session)) return;
  const ir::Program* program = parse_input(session);
  const std::string& last = session.options.print_program_after;
  if (program != nullptr && !last.empty()) {
    if (!verify_input(session, program)) return;
    program = run_pipeline(session, program, passes::rows_between("", last, session.pass_options));
  }
  if (program != nullptr) write_to_stdout(session, write_program(session, program, ProgramFormat::kText));
}

// Only the form changes, so a program that breaks rules of the IR is converted as well.
void run_convert(Session& session) {
  if (!may_write_format(session) || !read_input(session)) return;
  const ir::Program* program = parse_input(session);
  if (program != nullptr) write_output(session, write_program(session, program, *session.options.format));
}

void run_opt(Session& session) {
  if (!may_write_format(session)) return;
  const ir::Program* program = load_program(session);
  if (program == nullptr) return;
  program = run_pipeline(session, program, rows_of_opt(session.options, session.pass_options));
  if (program != nullptr) write_output(session, write_program(session, program, *session.options.format));
}

}  // namespace pyptoc::driver
