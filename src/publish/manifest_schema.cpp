// SPDX-License-Identifier: Apache-2.0
// The JSON Schema of manifest.json, for `pyptoc schema manifest`.
#include "publish/manifest.h"

namespace pyptoc::publish {

std::string_view manifest_json_schema() {
  return R"schema({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "manifest.json of a pyptoc build",
  "type": "object",
  "required": ["schema", "pyptoc_version", "input_digest", "options_digest", "target", "options", "entry", "inputs",
               "files", "chips", "domains", "obligations"],
  "additionalProperties": false,
  "properties": {
    "schema": {"const": 1},
    "pyptoc_version": {"type": "string"},
    "input_digest": {"description": "SHA-256 of the program's bytes", "type": "string"},
    "options_digest": {"description": "of all else that decides the output", "type": "string"},
    "target": {"type": "string"},
    "options": {
      "description": "the options that decide the output",
      "type": "object",
      "additionalProperties": {"type": ["boolean", "integer", "string"]}
    },
    "entry": {"description": "the entry function of the program", "type": "string"},
    "inputs": {
      "description": "files besides the program, relative to its folder",
      "type": "array",
      "items": {
        "type": "object",
        "required": ["path", "sha256"],
        "additionalProperties": false,
        "properties": {"path": {"type": "string"}, "sha256": {"$ref": "#/$defs/sha256"}}
      }
    },
    "files": {
      "description": "every file of the build except this one, sorted by path",
      "type": "array",
      "items": {
        "type": "object",
        "required": ["path", "kind", "size", "sha256"],
        "additionalProperties": false,
        "properties": {
          "path": {"type": "string", "minLength": 1},
          "kind": {"type": "string"},
          "size": {"type": "integer", "minimum": 0},
          "sha256": {"$ref": "#/$defs/sha256"}
        }
      }
    },
    "chips": {
      "description": "the chip programs and built-in variants, one sub-build each",
      "type": "array",
      "items": {
        "type": "object",
        "required": ["name", "folder", "entry", "kernels"],
        "additionalProperties": false,
        "properties": {
          "name": {"type": "string"},
          "folder": {"description": "of the sub-build; empty at the top", "type": "string"},
          "entry": {"description": "the C++ function", "type": "string"},
          "kernels": {"type": "array", "items": {"$ref": "#/$defs/kernel"}}
        }
      }
    },
    "domains": {
      "type": "array",
      "items": {
        "type": "object",
        "required": ["name", "devices", "window_bytes"],
        "additionalProperties": false,
        "properties": {
          "name": {"type": "string"},
          "devices": {"type": "array", "items": {"type": "integer"}},
          "window_bytes": {"description": "null: known at run time only", "type": ["integer", "null"]}
        }
      }
    },
    "obligations": {
      "description": "what the user guarantees because pyptoc cannot check it",
      "type": "array",
      "items": {
        "type": "object",
        "required": ["subject", "text"],
        "additionalProperties": false,
        "properties": {"subject": {"type": "string"}, "text": {"type": "string"}}
      }
    }
  },
  "$defs": {
    "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    "kernel": {
      "type": "object",
      "required": ["func_id", "name", "core", "signature", "source"],
      "additionalProperties": false,
      "properties": {
        "func_id": {"type": "integer", "minimum": 0},
        "name": {"type": "string"},
        "core": {"enum": ["aiv", "aic"]},
        "signature": {"type": "array", "items": {"enum": ["IN", "OUT", "INOUT"]}},
        "source": {"description": "path of its file in the output", "type": "string"},
        "external": {"description": "hand-written and copied", "type": "boolean"},
        "body_emitted": {"description": "false: left out by --emit orchestration", "type": "boolean"}
      }
    }
  }
}
)schema";
}

}  // namespace pyptoc::publish
