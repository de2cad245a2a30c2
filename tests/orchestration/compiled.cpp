// SPDX-License-Identifier: Apache-2.0
#include "orchestration/compiled.h"

#include <fstream>
#include <set>
#include <sstream>

#include "ir/verifier.h"
#include "text/parser.h"

namespace pyptoc::orchestration {

using namespace ir;

Lowered::Lowered(const Case& one, const Change& change) {
  try {
    lower(one, change);
  } catch (const support::InternalError& bug) {
    error_ = bug.text() + "\n";
  }
  if (diags_.has_errors() || after_ == nullptr)
    for (const diag::Diagnostic& d : diags_.sorted())
      error_ += std::string(d.code->id) + " " + std::to_string(d.place.begin_line) + ": " + d.message + "\n";
  if (!error_.empty()) error_ = one.name + ":\n" + error_ + full_text(one.text);
}

void Lowered::lower(const Case& one, const Change& change) {
  passes::Options options;
  options.analyze_deps = one.analyze_deps;
  if (one.for_a5) options.target = passes::kTargets[1];
  passes::PassContext context{ir_, diags_, options};
  before_ = text::parse_program(ir_, full_text(one.text), "test.py", diags_);
  if (before_ != nullptr) verify(before_, diags_);
  if (!diags_.has_errors() && before_ != nullptr) {
    passes::RunPlan plan;
    plan.rows = passes::rows_between("", "", options);
    after_ = passes::run_passes(before_, context, plan);
  }
  if (after_ != nullptr && change) after_ = change(ir_, after_);
  if (after_ != nullptr)
    for (const Function* f : after_->functions)
      if (is_chip_orchestration(f)) units_.push_back(codegen::emit_chip_unit(after_, f, options.target, diags_));
}

namespace {

// All units in one file: each in a namespace, with entry points of its own.
std::string joined(const std::vector<const Lowered*>& programs) {
  std::set<std::string> includes;
  std::string body;
  size_t number = 0;
  for (const Lowered* program : programs) {
    for (const codegen::ChipUnit& unit : program->units()) {
      const std::string id = std::to_string(number++);
      for (const char* name : {"aicpu_orchestration_config", "aicpu_orchestration_entry"})
        body += "#undef " + std::string(name) + "\n#define " + name + " " + name + "_" + id + "\n";
      body += "namespace unit_" + id + " {\n";
      std::istringstream lines(unit.source);
      for (std::string line; std::getline(lines, line);) {
        if (line.rfind("#include", 0) == 0)
          includes.insert(line);
        else
          body += line + "\n";
      }
      body += "}\n";
    }
  }
  std::string head;
  for (const std::string& include : includes) head += include + "\n";
  return head + body;
}

standin::Direction direction_of(codegen::Signature s) {
  return s == codegen::Signature::In    ? standin::Direction::kIn
         : s == codegen::Signature::Out ? standin::Direction::kOut
                                        : standin::Direction::kInOut;
}

standin::Kernel kernel_of(const Lowered* program, const codegen::Kernel& kernel) {
  standin::Kernel out;
  out.name = std::string(kernel.function->name);
  out.core = kernel.is_cube ? standin::CoreType::kAic : standin::CoreType::kAiv;
  for (codegen::Signature s : kernel.signature) out.signature.push_back(direction_of(s));
  out.body = reference_kernel(out.name);
  if (!out.body) {
    out.body = [program, function = kernel.function](standin::KernelCall& call) {
      static const Library library = reference_kernel;
      Interpreter(program->after(), library).run_kernel(function, call);
    };
  }
  return out;
}

}  // namespace

Batch compile(const std::vector<const Lowered*>& programs) {
  Batch batch;
  const standin::TempFolder folder;
  const auto source = folder.path() / "units.cpp";
  const auto object = folder.path() / "units.so";
  std::ofstream(source) << joined(programs);
  const standin::CompileResult compiled = standin::compile_shared(source, object, false, {{"-O0"}});
  if (!compiled.ok) {
    batch.error = compiled.output;
    return batch;
  }
  const auto library = standin::Library::open(object, batch.error);
  if (library == nullptr) return batch;
  using ConfigFunction = PTO2OrchestrationConfig (*)(const ChipTaskArgs&);
  using EntryFunction = void (*)(const ChipTaskArgs&);
  size_t number = 0;
  for (const Lowered* program : programs) {
    batch.programs.emplace_back();
    for (const codegen::ChipUnit& unit : program->units()) {
      const std::string id = "_" + std::to_string(number++);
      const auto config =
          reinterpret_cast<ConfigFunction>(library->symbol(("aicpu_orchestration_config" + id).c_str()));
      const auto entry = reinterpret_cast<EntryFunction>(library->symbol(("aicpu_orchestration_entry" + id).c_str()));
      if (config == nullptr || entry == nullptr) {
        batch.error = "a unit without its two functions";
        return batch;
      }
      Runnable one;
      one.lowered = program;
      one.meant = program->before()->find(unit.function->name);
      for (codegen::Signature s : unit.signature) one.signature.push_back(direction_of(s));
      one.program.config = [library, config](const ChipTaskArgs& args) { return config(args); };
      one.program.entry = [library, entry](const ChipTaskArgs& args) { entry(args); };
      for (const codegen::Kernel& kernel : unit.kernels) one.program.kernels.push_back(kernel_of(program, kernel));
      batch.programs.back().push_back(std::move(one));
    }
  }
  return batch;
}

standin::Arguments arguments_of(const Function* function, const Sample& sample) {
  standin::Arguments out;
  size_t scalar = 0;
  for (size_t i = 0; i < function->params.size(); ++i) {
    const Var* param = function->params[i];
    const TensorType* type = as_tensor(param->type);
    if (type == nullptr) {
      const double value = sample.scalars.at(scalar++);
      out.scalars.push_back(is_scalar_of(param->type, DType::Fp32)
                                ? to_u64(static_cast<float>(value))
                                : static_cast<uint64_t>(static_cast<int64_t>(value)));
      continue;
    }
    std::vector<uint32_t> shape;
    uint64_t count = 1;
    for (const Expr* extent : type->shape) {
      const Var* symbol = as<Var>(extent);
      const int64_t value = symbol == nullptr ? *const_int(extent) : symbol->name_hint == "M" ? sample.m : sample.n;
      shape.push_back(static_cast<uint32_t>(value));
      count *= static_cast<uint64_t>(value);
    }
    const ParamDirection direction = function->param_directions[i];
    const auto passed = direction == ParamDirection::In    ? standin::Direction::kIn
                        : direction == ParamDirection::Out ? standin::Direction::kOut
                                                           : standin::Direction::kInOut;
    std::vector<unsigned char> bytes(count * size_of(type->dtype));
    for (uint64_t e = 0; e < count; ++e) {
      const int32_t number =
          static_cast<int32_t>(type->dtype == DType::Int32 ? (e + i) % 4 + 1 : (e * 7 + i * 100) % 997);
      const float real = static_cast<float>(number);
      std::memcpy(&bytes[e * 4], type->dtype == DType::Int32 ? static_cast<const void*>(&number) : &real, 4);
    }
    out.tensors.push_back({std::string(param->name_hint), passed, runtime_type(type->dtype), shape, bytes});
  }
  return out;
}

std::vector<std::vector<unsigned char>> meaning(const Program* program, const Function* function,
                                                const Sample& sample) {
  const standin::Arguments arguments = arguments_of(function, sample);
  Values values;
  size_t tensor = 0;
  size_t scalar = 0;
  std::vector<Tensor> tensors;
  for (const Var* param : function->params) {
    if (const TensorType* type = as_tensor(param->type)) {
      const standin::HostTensor& given = arguments.tensors[tensor++];
      tensors.push_back(Tensor::make(type->dtype, {given.shape.begin(), given.shape.end()}));
      *tensors.back().storage = given.bytes;
      values.push_back({tensors.back()});
    } else if (is_scalar_of(param->type, DType::Fp32)) {
      values.push_back({static_cast<double>(from_u64<float>(arguments.scalars[scalar++]))});
    } else {
      values.push_back({static_cast<int64_t>(arguments.scalars[scalar++])});
    }
  }
  const Library library = reference_kernel;
  Interpreter(program, library).call(function, values);
  std::vector<std::vector<unsigned char>> out;
  for (const Tensor& one : tensors) out.push_back(*one.storage);
  return out;
}

std::string wrong(const Runnable& one, const Sample& sample, int seeds, bool strict) {
  const auto meant = meaning(one.lowered->before(), one.meant, sample);
  standin::Arguments arguments = arguments_of(one.meant, sample);
  for (size_t i = 0; i < one.signature.size(); ++i) arguments.tensors.at(i).direction = one.signature[i];
  const standin::Check check = [&](const standin::RunResult& result) -> std::string {
    for (size_t i = 0; i < meant.size(); ++i)
      if (result.tensors[i].bytes != meant[i]) return "`" + result.tensors[i].name + "` is not what the program means";
    return "";
  };
  standin::Config config;
  config.stay_within_arguments = strict;
  return standin::run_seeds(one.program, arguments, config, seeds, check);
}

}  // namespace pyptoc::orchestration
