// SPDX-License-Identifier: Apache-2.0
// Values follow from (seed, call, rank, element); results are computed in the order that the protocol states.
#include "data.h"

#include <cstring>

#include "ranks/arith.h"

namespace collectives {
namespace {

using standin::ranks::size_of_type;

uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9E3779B97F4A7C15u + b + 0x7F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

void put(int32_t type, unsigned char* at, int64_t i, double value, uint64_t bits) {
  const size_t size = size_of_type(type);
  unsigned char* to = at + static_cast<size_t>(i) * size;
  const auto whole = static_cast<int64_t>(value);
  if (type == STANDIN_FP32) {
    const auto v = static_cast<float>(value);
    std::memcpy(to, &v, 4);
  } else if (type == STANDIN_FP16 || type == STANDIN_BF16) {
    const auto v = static_cast<float>(value);
    const uint16_t narrow = type == STANDIN_FP16 ? standin::ranks::to_half(v) : standin::ranks::to_bfloat16(v);
    std::memcpy(to, &narrow, 2);
  } else if (type == STANDIN_BOOL) {
    *to = static_cast<unsigned char>(bits & 1);
  } else {
    std::memcpy(to, &whole, size);
  }
}

int32_t operation(Reduce reduce) {
  switch (reduce) {
    case Reduce::kMax:
      return STANDIN_MAX;
    case Reduce::kMin:
      return STANDIN_MIN;
    case Reduce::kProd:
      return STANDIN_MUL;
    default:
      return STANDIN_ADD;
  }
}

// [begin, end) of every rank's data reduced over `order`, element by element. BF16 is computed in FP32 and rounded at
// the end, or after each step where the transfer does the adding.
void reduce_into(Bytes& out, const Variant& variant, const std::vector<Bytes>& inputs, const std::vector<int>& order,
                 int64_t begin, int64_t count, int64_t out_begin) {
  if (count <= 0) return;
  const size_t size = size_of_type(variant.type);
  const auto from = [&](int rank) {
    return inputs[static_cast<size_t>(rank)].data() + static_cast<size_t>(begin) * size;
  };
  unsigned char* to = out.data() + static_cast<size_t>(out_begin) * size;
  const bool wide = variant.type == STANDIN_BF16 && variant.op != Op::kRing;
  if (!wide) {
    std::memcpy(to, from(order[0]), static_cast<size_t>(count) * size);
    for (size_t i = 1; i < order.size(); ++i) {
      if (variant.op == Op::kRing) {
        Bytes sum(from(order[i]), from(order[i]) + static_cast<size_t>(count) * size);
        standin::ranks::add_to(variant.type, sum.data(), to, count);
        std::memcpy(to, sum.data(), sum.size());
      } else {
        standin::ranks::apply(operation(variant.reduce), variant.type, to, to, from(order[i]), 0, count);
      }
    }
    return;
  }
  Bytes sum(static_cast<size_t>(count) * 4);
  Bytes next(sum.size());
  standin::ranks::convert(STANDIN_FP32, sum.data(), STANDIN_BF16, from(order[0]), 0, count);
  for (size_t i = 1; i < order.size(); ++i) {
    standin::ranks::convert(STANDIN_FP32, next.data(), STANDIN_BF16, from(order[i]), 0, count);
    standin::ranks::apply(operation(variant.reduce), STANDIN_FP32, sum.data(), sum.data(), next.data(), 0, count);
  }
  standin::ranks::convert(STANDIN_BF16, to, STANDIN_FP32, sum.data(), 1, count);
}

void expect_ring(Expected& expected, const Step& step, int ranks, const std::vector<Bytes>& inputs) {
  for (int64_t chunk = 0; chunk < ranks; ++chunk) {
    std::vector<int> order;  // from the rank after the chunk's owner round to the owner
    for (int64_t i = 1; i <= ranks; ++i) order.push_back(static_cast<int>((chunk + i) % ranks));
    const int64_t begin = step.size * chunk / ranks;
    const int64_t end = step.size * (chunk + 1) / ranks;
    reduce_into(expected.target, step.variant, inputs, order, begin, end - begin, begin);
  }
}

// `count` rows of `input` that the index names from entry `first` on, one behind the other from byte `at` of the
// target.
void expect_rows(Expected& expected, const std::vector<int32_t>& index, const Bytes& input, size_t row, size_t at,
                 size_t first, size_t count) {
  for (size_t j = 0; j < count; ++j) {
    const int64_t source = index[first + j];
    if (source < 0 || static_cast<size_t>(source) * row >= input.size()) continue;
    std::memcpy(expected.target.data() + at + j * row, input.data() + static_cast<size_t>(source) * row, row);
    for (size_t i = 0; i < row; ++i) expected.defined[at + j * row + i] = true;
  }
}

void expect_exchange(Expected& expected, const Step& step, const Scenario& scenario, int call, int rank,
                     const std::vector<Bytes>& inputs) {
  const size_t row = static_cast<size_t>(step.size) * size_of_type(step.variant.type);
  const bool counted = step.variant.counts();
  const size_t block = row * static_cast<size_t>(counted ? kRowsPerPeer : 1);
  if (counted) expected.defined.assign(expected.target.size(), false);
  for (int source = 0; source < scenario.ranks; ++source) {
    size_t bytes = row;
    if (counted) {
      const int64_t rows = clamped(count_of(step, scenario, call, source, rank));
      expected.counts.push_back(static_cast<int32_t>(rows));
      bytes = row * static_cast<size_t>(rows);
    }
    const bool gathers = step.variant.op == Op::kAllgather;
    const unsigned char* from =
        inputs[static_cast<size_t>(source)].data() + (gathers ? 0 : block * static_cast<size_t>(rank));
    const size_t at = block * static_cast<size_t>(source);
    if (step.variant.op == Op::kIndexed) {
      expect_rows(expected, index_of(step, scenario.ranks, source), inputs[static_cast<size_t>(source)], row, at,
                  static_cast<size_t>(rank) * static_cast<size_t>(kRowsPerPeer), bytes / row);
      continue;
    }
    if (bytes != 0) std::memcpy(expected.target.data() + at, from, bytes);
    for (size_t i = 0; counted && i < bytes; ++i) expected.defined[at + i] = true;
  }
}

}  // namespace

int64_t contributed(const Step& step, int ranks) {
  switch (step.variant.op) {
    case Op::kReduceScatter:
    case Op::kAllToAll:
      return step.size * ranks;
    case Op::kAllToAllV:
      return step.size * ranks * kRowsPerPeer;
    case Op::kIndexed:
      return step.size * input_rows(ranks);
    default:
      return step.size;
  }
}

int64_t input_rows(int ranks) {
  return ranks + 5;
}

std::vector<int32_t> index_of(const Step& step, int ranks, int rank) {
  std::vector<int32_t> rows;
  const uint64_t key = mix(static_cast<uint64_t>(step.size), static_cast<uint64_t>(rank));
  for (int64_t j = 0; j < ranks * kRowsPerPeer; ++j) {
    const uint64_t bits = mix(key, static_cast<uint64_t>(j));
    const auto known = static_cast<int32_t>(bits % static_cast<uint64_t>(input_rows(ranks)));
    const int32_t strange[] = {-1, static_cast<int32_t>(input_rows(ranks)), INT32_MAX, INT32_MIN};
    rows.push_back(step.strange_index && bits >> 60 == 0 ? strange[(bits >> 40) % 4] : known);
  }
  return rows;
}

int64_t received(const Step& step, int ranks) {
  if (step.variant.op == Op::kIndexed) return step.size * ranks * kRowsPerPeer;
  return step.variant.op == Op::kAllgather ? step.size * ranks : contributed(step, ranks);
}

Bytes input_of(const Step& step, const Scenario& scenario, int call, int rank) {
  const int64_t count = contributed(step, scenario.ranks);
  const int32_t type = step.variant.type;
  Bytes bytes(static_cast<size_t>(count) * size_of_type(type));
  const uint64_t key = mix(scenario.data_seed, static_cast<uint64_t>(call * 64 + rank));
  const bool product = step.variant.reduces() && step.variant.reduce == Reduce::kProd;
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t bits = mix(key, static_cast<uint64_t>(i));
    double value = static_cast<double>(bits % 13);
    if (product) value = bits % 11 == 0 ? 2 : bits % 7 == 0 ? -1 : 1;
    if (!scenario.whole_numbers) {
      const bool is_float = type == STANDIN_FP32 || type == STANDIN_FP16 || type == STANDIN_BF16;
      value = static_cast<double>(static_cast<int64_t>(bits >> 40) - (int64_t{1} << 23)) / 3e6;
      if (product) value = 0.75 + static_cast<double>(bits >> 44) / 3e6;
      if (!is_float) value = static_cast<double>(static_cast<int32_t>(bits));
    }
    put(type, bytes.data(), i, value, bits);
  }
  return bytes;
}

