// SPDX-License-Identifier: Apache-2.0
// Operator table, type rules, verifier and equality on every program and graph of the corpus.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "corpus.h"
#include "ir/describe.h"
#include "ir/equal.h"
#include "ir/op_table.h"
#include "ir/op_types.h"
#include "ir/verifier.h"
#include "ir/walker.h"
#include "serial/reader.h"

namespace pyptoc::ir {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> corpus() {
  const fs::path root = test_support::corpus_folder();
  if (!fs::exists(root)) {
    WARN("no corpus at " << root.string() << ", nothing is tested");
    return {};
  }
  std::vector<fs::path> files = test_support::graphs_in<fs::recursive_directory_iterator>(root);
  CHECK(files.size() > 700);
  return files;
}

const Program* read(Context& context, const fs::path& path) {
  diag::Engine engine;
  const Program* program = serial::read_program(context, test_support::bytes_of(path), engine);
  INFO(path.string());
  REQUIRE(program != nullptr);
  return program;
}

// A ring allreduce on four cores: the Python compiler refuses it in a later pass, pyptoc where it stands.
bool is_ring_on_four_cores(const fs::path& path) {
  return path.filename() == "before-materialize_comm_domain_scopes-P-015c7ccd.msgpack";
}

// The Python compiler tests its own checks with these; some are wrong on purpose.
bool is_test_of_checks(const fs::path& path) {
  return path.filename().string().rfind("before-run_verifier-test_program-", 0) == 0 || is_ring_on_four_cores(path);
}

TEST_CASE("every program and graph verifies, but seven that are wrong on purpose") {
  size_t wrong = 0;
  std::vector<fs::path> files = corpus();
  for (const fs::path& path : files) {
    Context context;
    const Program* program = read(context, path);
    VerifyOptions options;
    options.allow_builtin = path.parent_path().filename() == "graphs";
    diag::Engine engine;
    bool good = verify(program, engine, options);
    INFO(path.string());
    INFO((engine.empty() ? std::string("nothing reported") : engine.sorted().front().message));
    CHECK((good || is_test_of_checks(path)));
    wrong += good ? 0 : 1;
  }
  if (!files.empty()) CHECK(wrong == 7);
}

class OperatorCalls : public Walker {
 public:
  std::vector<const Call*> calls;

 protected:
  void visit(const Node* node) override {
    const Call* call = as<Call>(node);
    if (call != nullptr && !call->op->is_global_var) calls.push_back(call);
    children(node);
  }
};

// Where the two integer types of 64 bits stand for each other.
bool same_but_for_index(const Type* a, const Type* b) {
  auto wide = [](const Type* t) { return is_scalar_of(t, DType::Index) || is_scalar_of(t, DType::Int64); };
  return type_equal(a, b) || (wide(a) && wide(b));
}

TEST_CASE("the table knows every operator, and no type rule disagrees with the front end") {
  size_t known = 0;
  size_t all = 0;
  for (const fs::path& path : corpus()) {
    Context context;
    OperatorCalls found;
    found.walk(read(context, path));
    for (const Call* call : found.calls) {
      INFO(path.string() << ": " << describe(static_cast<const Expr*>(call)));
      REQUIRE(call->op->id != OpId::Unknown);
      ++all;
      diag::Engine engine;
      const Type* type = deduce_type(context, call->op->id, call->args, call->kwargs, &engine, {});
      CHECK((engine.empty() || is_ring_on_four_cores(path)));
      if (type == nullptr) continue;
      ++known;
      INFO("rule " << describe(type) << ", file " << describe(call->type));
      CHECK(same_but_for_index(type, call->type));
    }
  }
  WARN(known << " of " << all << " operator calls have a type rule that knows their type");
  CHECK(known * 100 >= all * 96);
}

TEST_CASE("a program read twice is equal to itself, and not to its neighbour") {
  const Program* previous = nullptr;
  auto previous_context = std::make_unique<Context>();
  for (const fs::path& path : corpus()) {
    INFO(path.string());
    auto context = std::make_unique<Context>();
    Context other;
    const Program* program = read(*context, path);
    auto difference = first_difference(program, read(other, path), {.local_names = true});
    INFO((difference.has_value() ? difference->path + ": " + difference->text : std::string()));
    CHECK_FALSE(difference.has_value());
    if (previous != nullptr && previous->functions.size() != program->functions.size())
      CHECK(first_difference(previous, program).has_value());
    previous = program;
    previous_context = std::move(context);
  }
}

}  // namespace
}  // namespace pyptoc::ir
