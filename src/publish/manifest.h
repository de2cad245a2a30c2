// SPDX-License-Identifier: Apache-2.0
// manifest.json: what a build wrote and from what, for people, for build systems and for the next build.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "publish/output_tree.h"
#include "support/file_system.h"
#include "support/result.h"

namespace pyptoc::publish {

inline constexpr int64_t kManifestSchema = 1;

struct ManifestFile {
  std::string path;
  std::string kind;
  uint64_t size = 0;
  std::string sha256;
};

// A file besides the program that the output depends on, such as the source of an external kernel. The path is relative
// to the program's folder.
struct ManifestInput {
  std::string path;
  std::string sha256;
};

struct ManifestKernel {
  int64_t func_id = 0;
  std::string name;
  std::string core;                    // `aiv` or `aic`
  std::vector<std::string> signature;  // `IN`, `OUT`, `INOUT`
  std::string source;                  // path of its file in the output
  bool external = false;
  bool body_emitted = true;  // false: left out by --emit orchestration
};

struct ManifestChip {
  std::string name;
  std::string folder;  // of the sub-build; empty at the top
  std::string entry;   // the C++ function
  std::vector<ManifestKernel> kernels;
};

struct ManifestDomain {
  std::string name;
  std::vector<int64_t> devices;
  std::optional<uint64_t> window_bytes;  // nothing: known at run time only
};

// What the user has to guarantee because pyptoc cannot check it.
struct ManifestObligation {
  std::string subject;  // the function or kernel
  std::string text;
};

using ManifestOption = std::pair<std::string, std::variant<bool, int64_t, std::string>>;

// Everything in the manifest except the list of files, which comes from the output tree.
struct ManifestFields {
  std::string pyptoc_version;
  std::string input_digest;    // SHA-256 of the program's bytes
  std::string options_digest;  // of all else that decides the output: options, templates
  std::string target;
  std::vector<ManifestOption> options;  // those that matter, in the order given
  std::string entry;                    // the entry function of the program
  std::vector<ManifestInput> inputs;
  std::vector<ManifestChip> chips;
  std::vector<ManifestDomain> domains;
  std::vector<ManifestObligation> obligations;
};

// The bytes of manifest.json; the same for the same arguments.
std::string render_manifest(const ManifestFields& fields, const OutputTree& tree);

// What the next build needs of an earlier manifest.
struct EarlierManifest {
  int64_t schema = 0;
  std::string pyptoc_version;
  std::string input_digest;
  std::string options_digest;
  std::vector<ManifestInput> inputs;
  std::vector<ManifestFile> files;  // paths are safe and relative
};

// Every schema up to kManifestSchema is read. Of a newer one only `schema` is filled in.
// Error: not JSON, or not a manifest; the message says where.
support::Result<EarlierManifest> parse_manifest(std::string_view text);

// The JSON Schema (2020-12) of what render_manifest() writes.
std::string_view manifest_json_schema();

}  // namespace pyptoc::publish
