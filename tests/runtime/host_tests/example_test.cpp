// SPDX-License-Identifier: Apache-2.0
// The example with a HOST function as pyptoc builds it, executed.
#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>

#include "paths.h"
#include "ranks/host.h"
#include "ranks/kernels.h"
#include "standin/compile.h"

namespace host_tests {

using standin::ranks::HostArgument;
using standin::ranks::HostResult;

TEST_CASE("examples/mesh_allreduce gives every device the mean") {
  const standin::TempFolder folder;
  const std::filesystem::path source = pyptoc::test_support::source_dir() / "examples/mesh_allreduce/prog.py";
  const std::filesystem::path out = folder.path() / "out";
  REQUIRE(standin::run_command({PYPTOC_BINARY, "build", source.string(), "-o", out.string(), "-q"},
                               folder.path() / "log") == 0);
  for (int64_t ranks : {2, 3, 4}) {
    for (int64_t count : {1 + 32 * (ranks - 2), int64_t{1000}}) {
      std::vector<float> x;
      for (int64_t i = 0; i < ranks * count; ++i) x.push_back(static_cast<float>((i * 37 + 5) % 64 * ranks));
      HostArgument by = standin::ranks::host_argument("by", DataType::FLOAT32, {},
                                                      std::vector<float>{1.0F / static_cast<float>(ranks)});
      by.scalar = true;
      const std::vector<HostArgument> arguments = {
          standin::ranks::host_argument("x", DataType::FLOAT32, {ranks, count}, x),
          standin::ranks::host_argument("y", DataType::FLOAT32, {ranks, count}, std::vector<float>(x.size())), by};
      const auto check = [&](const HostResult& result) -> std::string {
        std::vector<float> y(x.size());
        std::memcpy(y.data(), result.tensors.at("y").data(), y.size() * sizeof(float));
        for (int64_t i = 0; i < ranks * count; ++i) {
          float sum = 0;
          for (int64_t r = 0; r < ranks; ++r) sum += x[static_cast<size_t>(r * count + i % count)];
          if (y[static_cast<size_t>(i)] != sum * (1.0F / static_cast<float>(ranks))) return "a wrong mean";
        }
        return "";
      };
      INFO(ranks << " ranks, rows of " << count);
      CHECK(standin::ranks::run_host_tree(out, static_cast<int>(ranks), arguments, 3, check) == "");
    }
  }
}

}  // namespace host_tests
