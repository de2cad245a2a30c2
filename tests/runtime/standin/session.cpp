// SPDX-License-Identifier: Apache-2.0
// A whole run: arguments in, orchestration, the remaining tasks, results out.
#include "standin/session.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace standin {
namespace {

constexpr int kCaller = 0;

// The API is free functions without a handle, as the real one is; this is what they act on.
Session*& current_session() {
  static thread_local Session* session = nullptr;
  return session;
}

Session& session() {
  if (current_session() == nullptr) throw Aborted{"the orchestration API is used outside a run"};
  return *current_session();
}

class Active {
 public:
  explicit Active(Session* session) { current_session() = session; }
  ~Active() { current_session() = nullptr; }
  Active(const Active&) = delete;
  Active& operator=(const Active&) = delete;
};

}  // namespace

Session::Session(const Program& program, const Config& config, Executor* executor)
    : program_(program),
      config_(config),
      executor_(executor),
      random_(config.seed),
      memory_(executor == nullptr ? config.memory_bytes : 0),
      shadow_(graph_) {
  Node caller;
  caller.kind = NodeKind::kCaller;
  caller.name = "the caller";
  caller.done = true;
  add_node(std::move(caller));
}

void Session::report_fatal(int32_t code, const std::string& text) {
  if (!is_fatal()) result_.fatal_code = code;
  result_.problems.push_back({ProblemKind::kFatal, "error " + std::to_string(code) + ": " + text});
}

// The same two parties are not accused twice over one buffer.
void Session::complain(ProblemKind kind, int a, int b, uint64_t at, const std::string& text) {
  if (kind == ProblemKind::kUnorderedAccess && a > b) std::swap(a, b);
  if (said_.insert({kind, a, b, at}).second) result_.problems.push_back({kind, text});
}

std::string Session::describe(int number) const {
  const Node& node = nodes_[static_cast<size_t>(number)];
  if (node.task < 0) return node.name;
  return "`" + node.name + "` (task " + std::to_string(node.task) + ")";
}

std::string Session::place(uint64_t begin, uint64_t end) const {
  const Buffer* buffer = memory_.find(begin);
  if (buffer == nullptr) return std::to_string(end - begin) + " bytes outside every buffer";
  return "bytes [" + std::to_string(begin - buffer->begin) + ", " + std::to_string(end - buffer->begin) + ") of `" +
         buffer->name + "`";
}

void Session::pass_in(const HostTensor& tensor, ChipTensor& out) {
  const auto index = memory_.allocate(tensor.bytes.size(), tensor.name, -1);
  if (!index) throw Aborted{"the tensors of the caller do not fit the device memory of the stand-in"};
  Buffer& buffer = memory_.buffer(*index);
  const bool copied = tensor.direction != Direction::kOut;
  buffer.input = tensor.direction == Direction::kIn;
  if (copied && !tensor.bytes.empty()) {
    std::memcpy(reinterpret_cast<void*>(buffer.begin), tensor.bytes.data(), tensor.bytes.size());
  }
  shadow_.add_buffer(buffer.begin, buffer.size, copied ? kCaller : Shadow::kNobody);
  out = ChipTensor{};
  out.buffer = {buffer.begin, buffer.size};
  out.owner_task_id = PTO2TaskId::invalid();
  out.ndims = static_cast<uint32_t>(tensor.shape.size());
  out.dtype = tensor.dtype;
  uint32_t packed = 1;
  out.is_contiguous = true;
  for (uint32_t d = out.ndims; d-- > 0;) {
    out.shapes[d] = tensor.shape[d];
    out.strides[d] = tensor.strides.empty() ? packed : tensor.strides[d];
    out.is_contiguous = out.is_contiguous && out.strides[d] == packed;
    packed *= out.shapes[d];
  }
  out.extent_elem_cache = reached_elements(out);
  if (out.extent_elem_cache * get_element_size(out.dtype) > buffer.size) {
    throw Aborted{"`" + tensor.name + "` has fewer bytes than its shape needs"};
  }
}

void Session::pass_back(const Arguments& arguments) {
  result_.tensors = arguments.tensors;
  for (size_t i = 0; i < arguments.tensors.size(); ++i) {
    HostTensor& tensor = result_.tensors[i];
    if (tensor.direction == Direction::kIn) continue;
    const Buffer& buffer = memory_.buffers()[i];
    if (!tensor.bytes.empty()) {
      std::memcpy(tensor.bytes.data(), reinterpret_cast<const void*>(buffer.begin), tensor.bytes.size());
    }
    shadow_.unwritten(buffer.begin, buffer.begin + buffer.size, [&](uint64_t b, uint64_t e) {
      complain(ProblemKind::kUnwrittenOutput, kCaller, 0, buffer.begin,
               place(b, e) + " come back to the caller and nothing wrote them");
    });
  }
}

