// SPDX-License-Identifier: Apache-2.0
// SHA-256 by OpenSSL's libcrypto, whose C header stays out of ours. By its functions for one digest: the general ones,
// which replace them, load configuration files and a registry of algorithms first.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "support/sha256.h"

#include <openssl/sha.h>

#include <array>

namespace pyptoc::support {

struct Sha256::State {
  SHA256_CTX context{};
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  SHA256_Init(&state_->context);
}
Sha256::~Sha256() = default;

Sha256& Sha256::update(std::string_view bytes) {
  SHA256_Update(&state_->context, bytes.data(), bytes.size());
  return *this;
}

std::string Sha256::finish() {
  std::array<uint8_t, SHA256_DIGEST_LENGTH> digest{};
  SHA256_Final(digest.data(), &state_->context);
  SHA256_Init(&state_->context);
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
