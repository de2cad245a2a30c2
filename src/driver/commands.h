// SPDX-License-Identifier: Apache-2.0
// The commands. Each reports what goes wrong to the session's engine.
#pragma once

#include "driver/session.h"

namespace pyptoc::driver {

void run_build(Session& session);
void run_check(Session& session);
void run_print(Session& session);
void run_convert(Session& session);
void run_opt(Session& session);
void run_explain(Session& session);
void run_graph(Session& session);
void run_list(Session& session);
void run_schema(Session& session);

}  // namespace pyptoc::driver
