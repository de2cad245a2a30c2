// SPDX-License-Identifier: Apache-2.0
// Files to and from python3: a text of one item per line, and one binary file with all contents in order.
#include "ranks/host_python.h"

#include <cstring>
#include <fstream>
#include <sstream>

#include "ranks/host.h"
#include "ranks/kernels.h"
#include "standin/compile.h"

namespace fs = std::filesystem;

namespace standin::ranks {
namespace {

std::string run_python(const std::vector<std::string>& words, const fs::path& log) {
  std::vector<std::string> all = {"python3", "-B", (fs::path(STANDIN_RANKS_PYTHON_DIR) / "record.py").string()};
  all.insert(all.end(), words.begin(), words.end());
  if (run_command(all, log) == 0) return "";
  const std::string text = read_text(log);
  const size_t last = text.rfind('\n', text.size() < 2 ? 0 : text.size() - 2);
  std::string line = last == std::string::npos ? text : text.substr(last + 1);
  while (!line.empty() && line.back() == '\n') line.pop_back();
  return line.empty() ? "python3 failed" : line;
}

void write_argument(std::ostream& text, std::ostream& contents, const std::string& name, DataType dtype,
                    const std::vector<int64_t>& shape, bool scalar, const std::vector<unsigned char>& bytes) {
  text << (scalar ? "scalar " : "tensor ") << name << ' ' << static_cast<int>(dtype) << ' ' << bytes.size();
  for (int64_t extent : shape) text << ' ' << extent;
  text << '\n';
  contents.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void take_bytes(std::istream& contents, std::vector<unsigned char>& bytes) {
  contents.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

// One line of the record: its first word says what follows.
void take_line(std::istringstream& line, std::istream& contents, HostRecord& record) {
  std::string what;
  line >> what;
  if (what == "storage") {
    HostStorage storage;
    size_t bytes = 0;
    line >> bytes >> storage.name;
    storage.bytes.resize(bytes);
    take_bytes(contents, storage.bytes);
    record.storages.push_back(std::move(storage));
  } else if (what == "argument") {
    std::string name;
    int storage = 0;
    line >> name >> storage;
    record.arguments[name] = storage;
  } else if (what == "domain") {
    HostDomain domain;
    line >> domain.name >> domain.window_bytes;
    for (int worker; line >> worker;) domain.workers.push_back(worker);
    record.domains.push_back(std::move(domain));
  } else if (what == "buffer") {
    BufferSpec buffer;
    line >> buffer.name >> buffer.bytes >> buffer.slot_bytes;
    record.domains.back().buffers.push_back(std::move(buffer));
  } else if (what == "dispatch" || what == "sub") {
    HostDispatch dispatch;
    dispatch.sub = what == "sub";
    line >> dispatch.callable >> dispatch.worker;
    record.dispatches.push_back(std::move(dispatch));
  } else if (what == "window" || what == "host") {
    HostTensorArg tensor;
    tensor.window = what == "window";
    int dtype = 0;
    int tag = 0;
    if (tensor.window) line >> tensor.domain >> tensor.buffer >> tensor.owner;
    if (!tensor.window) line >> tensor.storage >> tensor.offset;
    line >> dtype >> tag;
    tensor.dtype = static_cast<DataType>(dtype);
    tensor.tag = static_cast<TensorArgType>(tag);
    size_t axes = 0;
    line >> axes;
    tensor.shape.resize(axes);
    for (uint32_t& extent : tensor.shape) line >> extent;
    for (uint32_t stride; line >> stride;) tensor.strides.push_back(stride);
    record.dispatches.back().tensors.push_back(std::move(tensor));
  } else if (what == "value") {
    HostScalarArg scalar;
    line >> scalar.value;
    record.dispatches.back().scalars.push_back(scalar);
  } else if (what == "context") {
    HostScalarArg scalar;
    scalar.context = true;
    line >> scalar.domain >> scalar.owner;
    record.dispatches.back().scalars.push_back(scalar);
  }
}

}  // namespace

HostRecord record_host(const fs::path& folder, int world_size, const std::vector<HostArgument>& arguments) {
  const TempFolder work;
  HostRecord record;
  record.folder = folder;
  record.world_size = world_size;
  {
    std::ofstream text(work.path() / "arguments.txt");
    std::ofstream contents(work.path() / "arguments.bin", std::ios::binary);
    for (const HostArgument& a : arguments) write_argument(text, contents, a.name, a.dtype, a.shape, a.scalar, a.bytes);
  }
  record.error =
      run_python({"record", folder.string(), std::to_string(world_size), work.path().string()}, work.path() / "log");
  if (!record.error.empty()) return record;
  std::ifstream text(work.path() / "record.txt");
  std::ifstream contents(work.path() / "record.bin", std::ios::binary);
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    take_line(words, contents, record);
  }
  return record;
}

std::string run_sub_worker(SubCall& call) {
  const TempFolder work;
  {
    std::ofstream text(work.path() / "arguments.txt");
    std::ofstream contents(work.path() / "arguments.bin", std::ios::binary);
    for (size_t i = 0; i < call.tensors.size(); ++i) {
      const SubTensor& t = call.tensors[i];
      write_argument(text, contents, std::to_string(i), t.dtype, {t.shape.begin(), t.shape.end()}, false, t.bytes);
    }
    for (size_t i = 0; i < call.scalars.size(); ++i) {
      std::vector<unsigned char> bytes(sizeof(uint64_t));
      std::memcpy(bytes.data(), &call.scalars[i], bytes.size());
      write_argument(text, contents, std::to_string(call.tensors.size() + i), DataType::UINT64, {}, true, bytes);
    }
  }
  std::string error = run_python({"sub", call.folder.string(), call.name, work.path().string()}, work.path() / "log");
  if (!error.empty()) return error;
  std::ifstream contents(work.path() / "record.bin", std::ios::binary);
  for (SubTensor& tensor : call.tensors) take_bytes(contents, tensor.bytes);
  return "";
}

}  // namespace standin::ranks
