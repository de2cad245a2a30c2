// SPDX-License-Identifier: Apache-2.0
#include "codegen/meta_json.h"

#include "ir/dtype_names.h"

namespace pyptoc::codegen {

using namespace ir;
using support::JsonWriter;

void write_params(JsonWriter& out, const Function* function) {
  out.key("params").begin_array();
  for (size_t i = 0; i < function->params.size(); ++i) {
    const Var* param = function->params[i];
    if (param->type->kind == TypeKind::CommCtxType) continue;  // passed by the host program, not by the caller
    out.begin_object(JsonWriter::Layout::kInline);
    out.member("name", param->name_hint);
    out.member("direction", name_of(function->param_directions[i]));
    out.key("shape");
    const TensorType* tensor = as_tensor(param->type);
    if (tensor != nullptr) {
      out.begin_array(JsonWriter::Layout::kInline);
      for (const Expr* extent : tensor->shape) out.value(const_int(extent).value_or(-1));
      out.end();
    } else {
      out.null();
    }
    const ScalarType* scalar = as_scalar(param->type);
    out.member("dtype", lower_name_of(tensor != nullptr   ? tensor->dtype
                                      : scalar != nullptr ? scalar->dtype
                                                          : DType::Index));
    out.end();
  }
  out.end();
}

namespace {

void write_signature(JsonWriter& out, int schema, const Function* function, const passes::Target& target) {
  out.member("schema", schema);
  write_params(out, function);
  out.member("num_return_types", static_cast<uint64_t>(function->return_types.size()));
  out.member("platform", target.name);
  out.member("backend_type", target.backend_type);
}

}  // namespace

std::string render_compiled_meta(const Function* function, const passes::Target& target) {
  JsonWriter out;
  out.begin_object();
  write_signature(out, 1, function, target);
  out.end();
  return out.take();
}

std::string render_distributed_meta(const Function* function, const passes::Target& target, int64_t devices,
                                    int64_t sub_workers) {
  JsonWriter out;
  out.begin_object();
  write_signature(out, 2, function, target);
  out.key("distributed_config").begin_object();
  out.key("device_ids").begin_array(JsonWriter::Layout::kInline);
  for (int64_t id = 0; id < devices; ++id) out.value(id);
  out.end();
  out.member("num_sub_workers", sub_workers);
  out.member("runtime", "tensormap_and_ringbuffer");
  out.member("aicpu_thread_num", 0);
  out.end();
  out.end();
  return out.take();
}

}  // namespace pyptoc::codegen
