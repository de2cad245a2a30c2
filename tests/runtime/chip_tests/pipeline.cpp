// SPDX-License-Identifier: Apache-2.0
// Arguments of the pipelines, and what must come back.
#include "pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "data.h"
#include "program_text.h"

namespace chip_tests {

using collectives::Bytes;
using collectives::Op;
using standin::ranks::HostArgument;

namespace {

constexpr unsigned char kNoRow = 0x7E;  // what consume.h leaves where no row came

collectives::Scenario scenario_of(const Pipeline& p) {
  collectives::Scenario scenario;
  scenario.ranks = p.ranks;
  scenario.calls = p.rounds;
  return scenario;
}

// The first element of each block says how many rows of it travel; with an index, that of row d how many go to rank d.
Bytes input_of(const Pipeline& p, int round, int rank) {
  const collectives::Scenario scenario = scenario_of(p);
  Bytes bytes = collectives::input_of(p.step, scenario, round, rank);
  if (!p.step.variant.counts()) return bytes;
  const auto parts = p.step.variant.op == Op::kIndexed ? collectives::input_rows(p.ranks) : p.ranks;
  const size_t block = bytes.size() / static_cast<size_t>(parts);
  for (int dest = 0; dest < p.ranks; ++dest) {
    const int count = std::clamp(collectives::count_of(p.step, scenario, round, rank, dest), -100, 100);
    unsigned char* at = bytes.data() + static_cast<size_t>(dest) * block;
    if (p.step.variant.type == STANDIN_INT8) {
      *at = static_cast<unsigned char>(static_cast<int8_t>(count));
    } else {
      const auto value = static_cast<float>(count);
      std::memcpy(at, &value, sizeof value);
    }
  }
  return bytes;
}

Bytes output_of(const Pipeline& p, int round, int rank) {
  std::vector<Bytes> inputs;
  for (int r = 0; r < p.ranks; ++r) inputs.push_back(input_of(p, round, r));
  collectives::Expected due = collectives::expected_of(p.step, scenario_of(p), round, rank, inputs);
  for (size_t i = 0; i < due.defined.size(); ++i) {
    if (!due.defined[i]) due.target[i] = kNoRow;
  }
  return due.target;
}

HostArgument zeros(std::string name, DataType dtype, std::vector<int64_t> shape) {
  uint64_t bytes = get_element_size(dtype);
  for (int64_t extent : shape) bytes *= static_cast<uint64_t>(extent);
  return {std::move(name), dtype, std::move(shape), std::vector<unsigned char>(bytes), false};
}

}  // namespace

std::string Pipeline::name() const {
  return fmt::format("{} of {} elements on {} ranks, core_num {}, counts {}, {} rounds, {}", step.variant.name(),
                     step.size, ranks, step.core_num, static_cast<int>(step.counts), rounds,
                     on_host ? "HOST rail" : "CHIP rail");
}

std::vector<HostArgument> arguments_of(const Pipeline& p) {
  const DataType dtype = collectives::data_type(p.step.variant.type);
  const Shapes shapes = shapes_of(p);
  const auto whole = [&](std::vector<int64_t> shape) {
    shape = rounds_of(p, shape);
    shape.insert(shape.begin(), p.ranks);
    return shape;
  };
  std::vector<HostArgument> out = {zeros("inputs", dtype, whole(shapes.input))};
  Bytes& inputs = out[0].bytes;
  inputs.clear();
  for (int rank = 0; rank < p.ranks; ++rank) {
    for (int round = 0; round < p.rounds; ++round) {
      const Bytes part = input_of(p, round, rank);
      inputs.insert(inputs.end(), part.begin(), part.end());
    }
  }
  if (!p.on_host && has_input(p)) {
    std::vector<int64_t> shape = shapes.input;
    shape.insert(shape.begin(), p.ranks);
    out.push_back(zeros("stages", dtype, shape));
  }
  const bool indexed = p.step.variant.op == Op::kIndexed;
  if (!p.on_host && has_counts(p)) {
    out.push_back(zeros(indexed ? "recvs" : "counts", DataType::INT32, {p.ranks, p.ranks, 1}));
  }
  if (indexed) {
    std::vector<int32_t> rows;
    for (int rank = 0; rank < p.ranks; ++rank) {
      const std::vector<int32_t> own = collectives::index_of(p.step, p.ranks, rank);
      rows.insert(rows.end(), own.begin(), own.end());
    }
    out.push_back(standin::ranks::host_argument("indices", DataType::INT32, {p.ranks, shapes.target[0]}, rows));
  }
  out.push_back(zeros("outputs", dtype, whole(shapes.target)));
  if (!p.width.empty()) out.push_back(standin::ranks::host_scalar(p.width, p.step.core_num));
  return out;
}

std::string check_outputs(const Pipeline& p, const standin::ranks::HostResult& result) {
  const Bytes& found = result.tensors.at("outputs");
  size_t at = 0;
  for (int rank = 0; rank < p.ranks; ++rank) {
    for (int round = 0; round < p.rounds; ++round) {
      const Bytes due = output_of(p, round, rank);
      if (at + due.size() > found.size()) return "outputs are too short";
      const auto difference = std::mismatch(due.begin(), due.end(), found.begin() + static_cast<std::ptrdiff_t>(at));
      if (difference.first != due.end()) {
        return fmt::format("byte {} of what rank {} has in round {} is {}, not {}", difference.first - due.begin(),
                           rank, round, *difference.second, *difference.first);
      }
      at += due.size();
    }
  }
  return at == found.size() ? "" : "outputs are too long";
}

}  // namespace chip_tests
