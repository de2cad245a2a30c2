// SPDX-License-Identifier: Apache-2.0
// The JSON Schema of programs, for editors and for other writers of prog.json.
#pragma once

#include <string>

namespace pyptoc::serial {

// JSON Schema (2020-12) of everything that the reader takes as JSON, what people may leave out included. Made from the
// layouts that reading and writing go by. What no schema can say (references that lead somewhere, numbers used once,
// keyword arguments that fit the operator) is left to the reader and the verifier.
std::string ir_json_schema();

}  // namespace pyptoc::serial
