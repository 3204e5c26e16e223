#pragma once
/** wgmma.h on a device: sm_90a. */
#include "simt.h"

namespace palestra::simt {

// Barriers in shared memory, given by shared address ("Parallel Synchronization and Communication Instructions:
// mbarrier"). A phase ends when all arrivals and all announced bytes have come.

DEVICE void initialise_barrier(uint32_t barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
/**
 * Makes initialised barriers visible to the asynchronous proxy, through which TMA completes them ("membar / fence").
 */
DEVICE void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;\n\tfence.proxy.async.shared::cta;" ::: "memory");
}
/**
 * Makes this thread's completed writes to shared memory, those of cp.async included, visible to the asynchronous proxy,
 * through which wgmma reads ("membar / fence"). The thread that wrote calls this before it arrives at a barrier.
 */
DEVICE void publish_writes() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
DEVICE void arrive(uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
/** Arrives, and announces that many bytes for this phase. */
DEVICE void arrive_expecting(uint32_t barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
/** Waits for a limited time. Returns whether the phase of that parity has ended. */
DEVICE bool phase_ended(uint32_t barrier, uint32_t parity) {
  uint32_t ended;
  asm volatile(
      "{\n\t.reg .pred p;\n\t"
      "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
      "selp.u32 %0, 1, 0, p;\n\t}"
      : "=r"(ended)
      : "r"(barrier), "r"(parity)
      : "memory");
  return ended;
}

/**
 * Waits for the end of a phase. With `trouble`, the function waits about a second at most; after that it sets `trouble`
 * and returns false in all lanes. Warp.
 */
DEVICE bool wait_for_phase(uint32_t barrier, uint32_t parity, int* trouble) {
  constexpr long long patience = 1ll << 31;  // cycles
  bool ended = phase_ended(barrier, parity);
  for (const long long begun = clock64(); !ended && !(trouble && clock64() - begun > patience);) {
    ended = phase_ended(barrier, parity);
  }
  if (__all_sync(0xffffffffu, ended)) return true;
  *trouble = 1;
  return false;
}

/**
 * Starts one thread's copy of a box of a matrix to shared memory. The column is the fastest coordinate ("Data Movement
 * and Conversion Instructions: cp.async.bulk.tensor"). The bytes of the box count for the barrier, including zeros from
 * outside of the matrix.
 */
DEVICE void copy_box(uint32_t shared, const void* map, int column, int row, uint32_t barrier) {
  // If a block is in no cluster, its shared::cta address equals its shared::cluster address.
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2, %3}], [%4];" ::"r"(shared),
      "l"(map), "r"(column), "r"(row), "r"(barrier)
      : "memory");
}
DEVICE void prefetch_map(const void* map) { asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory"); }

/** Waits until that many threads have reached this barrier, one of 1 to 15 ("bar.sync"). Warp. */
DEVICE void sync_threads(int barrier, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

/** Sets the number of registers of a thread. All threads of a warpgroup call this function (9.7.19.5, setmaxnreg). */
template <int registers>
DEVICE void release_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
DEVICE void claim_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

// wgmma (9.7.15): the 128 threads of a warpgroup execute it together.

/**
 * Must be called before the first product, and after other instructions have touched registers of sums ("wgmma.fence").
 */
DEVICE void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
DEVICE void commit_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
/** Waits until at most the last `pending` groups are incomplete. */
template <int pending>
DEVICE void wait_for_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(pending) : "memory");
}

// The 4 to 128 operands of sums: as numbers in the text, and as constraints.
#define TEN(t) "%" #t "0,%" #t "1,%" #t "2,%" #t "3,%" #t "4,%" #t "5,%" #t "6,%" #t "7,%" #t "8,%" #t "9,"
#define SIXTY TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5)
#define COMMA ,
#define SUM4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SUM16(i) SUM4(i), SUM4(i + 4), SUM4(i + 8), SUM4(i + 12)
#define SUM32(i) SUM16(i), SUM16(i + 16)
// 9.7.15.5, wgmma.mma_async: scale-d, imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b.
#define MULTIPLY(shape, text, a, b, turned_a, turned_b, sums)                                                 \
  asm volatile("{\n\t.reg .pred p;\n\tsetp.eq.u32 p, 0, 0;\n\twgmma.mma_async.sync.aligned." shape            \
               ".f32.bf16.bf16 {" text "}, %" a ", %" b ", p, 1, 1, %" turned_a ", %" turned_b ";\n\t}"       \
               : sums                                                                                         \
               : "l"(left), "l"(right), "n"(int{left_turned}), "n"(int{right_turned}))

/**
 * d (64, n) += a (64, 16) b (16, n). With g = l / 4 and t = l % 4, lane l of warp w of the warpgroup has row 16w + g,
 * columns 8j + 2t and 8j + 2t + 1, in d[4j] and d[4j + 1], and row 16w + g + 8 in the next two (9.7.15.5.1.1.1). The
 * result is valid only after a wait.
 */
