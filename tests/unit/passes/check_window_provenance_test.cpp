// SPDX-License-Identifier: Apache-2.0
// CheckWindowProvenance: programs that it must refuse, and programs close to them that it must not.
#include "passes/check_window_provenance.h"

#include <fmt/format.h>

#include "provenance_fixture.h"

namespace pyptoc::passes {
namespace {

using namespace testing;

TEST_CASE("two operands of one allocation, straight") {
  check(body("one window twice", kReduce, "a, a, c, x, n", "E0660"));
  check(body("two views of one allocation", kReduce, "a, a2, c, x, n", "E0660"));
  check(body("different windows", kReduce, kGood, ""));
  check(body("one window twice, but not in one collective", kReduce, "a, b, a2, x, n", ""));
  check(body("the other operand is a third window", "    a = pld.tensor.allreduce(a, c, SUM)\n", "a, a2, c, x, n", ""));
  check(body("the result of a collective is its target", kReduce + "    a = pld.tensor.allreduce(a, c, SUM)\n",
             "a, b, b, x, n", ""));
  check(body("the target comes back as another's signal",
             "    d = pld.tensor.allreduce(a, b, SUM)\n"
             "    b = pld.tensor.allreduce(b, d, SUM)\n",
             kGood, ""));
}

TEST_CASE("two operands of one allocation, through kernels, submits and tuples") {
  check(body("a kernel hands it back", "    d = touch(a)\n    b = pld.tensor.allreduce(d, b, SUM)\n", "a, a2, c, x, n",
             "E0660"));
  check(body("the same, different windows", "    d = touch(a)\n    b = pld.tensor.allreduce(d, b, SUM)\n", kGood, ""));
  check(body("in the function alone", "    d = touch(a)\n    e = touch(a)\n    d = pld.tensor.allreduce(d, e, SUM)\n",
             kGood, "E0660"));
  check(body("a tuple in order", "    t = swap(a, b)\n    d = pld.tensor.allreduce(t[0], b, SUM)\n", kGood, ""));
  check(body("a tuple's other element", "    t = swap(a, b)\n    d = pld.tensor.allreduce(t[1], b, SUM)\n", kGood,
             "E0660"));
  check(body("a submit", "    r = pl.submit(touch, a)\n    d = pld.tensor.allreduce(r[0], a, SUM)\n", kGood, "E0660"));
  check(body("a submit of another", "    r = pl.submit(touch, c)\n    d = pld.tensor.allreduce(r[0], a, SUM)\n", kGood,
             ""));
}

TEST_CASE("two operands of one allocation, through views") {
  // `{}` makes r, the input, of the target q
  auto exchange = [](std::string_view lines, std::string_view args) {
    ProvenanceRun run(
        "@pl.function(type=pl.FunctionType.Orchestration)\ndef all_used(p: pl.InOut[pld.DistributedTensor[[4, 8], "
        "pl.INT32]], "
        "q: pl.InOut[pld.DistributedTensor[[4, 8], pl.INT32]]):\n    pass\n\n"
        "@pl.function(type=pl.FunctionType.Orchestration)\ndef chip(q: pl.InOut[pld.DistributedTensor[[4, 8], "
        "pl.INT32]], "
        "p: pl.InOut[pld.DistributedTensor[[4, 8], pl.INT32]], s: pl.InOut[W], big: pl.InOut[pld.DistributedTensor[[8, "
        "8], "
        "pl.INT32]], n: pl.Scalar[pl.INDEX]):\n" +
            std::string(lines) + "    q = pld.tensor.all_to_all(r, q, s)\n",
        "    p_buf = pld.tensor.alloc_window_buffer(128, name=\"p_buf\")\n"
        "    q_buf = pld.tensor.alloc_window_buffer(128, name=\"q_buf\")\n"
        "    s_buf = pld.tensor.alloc_window_buffer(16, name=\"s_buf\")\n"
        "    b_buf = pld.tensor.alloc_window_buffer(256, name=\"b_buf\")\n"
        "    p = pld.tensor.window(p_buf, [4, 8], dtype=pl.INT32)\n"
        "    q = pld.tensor.window(q_buf, [4, 8], dtype=pl.INT32)\n"
        "    q2 = pld.tensor.window(b_buf, [4, 8], dtype=pl.INT32)\n"
        "    s = pld.tensor.window(s_buf, [4], dtype=pl.INT32)\n"
        "    b = pld.tensor.window(b_buf, [8, 8], dtype=pl.INT32)\n"
        "    for r in pl.range(4):\n        all_used(p, q, device=r)\n        chip(" +
            std::string(args) + ", n, device=r)\n");
    INFO(lines << args << "\n" << run.messages());
    return run.codes();
  };
  constexpr std::string_view kReshaped = "    f = pl.tensor.reshape(q, [32])\n    r = pl.tensor.reshape(f, [4, 8])\n";
  CHECK(exchange(kReshaped, "q, p, s, b") == "E0660");
  CHECK(exchange("    f = pl.tensor.reshape(p, [32])\n    r = pl.tensor.reshape(f, [4, 8])\n", "q, p, s, b") == "");
  CHECK(exchange("    r = pl.tensor.view(q, [4, 8])\n", "q, p, s, b") == "E0660");
  CHECK(exchange("    r = pl.tensor.slice(big, [4, 8], [4, 0])\n", "q, p, s, b") == "");
  CHECK(exchange("    r = pl.tensor.slice(big, [4, 8], [4, 0])\n", "q2, p, s, b") == "E0660");
  CHECK(exchange("    part = pl.tensor.slice(big, [2, 8], [0, 0])\n    r = pl.tensor.assemble(p, part, [0, 0])\n",
                 "q2, p, s, b") == "");
  CHECK(exchange("    if n > 0:\n        r = pl.tensor.reshape(p, [4, 8])\n    else:\n"
                 "        r = pl.tensor.reshape(q, [4, 8])\n",
                 "q, p, s, b") == "E0660");
}

TEST_CASE("two operands of one allocation on one path of a branch") {
  auto branch = [](std::string_view first, std::string_view second, std::string_view signal) {
    return fmt::format(
        "    if n > 0:\n        d = touch({})\n    else:\n        d = touch({})\n    d = pld.tensor.allreduce(d, {}, "
        "SUM)\n",
        first, second, signal);
  };
  check(body("then", branch("a", "b", "a"), kGood, "E0660"));
  check(body("else", branch("b", "a", "a"), kGood, "E0660"));
  check(body("neither", branch("a", "b", "c"), kGood, ""));
  // Both results come from one side: whichever it is, they differ.
  constexpr std::string_view kPair =
      "    if n > 0:\n        d = touch(a)\n        e = touch(b)\n    else:\n        d = touch(b)\n        e = "
      "touch(a)\n"
      "    d = pld.tensor.allreduce(d, e, SUM)\n";
  check(body("both sides exchange the two", kPair, kGood, ""));
  check(body("both sides exchange two of one allocation", kPair, "a, a2, c, x, n", "E0660"));
}

TEST_CASE("two operands of one allocation in some iteration") {
  auto loop = [](std::string_view head, std::string_view rest) {
    return fmt::format("    d = touch(a)\n    e = touch(b)\n    {}\n        d = pld.tensor.allreduce(d, e, SUM)\n{}",
                       head, rest);
  };
  constexpr std::string_view kSwap = "        f = d\n        d = e\n        e = f\n";
  constexpr std::string_view kSlide = "        d = e\n";
  constexpr std::string_view kTurn = "        f = d\n        d = e\n        e = c\n        c = f\n";
  for (std::string_view head : {"for i in pl.range(n):", "while n > 3:", "for i in pl.range(3):"}) {
    check(body("a swap keeps two apart", loop(head, kSwap), kGood, ""));
    check(body("a swap of two of one allocation", loop(head, kSwap), "a, a2, c, x, n", "E0660"));
    check(body("the second iteration has one in both", loop(head, kSlide), kGood, "E0660"));
    check(body("three that take turns stay three", loop(head, kTurn), kGood, ""));
    check(body("three that take turns, two of one allocation", loop(head, kTurn), "a, b, b, x, n", "E0660"));
  }
  check(body("one iteration only", loop("for i in pl.range(1):", kSlide), kGood, ""));
  // After two exchanges everything is where it was; after three it is not.
  auto after = [](int64_t trips) {
    return fmt::format(
        "    d = touch(a)\n    e = touch(b)\n    for i in pl.range({}):\n        f = touch(d)\n        d = e\n        "
        "e = f\n"
        "    d = pld.tensor.allreduce(d, b, SUM)\n",
        trips);
  };
  check(body("two exchanges", after(2), kGood, ""));
  check(body("three exchanges", after(3), kGood, "E0660"));
}

TEST_CASE("callees, three levels down with a swap in a loop") {
  const std::string inner = chip_function("    a = pld.tensor.allreduce(a, b, SUM)\n", "inner");
  const std::string middle = chip_function(
      "    for i in pl.range(n):\n        inner(a, b, c, x, n)\n        f = touch(a)\n"
      "        a = touch(b)\n        b = f\n",
      "middle");
  const std::string outer = inner + middle + chip_function("    middle(a, b, c, x, n)\n");
  check({"different windows", outer, dispatch(kGood), ""});
  check({"one allocation", outer, dispatch("a, a2, c, x, n"), "E0660"});
  const std::string bad = inner +
                          chip_function(
                              "    for i in pl.range(n):\n        inner(a, c, b, x, n)\n        f = touch(a)\n"
                              "        a = touch(b)\n        b = f\n",
                              "middle") +
                          chip_function("    middle(a, b, c, x, n)\n");
  check({"the second iteration brings b against c", bad, dispatch("a, b, b, x, n"), "E0660"});
  check({"c is apart", bad, dispatch("a, a2, c, x, n"), ""});
}

TEST_CASE("one chip function dispatched twice is judged for each dispatch") {
  const std::string two = in_device_loop("chip(a, b, c, x, n, device=r)\n        chip({}, device=r)");
  auto second = [&](std::string_view args) {
    std::string host = two;
    host.replace(host.find("{}"), 2, args);
    return Case{"", chip_function(kReduce), host, ""};
  };
  Case good = second("b, a, c, x, n");
  check(good);
  Case bad = second("c, c, a, x, n");
  bad.codes = "E0660";
  check(bad);
  ProvenanceRun run(bad.chip, bad.host);
  REQUIRE(run.diags().sorted().size() == 1);
  const diag::Diagnostic d = run.diags().sorted().front();
  CHECK(d.message ==
        "`pld.tensor.allreduce` operands `target` (`a`) and `signal` (`b`) are views of one window allocation `c_buf`");
  std::string notes;
  for (const auto& note : d.notes) notes += note.text + "\n";
  CHECK(notes == "`chip` is dispatched here\n`c` is made here\n`c_buf` is allocated here\n");
  CHECK(d.notes[0].place->begin_line > d.notes[2].place->begin_line);
}

TEST_CASE("both ends, the dispatch and the collective have their places") {
  ProvenanceRun run(chip_function(kReduce), dispatch("a, a2, c, x, n"));
  REQUIRE(run.diags().sorted().size() == 1);
  const diag::Diagnostic d = run.diags().sorted().front();
  std::string notes;
  for (const auto& note : d.notes) {
    notes += note.text + "\n";
    CHECK(note.place->begin_line > 0);
  }
  CHECK(notes == "`chip` is dispatched here\n`a` is made here\n`a2` is made here\n`a_buf` is allocated here\n");
}

// --- Domains and ranks

TEST_CASE("conditions around a collective") {
  auto under = [](std::string_view head) {
    return fmt::format("    {}\n        a = pld.tensor.allreduce(a, b, SUM)\n", head);
  };
  check(body("a scalar of the host", under("if n > 0:"), kGood, ""));
  check(body("a constant", under("if 3 > 0:"), kGood, ""));
  check(body("the device", under("if n > 0:"), "a, b, c, x, r", "E0664"));
  check(body("what follows from the device", under("if n > 0:"), "a, b, c, x, r * 2 + n", "E0664"));
  check(body("what a tensor holds", "    t = pl.tensor.read(x, [0])\n" + under("if t > 0:"), kGood, "E0664"));
  check(body("iterations that a tensor decides", "    t = pl.tensor.read(x, [0])\n" + under("for i in pl.range(t):"),
             kGood, "E0664"));
  check(body("a while that a tensor decides", "    t = pl.tensor.read(x, [0])\n" + under("while t > 0:"), kGood,
             "E0664"));
  check(body("iterations that the device decides", under("for i in pl.range(n):"), "a, b, c, x, r", "E0664"));
  check(body("iterations that the host decides", under("for i in pl.range(n):"), "a, b, c, x, n * 2", ""));
  check(body("a kernel under a condition of a tensor",
             "    t = pl.tensor.read(x, [0])\n    if t > 0:\n        c = touch(c)\n" + kReduce, kGood, ""));
  check(
      body("a scalar that a loop makes differ",
           "    k = n\n    for i in pl.range(3):\n        if k > 5:\n            a = pld.tensor.allreduce(a, b, SUM)\n"
           "        t = pl.tensor.read(x, [0])\n        k = k + pl.cast(t, pl.INDEX)\n",
           kGood, "E0664"));
  check(body("a scalar that a loop computes from the host's",
             "    k = n\n    for i in pl.range(3):\n        if k > 5:\n            a = pld.tensor.allreduce(a, b, "
             "SUM)\n        k = k + 2\n",
             kGood, ""));
  check({"a condition in the caller of the function",
         chip_function(kReduce, "inner") +
             chip_function("    t = pl.tensor.read(x, [0])\n    if t > 0:\n        inner(a, b, c, x, n)\n"),
         dispatch(kGood), "E0664"});
}

TEST_CASE("conditions around the dispatch") {
  auto host = [](std::string_view head) {
    return in_device_loop(fmt::format("{}\n            chip(a, b, c, x, n, device=r)", head));
  };
  check({"a scalar", chip_function(kReduce), host("if n > 0:"), ""});
  check({"the device", chip_function(kReduce), host("if r > 0:"), "E0664"});
  check({"the device, no collective in the function", chip_function("    a = touch(a)\n"), host("if r > 0:"), ""});
  check({"a loop of the host", chip_function(kReduce), host("for i in pl.range(n):"), ""});
}

// Once only a scalar that depends on the variable of a loop over devices was seen to differ.
TEST_CASE("scalars of dispatches to devices that are named one by one") {
  const std::string reduces = chip_function("    if n > 0:\n        a = pld.tensor.allreduce(a, b, SUM)\n");
  // for device 0 and for the others, one after the other
  auto host = [](const std::vector<std::pair<std::string, std::string>>& scalars, std::string_view in = "    ") {
    std::string out = in_device_loop("keep(a, b, c, device=r)");
    if (in.size() > 4) out += "    for i in pl.range(2):\n";
    for (const auto& [first, rest] : scalars) {
      out += fmt::format(
          "{0}chip(a, b, c, x, {1}, device=0)\n{0}for q in pl.range(1, 4):\n{0}    chip(a, b, c, x, {2}, "
          "device=q)\n",
          in, first, rest);
    }
    return out;
  };
  check({"one scalar", reduces, host({{"n", "n"}}), ""});
  check({"two", reduces, host({{"n", "n + 1"}}), "E0664"});
  check({"a constant and a scalar", reduces, host({{"1", "n"}}), "E0664"});
  check({"two, in a loop", reduces, host({{"n", "n + 1"}}, "        "), "E0664"});
  check({"the variable of a loop around", reduces, host({{"i", "i"}}, "        "), ""});
  check({"two that decide nothing", chip_function(kReduce), host({{"n", "n + 1"}}), ""});
  check({"two rounds", reduces, host({{"1", "1"}, {"n", "n"}}), ""});
  check({"two rounds that are crossed", reduces, host({{"1", "n"}, {"n", "1"}}), "E0664"});
}

std::string wide_chip() {
  return typed_chip(
      "p: pl.Tensor[[8, 8], pl.INT32], q: pl.InOut[pld.DistributedTensor[[8, 8], pl.INT32]], "
      "s: pl.InOut[pld.DistributedTensor[[4, 8], pl.INT32]], c: pl.Tensor[[4, 1], pl.INT32], "
      "t: pl.InOut[pld.DistributedTensor[[4, 1], pl.INT32]], u: pl.InOut[W], n: pl.Scalar[pl.INDEX]",
      "    q = pld.tensor.all_to_all_v(p, q, s, c, t, n)\n    u = touch(u)\n");
}
std::string wide_host(std::string_view width) {
  return typed_host(
      "    p = pld.tensor.window(p_buf, [4], dtype=pl.INT32)\n    q = pld.tensor.window(q_buf, [8, 8], "
      "dtype=pl.INT32)\n"
      "    s = pld.tensor.window(s_buf, [4, 8], dtype=pl.INT32)\n    t = pld.tensor.window(t_buf, [4, 1], "
      "dtype=pl.INT32)\n",
      "4", fmt::format("x, q, s, y, t, p, {}", width));
}
constexpr std::string_view kWideParams =
    "x: pl.Tensor[[8, 8], pl.INT32], y: pl.Tensor[[4, 1], pl.INT32], n: pl.Scalar[pl.INDEX]";

TEST_CASE("a width that only run time knows is checked on the host before anything runs") {
  ProvenanceRun run(wide_chip(), wide_host("n"), kWideParams);
  CHECK(run.messages() == "");
  std::string text = run.text();
  std::string host = text.substr(text.find("def host"));
  INFO(text);
  size_t last = host.rfind("pl.system.require(");
  CHECK(last != std::string::npos);
  CHECK(last < host.find("alloc_window_buffer"));
  for (std::string_view part : {"n >= 1 and n <= 2147483647", "core_num lies in [1, 2147483647], it is {}",
                                "has {} cells for each rank, {} blocks need as many", "the device has 48 AIV cores"})
    CHECK(host.find(part) != std::string::npos);
  // The chip keeps its own, as a backstop.
  std::string chip = text.substr(text.find("def chip"), text.find("def host") - text.find("def chip"));
  CHECK(chip.find("core_num lies in [1, 2147483647], it is {}") != std::string::npos);
}

TEST_CASE("widths that cannot be") {
  auto codes = [](std::string_view width) { return ProvenanceRun(wide_chip(), wide_host(width), kWideParams).codes(); };
  CHECK(codes("n * 2 + 1") == "");
  CHECK(codes("8") == "");
  CHECK(codes("r") == "E0663");
  CHECK(codes("r + n") == "E0663");
  CHECK(codes("0") == "E0668");
  CHECK(codes("16") == "E0668");
  ProvenanceRun zero(wide_chip(), wide_host("0"), kWideParams);
  CHECK(zero.errors().find("E0668: `pld.tensor.all_to_all_v`: core_num lies in [1, 2147483647], it is 0\n") !=
        std::string::npos);
}

TEST_CASE("a width that a tensor holds, or that the host computes too late") {
  std::string chip = wide_chip();
  chip.replace(chip.find("    q = "), 0, "    k = pl.tensor.read(c, [0, 0])\n");
  chip.replace(chip.find("t, n)"), 5, "t, k)");
  CHECK(ProvenanceRun(chip, wide_host("n"), kWideParams).codes() == "E0663");
  std::string host = wide_host("k");
  host.replace(host.find("        chip("), 0, "        k = n * 2\n");
  CHECK(ProvenanceRun(wide_chip(), host, kWideParams).codes() == "");
  std::string late = wide_host("i");
  late.replace(late.find("        chip("), 0, "        for i in pl.range(n):\n    ");
  CHECK(ProvenanceRun(wide_chip(), late, kWideParams).codes() == "");
  std::string unknown = wide_host("k");
  unknown.replace(unknown.find("        chip("), 0,
                  "        k = n\n        for i in pl.range(n):\n            k = k + i\n");
  CHECK(ProvenanceRun(wide_chip(), unknown, kWideParams).codes() == "E0666");
}

// A condition that no host value decides once made the width an error, though the width itself is known.
TEST_CASE("a width under conditions on what the chip counts") {
  const auto under = [](std::string_view around) {
    std::string chip = wide_chip();
    chip.replace(chip.find("    q = "), 4, around);
    return ProvenanceRun(chip, wide_host("n"), kWideParams);
  };
  for (std::string_view around : {"    for i in pl.range(4):\n        if i > 1:\n            ",
                                  "    for i in pl.range(n):\n        if i % 2 == 0:\n            ",
                                  "    k = 0\n    while k < n:\n        k = k + 1\n        "}) {
    const ProvenanceRun run = under(around);
    CHECK(run.messages() == "");
    const std::string text = run.text();
    const std::string host = text.substr(text.find("def host"));
    CHECK(host.find("core_num lies in [1, 2147483647], it is {}") != std::string::npos);
  }
  // What the host can tell of the conditions stays in the check.
  const std::string text = under("    for i in pl.range(4):\n        if n > 7 and i > 1:\n            ").text();
  CHECK(text.substr(text.find("def host")).find("pl.system.require(not n > 7 or n >= 1 and") != std::string::npos);
}

TEST_CASE("what is not followed") {
  // Only a program that is lowered already can hold it: contiguity is followed the same way before.
  constexpr std::string_view kLowered =
      "@pl.function(type=pl.FunctionType.AIV)\ndef lose(w: pl.InOut[W]) -> W:\n"
      "    v = pl.tensor.reshape(w, [4])\n    return v\n\n"
      "@pl.function(type=pl.FunctionType.AIV, attrs={\"builtin_template_dir\": "
      "\":pypto.runtime.builtins.collectives.allreduce\"})\n"
      "def __builtin_allreduce__sum__int32(target: pl.InOut[W], signal: pl.InOut[W]) -> W:\n    return target\n\n";
  constexpr std::string_view kBody = "    d = {}(a)\n    a = __builtin_allreduce__sum__int32(d, b)\n";
  auto codes = [&](std::string_view kernel) {
    return ProvenanceRun(std::string(kLowered) + chip_function(fmt::format(fmt::runtime(kBody), kernel)),
                         dispatch(kGood))
        .codes();
  };
  CHECK(codes("touch") == "");
  CHECK(codes("lose") == "E0665");
}

TEST_CASE("more combinations than are followed") {
  auto codes = [](int pairs) {
    std::string params;
    std::string body;
    std::string views;
    std::string args;
    for (int i = 0; i < 2 * pairs; ++i) {
      params += fmt::format("w{}: pl.InOut[W], ", i);
      args += fmt::format("w{}, ", i);
      views += fmt::format(
          "    w{0}_buf = pld.tensor.alloc_window_buffer(16, name=\"w{0}\")\n"
          "    w{0} = pld.tensor.window(w{0}_buf, [4], dtype=pl.INT32)\n",
          i);
    }
    for (int i = 0; i < pairs; ++i)
      body += fmt::format(
          "    if n > {0}:\n        v{1} = touch(w{1})\n        v{2} = touch(w{2})\n    else:\n        v{1} = "
          "touch(w{2})\n"
          "        v{2} = touch(w{1})\n",
          i, 2 * i, 2 * i + 1);
    for (int i = 0; i < pairs; ++i)
      body += fmt::format("    v{0} = pld.tensor.allreduce(v{0}, v{1}, SUM)\n", 2 * i, 2 * i + 1);
    return ProvenanceRun(typed_chip(params + "n: pl.Scalar[pl.INDEX]", body),
                         views + "    for r in pl.range(4):\n        chip(" + args + "n, device=r)\n")
        .codes();
  };
  CHECK(codes(6) == "");
  CHECK(codes(7) == "E0667");
}

// --- Without a HOST function

TEST_CASE("a chip function without a host carries what its caller has to guarantee") {
  testing::PassRun run(
      testing::provenance_words(std::string(testing::kProvenanceKernels) +
                                chip_function("    if n > 0:\n        a = pld.tensor.allreduce(a, b, SUM)\n")),
      {convert_to_ssa, simplify, flatten_call_expr, normalize_return_order, lower_l2_tensor_collectives,
       materialize_comm_domain_scopes, check_window_provenance});
  CHECK(run.messages() == "");
  const ir::AttrValue* lines = ir::find_attr(run.after()->find("chip")->attrs, "obligations");
  REQUIRE(lines != nullptr);
  CHECK(lines->as_string() ==
        "`n` has the same value on every rank\n"
        "windows `a` and `b` are views of different allocations of one communication domain\n"
        "the communication domain of `b` has at most 4 ranks");
}

TEST_CASE("without a host, what is wrong whatever is passed") {
  auto codes = [](std::string_view text) {
    testing::PassRun run(testing::provenance_words(std::string(testing::kProvenanceKernels) + chip_function(text)),
                         {convert_to_ssa, simplify, flatten_call_expr, normalize_return_order,
                          lower_l2_tensor_collectives, materialize_comm_domain_scopes, check_window_provenance});
    std::string out;
    for (const diag::Diagnostic& d : run.diags().sorted()) out += std::string(d.code->id) + " ";
    return out;
  };
  CHECK(codes(kReduce) == "");
  CHECK(codes("    d = touch(a)\n    d = pld.tensor.allreduce(d, a, SUM)\n") == "E0660 ");
  CHECK(codes("    t = pl.tensor.read(x, [0])\n    if t > 0:\n        a = pld.tensor.allreduce(a, b, SUM)\n") ==
        "E0664 ");
}

}  // namespace
}  // namespace pyptoc::passes
