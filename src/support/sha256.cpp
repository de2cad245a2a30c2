// SPDX-License-Identifier: Apache-2.0
// SHA-256 by libmd; its C header stays out of ours.
#include "support/sha256.h"

#include <sys/types.h>

#include <sha2.h>  // needs the types of the line above

#include <array>

namespace pyptoc::support {

struct Sha256::State {
  SHA2_CTX context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  SHA256Init(&state_->context);
}
Sha256::~Sha256() = default;

Sha256& Sha256::update(std::string_view bytes) {
  SHA256Update(&state_->context, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  return *this;
}

std::string Sha256::finish() {
  std::array<uint8_t, SHA256_DIGEST_LENGTH> digest{};
  SHA256Final(digest.data(), &state_->context);
  SHA256Init(&state_->context);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(2 * digest.size());
  for (const uint8_t byte : digest) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

std::string sha256(std::string_view bytes) {
  return Sha256().update(bytes).finish();
}

}  // namespace pyptoc::support
