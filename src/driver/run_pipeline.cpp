// SPDX-License-Identifier: Apache-2.0
// The pass runner with everything that the options want to see of it.
#include <fmt/format.h>

#include "driver/pass_observer.h"
#include "driver/session.h"
#include "driver/text_round_trip.h"

namespace pyptoc::driver {

namespace {

#ifdef NDEBUG
constexpr bool kDebugBuild = false;
#else
constexpr bool kDebugBuild = true;
#endif

}  // namespace

const ir::Program* run_pipeline(Session& session, const ir::Program* program, const std::vector<size_t>& rows) {
  PassObserver observer(session);
  if (session.diags.has_errors()) return nullptr;
  passes::PassContext context{session.ir, session.diags, session.pass_options};
  passes::RunPlan plan;
  plan.rows = rows;
  const Verify verify = session.options.verify;
  plan.verify_each = verify == Verify::kEach || verify == Verify::kText;
  if (verify == Verify::kText || kDebugBuild)
    plan.also_verify = [&](size_t row, const ir::Program* after) {
      require_text_round_trip(after, passes::pipeline()[row].name);
    };
  plan.before_pass = [&](size_t row, const ir::Program*) { session.timings.start(numbered_name(row), "pass"); };
  bool verifying = false;
  plan.before_verify = [&](size_t) {
    verifying = true;
    session.timings.start("verify", "verify");
  };
  plan.after_pass = [&](size_t row, const ir::Program* before, const ir::Program* after) {
    if (std::exchange(verifying, false)) session.timings.finish();
    session.timings.finish();
    observer.after_pass(row, before, after);
  };
  plan.on_failure = [&](const passes::PassFailure& failure) { session.pass_failure = failure; };
  const ir::Program* result = passes::run_passes(program, context, plan);
  session.diags.set_pass("");
  return session.diags.has_errors() ? nullptr : result;
}

}  // namespace pyptoc::driver
