// SPDX-License-Identifier: Apache-2.0
// Whether a build would write what is there already.
#pragma once

#include <string>
#include <string_view>

#include "support/file_system.h"

namespace pyptoc::publish {

// What the output is made from, besides the inputs that the manifest lists. A manifest with these values in
// ManifestFields is what a build with this key writes.
struct BuildKey {
  std::string pyptoc_version;
  std::string input_digest;
  std::string options_digest;
};

struct UpToDate {
  bool yes = false;
  std::string reason;  // why not, for -v: `kernel_config.py has changed`
};

// Yes if `dir` holds a manifest with this key, every file of it with its size and digest, and every input that it
// lists, below `input_folder`, with its digest. Takes no lock and changes nothing; any doubt is a no.
UpToDate is_up_to_date(support::FileSystem& fs, const std::string& dir, const BuildKey& key,
                       const std::string& input_folder);

// Where the file of a ManifestInput is, seen from the current folder: below `input_folder` unless it is absolute.
std::string path_of_input(const std::string& input_folder, const std::string& path);

}  // namespace pyptoc::publish
