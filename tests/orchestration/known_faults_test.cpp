// SPDX-License-Identifier: Apache-2.0
// Faults that the Python compiler has and this one must not have, a section for each: what is emitted, and the result
// of running it in many orders.
#include <catch2/catch.hpp>
#include <deque>

#include "codegen/build_tree.h"
#include "ir/verifier.h"
#include "orchestration/compiled.h"
#include "support/memory_file_system.h"
#include "text/parser.h"

namespace pyptoc::orchestration {
namespace {

std::vector<Case> faults() {
  const std::string hazard = "    y = use(x, y)\n";
  return {
      {"keywords",
       R"(orchestration main(a: pl.Named["new", InOut_F64], b: pl.Named["int", InOut_F64], c: pl.Named["größe", InOut_F64], ext_x: InOut F64, n: INT)
    params_t0 = pl.tensor.create([64], dtype=pl.FP32)
    params_t0 = use(a, params_t0)
    x_ci = pl.tensor.create([64], dtype=pl.FP32)
    x_ci, x_tid = pl.submit(use, params_t0, x_ci)
    orch_args = use(x_ci, b)
    c = join(orch_args, c)
    ext_x = join(c, ext_x)
)"},
      {"one name", R"(    for i, (data,) in pl.range(n, init_values=(x,)):
        data_1 = change(data)
        data = pl.yield_(data_1)
    for i, (data,) in pl.range(n, init_values=(data,)):
        data_2 = scale(data, i)
        data = pl.yield_(data_2)
    data_1 = join(data, y)
    z = join(data_1, z)
)"},
      {"loop-carried", R"(    for i, (a, b) in pl.range(n, init_values=(x, y)):
        b2 = use(a, b)
        a3, b3 = pl.yield_(b2, a)
    z = join(a3, z)
)"},
      {"one task", "    y = use(x, y)\n"},
      {"orchestrations",
       R"(orchestration first(x: F64, out: Out F64)
    out = use(x, out)
orchestration second(x: F64, out: Out F64)
    out = make(out)
    out = join(x, out)
)",
       {{64, 4, {}}}},
      {"views", R"(
kernel use_square(x: F8x8, out: Out F64) -> out
kernel fill_wide(out: Out F2x32, k: INT) -> out
orchestration main(x: InOut F64, y: InOut F64, n: INT)
    wide = pl.tensor.reshape(x, [2, 32])
    wide = fill_wide(wide, n)
    square = pl.tensor.reshape(x, [8, 8])
    y = use_square(square, y)
)"},
      {"hazard in straight line", hazard + "    x = change(x)\n"},
      {"hazard in a branch",
       "    if n > 2:\n        y = use(x, y)\n    x = change(x)\n" + hazard + "    if n > 1:\n        x = make(x)\n"},
      {"hazard in a loop", "    for i in pl.range(n):\n        x = scale(x, i)\n        y = use(x, y)\n"},
      {"out and in", R"(orchestration main(x: F64, out: Out F64, n: INT)
    out = make(out)
    for i in pl.range(n):
        out = join(x, out)
)"},
      {"partial", R"(
kernel use_rows(x: F16x64, out: Out F16x64) -> out
orchestration main(x: F16x64, all: Out FMx64, some: Out FMx64, maybe: Out F16x64, full: Out F16x64, n: INT)
    for i in pl.range(0, M, 16):
        part = pl.tensor.slice(all, [16, 64], [i, 0])
        part = use_rows(x, part)
    for i in pl.range(1):
        rest = pl.tensor.slice(some, [16, 64], [i * 16, 0])
        rest = use_rows(x, rest)
    if n > 2:
        maybe = use_rows(x, maybe)
    full = use_rows(x, full)
)"},
      {"read before", R"(orchestration main(x: F64, z: InOut F64, a: Out F64, b: Out F64, c: Out F64, n: INT)
    if n > 2:
        a = use(x, a)
    z = join(a, z)
    a = make(a)
    half = pl.tensor.slice(b, [32], [32])
    half = make_half(half)
    z = join(b, z)
    b = use(x, b)
    if n > 1:
        c = make(c)
    else:
        c = use(x, c)
    z = join(c, z)
    c = join(z, c)
)"},
      {"branches", R"(    t = pl.tensor.create([64], dtype=pl.FP32)
    if n > 2:
        t = use(x, t)
        a = t
    else:
        a = x
    y = use(a, y)
    x = change(x)
)"},
      {"tuple order", "    y, z = twist(x, y, z)\n    x = join(y, x)\n    x = scale(x, 3)\n    x = join(z, x)\n"},
  };
}

std::string with_named(std::string text) {
  for (size_t at = text.find("InOut_F64"); at != std::string::npos; at = text.find("InOut_F64"))
    text.replace(at, 9, "pl.InOut[F64]");
  return text;
}

// All of them, compiled once.
class Faults {
 public:
  Faults() {
    std::vector<const Lowered*> list;
    for (Case one : faults()) {
      one.text = with_named(one.text);
      cases_.push_back(one);
      lowered_.emplace_back(one);
      REQUIRE(lowered_.back().error() == "");
      list.push_back(&lowered_.back());
    }
    batch_ = compile(list);
    REQUIRE(batch_.error == "");
  }
  const Lowered& at(const std::string& name) const { return lowered_[index(name)]; }
  const std::string& source(const std::string& name) const { return at(name).units().at(0).source; }
  std::string wrong(const std::string& name) const {
    for (const Runnable& one : batch_.programs[index(name)])
      for (const Sample& sample : cases_[index(name)].samples)
        if (std::string text = orchestration::wrong(one, sample, 100); !text.empty()) return text;
    return "";
  }

