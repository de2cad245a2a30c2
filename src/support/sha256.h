// SPDX-License-Identifier: Apache-2.0
// SHA-256 digests, which name the content of files in manifests.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace pyptoc::support {

// Takes text piece by piece; how it is cut makes no difference.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  Sha256& update(std::string_view bytes);
  // 64 lower-case hexadecimal digits; starts afresh for the next text.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string sha256(std::string_view bytes);

}  // namespace pyptoc::support