int64_t clamped(int32_t count) {
  return count < 0 ? 0 : count > kRowsPerPeer ? kRowsPerPeer : count;
}

int32_t count_of(const Step& step, const Scenario& scenario, int call, int source, int dest) {
  const uint64_t bits =
      mix(mix(scenario.data_seed, static_cast<uint64_t>(call)), static_cast<uint64_t>(source * 64 + dest));
  const int hot =
      static_cast<int>(mix(scenario.data_seed, static_cast<uint64_t>(call)) % static_cast<uint64_t>(scenario.ranks));
  switch (step.counts) {
    case Counts::kUniform:
      return 2;
    case Counts::kZero:
      return 0;
    case Counts::kSelfOnly:
      return source == dest ? 3 : 0;
    case Counts::kSingleHot:
      return dest == hot ? 3 : 0;
    case Counts::kMixed:
      return static_cast<int32_t>((source + 2 * dest + call) % 4);
    case Counts::kAsymmetric:
      return source < dest ? 3 : 1;
    case Counts::kNegative:
      return bits % 2 == 0 ? -static_cast<int32_t>(bits % 1000) : 1;
    case Counts::kAboveCapacity:
      return bits % 2 == 0 ? 1000000 : 2;
    default:
      return static_cast<int32_t>(bits % 4);
  }
}

