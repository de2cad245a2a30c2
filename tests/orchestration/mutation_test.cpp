// SPDX-License-Identifier: Apache-2.0
// Takes away one piece of a program's order at a time, a direction or a dependency. Where that changes which tasks are
// ordered, a run must show it: nothing but that piece stood for an order that the program needs.
#include <catch2/catch.hpp>
#include <deque>

#include "ir/rewriter.h"
#include "orchestration/programs.h"
#include "passes/call_graph.h"

namespace pyptoc::orchestration {
namespace {

using namespace ir;

enum class Pieces { All, Added };

// Leaves out piece number `drop` of all calls of orchestrations, in order; counts them on the way.
class WithoutOne : public Rewriter {
 public:
  WithoutOne(Context& context, const Program* program, Pieces which, int drop)
      : Rewriter(context), program_(program), which_(which), drop_(drop) {}
  int count() const { return count_; }
  const std::string& what() const { return what_; }

 protected:
  using Rewriter::rewrite;
  const Function* function(const Function* f) override { return is_chip_orchestration(f) ? Rewriter::function(f) : f; }

  const Expr* rewrite(const Expr* e) override {
    const Submit* submit = as<Submit>(e);
    const Call* call = as<Call>(e);
    const Op* callee = passes::called_function(e);
    if (callee == nullptr && submit == nullptr && (call == nullptr || call->op->id != OpId::SystemTaskDummy))
      return rebuild(e);
    name_ = callee != nullptr ? callee->name : "barrier";
    const Function* f = callee != nullptr ? program_->find(callee) : nullptr;
    List<Attr> before = submit != nullptr ? submit->attrs : call->attrs;
    std::vector<Attr> attrs(before.begin(), before.end());
    for (Attr& attr : attrs) {
      if (attr.key == "compiler_manual_dep_edges" || (attr.key == "manual_dep_edges" && which_ == Pieces::All))
        edges(attr);
      else if (attr.key == "arg_directions" && f != nullptr)
        directions(attr, f);
    }
    if (submit == nullptr) {
      Call draft = *call;
      draft.attrs = context().list(attrs);
      return context().make(draft);
    }
    Submit draft = *submit;
    draft.attrs = context().list(attrs);
    if (which_ == Pieces::All) {
      std::vector<const Expr*> kept;
      for (const Expr* dep : submit->deps)
        if (!is_next("a dependency of")) kept.push_back(dep);
      draft.deps = context().list(kept);
    }
    return context().make(draft);
  }

 private:
  bool is_next(const char* kind) {
    if (count_++ != drop_) return false;
    what_ = std::string(kind) + " `" + std::string(name_) + "`";
    return true;
  }
  void edges(Attr& attr) {
    std::vector<const Var*> kept;
    for (const Var* var : attr.value.as_vars())
      if (!is_next("an edge of")) kept.push_back(var);
    attr.value = AttrValue::of_vars(context().list(kept));
  }
  void directions(Attr& attr, const Function* f) {
    std::vector<int32_t> list(attr.value.as_ints().begin(), attr.value.as_ints().end());
    for (size_t i = 0; i < list.size(); ++i) {
      const auto direction = static_cast<ArgDirection>(list[i]);
      auto becomes = [&](ArgDirection other, const char* what) {
        if (is_next(what)) list[i] = static_cast<int32_t>(other);
      };
      if (which_ == Pieces::Added) {
        if (direction == ArgDirection::InOut && f->param_directions[i] == ParamDirection::In)
          becomes(ArgDirection::Input, "InOut of a reader,");
      } else if (direction == ArgDirection::Input) {
        becomes(ArgDirection::NoDep, "Input of");
      } else if (direction == ArgDirection::OutputExisting) {
        becomes(ArgDirection::NoDep, "OutputExisting of");
      } else if (direction == ArgDirection::InOut) {
        becomes(ArgDirection::OutputExisting, "the first half of an InOut of");
        becomes(ArgDirection::Input, "the second half of an InOut of");
      }
    }
    attr.value = AttrValue::of_ints(AttrKind::ArgDirectionVector, context().list(list));
  }

