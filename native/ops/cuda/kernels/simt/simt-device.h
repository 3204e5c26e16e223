#pragma once
/** simt.h on a device: sm_80 and up, with PTX for instructions that CUDA C++ lacks. */
#define DEVICE __device__ __forceinline__

/** Declares a kernel. The launch bounds follow the arguments; the first bound is the number of threads. */
#define PALESTRA_KERNEL(name, Arguments, ...)                                                           \
  DEVICE void name##_body(const Arguments& a);                                                          \
  extern "C" __global__ void __launch_bounds__(__VA_ARGS__) name(const __grid_constant__ Arguments a) { \
    ::palestra::simt::begin_kernel();                                                                   \
    name##_body(a);                                                                                     \
  }                                                                                                     \
  DEVICE void name##_body(const Arguments& a)

namespace palestra::simt {

/**
 * Programmatic dependent launch. The stream's next kernel may start as soon as every block of this kernel has started.
 * The next kernel waits in this function until the earlier work has ended and can be read. So only the launch overlaps,
 * and no memory is touched early. The stream requests this launch for code of sm_90 or newer.
 */
DEVICE void begin_kernel() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

extern __shared__ __align__(1024) char dynamic_shared_memory[];

/** Shared memory of the block, aligned to 1024 bytes. */
DEVICE char* shared_memory() { return dynamic_shared_memory; }

/** Returns the address for instructions on shared memory. */
DEVICE uint32_t shared_address(const void* pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

/** Writes 16 bytes to an aligned address of global memory by one instruction. nvcc splits some plain copies. */
DEVICE void store_16_bytes(void* to, const uint32_t (&words)[4]) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(to)), "r"(words[0]),
               "r"(words[1]), "r"(words[2]), "r"(words[3])
               : "memory");
}

/** Returns the value of lane `lane`, or of the lane whose index differs by `mask`. The value has 4 or 8 bytes. Warp. */
template <class T>
DEVICE T shuffle(T value, int lane) {
  return __shfl_sync(0xffffffffu, value, lane);
}
template <class T>
DEVICE T shuffle_xor(T value, int mask) {
  return __shfl_xor_sync(0xffffffffu, value, mask);
}

/** Returns 2^x to two units in the last place. Returns 0 for minus infinity. */
DEVICE float exp2_fast(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/** Returns 1 / x to one unit in the last place. Returns 0 for infinity. */
DEVICE float reciprocal_fast(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

DEVICE bf16 round_bf16(float value) {
  bf16 result;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result.bits) : "f"(value));
  return result;
}
/** Rounds and packs two values, `low` in the lower half. */
DEVICE uint32_t pack_bf16(float low, float high) {
  uint32_t result;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(result) : "f"(high), "f"(low));
  return result;
}

/** Rounds two values to fp8 e4m3, to nearest even, clamped to the largest; `low` in the lower byte. */
DEVICE uint16_t pack_fp8(float low, float high) {
#if __CUDA_ARCH__ >= 890
  uint16_t result;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(result) : "f"(high), "f"(low));
  return result;
#else
  return static_cast<uint16_t>(to_fp8(low) | to_fp8(high) << 8);
#endif
}
DEVICE float fp8_to_float(uint8_t value) { return from_fp8(value); }
/** Unpacks four fp8 exactly: bytes 0 and 2 as bf16 in pairs[0], bytes 1 and 3 in pairs[1]. A NaN becomes 480. */
DEVICE void unpack_fp8(uint32_t (&pairs)[2], uint32_t four) {
  const uint32_t bytes[2] = {four << 8, four};
  for (int i = 0; i < 2; ++i) {
    // With exponent and fraction at bf16's places, the value is multiplied by 2^-120, subnormal numbers included.
    const uint32_t small = (bytes[i] & 0x80008000u) | (bytes[i] & 0x7f007f00u) >> 4;
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(pairs[i]) : "r"(small), "r"(0x7b807b80u), "r"(0x80008000u));
  }
}

/**
 * d (16, 8) += a (16, 16) b (16, 8), with bf16 factors and float sums. In the warp's fragments, with g = l / 4 and t =
 * l % 4, lane l holds two bf16 per register, the lower column or row in the lower half:
 *   a[0] row g, columns 2t and 2t + 1; a[1] row g + 8, the same; a[2], a[3] the same rows, columns 8 further;
 *   b[0] rows 2t and 2t + 1, column g; b[1] rows 8 further;
 *   d[0], d[1] row g, columns 2t and 2t + 1; d[2], d[3] row g + 8.
 * PTX ISA, mma.m16n8k16. Warp.
 */
DEVICE void multiply_bf16(float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/**
 * Loads four 8 x 8 matrices of bf16 from shared memory. Lane l gives the address of row l % 8 of matrix l / 8, aligned
 * to 16 bytes, and receives elements 2t and 2t + 1 of row g of matrix i in r[i]. PTX ISA, ldmatrix. Warp.
 */
DEVICE void load_matrices(uint32_t (&r)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(row))
               : "memory");
}
/** Loads the transposed matrices in the same way: r[i] has the elements g of rows 2t and 2t + 1. Warp. */
DEVICE void load_matrices_transposed(uint32_t (&r)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(row))
               : "memory");
}

/**
 * Starts to copy 16 bytes from global to shared memory, both aligned to 16 bytes. Bytes from `valid` on become 0. With
 * `valid` 0 nothing is read. The copy is visible to this thread after `wait_for_copies`, and to other threads after
 * __syncthreads(). PTX ISA, cp.async.
 */
DEVICE void copy_async(void* shared, const void* global, int valid = 16) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(shared)), "l"(global), "r"(valid)
               : "memory");
}
/** Closes the group of copies that this thread has started. */
DEVICE void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/** Waits until at most the last `pending` groups are incomplete. */
template <int pending>
DEVICE void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

}  // namespace palestra::simt
