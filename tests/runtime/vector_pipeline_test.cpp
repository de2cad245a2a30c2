// SPDX-License-Identifier: Apache-2.0
// The first example as pyptoc builds it, compiled with g++ and run in many orders.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "paths.h"
#include "standin/compile.h"

namespace fs = std::filesystem;
using standin::Direction;

namespace {

const fs::path kExample = pyptoc::test_support::source_dir() / "examples" / "vector_pipeline";
constexpr size_t kCount = 128 * 128;

std::vector<float> ramp(float from, float step) {
  std::vector<float> values(kCount);
  for (size_t i = 0; i < kCount; ++i) values[i] = from + step * static_cast<float>(i % 97);
  return values;
}

standin::Arguments example_arguments() {
  const std::vector<uint32_t> shape{128, 128};
  return {{standin::host_tensor("a", Direction::kIn, DataType::FLOAT32, shape, ramp(-3.0F, 0.5F)),
           standin::host_tensor("b", Direction::kIn, DataType::FLOAT32, shape, ramp(2.0F, -0.25F)),
           standin::host_tensor("out", Direction::kOut, DataType::FLOAT32, shape, std::vector<float>(kCount))},
          {to_u64(1.5F)}};
}

std::string check_example(const standin::RunResult& result) {
  const auto a = ramp(-3.0F, 0.5F);
  const auto b = ramp(2.0F, -0.25F);
  const auto out = standin::values_of<float>(result.tensors[2]);
  for (size_t i = 0; i < kCount; ++i) {
    const float sum = a[i] + b[i];
    const float expected = (sum * 1.5F + a[i]) * b[i] + sum;
    if (out[i] != expected) {
      return "out[" + std::to_string(i) + "] is " + std::to_string(out[i]) + ", not " + std::to_string(expected);
    }
  }
  return "";
}

// The tree that the compiler under test writes.
void write_tree(const fs::path& folder) {
  const std::string command = std::string("\"") + PYPTOC_BINARY + "\" build \"" + (kExample / "prog.json").string() +
                              "\" -o \"" + folder.string() + "\" -q";
  REQUIRE(std::system(command.c_str()) == 0);
}

}  // namespace

TEST_CASE("the example's tree runs right in 200 orders") {
  const standin::TempFolder folder;
  write_tree(folder.path() / "out");
  CHECK(standin::run_tree(folder.path() / "out", example_arguments(), standin::Config{}, 200, check_example) == "");
}

TEST_CASE("the example's tasks form the graph that its data flow has") {
  const standin::TempFolder folder;
  write_tree(folder.path() / "out");
  const standin::Loaded loaded = standin::load_tree(folder.path() / "out", true, {});
  REQUIRE(loaded.error == "");
  const standin::RunResult r = standin::run(loaded.program, example_arguments(), {});
  CHECK(r.text() == "");
  REQUIRE(r.tasks.size() == 5);
  std::vector<std::string> names;
  std::vector<std::vector<int>> edges;
  for (const auto& task : r.tasks) {
    names.push_back(task.name);
    edges.push_back(task.depends_on);
  }
  CHECK(names == std::vector<std::string>{"add", "scale", "add", "mul", "add"});
  CHECK(edges == std::vector<std::vector<int>>{{}, {0}, {1}, {2}, {0, 3}});
}

TEST_CASE("compiled kernels are watched load by load and store by store") {
  const standin::TempFolder folder;
  write_tree(folder.path() / "out");
  const fs::path kernel = folder.path() / "out" / "kernels" / "aiv" / "mul.d" / "mul.cpp";
  std::ofstream(kernel) << R"(#include "vector.h"
#include <cstring>
extern "C" void kernel_entry(int64_t *args) {
    const vec::Tensor x(args[0]), y(args[1]), out(args[2]);
    for (int64_t i = 0; i + 1 < out.count; ++i) out.first[i] = x.first[i] * y.first[i];
    std::memcpy(out.first + out.count, x.first, 4);
}
)";
  const standin::Loaded loaded = standin::load_tree(folder.path() / "out", false, {});
  REQUIRE(loaded.error == "");
  const standin::RunResult r = standin::run(loaded.program, example_arguments(), {});
  CHECK(r.has(standin::ProblemKind::kOutsideArguments));  // one past the end
  CHECK(r.has(standin::ProblemKind::kUnwrittenRead));     // the last element, read by the next task
  CHECK(r.problems.size() == 2);
  CHECK(r.text().find("bytes [65532, 65536)") != std::string::npos);
}

TEST_CASE("what does not compile or does not parse is told as text") {
  const standin::TempFolder folder;
  write_tree(folder.path() / "out");
  SECTION("a warning in the orchestration is an error") {
    std::ofstream(folder.path() / "out" / "orchestration" / "pipeline.cpp", std::ios::app)
        << "static int never_used() { return 1; }\n";
    CHECK(standin::load_tree(folder.path() / "out", true, {}).error.find("unused-function") != std::string::npos);
  }
  SECTION("an orchestration without its functions") {
    std::ofstream(folder.path() / "out" / "orchestration" / "pipeline.cpp") << "int x;\n";
    CHECK(standin::load_tree(folder.path() / "out", true, {}).error.find("does not export") != std::string::npos);
  }
  SECTION("a kernel table with a gap") {
    std::ofstream(folder.path() / "out" / "kernel_config.py")
        << "ORCHESTRATION = {\n \"source\": str(_ROOT / \"o.cpp\"),\n \"signature\": [],\n}\nKERNELS = [\n{\n"
           "\"func_id\": 1,\n\"name\": \"k\",\n\"source\": str(_ROOT / \"k.cpp\"),\n\"core_type\": \"aiv\",\n"
           "\"signature\": [],\n},\n]\n";
    CHECK(standin::load_tree(folder.path() / "out", true, {}).error.find("out of order") != std::string::npos);
  }
  SECTION("no tree") {
    CHECK(standin::load_tree(folder.path() / "nowhere", true, {}).error.find("no ORCHESTRATION") != std::string::npos);
  }
}

TEST_CASE("the launch width is set by the name that the platform has") {
  const standin::TempFolder folder;
  const auto load = [&](const char* setter, std::vector<std::string> flags) {
    const fs::path source = folder.path() / "launch.cpp";
    std::ofstream(source)
        << "#include \"pto_orchestration_api.h\"\nextern \"C\" {\n"
           "PTO2OrchestrationConfig aicpu_orchestration_config(const ChipTaskArgs &) { return {0}; }\n"
           "void aicpu_orchestration_entry(const ChipTaskArgs &args) {\n"
           "  CoreTaskArgs task;\n  task.add_inout(args.tensor(0).ref());\n  task.launch_spec."
        << setter << "(6);\n  rt_submit_aiv_task(0, task);\n}\n}\n";
    return standin::load_orchestration(source, {std::move(flags), "g++"});
  };
  CHECK(load("set_block_num", {}).error == "");
  CHECK(load("set_core_num", {}).error != "");
  CHECK(load("set_block_num", {"-DSTANDIN_A5"}).error != "");
  standin::Loaded a5 = load("set_core_num", {"-DSTANDIN_A5"});
  REQUIRE(a5.error == "");
  a5.program.kernels = {{"touch", standin::CoreType::kAiv, {Direction::kInOut}, [](standin::KernelCall&) {}}};
  const standin::Arguments arguments{
      {standin::host_tensor("x", Direction::kInOut, DataType::INT32, {1}, std::vector<int32_t>{1})}, {}};
  const standin::RunResult r = standin::run(a5.program, arguments, {});
  CHECK(r.text() == "");
  CHECK(r.tasks.at(0).width == 6);
}
