// SPDX-License-Identifier: Apache-2.0
// Printing of types.
#include "text/print_impl.h"

namespace pyptoc::text {

void Printer::dtype(ir::DType dtype) {
  out_ += "pl.";
  out_ += ir::name_of(dtype);
}

void Printer::shape(ir::List<const ir::Expr*> extents) {
  out_ += '[';
  Items items(out_);
  for (const ir::Expr* extent : extents) {
    items.next();
    expr(extent);
  }
  out_ += ']';
}

void Printer::shape_field(Items& items, std::string_view key, ir::List<const ir::Expr*> extents) {
  if (extents.empty()) return;
  items.next() += key;
  shape(extents);
}

void Printer::tensor_view(const ir::TensorView& view) {
  bool only_layout = view.stride.empty() && view.valid_shape.empty() && view.pad == ir::PadValue::Null;
  if (only_layout) {
    out_ += "pl.";
    out_ += ir::name_of(view.layout);
    return;
  }
  out_ += "pl.TensorView(";
  Items items(out_);
  shape_field(items, "stride=", view.stride);
  if (view.layout != ir::TensorLayout::Nd) {
    items.next() += "layout=pl.TensorLayout.";
    out_ += ir::name_of(view.layout);
  }
  shape_field(items, "valid_shape=", view.valid_shape);
  if (view.pad != ir::PadValue::Null) {
    items.next() += "pad=pl.PadValue.";
    out_ += ir::name_of(view.pad);
  }
  out_ += ')';
}

void Printer::tile_view(const ir::TileView& view) {
  out_ += "pl.TileView(";
  Items items(out_);
  shape_field(items, "valid_shape=", view.valid_shape);
  shape_field(items, "stride=", view.stride);
  if (view.start_offset != nullptr) {
    items.next() += "start_offset=";
    expr(view.start_offset);
  }
  if (view.blayout != ir::TileLayout::RowMajor) {
    items.next() += "blayout=pl.TileLayout.";
    out_ += ir::name_of(view.blayout);
  }
  if (view.slayout != ir::TileLayout::NoneBox) {
    items.next() += "slayout=pl.TileLayout.";
    out_ += ir::name_of(view.slayout);
  }
  if (view.fractal != 512) {
    items.next() += "fractal=";
    number(view.fractal);
  }
  if (view.pad != ir::PadValue::Null) {
    items.next() += "pad=pl.PadValue.";
    out_ += ir::name_of(view.pad);
  }
  if (view.compact != ir::Compact::Null) {
    items.next() += "compact=pl.CompactMode.";
    out_ += ir::name_of(view.compact);
  }
  out_ += ')';
}

void Printer::memref(const ir::MemRefInfo& info) {
  out_ += "pl.MemRef(";
  if (info.base_node != nullptr)
    var(info.base_node);
  else
    out_ += "None";
  out_ += ", ";
  // A byte offset is INT64 unless it says otherwise.
  if (const auto* offset = ir::as<ir::ConstInt>(info.byte_offset))
    const_int(*offset, ir::DType::Int64, Prec::Lowest);
  else if (info.byte_offset != nullptr)
    expr(info.byte_offset);
  else
    out_ += "None";
  out_ += ", ";
  number(info.size);
  if (info.is_pinned) out_ += ", pinned=True";
  if (info.slot_count != 1) {
    out_ += ", slots=";
    number(info.slot_count);
  }
  if (info.slot_index != nullptr) {
    out_ += ", slot=";
    expr(info.slot_index);
  }
  out_ += ')';
}

void Printer::tensor_type(const ir::TensorType& type) {
  out_ += type.kind == ir::TypeKind::DistributedTensorType ? "pld.DistributedTensor[" : "pl.Tensor[";
  shape(type.shape);
  out_ += ", ";
  dtype(type.dtype);
  if (type.view != nullptr) {
    out_ += ", ";
    tensor_view(*type.view);
  }
  if (type.memref != nullptr) {
    out_ += ", ";
    memref(*type.memref);
  }
  if (type.window_buffer != nullptr) {
    out_ += ", pld.window_buffer(";
    var(type.window_buffer);
    out_ += ')';
  }
  out_ += ']';
}

void Printer::tile_type(const ir::TileType& type) {
  out_ += "pl.Tile[";
  shape(type.shape);
  out_ += ", ";
  dtype(type.dtype);
  if (type.memref != nullptr) {
    out_ += ", ";
    memref(*type.memref);
  }
  if (type.has_memory_space) {
    out_ += ", pl.Mem.";
    out_ += ir::name_of(type.memory_space);
  }
  if (type.view != nullptr) {
    out_ += ", ";
    tile_view(*type.view);
  }
  out_ += ']';
}

void Printer::type(const ir::Type* type_node) {
  Deeper deeper(*this);
  if (deeper.too_deep()) {
    out_ += "...";
    return;
  }
  switch (type_node->kind) {
    case ir::TypeKind::ScalarType:
      out_ += "pl.Scalar[";
      dtype(ir::as_scalar(type_node)->dtype);
      out_ += ']';
      return;
    case ir::TypeKind::TensorType:
    case ir::TypeKind::DistributedTensorType:
      return tensor_type(*ir::as_tensor(type_node));
    case ir::TypeKind::TileType:
      return tile_type(*ir::as_tile(type_node));
    case ir::TypeKind::ArrayType: {
      const ir::ArrayType& array = *ir::as_array(type_node);
      out_ += "pl.Array[";
      if (array.shape.size() == 1)
        expr(array.shape.front());
      else
        shape(array.shape);
      out_ += ", ";
      dtype(array.dtype);
      out_ += ']';
      return;
    }
    case ir::TypeKind::TupleType: {
      const ir::TupleType& tuple = *ir::as_tuple(type_node);
      out_ += "pl.Tuple[";
      Items items(out_);
      for (const ir::Type* member : tuple.types) {
        items.next();
        type(member);
      }
      out_ += items.empty() ? "()]" : "]";
      return;
    }
    default:
      out_ += plain_type_name(type_node->kind);
      return;
  }
}

}  // namespace pyptoc::text
