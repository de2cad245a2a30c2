// SPDX-License-Identifier: Apache-2.0
// The operator table: rows, lookup, effects and the core that runs an operator.
#include "ir/op_table.h"

#include <catch2/catch.hpp>
#include <set>

#include "build.h"

namespace pyptoc::ir::test {
namespace {

TEST_CASE("every operator has one name and is found by it") {
  std::set<std::string_view> names;
  for (OpId id : all_ops()) {
    CHECK(names.insert(op_name(id)).second);
    CHECK(op_id_of(op_name(id)) == id);
  }
  CHECK(names.size() > 300);
  CHECK(op_id_of("tensor.nothing") == OpId::Unknown);
  CHECK(op_name(OpId::Unknown).empty());
}

TEST_CASE("results that share storage name one of the operands") {
  for (OpId id : all_ops()) {
    const OpInfo& info = op_info(id);
    INFO(info.name);
    if (!info.result.shares_operand()) continue;
    REQUIRE(info.result.operand < info.operands.size());
    const Operand& operand = info.operands[info.result.operand];
    CHECK_FALSE(operand.optional);
    if (info.result.kind == ResultStorage::Kind::View) CHECK_FALSE(writes(operand.effect));
  }
}

TEST_CASE("operands and keywords of a row have different names") {
  for (OpId id : all_ops()) {
    std::set<std::string_view> names;
    for (const Operand& operand : op_info(id).operands) CHECK(names.insert(operand.name).second);
    std::set<std::string_view> keys;
    for (const Keyword& keyword : op_info(id).keywords) CHECK(keys.insert(keyword.name).second);
  }
}

TEST_CASE("a row as data") {
  const OpInfo& info = op_info(OpId::PldTensorAllToAllV);
  CHECK(info.name == "pld.tensor.all_to_all_v");
  CHECK(info.min_args() == 5);
  CHECK(info.max_args() == 6);
  CHECK(info.result.kind == ResultStorage::Kind::Alias);
  CHECK(info.result.operand == 1);
  CHECK(info.operands[0].effect == Effect::Read);
  CHECK(info.operands[1].effect == Effect::Write);
  CHECK(info.operands[2].effect == Effect::ReadWrite);
  CHECK(info.operands[5].optional);
  CHECK(info.operand_at(6) == nullptr);
  REQUIRE(info.keyword("core_num") != nullptr);
  CHECK_FALSE(info.keyword("core_num")->required);
  CHECK(info.keyword("mode") == nullptr);
  CHECK(op_info(OpId::DistSubmitWorker).max_args() == SIZE_MAX);
  CHECK(op_info(OpId::DistSubmitWorker).operand_at(17)->name == "rest");
}

TEST_CASE("a float keyword is known as one, since files write 1.0 as 1") {
  CHECK(op_info(OpId::TensorCreate).keyword("init_value")->kind == KeywordKind::Float);
  CHECK(attr_kind_of(KeywordKind::Float) == AttrKind::Float);
  CHECK(attr_kind_of(KeywordKind::RoundMode) == AttrKind::Int);
  CHECK(enumerators(KeywordKind::RoundMode).size() == 7);
  CHECK(enumerators(KeywordKind::Coalesce)[1] == "Elem");
  CHECK(enumerators(KeywordKind::Int).empty());
}

TEST_CASE("which operators are collectives") {
  CHECK(is_collective(OpId::PldTensorAllreduce));
  CHECK(is_collective(OpId::PldTensorIndexedAllToAllV));
  CHECK_FALSE(is_collective(OpId::PldTensorPut));
  CHECK(is_builtin(OpId::BuiltinTensorAllToAllV));
  CHECK_FALSE(is_builtin(OpId::PldTensorAllToAllV));
  CHECK(must_run_once(OpId::PldSystemNotify));
  for (OpId id : all_ops()) {
    INFO(op_name(id));
    CHECK(is_builtin(id) == (op_name(id).substr(0, 8) == "builtin."));
  }
}

TEST_CASE("an accumulating write also reads") {
  Build b;
  const Var* x = b.var("x", b.tensor({4}));
  const Call* plain = b.op("tensor.assemble", {x, x, b.ints({0})}, x->type);
  const Call* adds = b.op("tensor.assemble", {x, x, b.ints({0})}, x->type, {b.integer("atomic", 1)});
  CHECK(effect_of(plain, 0) == Effect::Write);
  CHECK(effect_of(adds, 0) == Effect::ReadWrite);
  CHECK(effect_of(adds, 1) == Effect::Read);
  CHECK(effect_of(adds, 2) == Effect::None);
}

Attr memory(std::string_view key, MemorySpace space) {
  return {key, AttrValue::of_enum(AttrKind::MemorySpace, static_cast<int64_t>(space))};
}
Attr text(std::string_view key, std::string_view value) {
  return {key, AttrValue::of_string(value)};
}

TEST_CASE("the core that runs an operator") {
  Build b;
  const Var* vec = b.var("v", b.tile({16, 16}));
  const Var* acc = b.var("a", b.tile({16, 16}, DType::Fp32, MemorySpace::Acc));
  const Var* mat = b.var("m", b.tile({16, 16}, DType::Fp32, MemorySpace::Mat));
  const Var* gm = b.var("g", b.tensor({16, 16}));
  auto core = [&](std::string_view op, const Exprs& args, const Attrs& kwargs = {}, const Attrs& attrs = {}) {
    return core_affinity(b.op(op, args, b.plain(), kwargs, attrs));
  };
  CHECK(core("tile.add", {vec, vec}) == CoreAffinity::Vector);
  CHECK(core("tile.matmul", {mat, mat}) == CoreAffinity::Cube);
  CHECK(core("tensor.matmul", {gm, gm}) == CoreAffinity::Cube);
  CHECK(core("tensor.create", {b.ints({4})}) == CoreAffinity::Neutral);
  CHECK(core("tile.create", {b.ints({4})}) == CoreAffinity::Shared);
  CHECK(core("tile.load", {gm}, {memory("target_memory", MemorySpace::Mat)}) == CoreAffinity::Cube);
  CHECK(core("tile.load", {gm}, {memory("target_memory", MemorySpace::Vec)}) == CoreAffinity::Vector);
  CHECK(core("tile.store", {acc, b.ints({0, 0}), gm}) == CoreAffinity::Cube);
  CHECK(core("tile.store", {vec, b.ints({0, 0}), gm}) == CoreAffinity::Vector);
  CHECK(core("tile.move", {mat}, {memory("target_memory", MemorySpace::Left)}) == CoreAffinity::Cube);
  CHECK(core("tile.move", {acc}, {memory("target_memory", MemorySpace::Vec)}) == CoreAffinity::Mixed);
  CHECK(core("tile.move", {vec}, {memory("target_memory", MemorySpace::Mat)}) == CoreAffinity::Mixed);
  CHECK(core("tile.move", {vec}, {memory("target_memory", MemorySpace::Vec)}) == CoreAffinity::Vector);
  CHECK(core("tile.aiv_shard", {acc}) == CoreAffinity::Mixed);
  CHECK(core("tensor.paged_gather", {gm, gm, gm}) == CoreAffinity::Cube);
  CHECK(core("tensor.paged_gather", {gm, gm, gm}, {memory("space", MemorySpace::Vec)}) == CoreAffinity::Vector);
  CHECK(core("system.syncall", {}, {text("core_type", "mix")}) == CoreAffinity::Shared);
  CHECK(core("system.syncall", {}, {text("core_type", "aic_only")}) == CoreAffinity::Cube);
  CHECK(core("system.sync_set", {}, {text("core_type", "aiv")}) == CoreAffinity::Vector);
  CHECK(core("system.sync_set", {}) == CoreAffinity::Shared);
  CHECK(core_affinity(b.call("f", {}, b.plain())) == CoreAffinity::Neutral);

  Attrs placed = {text("core_placement", "aiv")};
  CHECK(core("pld.system.notify", {gm}) == CoreAffinity::Neutral);
  CHECK(core("pld.system.notify", {gm}, {}, placed) == CoreAffinity::Vector);
  CHECK(core("tile.create", {b.ints({4})}, {}, placed) == CoreAffinity::Shared);
  CHECK(core("tile.matmul", {mat, mat}, {}, placed) == CoreAffinity::Cube);
}

TEST_CASE("cores of the parts of a body combine") {
  using A = CoreAffinity;
  CHECK(combine(A::Neutral, A::Neutral) == A::Neutral);
  CHECK(combine(A::Neutral, A::Shared) == A::Shared);
  CHECK(combine(A::Shared, A::Vector) == A::Vector);
  CHECK(combine(A::Cube, A::Neutral) == A::Cube);
  CHECK(combine(A::Cube, A::Vector) == A::Mixed);
  CHECK(combine(A::Mixed, A::Shared) == A::Mixed);
}

}  // namespace
}  // namespace pyptoc::ir::test