void Session::record_order() {
  for (size_t later = 0; later < tasks_.size(); ++later)
    for (size_t earlier = 0; earlier < later; ++earlier)
      if (graph_.before(tasks_[earlier], tasks_[later]))
        result_.tasks[later].comes_after.push_back(static_cast<int>(earlier));
}

RunResult Session::run(const Arguments& arguments) {
  const Active active(this);
  std::vector<ChipTensor> tensors(arguments.tensors.size());
  ChipTaskArgs args;
  try {
    for (size_t i = 0; i < tensors.size(); ++i) pass_in(arguments.tensors[i], tensors[i]);
    for (const ChipTensor& t : tensors) args.add_input(t);
    for (uint64_t scalar : arguments.scalars) args.add_scalar(scalar);
    const size_t given = tensors.size() + arguments.scalars.size();
    const int expected = program_.config ? program_.config(args).expected_arg_count : 0;
    if (args.has_error || expected < 0 || static_cast<size_t>(expected) > given) {
      complain(ProblemKind::kArguments, 0, 0, 0,
               "the program expects " + std::to_string(expected) + " arguments and got " + std::to_string(given));
      return result_;
    }
    begin_scope(PTO2ScopeMode::AUTO);
    program_.entry(args);
    if (is_fatal()) return result_;
    drive([] { return false; });
    if (config_.record_order) record_order();
    check_lifetimes();
    pass_back(arguments);
  } catch (const Aborted& aborted) {
    result_.problems.push_back({ProblemKind::kAbort, aborted.why});
  }
  return result_;
}

void Session::run_entry(const ChipTaskArgs& args, size_t given) {
  current_session() = this;
  const int expected = program_.config ? program_.config(args).expected_arg_count : 0;
  if (args.has_error || expected < 0 || static_cast<size_t>(expected) > given) {
    complain(ProblemKind::kArguments, 0, 0, 0,
             "the program expects " + std::to_string(expected) + " arguments and got " + std::to_string(given));
    return;
  }
  begin_scope(PTO2ScopeMode::AUTO);
  program_.entry(args);
  current_session() = nullptr;
}

void Session::resumed() {
  current_session() = this;
}

bool RunResult::has(ProblemKind kind) const {
  return std::any_of(problems.begin(), problems.end(), [&](const Problem& p) { return p.kind == kind; });
}

std::string RunResult::text() const {
  std::string all;
  for (const Problem& p : problems) all += p.text + "\n";
  return all;
}

RunResult run(const Program& program, const Arguments& arguments, const Config& config) {
  Session session(program, config);
  return session.run(arguments);
}

std::string run_seeds(const Program& program, const Arguments& arguments, Config config, int count,
                      const Check& check) {
  for (int i = 0; i < count; ++i, ++config.seed) {
    const RunResult result = run(program, arguments, config);
    const std::string wrong = result.ok() ? check(result) : result.text();
    if (!wrong.empty()) return "seed " + std::to_string(config.seed) + ": " + wrong;
  }
  return "";
}

}  // namespace standin

void standin_abort(const char* why) {
  throw standin::Aborted{why};
}

TaskOutputTensors standin_submit(const MixedKernels& kernels, const CoreTaskArgs& args) {
  return standin::session().submit(kernels, args);
}
TaskOutputTensors standin_submit_dummy(const CoreTaskArgs& args) {
  return standin::session().submit_dummy(args);
}
TaskOutputTensors standin_alloc(const TensorCreateInfo* const infos[], uint32_t count) {
  return standin::session().alloc(infos, count);
}
void standin_scope_begin(PTO2ScopeMode mode) {
  standin::session().begin_scope(mode);
}
void standin_scope_end() {
  standin::session().end_scope();
}
bool standin_is_fatal() {
  return standin::session().is_fatal();
}
uint64_t standin_get_tensor_data(const ChipTensor& tensor, uint32_t ndims, const uint32_t indices[]) {
  return standin::session().get_data(tensor, ndims, indices);
}
void standin_set_tensor_data(const ChipTensor& tensor, uint32_t ndims, const uint32_t indices[], uint64_t bits) {
  standin::session().set_data(tensor, ndims, indices, bits);
}
int32_t standin_aiv_count() {
  return standin::session().config().aiv_cores;
}
int32_t standin_cluster_count() {
  return standin::session().config().clusters;
}

void standin_report_fatal(int32_t code, const char* format, ...) {
  char text[1024];
  va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof(text), format, values);
  va_end(values);
  standin::session().report_fatal(code, text);
}
