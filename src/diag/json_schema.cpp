// SPDX-License-Identifier: Apache-2.0
// The JSON Schema of diagnostics. Lines of later versions may have more fields, so no object is closed.
#include "diag/json_schema.h"

namespace pyptoc::diag {

std::string_view diagnostics_json_schema() {
  return R"schema({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "one line of pyptoc --diagnostics-format json",
  "anyOf": [{"$ref": "#/$defs/diagnostic"}, {"$ref": "#/$defs/summary"}],
  "$defs": {
    "summary": {
      "description": "the last line",
      "type": "object",
      "required": ["$message_type", "errors", "warnings", "hidden_errors"],
      "properties": {
        "$message_type": {"const": "summary"},
        "errors": {"description": "all of them, shown or not", "type": "integer", "minimum": 0},
        "warnings": {"type": "integer", "minimum": 0},
        "hidden_errors": {"description": "those beyond --error-limit", "type": "integer", "minimum": 0}
      }
    },
    "diagnostic": {
      "type": "object",
      "required": ["$message_type", "level", "code", "message", "spans", "ir_path", "origin", "pass", "children",
                   "rendered"],
      "properties": {
        "$message_type": {"const": "diagnostic"},
        "level": {"enum": ["error", "warning"]},
        "code": {
          "type": "object",
          "required": ["code", "name"],
          "properties": {
            "code": {"type": "string", "pattern": "^[EW][0-9]{4}$"},
            "name": {"type": "string", "pattern": "^[a-z0-9-]+$"}
          }
        },
        "message": {"type": "string", "minLength": 1},
        "spans": {"$ref": "#/$defs/spans"},
        "ir_path": {"$ref": "#/$defs/ir_path"},
        "origin": {"$ref": "#/$defs/origin"},
        "pass": {"description": "the pass that was running; null while reading", "type": ["string", "null"]},
        "children": {
          "description": "notes and hints",
          "type": "array",
          "items": {
            "type": "object",
            "required": ["level", "message", "spans", "ir_path", "origin"],
            "properties": {
              "level": {"enum": ["note", "help"]},
              "message": {"type": "string", "minLength": 1},
              "spans": {"$ref": "#/$defs/spans"},
              "ir_path": {"$ref": "#/$defs/ir_path"},
              "origin": {"$ref": "#/$defs/origin"}
            }
          }
        },
        "rendered": {"description": "as people see it, without colours", "type": "string"}
      }
    },
    "position": {"description": "from 1; columns count characters", "type": ["integer", "null"], "minimum": 1},
    "offset": {"description": "bytes from 0", "type": ["integer", "null"], "minimum": 0},
    "ir_path": {"description": "where the node is in the program file", "type": ["string", "null"]},
    "origin": {
      "description": "the place in the Python source",
      "type": ["object", "null"],
      "required": ["file_name", "line_start", "line_end", "column_start", "column_end"],
      "properties": {
        "file_name": {"type": "string"},
        "line_start": {"$ref": "#/$defs/position"},
        "line_end": {"$ref": "#/$defs/position"},
        "column_start": {"$ref": "#/$defs/position"},
        "column_end": {"$ref": "#/$defs/position"}
      }
    },
    "spans": {
      "description": "in the Python source and in the program file, the first of them primary",
      "type": "array",
      "items": {
        "type": "object",
        "required": ["file_name", "byte_start", "byte_end", "line_start", "line_end", "column_start", "column_end",
                     "is_primary", "label", "text"],
        "properties": {
          "file_name": {"type": "string"},
          "byte_start": {"$ref": "#/$defs/offset"},
          "byte_end": {"$ref": "#/$defs/offset"},
          "line_start": {"$ref": "#/$defs/position"},
          "line_end": {"$ref": "#/$defs/position"},
          "column_start": {"$ref": "#/$defs/position"},
          "column_end": {"$ref": "#/$defs/position"},
          "is_primary": {"type": "boolean"},
          "label": {"type": ["string", "null"]},
          "text": {
            "type": "array",
            "items": {
              "type": "object",
              "required": ["text", "highlight_start", "highlight_end"],
              "properties": {
                "text": {"type": "string"},
                "highlight_start": {"$ref": "#/$defs/position"},
                "highlight_end": {"$ref": "#/$defs/position"}
              }
            }
          }
        }
      }
    }
  }
}
)schema";
}

}  // namespace pyptoc::diag