 private:
  size_t index(const std::string& name) const {
    for (size_t i = 0; i < cases_.size(); ++i)
      if (cases_[i].name == name) return i;
    FAIL("no program `" + name + "`");
    return 0;
  }
  std::vector<Case> cases_;
  std::deque<Lowered> lowered_;
  Batch batch_;
};

size_t count(const std::string& text, const std::string& what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

TEST_CASE("faults of the Python compiler that must not be ours") {
  static const Faults all;

  SECTION("names that are keywords of C++, that the emitter uses, or that are not ASCII") {
    CHECK(all.wrong("keywords") == "");
    CHECK(all.source("keywords").find(" &new ") == std::string::npos);
    CHECK(all.source("keywords")
              .find("gr\xC3\xB6\xC3\x9F"
                    "e") == std::string::npos);
  }
  SECTION("several variables of one name, and one that has the suffix already") {
    CHECK(all.wrong("one name") == "");
  }
  SECTION("a tensor that a loop carries is declared") {
    CHECK(all.wrong("loop-carried") == "");
    CHECK(all.source("loop-carried").find("ChipTensor a = x;\n") != std::string::npos);
  }
  SECTION("an orchestration of one task") {
    CHECK(all.wrong("one task") == "");
    CHECK(count(all.source("one task"), "rt_submit_") == 1);
  }
  SECTION("each of several orchestrations is compiled") {
    CHECK(all.wrong("orchestrations") == "");
    CHECK(all.at("orchestrations").units().size() == 2);
    support::MemoryFileSystem files;
    diag::Engine diags;
    codegen::BuildOptions options;
    options.target = passes::kTargets[0];
    options.orchestration_only = true;
    const auto result = codegen::build_tree(all.at("orchestrations").after(), options, files, diags);
    REQUIRE(result.has_value());
    std::string paths;
    for (const auto& file : result->tree.files()) paths += file.first + "\n";
    CHECK(count(paths, "next_levels/first/kernel_config.py\n") == 1);
    CHECK(count(paths, "next_levels/second/kernel_config.py\n") == 1);
    CHECK(count(paths, "compiled_meta.json") == 2);
  }
  SECTION("a value read through a reshape is ordered behind a write through another view") {
    CHECK(all.wrong("views") == "");
  }
  SECTION("a writer waits for the reader before it: straight line") {
    CHECK(all.wrong("hazard in straight line") == "");
    CHECK(count(all.source("hazard in straight line"), "set_dependencies") == 1);
  }
  SECTION("a writer waits for the reader before it: branches") {
    CHECK(all.wrong("hazard in a branch") == "");
  }
  SECTION("a writer waits for the reader before it: across iterations") {
    CHECK(all.wrong("hazard in a loop") == "");
    CHECK(count(all.source("hazard in a loop"), "set_dependencies") == 1);
  }
  SECTION("an output that tasks also read becomes InOut for them") {
    CHECK(all.wrong("out and in") == "");
    CHECK(count(all.source("out and in"), "add_inout(out)") == 1);
    CHECK(all.at("out and in").units()[0].signature[1] == codegen::Signature::Out);
  }
  SECTION("what a program does not write of an output keeps its content") {
    CHECK(all.wrong("partial") == "");
    using codegen::Signature;
    CHECK(all.at("partial").units()[0].signature ==
          std::vector<Signature>{Signature::In, Signature::Out, Signature::InOut, Signature::InOut, Signature::Out});
  }
  SECTION("an output that a task may read before it is written has its content") {
    CHECK(all.wrong("read before") == "");
    using codegen::Signature;
    CHECK(all.at("read before").units()[0].signature ==
          std::vector<Signature>{Signature::In, Signature::InOut, Signature::InOut, Signature::InOut, Signature::Out});
  }
  SECTION("a result that is a parameter in one branch and a task's output in the other") {
    CHECK(all.wrong("branches") == "");
  }
  SECTION("results in another order than the parameters") {
    CHECK(all.wrong("tuple order") == "");
  }
}

// What the program gets instead of wrong code: `E0717 12` is that code at that line of the text.
std::string refused(const std::string& text) {
  const Lowered lowered({"refused", text});
  const std::string& error = lowered.error();
  return error.substr(error.find('\n') + 1, error.find(": ", error.find('\n')) - error.find('\n') - 1);
}

int line_of(const std::string& text, const std::string& what) {
  const std::string all = full_text(text);
  return static_cast<int>(std::count(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.find(what)), '\n')) + 1;
}

TEST_CASE("a task id used behind the scope of its task is an error where the user names it") {
  const std::string text =
      "    with pl.scope():\n        y2, t = pl.submit(use, x, y)\n    z2, u = pl.submit(use, x, z, deps=[t])\n";
  CHECK(refused(text) == "E0717 " + std::to_string(line_of(text, "deps=[t]")));
  const std::string member =
      "    with pl.scope():\n        r = pl.submit(use, x, y)\n    z2, u = pl.submit(use, x, z, deps=[r[1]])\n";
  CHECK(refused(member) == "E0717 " + std::to_string(line_of(member, "deps=[r[1]]")));
  const std::string array =
      "    with pl.manual_scope():\n        ids = pl.array.create(4, pl.TASK_ID)\n        for i in pl.parallel(4):\n"
      "            part = pl.tensor.slice(big, [64], [i * 64])\n            part, t = pl.submit(change, part)\n"
      "            ids[i] = t\n    z2, u = pl.submit(use, x, z, deps=[ids])\n";
  CHECK(refused(array) == "E0717 " + std::to_string(line_of(array, "deps=[ids]")));
}

TEST_CASE("an id that stands for several tasks has no place in one slot of an array") {
  const std::string text = R"(    with pl.manual_scope():
        none = pl.system.task_invalid()
        ids = pl.array.create(4, pl.TASK_ID)
        for i, (a,) in pl.parallel(4, init_values=(none,)):
            part = pl.tensor.slice(big, [64], [i * 64])
            part, t = pl.submit(change, part, deps=[a])
            all = pl.yield_(t)
        ids[0] = all
        x, u = pl.submit(change, x, deps=[ids])
)";
  CHECK(refused(text) == "E0707 " + std::to_string(line_of(text, "ids[0] = all")));
}

