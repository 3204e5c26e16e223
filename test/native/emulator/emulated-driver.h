#pragma once
/**
 * An emulation of NVIDIA's driver on main memory, a library of its own that takes its place. It is built to show what a
 * device would: a stream does nothing until someone waits for it or asks, so that a missing wait reads what is not yet
 * there; fresh memory holds NaN; device memory comes from malloc, whose bounds AddressSanitizer knows; a call that a
 * device would refuse is refused.
 */
#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "ops/cuda/cuda-abi.h"
#include "simt-emulated.h"

#pragma GCC visibility push(default)
namespace palestra::cuda {
extern "C" {
#define PALESTRA_DECLARE(name, parameters) CUresult name parameters;
PALESTRA_CUDA_FUNCTIONS(PALESTRA_DECLARE)
#undef PALESTRA_DECLARE
/** For the emulated cuBLAS. */
CUresult cuLaunchHostFunc(CUstream stream, void (*function)(void*), void* data);
}
}  // namespace palestra::cuda
#pragma GCC visibility pop

namespace palestra::cuda::emulated {

/** Something that a stream does. */
using Work = std::function<CUresult()>;

/** A point in a stream's order, which work of the stream marks as reached. */
struct Mark {
  CUstream stream;
  bool reached = false;
  std::chrono::steady_clock::time_point when;
};

struct Options {
  int devices = 1;
  /** Of the devices, as 90 is 9.0; the last for the rest. */
  std::vector<int> capabilities;
  int version = 13000;
  size_t memory = size_t{1} << 30;
  bool reversed = false;
  /** By function, by the number of the call. */
  std::map<std::string, std::map<int, CUresult>> faults;

  static Options read();
  int capability(int device) const {
    return capabilities[std::min(static_cast<size_t>(device), capabilities.size() - 1)];
  }
};

struct Allocation {
  size_t bytes;
  int device;
};

/** All that the driver holds. Calls come one at a time. */
struct Machine {
  std::recursive_mutex mutex;
  Options options = Options::read();
  bool initialised = false;
  CUresult sticky = CUDA_SUCCESS;
  std::map<std::string, int> calls;
  std::map<CUdeviceptr, Allocation> memory;
  std::map<char*, size_t> pinned;
  std::map<int, std::unique_ptr<CUctx_st>> contexts;
  std::set<CUstream> streams;
  std::set<CUevent> events;
  std::set<CUgraph> graphs;
  std::set<CUgraphExec> executables;
  std::set<CUmodule> modules;

  /** Counts it, and says what it has to return by the faults: CUDA_SUCCESS to go on. */
  CUresult count(const std::string& call);
  void clear();
};
Machine& machine();

enum class Needs { nothing, context };

/** A call as it begins: alone, counted, refused where a fault or the state of the machine says so. */
class Call {
 public:
  Call(const char* function, Needs needs);
  CUresult refusal() const { return refusal_; }

 private:
  const std::lock_guard<std::recursive_mutex> lock_;
  CUresult refusal_;
};

#define PALESTRA_BEGIN(needs)                \
  const Call call(__func__, Needs::needs);   \
  if (call.refusal() != CUDA_SUCCESS) return call.refusal()

/** The device of this thread's context. */
int current_device();
/** Refuses what may not be done while a stream is captured, and spoils the capture. */
CUresult refuse_while_capturing();
/** Appends to what the stream was asked, or to what is captured of it. */
void ask(CUstream stream, Work work);
/** Does the next. @returns whether there was one */
bool advance(CUstream stream);
void finish(CUstream stream);

}  // namespace palestra::cuda::emulated

struct CUctx_st {
  int device;
  int holders = 0;
};

struct CUstream_st {
  std::deque<palestra::cuda::emulated::Work> asked;
  bool capturing = false;
  bool is_spoilt = false;
  palestra::cuda::CUstreamCaptureMode mode;
  std::thread::id capturer;
  std::vector<palestra::cuda::emulated::Work> captured;
};

struct CUevent_st {
  unsigned flags;
  std::shared_ptr<palestra::cuda::emulated::Mark> mark;
};

struct CUgraph_st {
  std::vector<palestra::cuda::emulated::Work> work;
};

struct CUgraphExec_st {
  std::vector<palestra::cuda::emulated::Work> work;
};

struct CUfunc_st {
  const palestra::simt::Kernel* kernel;
  int ptx_version;
  size_t shared_limit = size_t{48} << 10;
};

struct CUmod_st {
  std::map<std::string, CUfunc_st> functions;
};
