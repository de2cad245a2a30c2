// SPDX-License-Identifier: Apache-2.0
// Says in pyptoc's words what is wrong where the JSON or MessagePack parser stopped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "diag/engine.h"

namespace pyptoc::serial {

// What the parser had understood last.
enum class Progress : uint8_t { Nothing, MapBegin, Key, ValueInMap, ListBegin, ValueInList, Complete };

// The text from `resume` on, the end of the last token understood, is not JSON after `progress`.
void report_json_fault(diag::Engine& diagnostics, std::string_view text, std::size_t resume, Progress progress);

// The MessagePack bytes are at fault at `offset`, where a value or the key of a map is due; at the end of the bytes
// they are cut short.
void report_msgpack_fault(diag::Engine& diagnostics, std::string_view bytes, std::size_t offset, bool key_is_due);

// The input has no program in either encoding.
void report_unknown_encoding(diag::Engine& diagnostics, std::string_view bytes);

// A place for a fault of syntax.
diag::Place fault_at(std::size_t offset);

// The offset of the first byte that is not part of well-formed UTF-8, or npos.
std::size_t find_bad_utf8(std::string_view text);

}  // namespace pyptoc::serial
