#pragma once
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "../files/atomic-file.h"
#include "../files/tensor-source.h"
#include "objects.h"

namespace palestra {

/** Reads tensors into a model's arena, some rows per part. */
class WeightReader {
 public:
  WeightReader(ModelObject& object, std::vector<TensorSource> sources)
      : object_(object), sources_(std::move(sources)) {}

  /**
   * Checks everything that can be checked without the values, before any weight changes. @returns the number of parts
   */
  size_t begin();
  void part(size_t index);

 private:
  struct Part {
    const TensorSource* source;
    int first_row;
  };

  const ParameterTable& table() const { return object_.model->parameters(); }
  /** The parameter into which a tensor is read. */
  const Parameter& place_of(const TensorSource& source) const;
  const MappedFile& open(const std::string& path);
  void expect_all(const std::vector<bool>& has);
  void upload(const Parameter& parameter, const TensorSource& source, const std::vector<float>& values, int first,
              int end);

  ModelObject& object_;
  std::vector<TensorSource> sources_;
  std::vector<Part> parts_;
  std::unordered_map<std::string, std::unique_ptr<MappedFile>> files_;
};

/** Writes a header and parameters, some rows per part. */
class WeightWriter {
 public:
  /** @param adapters adapters of a trainer to merge into the weights, or null */
  WeightWriter(ModelObject& object, std::shared_ptr<TrainerObject> adapters, std::string header, Dtype dtype)
      : object_(object), adapters_(std::move(adapters)), header_(std::move(header)), dtype_(dtype) {}

  void add(const Parameter& parameter);
  /** @returns the number of parts */
  size_t begin(const std::string& path);
  void part(size_t index);

 private:
  struct Part {
    const Parameter* parameter;
    int first_row;
  };

  /** Merges the adapters, if the parameter has any, into a copy of the parameter. */
  void merge(const Parameter& parameter);
  void write(const std::vector<float>& values);

  ModelObject& object_;
  std::shared_ptr<TrainerObject> adapters_;
  std::string header_;
  Dtype dtype_;
  std::vector<Part> parts_;
  Buffer<float> merged_;
  std::unique_ptr<AtomicFile> file_;
};

}  // namespace palestra