Expected expected_of(const Step& step, const Scenario& scenario, int call, int rank, const std::vector<Bytes>& inputs) {
  const Variant& variant = step.variant;
  const size_t size = size_of_type(variant.type);
  Expected expected;
  expected.target.resize(static_cast<size_t>(received(step, scenario.ranks)) * size);
  std::vector<int> order;
  for (int r = 0; r < scenario.ranks; ++r) order.push_back(r);
  switch (variant.op) {
    case Op::kAllreduce:
      reduce_into(expected.target, variant, inputs, order, 0, step.size, 0);
      break;
    case Op::kRing:
      expect_ring(expected, step, scenario.ranks, inputs);
      break;
    case Op::kReduceScatter:
      expected.target = inputs[static_cast<size_t>(rank)];
      reduce_into(expected.target, variant, inputs, order, step.size * rank, step.size, step.size * rank);
      break;
    case Op::kBroadcast:
      expected.target = inputs[static_cast<size_t>(variant.root)];
      break;
    case Op::kBarrier:  // what the reader takes from the right neighbour
      expected.target = inputs[static_cast<size_t>((rank + 1) % scenario.ranks)];
      break;
    default:
      expect_exchange(expected, step, scenario, call, rank, inputs);
      break;
  }
  return expected;
}

}  // namespace collectives
