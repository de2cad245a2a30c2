// SPDX-License-Identifier: Apache-2.0
// manifest.json: what a build wrote and from what.
#include "publish/manifest.h"

#include "support/json_writer.h"
#include "support/sha256.h"

namespace pyptoc::publish {
namespace {

using support::JsonWriter;
using Layout = support::JsonWriter::Layout;

void write_options(JsonWriter& out, const std::vector<ManifestOption>& options) {
  out.key("options").begin_object();
  for (const auto& [name, setting] : options) {
    out.key(name);
    std::visit([&](const auto& value) { out.value(value); }, setting);
  }
  out.end();
}

void write_files(JsonWriter& out, const ManifestFields& fields, const OutputTree& tree) {
  out.key("inputs").begin_array();
  for (const ManifestInput& input : fields.inputs)
    out.begin_object(Layout::kInline).member("path", input.path).member("sha256", input.sha256).end();
  out.end();
  out.key("files").begin_array();
  for (const auto& [path, file] : tree.files()) {
    out.begin_object(Layout::kInline).member("path", path).member("kind", file.kind);
    out.member("size", uint64_t{file.content.size()}).member("sha256", support::sha256(file.content)).end();
  }
  out.end();
}

void write_kernel(JsonWriter& out, const ManifestKernel& kernel) {
  out.begin_object(Layout::kInline).member("func_id", kernel.func_id).member("name", kernel.name);
  out.member("core", kernel.core).key("signature").inline_array(kernel.signature);
  out.member("source", kernel.source);
  if (kernel.external) out.member("external", true);
  if (!kernel.body_emitted) out.member("body_emitted", false);
  out.end();
}

void write_chips(JsonWriter& out, const std::vector<ManifestChip>& chips) {
  out.key("chips").begin_array();
  for (const ManifestChip& chip : chips) {
    out.begin_object().member("name", chip.name).member("folder", chip.folder).member("entry", chip.entry);
    out.key("kernels").begin_array();
    for (const ManifestKernel& kernel : chip.kernels) write_kernel(out, kernel);
    out.end().end();
  }
  out.end();
}

void write_domains(JsonWriter& out, const std::vector<ManifestDomain>& domains) {
  out.key("domains").begin_array();
  for (const ManifestDomain& domain : domains) {
    out.begin_object(Layout::kInline).member("name", domain.name).key("devices").inline_array(domain.devices);
    out.key("window_bytes");
    domain.window_bytes ? out.value(*domain.window_bytes) : out.null();
    out.end();
  }
  out.end();
}

}  // namespace

std::string render_manifest(const ManifestFields& fields, const OutputTree& tree) {
  JsonWriter out;
  out.begin_object().member("schema", kManifestSchema).member("pyptoc_version", fields.pyptoc_version);
  out.member("input_digest", fields.input_digest).member("options_digest", fields.options_digest);
  out.member("target", fields.target);
  write_options(out, fields.options);
  out.member("entry", fields.entry);
  write_files(out, fields, tree);
  write_chips(out, fields.chips);
  write_domains(out, fields.domains);
  out.key("obligations").begin_array();
  for (const ManifestObligation& obligation : fields.obligations)
    out.begin_object(Layout::kInline).member("subject", obligation.subject).member("text", obligation.text).end();
  out.end();
  return out.end().take();
}

}  // namespace pyptoc::publish
