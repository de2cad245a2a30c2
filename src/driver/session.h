// SPDX-License-Identifier: Apache-2.0
// One run of a command: what all its steps share.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "diag/engine.h"
#include "diag/source.h"
#include "driver/log.h"
#include "driver/options.h"
#include "driver/system.h"
#include "driver/timings.h"
#include "ir/context.h"
#include "passes/pipeline.h"

namespace pyptoc::driver {

// The bytes of the program and where they came from.
struct Input {
  std::string name;    // as the user wrote it; `<stdin>` for `-`
  std::string folder;  // the folder that paths in the program are relative to
  std::string bytes;
  bool is_text = false;  // DSL text
};

// The steps of commands return false, or null, when they reported an error; then the command is over.
struct Session {
  Session(System& system_, const Options& options_, Timings& timings_, bool color)
      : system(system_),
        options(options_),
        timings(timings_),
        log(system_.err, options_.verbosity, color),
        diags(options_.warnings),
        pass_options{options_.target, options_.analyze_deps} {
    diags.set_error_limit(static_cast<size_t>(options_.error_limit));
  }

  System& system;
  const Options& options;
  Timings& timings;
  Log log;
  diag::Engine diags;
  passes::Options pass_options;

  std::optional<Input> input;                       // set by read_input()
  std::optional<passes::PassFailure> pass_failure;  // set when a bug of pyptoc ended a pass
  ir::Context ir;
};

// Answers for diagnostics about the session's program, or about nothing when there is none. Valid as long as the
// session.
std::unique_ptr<diag::SourceProvider> source_provider(Session& session);

// Fetches the bytes of options.program.
bool read_input(Session& session);
// The program in the session's input.
const ir::Program* parse_input(Session& session);
// Whether it keeps the rules of the IR; --verify none says yes unseen.
bool verify_input(Session& session, const ir::Program* program);
// All of the above.
const ir::Program* load_program(Session& session);

// Runs these rows of the pipeline with everything that the options want to see of it. Null after an error.
const ir::Program* run_pipeline(Session& session, const ir::Program* program, const std::vector<size_t>& rows);

// Writes `content`, made by a command, to options.output; `-` is standard output.
bool write_output(Session& session, const std::string& content);
// Writes to standard output, checking that it arrives.
bool write_to_stdout(Session& session, std::string_view content);
bool write_to_stdout(System& system, std::string_view content, diag::Engine& diags);

}  // namespace pyptoc::driver
