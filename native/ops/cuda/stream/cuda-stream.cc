#include "cuda-stream.h"

#include <map>

#include "../../../core/failure.h"
#include "../driver/environment.h"
#include "../driver/primary-context.h"
#include "event.h"
#include "host-copies.h"
#include "recorder.h"

namespace palestra::cuda {

namespace {

/** Shared memory that a block gets without a request. */
constexpr size_t usual_shared_bytes = size_t{48} << 10;

class StreamHandle {
 public:
  StreamHandle(std::shared_ptr<const PrimaryContext> context, Priority priority) : context_(std::move(context)) {
    const Driver& driver = context_->driver();
    int least = 0, greatest = 0;
    context_->use();
    driver.check(driver.cuCtxGetStreamPriorityRange(&least, &greatest), "cuCtxGetStreamPriorityRange");
    driver.check(driver.cuStreamCreateWithPriority(&stream_, CU_STREAM_NON_BLOCKING,
                                                   priority == Priority::high ? greatest : least),
                 "cuStreamCreateWithPriority");
  }
  ~StreamHandle() {
    if (context_->try_use()) context_->driver().cuStreamDestroy_v2(stream_);
  }
  StreamHandle(const StreamHandle&) = delete;
  StreamHandle& operator=(const StreamHandle&) = delete;

  CUstream get() const { return stream_; }

 private:
  const std::shared_ptr<const PrimaryContext> context_;
  CUstream stream_ = nullptr;
};

struct LoadedKernel {
  CUfunction function;
  /**
   * Whether the kernel may start before the kernel ahead of it has ended. Such a kernel waits by itself in
   * `begin_kernel`.
   */
  bool may_overlap;
  bool may_take_all_shared;
};

/** The first PTX version in which `begin_kernel` waits: sm_90. */
constexpr int waiting_ptx_version = 90;

/** CUDA 12.3 is the first release that captures such launches. */
constexpr int overlapping_driver = 12030;

/** Major compute capability of the first devices that support overlapping launches. */
constexpr int overlapping_major = 9;

bool may_overlap_on(const CudaDevice& device) {
  return device.properties().major >= overlapping_major && device.driver().version() >= overlapping_driver &&
         !is_off("ENGINE_PDL");
}

}  // namespace

struct CudaStream::State {
  State(CudaDevice& device, Priority priority)
      : context(device.context()), driver(context->driver()), may_overlap(may_overlap_on(device)),
        stream(context, priority), reached(context), copies(context, stream.get()), recorder(context, stream.get()) {}
  ~State() {
    // Pinned memory must not be freed while the device copies.
    if (context->try_use()) driver.cuStreamSynchronize(stream.get());
  }

  const std::shared_ptr<const PrimaryContext> context;
  const Driver& driver;
  const bool may_overlap;
  StreamHandle stream;
  Event reached;
  HostCopies copies;
  Recorder recorder;
  std::map<std::string, LoadedKernel, std::less<>> kernels;
  bool in_body = false;

  /** Makes the device current on this thread. Fails in the body of a replay. */
  void begin(const char* what) {
    if (in_body) {
      throw Failure(Code::internal, std::string("expected a body of work for the device alone, but received ") + what);
    }
    context->use();
  }
  void run(const std::function<void()>& body);
  LoadedKernel& find(CudaDevice& device, const char* name);
  void allow_shared(LoadedKernel& kernel, size_t bytes, const CudaDevice& device);
};

CudaStream::CudaStream(CudaDevice& device, Priority priority)
    : device_(device), state_(std::make_unique<State>(device, priority)) {}

CudaStream::~CudaStream() = default;

CUstream CudaStream::handle() const { return state_->stream.get(); }

int64_t CudaStream::failed_recordings() const { return state_->recorder.failures(); }

std::string CudaStream::why_no_recording() const { return state_->recorder.why_not(); }

void CudaStream::upload(void* device, const void* host, size_t bytes) {
  state_->begin("an upload");
  state_->copies.upload(device, host, bytes);
}

void CudaStream::download(void* host, const void* device, size_t bytes) {
  state_->begin("a download");
  state_->copies.download(host, device, bytes);
}

void CudaStream::zero(void* data, size_t bytes) {
  if (bytes == 0) return;
  state_->context->use();
  state_->driver.check(
      state_->driver.cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(data), 0, bytes, state_->stream.get()),
      "cuMemsetD8Async");
}

