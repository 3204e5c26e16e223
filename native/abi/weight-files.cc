#include "weight-files.h"

#include <algorithm>

#include "../model/weights/lora.h"

namespace palestra {

namespace {

/** Number of values that one part of a job reads or writes, which takes a few milliseconds. */
constexpr size_t part_values = 1 << 20;

std::string shape_of(int rows, int columns) {
  return "(" + std::to_string(rows) + ", " + std::to_string(columns) + ")";
}

int rows_a_part(int columns) { return static_cast<int>(std::max<size_t>(1, part_values / columns)); }

bool is_value_head(const std::string& name) { return name.rfind("value_head.", 0) == 0; }

}  // namespace

const Parameter& WeightReader::place_of(const TensorSource& source) const {
  const Parameter* parameter = table().find(source.name);
  if (!parameter) throw Failure(Code::format, "expected tensors of the model, but received " + source.name);
  if (source.rows == parameter->rows && source.columns == parameter->columns) return *parameter;
  throw Failure(Code::format, "expected tensor " + source.name + " of shape " +
                                  shape_of(parameter->rows, parameter->columns) + ", but received " +
                                  shape_of(source.rows, source.columns));
}

size_t WeightReader::begin() {
  std::vector<bool> has(table().all().size());
  for (const auto& source : sources_) {
    const Parameter& parameter = place_of(source);
    source.check(open(source.path).size());
    const size_t index = static_cast<size_t>(&parameter - table().all().data());
    if (has[index]) throw Failure(Code::format, "expected tensor " + source.name + " once, but received it twice");
    has[index] = true;
    for (int row = 0; row < source.rows; row += rows_a_part(source.columns)) parts_.push_back({&source, row});
  }
  expect_all(has);
  return parts_.size() + 1;
}

void WeightReader::part(size_t index) {
  if (index == parts_.size()) return object_.model->refresh();
  const auto [source, first] = parts_[index];
  const Parameter& parameter = *table().find(source->name);
  const int end = std::min(source->rows, first + rows_a_part(source->columns));
  std::vector<float> values(static_cast<size_t>(end - first) * source->columns);
  for (int row = first; row < end; ++row) {
    read_row(values.data() + static_cast<size_t>(row - first) * source->columns, *source, open(source->path), row);
  }
  upload(parameter, *source, values, first, end);
}

const MappedFile& WeightReader::open(const std::string& path) {
  auto& file = files_[path];
  if (!file) file = std::make_unique<MappedFile>(path);
  return *file;
}

void WeightReader::expect_all(const std::vector<bool>& has) {
  for (size_t i = 0; i < has.size(); ++i) {
    const Parameter& parameter = table().all()[i];
    if (has[i] || is_value_head(parameter.name)) continue;
    throw Failure(Code::format, "expected tensor " + parameter.name + " of shape " +
                                    shape_of(parameter.rows, parameter.columns) + ", but received none");
  }
  for (size_t i = 0; i < has.size(); ++i) {
    const Parameter& parameter = table().all()[i];
    if (has[i]) continue;
    object_.model->stream().zero(object_.model->data() + parameter.offset, parameter.size() * sizeof(float));
  }
}

void WeightReader::upload(const Parameter& parameter, const TensorSource& source, const std::vector<float>& values,
                          int first, int end) {
  float* arena = object_.model->data() + parameter.offset;
  const size_t columns = static_cast<size_t>(source.columns);
  Stream& stream = object_.model->stream();
  if (source.interleaved_heads == 0) {
    return stream.upload(arena + first * columns, values.data(), values.size() * sizeof(float));
  }
  for (int row = first; row < end; ++row) {
    stream.upload(arena + source.model_row(row) * columns, values.data() + (row - first) * columns,
               columns * sizeof(float));
  }
}

void WeightWriter::add(const Parameter& parameter) {
  for (int row = 0; row < parameter.rows; row += rows_a_part(parameter.columns)) parts_.push_back({&parameter, row});
}

size_t WeightWriter::begin(const std::string& path) {
  file_ = std::make_unique<AtomicFile>(path);
  file_->write(header_.data(), header_.size());
  return parts_.size() + 1;
}

void WeightWriter::part(size_t index) {
  if (index == parts_.size()) return file_->commit();
  const auto [parameter, first] = parts_[index];
  const int rows = std::min(parameter->rows - first, rows_a_part(parameter->columns));
  const size_t start = static_cast<size_t>(first) * parameter->columns;
  if (first == 0) merge(*parameter);
  const float* weights = merged_ ? merged_.data() : object_.model->data() + parameter->offset;
  std::vector<float> values(static_cast<size_t>(rows) * parameter->columns);
  object_.model->stream().download(values.data(), weights + start, values.size() * sizeof(float));
  write(values);
}

void WeightWriter::merge(const Parameter& parameter) {
  merged_ = {};
  if (!adapters_ || !adapters_->trainer->has_adapters() || parameter.name.find("_proj.weight") == std::string::npos) return;
  Stream& stream = object_.model->stream();
  merged_ = Buffer<float>(stream.memory(), parameter.size(), "a projection with its adapters");
  stream.copy(merged_.data(), object_.model->data() + parameter.offset, parameter.size() * sizeof(float));
  adapters_->trainer->merge(parameter.name, merged_.data());
}

void WeightWriter::write(const std::vector<float>& values) {
  if (dtype_ == Dtype::f32) return file_->write(values.data(), values.size() * sizeof(float));
  std::vector<bf16> rounded(values.size());
  for (size_t i = 0; i < values.size(); ++i) rounded[i] = to_bf16(values[i]);
  file_->write(rounded.data(), rounded.size() * sizeof(bf16));
}

}  // namespace palestra
