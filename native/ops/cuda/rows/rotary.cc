#include "rotary.h"

#include "../kernels/rows/rotary.h"
#include "../launch/by-type.h"

namespace palestra::cuda {

void rotary_turns(Launcher& launcher, float* turns, const int32_t* positions, const float* frequencies, int head_size,
                  int rows) {
  if (rows == 0) return;
  launcher.launch("rotary_turns_f32", {item_blocks(int64_t{rows} * (head_size / 2))}, rows_threads, 0,
                  RotaryTurns{turns, positions, frequencies, head_size, rows});
}

template <class T>
void rotate(Launcher& launcher, Rows<T> x, const float* turns, int heads, int head_size, int rows, int direction) {
  if (rows == 0) return;
  const int half = head_size / 2;
  const int64_t items = int64_t{rows} * heads * chunks_of<T>(half);
  launcher.launch(by_type<T>("rotate_bf16", "rotate_f32"), {item_blocks(items)}, rows_threads, 0,
                  Rotate<T>{strided(x), turns, heads, head_size, rows, static_cast<float>(direction),
                            is_wide(x, half) && are_aligned(turns)});
}

template void rotate(Launcher&, Rows<bf16>, const float*, int, int, int, int);
template void rotate(Launcher&, Rows<float>, const float*, int, int, int, int);

}  // namespace palestra::cuda
