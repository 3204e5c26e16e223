// The emulated driver's streams, events, graphs and launches.
#include <cstdlib>
#include <cstring>

#include "emulated-driver.h"

namespace palestra::cuda {

using namespace emulated;

namespace {

/** Alignment of an argument struct, required by tensor maps. */
constexpr size_t argument_alignment = 128;
constexpr unsigned most_blocks_across = 65535;

bool is_stream(CUstream stream) { return machine().streams.count(stream) > 0; }
bool is_event(CUevent event) { return machine().events.count(event) > 0; }

/** Refuses queries of a stream that is being captured. Forks of a capture are not emulated. */
CUresult refuse_captured(CUstream stream) {
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (!stream->capturing) return CUDA_SUCCESS;
  stream->is_spoilt = true;
  return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

bool is_launch(const CUlaunchConfig& c, const CUfunc_st& function) {
  const bool has_blocks = c.gridDimX > 0 && c.gridDimY > 0 && c.gridDimZ > 0;
  return has_blocks && c.gridDimX <= INT32_MAX && c.gridDimY <= most_blocks_across &&
         c.gridDimZ <= most_blocks_across && c.blockDimX == static_cast<unsigned>(function.kernel->threads) &&
         c.blockDimY == 1 && c.blockDimZ == 1 && c.sharedMemBytes <= function.shared_limit;
}

/** A device would overlap any kernel. A kernel whose code does not wait would then run too early, so it is refused. */
bool are_attributes(const CUlaunchConfig& c, const CUfunc_st& function) {
  for (unsigned i = 0; i < c.numAttrs; ++i) {
    const CUlaunchAttribute& attribute = c.attrs[i];
    if (attribute.id != CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION) return false;
    if (attribute.value.programmaticStreamSerializationAllowed == 0) continue;
    if (function.ptx_version < 90 || machine().options.version < 12030) return false;
    machine().count("overlap");
  }
  return true;
}

void reach(const Mark& mark) {
  while (!mark.reached && advance(mark.stream)) continue;
}

}  // namespace

CUresult emulated::refuse_while_capturing() {
  for (CUstream stream : machine().streams) {
    const bool is_ours = stream->capturer == std::this_thread::get_id();
    if (!stream->capturing || (stream->mode == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL && !is_ours)) continue;
    stream->is_spoilt = true;
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  return CUDA_SUCCESS;
}

void emulated::ask(CUstream stream, Work work) {
  if (stream->capturing) stream->captured.push_back(std::move(work));
  else stream->asked.push_back(std::move(work));
}

bool emulated::advance(CUstream stream) {
  if (stream->asked.empty()) return false;
  const Work work = std::move(stream->asked.front());
  stream->asked.pop_front();
  // A device that has failed does no more work.
  if (machine().sticky == CUDA_SUCCESS) machine().sticky = work();
  return true;
}

void emulated::finish(CUstream stream) {
  while (advance(stream)) continue;
}

CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  PALESTRA_BEGIN(context);
  if (flags > CU_STREAM_NON_BLOCKING || priority > 0) return CUDA_ERROR_INVALID_VALUE;
  *stream = *machine().streams.insert(new CUstream_st()).first;
  return CUDA_SUCCESS;
}

CUresult cuStreamDestroy_v2(CUstream stream) {
  PALESTRA_BEGIN(context);
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  finish(stream);
  machine().streams.erase(stream);
  delete stream;
  return CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream stream) {
  PALESTRA_BEGIN(context);
  if (const CUresult refusal = refuse_captured(stream)) return refusal;
  finish(stream);
  return machine().sticky;
}

/** A query makes the stream progress, by one piece of work per call. */
CUresult cuStreamQuery(CUstream stream) {
  PALESTRA_BEGIN(context);
  if (const CUresult refusal = refuse_captured(stream)) return refusal;
  const bool was_busy = advance(stream);
  if (machine().sticky != CUDA_SUCCESS) return machine().sticky;
  return was_busy ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  PALESTRA_BEGIN(context);
  if (flags != 0 || !is_event(event)) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult refusal = refuse_captured(stream)) return refusal;
  if (const auto mark = event->mark) {
    ask(stream, [mark] {
      reach(*mark);
      return machine().sticky;
    });
  }
  return CUDA_SUCCESS;
}

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  PALESTRA_BEGIN(context);
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (stream->capturing) return CUDA_ERROR_INVALID_VALUE;
  stream->capturing = true;
  stream->is_spoilt = false;
  stream->mode = mode;
  stream->capturer = std::this_thread::get_id();
  return CUDA_SUCCESS;
}

