#pragma once
/** Kernels for the tests of devices and streams, defined in probe-kernels.cc. */
namespace palestra::probe {

constexpr int threads = 64;

/** probe_add: to (blocks * threads) = from + addend */
struct Add {
  float* to;
  const float* from;
  float addend;
};

/** probe_shared: to[i] = i, through shared memory of `count` numbers; one block */
struct Shared {
  float* to;
  int count;
};

}  // namespace palestra::probe
