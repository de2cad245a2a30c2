// SPDX-License-Identifier: Apache-2.0
// Every diagnostic code of pyptoc. Code that reports in one area includes that area's header instead.
#pragma once

#include "diag/codes_emit.h"
#include "diag/codes_front.h"
#include "diag/codes_host.h"
#include "diag/codes_io.h"
#include "diag/codes_orch.h"
#include "diag/codes_serial.h"
#include "diag/codes_text.h"
#include "diag/codes_usage.h"
#include "diag/codes_verify.h"
