#include "group-sums.h"

#include <algorithm>
#include <string>

#include "../../../core/failure.h"
#include "../kernels/rows/group-sums.h"
#include "../kernels/rows/rows.h"
#include "../launch/by-type.h"

namespace palestra::cuda {
namespace {

/** Number of floats of the partials: 4 MiB, or 16,384 rows of width 1024 at a time. */
constexpr size_t partials_size = size_t{1} << 20;

}  // namespace

GroupSums::GroupSums(Memory& memory) : partials_(memory, partials_size, "sums over rows") {}

void GroupSums::add(Launcher& launcher, float* to, int width, int rows,
                    const std::function<void(float*, int, int)>& write) {
  const int most_groups = static_cast<int>(partials_.size() / width);
  if (most_groups == 0) {
    throw Failure(Code::internal, "expected rows of at most " + std::to_string(partials_.size()) +
                                      " columns to sum but received " + std::to_string(width));
  }
  const int most_rows = std::min(most_groups, groups_of(rows)) * group_rows;
  for (int first = 0; first < rows; first += most_rows) {
    const int count = std::min(most_rows, rows - first);
    write(partials_.data(), first, count);
    const Grid grid{static_cast<unsigned>((width + add_groups_columns - 1) / add_groups_columns)};
    launcher.launch("add_groups_f32", grid, group_sums_threads, add_groups_shared_bytes,
                    AddGroups{to, partials_.data(), width, groups_of(count)});
  }
}

template <class T>
void bias_gradient(Launcher& launcher, GroupSums& sums, float* db, Rows<const T> dy, int width, int rows) {
  sums.add(launcher, db, width, rows, [&](float* partials, int first, int count) {
    const SumGroups<T> arguments{partials, {dy[first], dy.stride}, width, count, is_wide(dy, width)};
    const int64_t items = int64_t{groups_of(count)} * chunks_of<T>(width);
    launcher.launch(by_type<T>("sum_groups_bf16", "sum_groups_f32"), {item_blocks(items)}, group_sums_threads, 0,
                    arguments);
  });
}

template void bias_gradient(Launcher&, GroupSums&, float*, Rows<const bf16>, int, int);
template void bias_gradient(Launcher&, GroupSums&, float*, Rows<const float>, int, int);

}  // namespace palestra::cuda
