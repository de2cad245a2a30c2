// SPDX-License-Identifier: Apache-2.0
// SHA-256 against the examples of FIPS 180-4 and independence of how the text is cut.
#include "support/sha256.h"

#include <catch2/catch.hpp>
#include <string>

using pyptoc::support::Sha256;
using pyptoc::support::sha256;

TEST_CASE("the published examples") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256(std::string(1000000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("pieces give the digest of the whole, at every cut around a block") {
  std::string text;
  for (int i = 0; i < 130; ++i) text += static_cast<char>(i);
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    Sha256 pieces;
    pieces.update(std::string_view(text).substr(0, cut)).update(std::string_view(text).substr(cut));
    REQUIRE(pieces.finish() == sha256(text));
    REQUIRE(pieces.finish() == sha256(""));
  }
}