void CudaStream::copy(void* to, const void* from, size_t bytes) {
  if (bytes == 0) return;
  state_->context->use();
  state_->driver.check(
      state_->driver.cuMemcpyDtoDAsync_v2(reinterpret_cast<CUdeviceptr>(to), reinterpret_cast<CUdeviceptr>(from), bytes,
                                          state_->stream.get()),
      "cuMemcpyDtoDAsync");
}

bool CudaStream::is_done() {
  state_->begin("a question whether it is done");
  const CUresult result = state_->driver.cuStreamQuery(state_->stream.get());
  if (result == CUDA_ERROR_NOT_READY) return false;
  state_->driver.check(result, "cuStreamQuery");
  return true;
}

void CudaStream::wait_for(Stream& other) {
  state_->begin("a wait");
  auto* const before = dynamic_cast<CudaStream*>(&other);
  if (!before || before->state_->context != state_->context) {
    throw Failure(Code::internal, "expected a stream of the same device to wait for, but received another");
  }
  {
    const auto lock = before->state_->recorder.hold_off();
    state_->reached.record(before->state_->stream.get());
  }
  state_->reached.hold_up(state_->stream.get());
}

void CudaStream::State::run(const std::function<void()>& body) {
  struct Inside {
    bool& flag;
    explicit Inside(bool& which) : flag(which) { flag = true; }
    ~Inside() { flag = false; }
  } const inside(in_body);
  body();
}

/**
 * The first call runs the body. During that call kernels are loaded and workspaces are allocated, neither of which can
 * be captured. A body that runs only once is not worth a graph either. The second call captures the body. If the
 * capture fails, the body runs now and from then on, and reports its own errors.
 */
void CudaStream::replay(std::unique_ptr<Recording>& recording, const std::function<void()>& body) {
  state_->begin("another replay");
  auto* const known = static_cast<CudaRecording*>(recording.get());
  if (!known) {
    state_->run(body);
    recording = std::make_unique<CudaRecording>(state_->context);
    return;
  }
  if (!known->graph && !known->refused) {
    known->graph = state_->recorder.record([&] { state_->run(body); });
    known->refused = !known->graph;
  }
  if (known->refused) return state_->run(body);
  state_->driver.check(state_->driver.cuGraphLaunch(known->graph, state_->stream.get()), "cuGraphLaunch");
}

LoadedKernel& CudaStream::State::find(CudaDevice& device, const char* name) {
  const auto known = kernels.find(name);
  if (known != kernels.end()) return known->second;
  const CUfunction function = device.kernel(name);
  int ptx_version = 0;
  if (may_overlap) {
    driver.check(driver.cuFuncGetAttribute(&ptx_version, CU_FUNC_ATTRIBUTE_PTX_VERSION, function),
                 "cuFuncGetAttribute");
  }
  return kernels[name] = {function, ptx_version >= waiting_ptx_version, false};
}

void CudaStream::State::allow_shared(LoadedKernel& kernel, size_t bytes, const CudaDevice& device) {
  if (bytes <= usual_shared_bytes || kernel.may_take_all_shared) return;
  driver.check(driver.cuFuncSetAttribute(kernel.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                         device.properties().shared_bytes),
               "cuFuncSetAttribute");
  kernel.may_take_all_shared = true;
}

void CudaStream::launch_kernel(const char* kernel, Grid grid, int threads, size_t shared_bytes, const void* arguments) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return;
  const Driver& driver = state_->driver;
  state_->context->use();
  LoadedKernel& known = state_->find(device_, kernel);
  state_->allow_shared(known, shared_bytes, device_);
  CUlaunchAttribute overlap = {CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, {}};
  overlap.value.programmaticStreamSerializationAllowed = 1;
  const CUlaunchConfig config = {grid.x, grid.y, grid.z, static_cast<unsigned>(threads), 1, 1,
                                 static_cast<unsigned>(shared_bytes), state_->stream.get(), &overlap,
                                 known.may_overlap ? 1u : 0u};
  void* parameters[] = {const_cast<void*>(arguments)};
  const CUresult result = driver.cuLaunchKernelEx(&config, known.function, parameters, nullptr);
  if (result != CUDA_SUCCESS) driver.fail(result, (std::string("cuLaunchKernelEx of ") + kernel).c_str());
}

}  // namespace palestra::cuda
