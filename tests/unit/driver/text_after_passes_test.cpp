// SPDX-License-Identifier: Apache-2.0
// Between any two passes a program can be printed, read back and compiled on: `--verify text`, dumps and --start-after.
#include <algorithm>
#include <filesystem>

#include "corpus.h"
#include "diag/engine.h"
#include "driver/pass_observer.h"
#include "driver/text_round_trip.h"
#include "fixture.h"
#include "ir/context.h"
#include "support/internal_error.h"
#include "text/parser.h"

namespace pyptoc::driver {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> corpus(const char* part) {
  std::vector<fs::path> out = test_support::graphs_in(test_support::corpus_folder() / part);
  if (out.empty()) WARN("the corpus is not there, skipped");
  return out;
}

std::string bytes_of(const fs::path& path) {
  support::RealFileSystem real;
  auto content = real.read_file(path.string());
  REQUIRE(content.ok());
  return *content;
}

TEST_CASE("corpus: after every pass every program survives as text") {
  size_t count = 0;
  for (const char* part : {"programs", "models", "seed"}) {
    for (const fs::path& path : corpus(part)) {
      Machine machine;
      machine.write("/p.msgpack", bytes_of(path));
      const Outcome outcome = machine.run({"check", "p.msgpack", "--verify", "text"});
      INFO(path.filename() << "\n" << outcome.err);
      CHECK((outcome.status == kExitDone || outcome.status == kExitProgramErrors));
      ++count;
    }
  }
  CAPTURE(count);
}

// Each dump of --dump-passes is a program from which the rest of the pipeline makes the same.
TEST_CASE("corpus: any dump can be fed back with --start-after") {
  std::vector<fs::path> programs = corpus("programs");
  for (size_t i = 0; i < programs.size(); i += 12) {
    Machine machine;
    machine.write("/p.msgpack", bytes_of(programs[i]));
    const Outcome whole = machine.run({"opt", "p.msgpack", "--dump-passes", "dump", "-o", "whole.py"});
    if (whole.status != kExitDone) continue;
    INFO(programs[i].filename());
    for (size_t row = 0; row < passes::pipeline().size(); ++row) {
      const std::string name(passes::pipeline()[row].name);
      const std::string dump = "dump/" + numbered_name(row) + ".py";
      if (!machine.exists("/" + dump) || passes::find_pass(name) != static_cast<int>(row)) continue;
      INFO(dump);
      const Outcome rest = machine.run({"opt", dump, "--start-after", name, "-o", "rest.py"});
      CHECK(rest.err == "");
      CHECK(machine.read("/rest.py") == machine.read("/whole.py"));
    }
  }
}

TEST_CASE("a program that does not survive as text is a bug with the name of the pass") {
  ir::Context context;
  diag::Engine diags;
  const ir::Program* sound = text::parse_program(
      context, "@pl.function\ndef main(a: pl.Tensor[[64], pl.FP32]) -> pl.Tensor[[64], pl.FP32]:\n    return a\n",
      "test.py", diags);
  REQUIRE(sound != nullptr);
  CHECK_NOTHROW(require_text_round_trip(sound, "Simplify"));
  ir::Program broken = *sound;
  const std::vector<const ir::Function*> functions = {sound->functions[0], sound->functions[0]};
  broken.functions = context.list(functions);
  try {
    require_text_round_trip(context.make(broken), "Simplify");
    FAIL("nothing was thrown");
  } catch (const support::InternalError& error) {
    CHECK_THAT(error.what(), Catch::Contains("the program after Simplify cannot be read as text:\n  line "));
  }
}

}  // namespace
}  // namespace pyptoc::driver