TEST_CASE("a buffer that cannot be allocated before its scope is an error where it is used") {
  const std::string in_loop = R"(    with pl.scope():
        for i, (a,) in pl.range(n, init_values=(x,)):
            t = pl.tensor.create([64], dtype=pl.FP32)
            t2 = use(a, t)
            b = pl.yield_(t2)
    z = join(b, z)
)";
  CHECK(refused(in_loop) == "E0563 " + std::to_string(line_of(in_loop, "z = join(b, z)")));
  const std::string shape = R"(    with pl.scope():
        k = pl.tensor.read(flag, [0])
        t = pl.tensor.create([pl.cast(k, pl.INDEX) * 64], dtype=pl.FP32)
        part = pl.tensor.slice(t, [64], [0])
        part, id = pl.submit(use, x, part)
    z = join(part, z)
)";
  CHECK(refused(shape) == "E0563 " + std::to_string(line_of(shape, "z = join(part, z)")));
  const std::string outputs = R"(    with pl.manual_scope():
        for i, (a,) in pl.range(n, init_values=(x,)):
            b, t = pl.submit(use, a)
            c = pl.yield_(b)
    z = join(c, z)
)";
  CHECK(refused(outputs) == "E0563 " + std::to_string(line_of(outputs, "z = join(c, z)")));
}

TEST_CASE("more than 32 tensors or 16 scalars in one task name the function") {
  auto wide = [](int count, const std::string& type, const std::string& argument) {
    std::string kernel = "kernel wide(";
    std::string call = "    wide(";
    for (int i = 0; i < count; ++i) {
      kernel += (i > 0 ? ", p" : "p") + std::to_string(i) + ": " + type;
      call += (i > 0 ? ", " : "") + argument;
    }
    return Lowered({"wide", kernel + ")\norchestration main(x: F64, n: INT)\n" + call + ")\n"}).error();
  };
  CHECK(wide(32, "F64", "x") == "");
  CHECK(wide(33, "F64", "x").find("E0703 ") != std::string::npos);
  CHECK(wide(33, "F64", "x").find("`wide` has 33 tensor arguments") != std::string::npos);
  CHECK(wide(16, "INT", "n") == "");
  CHECK(wide(17, "INT", "n").find("E0704 ") != std::string::npos);
  CHECK(wide(17, "INT", "n").find("`wide` has 17 scalar arguments") != std::string::npos);
}

TEST_CASE("a trip count that must be known and is not") {
  const std::string text = R"(    with pl.manual_scope():
        none = pl.system.task_invalid()
        for i, (id,) in pl.parallel(n, init_values=(none,)):
            y2, t = pl.submit(use, x, y)
            ids = pl.yield_(t)
)";
  CHECK(refused(text) == "E0560 " + std::to_string(line_of(text, "for i, (id,)")));
}

}  // namespace
}  // namespace pyptoc::orchestration
