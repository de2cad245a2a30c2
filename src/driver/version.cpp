// SPDX-License-Identifier: Apache-2.0
// The version in its three forms.
#include "driver/version.h"

#include <fmt/format.h>

#include "driver/source_digest.h"
#include "publish/manifest.h"
#include "support/json_writer.h"

namespace pyptoc::driver {
namespace {

#if defined(__clang__)
constexpr std::string_view kCompiler = "clang " __clang_version__;
#else
constexpr std::string_view kCompiler = "g++ " __VERSION__;
#endif

}  // namespace

std::string_view version() {
  return PYPTOC_VERSION;
}

std::string version_text(VersionFormat format) {
  switch (format) {
    case VersionFormat::kShort:
      break;
    case VersionFormat::kVerbose:
      return fmt::format("pyptoc {}\nsources: {}\nbuild: {}\ncompiler: {}\nmanifest schema: {}\n", version(),
                         source_digest(), PYPTOC_BUILD_TYPE, kCompiler, publish::kManifestSchema);
    case VersionFormat::kJson:
      return support::JsonWriter()
          .begin_object()
          .member("version", version())
          .member("sources", source_digest())
          .member("build", PYPTOC_BUILD_TYPE)
          .member("compiler", kCompiler)
          .member("manifest_schema", publish::kManifestSchema)
          .end()
          .take();
  }
  return fmt::format("pyptoc {}\n", version());
}

}  // namespace pyptoc::driver
