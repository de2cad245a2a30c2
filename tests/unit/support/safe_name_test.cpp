// SPDX-License-Identifier: Apache-2.0
// Names from hostile programs: always allowed where they are used, never the same twice.
#include "support/safe_name.h"

#include <catch2/catch.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "support/reserved_words.h"

using namespace pyptoc::support;

namespace {

bool is_identifier(const std::string& name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  return name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string::npos;
}

std::string lower(std::string text) {
  for (char& c : text) c = (c >= 'A' && c <= 'Z') ? static_cast<char>(c + 32) : c;
  return text;
}

// Pieces that produce keywords, look-alikes of generated names, separators, broken UTF-8.
std::string hostile_name(std::mt19937& random) {
  static constexpr std::string_view kPieces[] = {"x",  "X", "_1",  "_2",  "1",       "_",      "class",    "int",
                                                 "u_", "n", "/",   "..",  ".",       "-",      "\xc3\xa9", "\xff",
                                                 "\n", " ", "rt_", "len", "unnamed", "_u00e9", "$"};
  std::string name;
  for (auto n = random() % 4; n > 0; --n) name += kPieces[random() % std::size(kPieces)];
  return name;
}

}  // namespace

TEST_CASE("a free and safe name is kept") {
  NameAllocator names({.cpp = true, .python = true});
  for (const std::string name : {"x", "moe_dispatch", "Kernel2", "_hidden", "x_1", "builtin__sum"})
    CHECK(names.fresh(name) == name);
}

TEST_CASE("words of the languages are not given out") {
  NameAllocator cpp({.cpp = true});
  NameAllocator python({.python = true});
  CHECK(cpp.fresh("class") == "class_1");
  CHECK(cpp.fresh("xor_eq") == "xor_eq_1");
  CHECK(cpp.fresh("co_await") == "co_await_1");
  CHECK(cpp.fresh("NULL") == "NULL_1");
  CHECK(cpp.fresh("uint64_t") == "uint64_t_1");
  CHECK(cpp.fresh("__FILE__") == "u___FILE__");
  CHECK(cpp.fresh("_Bool") == "u__Bool");
  CHECK(cpp.fresh("lambda") == "lambda");
  CHECK(python.fresh("lambda") == "lambda_1");
  CHECK(python.fresh("match") == "match_1");
  CHECK(python.fresh("len") == "len_1");
  CHECK(python.fresh("__class__") == "u___class__");
  CHECK(python.fresh("_") == "u__");
  CHECK(python.fresh("char") == "char");
}

TEST_CASE("names that are no identifiers are encoded") {
  NameAllocator names({.cpp = true});
  CHECK(names.fresh("") == "unnamed");
  CHECK(names.fresh("2x") == "n2x");
  CHECK(names.fresh("a.b-c d") == "a_b_c_d");
  CHECK(names.fresh("gr\xc3\xb6\xc3\x9f"
                    "e") == "gr_u00f6_u00dfe");
  CHECK(names.fresh("a\xff") == "a_xff");
  CHECK(names.fresh("a/b") == "a_b");
  CHECK(names.fresh("a_b") == "a_b_1");
}

TEST_CASE("a name that was made for one is not given to another who asks for it") {
  NameAllocator names({.cpp = true});
  CHECK(names.fresh("x") == "x");
  CHECK(names.fresh("x") == "x_1");
  CHECK(names.fresh("x_1") == "x_1_1");
  CHECK(names.fresh("x_2") == "x_2");
  CHECK(names.fresh("x") == "x_3");
}

TEST_CASE("name_for is stable and tells different names apart") {
  NameAllocator names({.cpp = true});
  const std::string& first = names.name_for("a b");
  CHECK(first == "a_b");
  CHECK(names.name_for("a_b") == "a_b_1");
  CHECK(names.fresh("a b") == "a_b_2");
  for (int i = 0; i < 1000; ++i) names.name_for("n" + std::to_string(i));
  CHECK(names.name_for("a b") == "a_b");
  CHECK(first == "a_b");
}

TEST_CASE("reserved names and prefixes of the caller") {
  NameAllocator names({.cpp = true});
  names.reserve("orch_args").reserve_prefix("rt_").reserve_prefix("x_");
  CHECK(names.fresh("orch_args") == "orch_args_1");
  CHECK(names.fresh("rt_submit") == "u_rt_submit");
  CHECK(names.fresh("x") == "x");
  CHECK(names.fresh("x") == "u_x_1");
  CHECK_THROWS_AS(names.reserve_prefix("u"), InternalError);
  CHECK_THROWS_AS(names.reserve_prefix(""), InternalError);
}

