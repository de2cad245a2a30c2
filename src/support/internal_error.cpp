// SPDX-License-Identifier: Apache-2.0
// Text and origin of an internal error.
#include "support/internal_error.h"

#include <utility>

namespace pyptoc::support {
namespace {

std::string_view below_source_root(std::string_view file) {
  for (std::string_view root : {"/src/", "/include/", "/tests/"}) {
    if (const std::size_t at = file.rfind(root); at != std::string_view::npos) {
      return file.substr(at + 1);
    }
    if (file.starts_with(root.substr(1))) {  // as with -ffile-prefix-map
      return file;
    }
  }
  const std::size_t slash = file.rfind('/');
  return slash == std::string_view::npos ? file : file.substr(slash + 1);
}

std::string what_text(const std::string& text, std::string_view file, int line) {
  return text + " (" + std::string(below_source_root(file)) + ":" + std::to_string(line) + ")";
}

}  // namespace

InternalError::InternalError(std::string text, std::string_view file, int line)
    : std::logic_error(what_text(text, file, line)),
      text_(std::move(text)),
      file_(below_source_root(file)),
      line_(line) {}

void internal_error(std::string text, std::string_view file, int line) {
  throw InternalError(std::move(text), file, line);
}

}  // namespace pyptoc::support
