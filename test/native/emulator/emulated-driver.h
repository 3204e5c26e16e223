#pragma once
/**
 * An emulation of NVIDIA's driver on main memory, as a library that replaces it. It is built to reveal faults as a
 * device would. A stream does nothing until it is waited for or queried, so a missing wait reads stale data. Fresh
 * memory holds NaN. Device memory comes from malloc, whose bounds AddressSanitizer checks. Calls that a device would
 * refuse are refused.
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

#include "ops/cuda/driver/cuda-abi.h"
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

/** One piece of work of a stream. */
using Work = std::function<CUresult()>;

/** A point in a stream's order, marked as reached by work of the stream. */
struct Mark {
  CUstream stream;
  bool reached = false;
  std::chrono::steady_clock::time_point when;
};

struct Options {
  int devices = 1;
  /** Capability of each device, with 90 for 9.0; the last one is for the rest. */
  std::vector<int> capabilities;
  int version = 13000;
  size_t memory = size_t{1} << 30;
  bool reversed = false;
  /** Results of faults, by function and number of the call. */
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

/** The whole state of the driver. Calls run one at a time. */
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

  /** Counts a call. Returns its injected fault, or CUDA_SUCCESS. */
  CUresult count(const std::string& call);
  void clear();
};
Machine& machine();

enum class Needs { nothing, context };

/** A running call: exclusive, counted, and refused on a fault or a bad state of the machine. */
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

/** Returns the device of this thread's context. */
int current_device();
/** Refuses calls that are not allowed during a capture, and invalidates the capture. */
CUresult refuse_while_capturing();
/** Appends work to the stream, or to its capture. */
void ask(CUstream stream, Work work);
/** Does the next piece of work. @returns whether there was one */
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