/** Also ends the capture when it fails. */
CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  const Call call(__func__, Needs::context);
  *graph = nullptr;
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (!stream->capturing) return CUDA_ERROR_INVALID_VALUE;
  stream->capturing = false;
  std::vector<Work> captured = std::move(stream->captured);
  stream->captured.clear();
  if (call.refusal() != CUDA_SUCCESS) return call.refusal();
  if (stream->is_spoilt) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  *graph = *machine().graphs.insert(new CUgraph_st{std::move(captured)}).first;
  return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  PALESTRA_BEGIN(context);
  *event = *machine().events.insert(new CUevent_st{flags, nullptr}).first;
  return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent event) {
  PALESTRA_BEGIN(context);
  if (machine().events.erase(event) == 0) return CUDA_ERROR_INVALID_HANDLE;
  delete event;
  return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  PALESTRA_BEGIN(context);
  if (!is_event(event)) return CUDA_ERROR_INVALID_HANDLE;
  if (const CUresult refusal = refuse_captured(stream)) return refusal;
  const auto mark = event->mark = std::make_shared<Mark>();
  mark->stream = stream;
  ask(stream, [mark] {
    mark->reached = true;
    mark->when = std::chrono::steady_clock::now();
    return CUDA_SUCCESS;
  });
  return CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent event) {
  PALESTRA_BEGIN(context);
  if (!is_event(event)) return CUDA_ERROR_INVALID_HANDLE;
  if (event->mark) reach(*event->mark);
  return machine().sticky;
}

CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  PALESTRA_BEGIN(context);
  for (CUevent event : {start, end}) {
    if (!is_event(event) || event->flags != CU_EVENT_DEFAULT || !event->mark) return CUDA_ERROR_INVALID_HANDLE;
    if (!event->mark->reached) return CUDA_ERROR_NOT_READY;
  }
  *milliseconds = std::chrono::duration<float, std::milli>(end->mark->when - start->mark->when).count();
  return CUDA_SUCCESS;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec* executable, CUgraph graph, unsigned long long) {
  PALESTRA_BEGIN(context);
  if (machine().graphs.count(graph) == 0) return CUDA_ERROR_INVALID_VALUE;
  *executable = *machine().executables.insert(new CUgraphExec_st{graph->work}).first;
  return CUDA_SUCCESS;
}

CUresult cuGraphDestroy(CUgraph graph) {
  PALESTRA_BEGIN(context);
  if (machine().graphs.erase(graph) == 0) return CUDA_ERROR_INVALID_VALUE;
  delete graph;
  return CUDA_SUCCESS;
}

CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) {
  PALESTRA_BEGIN(context);
  if (machine().executables.count(executable) == 0) return CUDA_ERROR_INVALID_VALUE;
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  for (const Work& work : executable->work) ask(stream, work);
  return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec executable) {
  PALESTRA_BEGIN(context);
  if (machine().executables.erase(executable) == 0) return CUDA_ERROR_INVALID_VALUE;
  delete executable;
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters, void** extra) {
  PALESTRA_BEGIN(context);
  const CUlaunchConfig c = *config;
  if (!is_stream(c.hStream)) return CUDA_ERROR_INVALID_HANDLE;
  if (!is_launch(c, *function) || !are_attributes(c, *function) || !parameters || extra) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const simt::Kernel& kernel = *function->kernel;
  const size_t bytes = (kernel.argument_bytes + argument_alignment - 1) / argument_alignment * argument_alignment;
  const std::shared_ptr<void> arguments(std::aligned_alloc(argument_alignment, bytes), std::free);
  std::memcpy(arguments.get(), parameters[0], kernel.argument_bytes);
  ask(c.hStream, [=, &kernel] {
    const CUresult fault = machine().count("kernel");
    if (fault != CUDA_SUCCESS) return fault;
    simt::run_grid(kernel, {c.gridDimX, c.gridDimY, c.gridDimZ}, c.sharedMemBytes, arguments.get(),
                   machine().options.reversed);
    return CUDA_SUCCESS;
  });
  return CUDA_SUCCESS;
}

CUresult cuLaunchHostFunc(CUstream stream, void (*function)(void*), void* data) {
  PALESTRA_BEGIN(context);
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  ask(stream, [=] {
    function(data);
    return CUDA_SUCCESS;
  });
  return CUDA_SUCCESS;
}

}  // namespace palestra::cuda