template <bool left_turned, bool right_turned>
DEVICE void multiply_warpgroup(float (&d)[64], uint64_t left, uint64_t right) {
  MULTIPLY("m64n128k16", SIXTY "%60,%61,%62,%63", "64", "65", "66", "67", SUM32(0) COMMA SUM32(32));
}
template <bool left_turned, bool right_turned>
DEVICE void multiply_warpgroup(float (&d)[96], uint64_t left, uint64_t right) {
  MULTIPLY("m64n192k16", SIXTY TEN(6) TEN(7) TEN(8) "%90,%91,%92,%93,%94,%95", "96", "97", "98", "99",
           SUM32(0) COMMA SUM32(32) COMMA SUM32(64));
}
template <bool left_turned, bool right_turned>
DEVICE void multiply_warpgroup(float (&d)[128], uint64_t left, uint64_t right) {
  MULTIPLY("m64n256k16",
           SIXTY TEN(6) TEN(7) TEN(8) TEN(9) TEN(10) TEN(11) "%120,%121,%122,%123,%124,%125,%126,%127", "128", "129",
           "130", "131", SUM32(0) COMMA SUM32(32) COMMA SUM32(64) COMMA SUM32(96));
}

// The same with sums of 64 columns, with sums that may begin at 0, and with a left factor in registers. An immediate
// operand says whether the product is added: 0 ignores what the sums hold.
#define MULTIPLY_FRESH(shape, text, left_text, right_text, adds_text, turned_text, transposed, sums, ...)            \
  asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %" adds_text ", 0;\n\twgmma.mma_async.sync.aligned." shape        \
               ".f32.bf16.bf16 {" text "}, " left_text ", %" right_text ", p, 1, 1, " transposed "%" turned_text     \
               ";\n\t}"                                                                                              \
               : sums                                                                                                \
               : __VA_ARGS__, "l"(right), "n"(int{adds}), "n"(int{right_turned}))
#define THIRTY_TWO TEN() TEN(1) TEN(2) "%30,%31"
#define SIXTY_FOUR SIXTY "%60,%61,%62,%63"
#define FACTOR "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3])

/** d (64, n) = or += a (64, 16) b (16, n), with k in lines of the left factor in shared memory. */
template <bool adds, bool right_turned>
DEVICE void multiply_tile(float (&d)[32], uint64_t left, uint64_t right) {
  MULTIPLY_FRESH("m64n64k16", THIRTY_TWO, "%32", "33", "34", "35", "0, ", SUM32(0), "l"(left));
}
template <bool adds, bool right_turned>
DEVICE void multiply_tile(float (&d)[64], uint64_t left, uint64_t right) {
  MULTIPLY_FRESH("m64n128k16", SIXTY_FOUR, "%64", "65", "66", "67", "0, ", SUM32(0) COMMA SUM32(32), "l"(left));
}
/**
 * The same product with the left factor in registers. Lane l of warp w has columns 2t and 2t + 1 of row 16w + g in
 * left[0] and of row 16w + g + 8 in left[1], and columns 8 further in the next two (9.7.15.5.1.1.1, matrix A). These
 * are the elements that the lane has of 16 columns of sums. The registers may change only after a wait.
 */
template <bool adds, bool right_turned>
DEVICE void multiply_tile(float (&d)[32], const uint32_t (&left)[4], uint64_t right) {
  MULTIPLY_FRESH("m64n64k16", THIRTY_TWO, "{%32,%33,%34,%35}", "36", "37", "38", "", SUM32(0), FACTOR);
}
template <bool adds, bool right_turned>
DEVICE void multiply_tile(float (&d)[64], const uint32_t (&left)[4], uint64_t right) {
  MULTIPLY_FRESH("m64n128k16", SIXTY_FOUR, "{%64,%65,%66,%67}", "68", "69", "70", "", SUM32(0) COMMA SUM32(32),
                 FACTOR);
}

#undef FACTOR
#undef SIXTY_FOUR
#undef THIRTY_TWO
#undef MULTIPLY_FRESH
#undef MULTIPLY
#undef SUM32
#undef SUM16
#undef SUM4
#undef COMMA
#undef SIXTY
#undef TEN

/** Marks the sums as changed for the compiler, so that it does not move reads of them above the wait. */
template <int count>
DEVICE void settle(float (&d)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) asm volatile("" : "+f"(d[i])::"memory");
}

/**
 * Keeps the compiler from moving the arithmetic of these values, which are not negative, behind the next wait for
 * products. The compiler cannot know that nothing is stored, and moves no store over the wait.
 */
template <int count>
DEVICE void finish_before_wait(const float (&values)[count]) {
  uint32_t signs = 0;
#pragma unroll
  for (int i = 0; i < count; ++i) signs |= __float_as_uint(values[i]);
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.lt.s32 p, %0, 0;\n\t@p st.shared.u32 [%1], %0;\n\t}" ::"r"(signs),
      "r"(shared_address(shared_memory()))
      : "memory");
}

}  // namespace palestra::simt
