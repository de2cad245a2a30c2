// SPDX-License-Identifier: Apache-2.0
// The commands that take a program and give a program or nothing: check, print, convert, opt.
#include "driver/commands.h"

#include "diag/codes_front.h"
#include "diag/codes_usage.h"
#include "passes/pipeline.h"
#include "passes/verify.h"
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

// What passes require of the program that they are given: a pass that does not get it may fail in any way.
bool passes_can_run(Session& session, const ir::Program* program, const std::vector<size_t>& rows) {
  if (session.options.verify == Verify::kNone) return true;
  passes::PropertySet known;
  bool good = true;
  for (size_t row : rows) {
    const passes::PassInfo& info = passes::pipeline()[row];
    for (int i = 0; i < passes::kPropertyCount; ++i) {
      const auto property = static_cast<passes::Property>(i);
      if (!info.requires_.has(property) || known.has(property)) continue;
      known = known | passes::PropertySet{property};
      const std::vector<std::string> found = passes::violations(program, property);
      if (found.empty()) continue;
      session.diags.report(diag::codes::pass_requirement, diag::kNowhere, info.name, passes::name_of(property),
                           found.front());
      good = false;
    }
    known = known | info.ensures;
  }
  return good;
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
  const std::vector<size_t> rows = rows_of_opt(session.options, session.pass_options);
  if (!passes_can_run(session, program, rows)) return;
  program = run_pipeline(session, program, rows);
  if (program != nullptr) write_output(session, write_program(session, program, *session.options.format));
}

}  // namespace pyptoc::driver