TEST_CASE("file names: case does not tell them apart, long ones are cut") {
  NameAllocator names({.file = true});
  CHECK(names.fresh("builtin.tensor.allreduce__sum__fp32") == "builtin.tensor.allreduce__sum__fp32");
  CHECK(names.fresh("Kernel") == "Kernel");
  CHECK(names.fresh("kernel") == "kernel_1");
  CHECK(names.fresh("KERNEL_1") == "KERNEL_1_1");
  CHECK(names.fresh("..") == "__");
  CHECK(names.fresh("../x") == "_._x");
  CHECK(names.fresh(".hidden") == "_hidden");
  CHECK(names.fresh("-rf") == "_rf");
  CHECK(names.fresh("a.") == "a_");
  const std::string one = names.fresh(std::string(5000, 'a') + "1");
  const std::string two = names.fresh(std::string(5000, 'a') + "2");
  CHECK(one.size() <= 160);
  CHECK(one != two);
}

TEST_CASE("whatever is asked for, names are allowed and differ") {
  std::mt19937 random(11);
  for (const NameRules rules :
       {NameRules{.cpp = true}, NameRules{.python = true}, NameRules{.cpp = true, .python = true},
        NameRules{.file = true}, NameRules{.cpp = true, .file = true}}) {
    NameAllocator names(rules);
    names.reserve_prefix("rt_").reserve("x_2");
    std::set<std::string> given;
    std::set<std::string> known;
    for (int i = 0; i < 20000; ++i) {
      const std::string wanted = hostile_name(random);
      const bool by_name = random() % 2 == 0;
      if (by_name && !known.insert(wanted).second) {
        REQUIRE(given.contains(rules.file ? lower(names.name_for(wanted)) : names.name_for(wanted)));
        continue;
      }
      const std::string name = by_name ? names.name_for(wanted) : names.fresh(wanted);
      REQUIRE(given.insert(rules.file ? lower(name) : name).second);
      REQUIRE(safe_file_name(name).ok());
      REQUIRE(!name.starts_with("rt_"));
      REQUIRE(name != "x_2");
      if (rules.cpp || rules.python) REQUIRE(is_identifier(name));
      if (rules.cpp) REQUIRE(!is_cpp_reserved(name));
      if (rules.python) REQUIRE(!is_python_reserved(name));
    }
  }
}

TEST_CASE("many requests for one name stay cheap") {
  NameAllocator names({.cpp = true});
  std::string last;
  for (int i = 0; i <= 200000; ++i) last = names.fresh("x");
  CHECK(last == "x_200000");
}

TEST_CASE("file names that are refused") {
  for (const std::string name : {"a", "kernel_config.py", "a b", "gr\xc3\xbc\xc3\x9f.cpp", "a..b", "builtin.tensor.x"})
    CHECK(safe_file_name(name).ok());
  const std::vector<std::string> refused{"",
                                         ".",
                                         "..",
                                         "/",
                                         "a/b",
                                         "a\\b",
                                         ".hidden",
                                         "-o",
                                         "a\n",
                                         std::string("a\0b", 3),
                                         "a\x7f",
                                         "a\xc2\x85",
                                         "a\xe2\x80\xa8",
                                         "a\xff",
                                         "a ",
                                         "a.",
                                         std::string(201, 'a')};
  for (const std::string& name : refused) {
    CAPTURE(name);
    CHECK(!safe_file_name(name).ok());
  }
  CHECK(safe_file_name("a/b").error().message == "`a/b` holds a path separator");
}

TEST_CASE("paths are checked part by part") {
  CHECK(safe_relative_path("next_levels/a/kernel_config.py").ok());
  for (const std::string path : {"", "/a", "a/", "a//b", "a/../b", "../a", "a/.b", "./a"}) {
    CAPTURE(path);
    CHECK(!safe_relative_path(path).ok());
  }
  std::string deep = "a";
  for (int i = 0; i < 600; ++i) deep += "/a";
  CHECK(!safe_relative_path(deep).ok());
  CHECK(safe_relative_path("x/../y").error().message ==
        "path `x/../y`: `..` is a folder's own name for itself or its parent");
}