  const Program* program_;
  Pieces which_;
  int drop_;
  int count_ = 0;
  std::string_view name_;
  std::string what_;
};

struct Mutant {
  size_t original;
  std::string what;
};

struct Tally {
  int pieces = 0;
  int implied = 0;  // the same tasks are ordered without them, and nothing goes wrong
  int caught = 0;
  int missed = 0;
};

// For each task those that certainly come before it.
std::vector<std::vector<int>> order_of(const Runnable& one, const Sample& sample) {
  standin::Config config;
  config.in_order = true;
  config.record_order = true;
  std::vector<std::vector<int>> out;
  for (const standin::TaskRecord& task : standin::run(one.program, arguments_of(one.meant, sample), config).tasks)
    out.push_back(task.comes_after);
  return out;
}

Tally take_away(const std::vector<Case>& cases, Pieces which) {
  std::deque<Lowered> lowered;
  std::vector<Mutant> mutants;
  for (const Case& one : cases) lowered.emplace_back(one);
  for (size_t i = 0; i < cases.size(); ++i) {
    INFO(cases[i].name);
    REQUIRE(lowered[i].error() == "");
    WithoutOne counter(lowered[i].ir(), lowered[i].after(), which, -1);
    counter.program(lowered[i].after());
    for (int drop = 0; drop < counter.count(); ++drop) {
      std::string what;
      lowered.emplace_back(cases[i], [&](Context& context, const Program* program) {
        WithoutOne without(context, program, which, drop);
        const Program* out = without.program(program);
        what = without.what();
        return out;
      });
      REQUIRE(lowered.back().error() == "");
      mutants.push_back({i, what});
    }
  }
  std::vector<const Lowered*> list;
  for (const Lowered& one : lowered) list.push_back(&one);
  const Batch batch = compile(list);
  REQUIRE(batch.error == "");

  Tally tally;
  for (size_t m = 0; m < mutants.size(); ++m) {
    const Case& original = cases[mutants[m].original];
    bool reordered = false;
    bool caught = false;
    for (size_t k = 0; k < batch.programs[cases.size() + m].size(); ++k) {
      const Runnable& one = batch.programs[cases.size() + m][k];
      for (const Sample& sample : original.samples) {
        caught = caught || !wrong(one, sample, 20, false).empty();
        reordered = reordered || order_of(one, sample) != order_of(batch.programs[mutants[m].original][k], sample);
      }
    }
    ++tally.pieces;
    if (caught)
      ++tally.caught;
    else if (!reordered)
      ++tally.implied;
    else
      ++tally.missed;
    if (!caught && (reordered || which == Pieces::Added))
      WARN(original.name << ": nobody misses " << mutants[m].what << (reordered ? ", which orders tasks" : ""));
  }
  WARN(tally.pieces << " pieces taken away: " << tally.caught << " are missed, " << tally.implied
                    << " follow from others, " << tally.missed << " order tasks that need no order");
  return tally;
}

std::vector<Case> chosen(const std::vector<std::string>& names) {
  std::vector<Case> out;
  for (const std::vector<Case>& cases : {hazards(), constructs()})
    for (const Case& one : cases)
      if (std::find(names.begin(), names.end(), one.name) != names.end()) out.push_back(one);
  REQUIRE(out.size() == names.size());
  return out;
}

TEST_CASE("no edge and no direction that was added follows from others") {
  const Tally tally = take_away(hazards(), Pieces::Added);
  CHECK(tally.pieces > 30);
  CHECK(tally.caught == tally.pieces);
}

TEST_CASE("every direction and every dependency of twelve programs") {
  const Tally tally =
      take_away(chosen({"straight line", "across iterations", "the writer in a branch", "through another view",
                        "nested loops", "two carries change places", "a manual scope", "phases", "barriers",
                        "an id that a loop carries", "outputs that the runtime makes", "a mixed kernel"}),
                Pieces::All);
  CHECK(tally.pieces > 100);
  CHECK(tally.missed == 0);
}

}  // namespace
}  // namespace pyptoc::orchestration
