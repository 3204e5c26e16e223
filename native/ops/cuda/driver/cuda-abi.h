#pragma once
/**
 * The part of NVIDIA's driver API that the engine uses, declared by hand, so that building needs no CUDA. A test
 * compares every type, value and signature with cuda.h. Names, order and meaning are NVIDIA's ("CUDA Driver API").
 */
#include <cstddef>
#include <cstdint>

struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUstream_st;
struct CUevent_st;
struct CUgraph_st;
struct CUgraphExec_st;

namespace palestra::cuda {

using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = CUctx_st*;
using CUmodule = CUmod_st*;
using CUfunction = CUfunc_st*;
using CUstream = CUstream_st*;
using CUevent = CUevent_st*;
using CUgraph = CUgraph_st*;
using CUgraphExec = CUgraphExec_st*;

/** Results that the engine distinguishes. `cuGetErrorName` names every other result, too. */
enum CUresult : unsigned {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_INVALID_IMAGE = 200,
  CUDA_ERROR_INVALID_CONTEXT = 201,
  CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
  CUDA_ERROR_INVALID_HANDLE = 400,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700,
  CUDA_ERROR_LAUNCH_FAILED = 719,
  CUDA_ERROR_NOT_SUPPORTED = 801,
  CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
  CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901,
  CUDA_ERROR_UNKNOWN = 999,
};

enum CUdevice_attribute : unsigned {
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  /** Clock rate in kHz. */
  CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
  /** Bus width in bits. */
  CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
};

enum CUfunction_attribute : unsigned {
  /** PTX version: 90 for code compiled from PTX for compute_90. */
  CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
};

enum CUstream_flags : unsigned { CU_STREAM_NON_BLOCKING = 1 };

enum CUevent_flags : unsigned { CU_EVENT_DEFAULT = 0, CU_EVENT_DISABLE_TIMING = 2 };

enum CUstreamCaptureMode : unsigned {
  CU_STREAM_CAPTURE_MODE_GLOBAL = 0,
  CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1,
};

enum CUtensorMapDataType : unsigned {
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32 = 7,
  CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 = 9,
};
enum CUtensorMapInterleave : unsigned { CU_TENSOR_MAP_INTERLEAVE_NONE = 0 };
enum CUtensorMapSwizzle : unsigned {
  CU_TENSOR_MAP_SWIZZLE_NONE = 0,
  CU_TENSOR_MAP_SWIZZLE_32B = 1,
  CU_TENSOR_MAP_SWIZZLE_64B = 2,
  CU_TENSOR_MAP_SWIZZLE_128B = 3,
};
enum CUtensorMapL2promotion : unsigned {
  CU_TENSOR_MAP_L2_PROMOTION_NONE = 0,
  CU_TENSOR_MAP_L2_PROMOTION_L2_128B = 2,
  CU_TENSOR_MAP_L2_PROMOTION_L2_256B = 3,
};
enum CUtensorMapFloatOOBfill : unsigned { CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE = 0 };

enum CUlaunchAttributeID : unsigned { CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6 };
union alignas(8) CUlaunchAttributeValue {
  char pad[64];
  int programmaticStreamSerializationAllowed;
};
struct CUlaunchAttribute {
  CUlaunchAttributeID id;
  CUlaunchAttributeValue value;
};
struct CUlaunchConfig {
  unsigned gridDimX, gridDimY, gridDimZ;
  unsigned blockDimX, blockDimY, blockDimZ;
  unsigned sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute* attrs;
  unsigned numAttrs;
};

/** Description of a tensor for TMA, passed to a kernel by value. */
struct alignas(128) CUtensorMap {
  uint64_t opaque[16];
};

}  // namespace palestra::cuda

/** F(name, parameters) of each function, under its exported name. All functions return a CUresult. */
#define PALESTRA_CUDA_FUNCTIONS(F)                                                                                    \
  F(cuInit, (unsigned flags))                                                                                         \
  F(cuDriverGetVersion, (int* version))                                                                               \
  F(cuGetErrorName, (CUresult error, const char** name))                                                              \
  F(cuGetErrorString, (CUresult error, const char** text))                                                            \
  F(cuDeviceGetCount, (int* count))                                                                                   \
  F(cuDeviceGet, (CUdevice * device, int ordinal))                                                                    \
  F(cuDeviceGetName, (char* name, int bytes, CUdevice device))                                                        \
  F(cuDeviceGetAttribute, (int* value, CUdevice_attribute attribute, CUdevice device))                                \
  F(cuDeviceTotalMem_v2, (size_t* bytes, CUdevice device))                                                            \
  F(cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device))                                                 \
  F(cuDevicePrimaryCtxRelease_v2, (CUdevice device))                                                                  \
  F(cuCtxSetCurrent, (CUcontext context))                                                                             \
  F(cuCtxGetStreamPriorityRange, (int* least, int* greatest))                                                         \
  F(cuModuleLoadData, (CUmodule * module, const void* image))                                                         \
  F(cuModuleUnload, (CUmodule module))                                                                                \
  F(cuModuleGetFunction, (CUfunction * function, CUmodule module, const char* name))                                  \
  F(cuFuncGetAttribute, (int* value, CUfunction_attribute attribute, CUfunction function))                            \
  F(cuFuncSetAttribute, (CUfunction function, CUfunction_attribute attribute, int value))                             \
  F(cuMemGetInfo_v2, (size_t* free, size_t* total))                                                                   \
  F(cuMemAlloc_v2, (CUdeviceptr * device, size_t bytes))                                                              \
  F(cuMemFree_v2, (CUdeviceptr device))                                                                               \
  F(cuMemHostAlloc, (void** host, size_t bytes, unsigned flags))                                                      \
  F(cuMemFreeHost, (void* host))                                                                                      \
  F(cuMemcpyHtoDAsync_v2, (CUdeviceptr to, const void* from, size_t bytes, CUstream stream))                          \
  F(cuMemcpyDtoHAsync_v2, (void* to, CUdeviceptr from, size_t bytes, CUstream stream))                                \
  F(cuMemcpyDtoDAsync_v2, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream))                          \
  F(cuMemsetD8Async, (CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream))                            \
  F(cuStreamCreateWithPriority, (CUstream * stream, unsigned flags, int priority))                                    \
  F(cuStreamDestroy_v2, (CUstream stream))                                                                            \
  F(cuStreamSynchronize, (CUstream stream))                                                                           \
  F(cuStreamQuery, (CUstream stream))                                                                                 \
  F(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags))                                              \
  F(cuStreamBeginCapture_v2, (CUstream stream, CUstreamCaptureMode mode))                                             \
  F(cuStreamEndCapture, (CUstream stream, CUgraph * graph))                                                           \
  F(cuEventCreate, (CUevent * event, unsigned flags))                                                                 \
  F(cuEventDestroy_v2, (CUevent event))                                                                               \
  F(cuEventRecord, (CUevent event, CUstream stream))                                                                  \
  F(cuEventSynchronize, (CUevent event))                                                                              \
  F(cuEventElapsedTime, (float* milliseconds, CUevent start, CUevent end))                                            \
  F(cuGraphInstantiateWithFlags, (CUgraphExec * executable, CUgraph graph, unsigned long long flags))                 \
  F(cuGraphDestroy, (CUgraph graph))                                                                                  \
  F(cuGraphLaunch, (CUgraphExec executable, CUstream stream))                                                         \
  F(cuGraphExecDestroy, (CUgraphExec executable))                                                                     \
  F(cuLaunchKernelEx, (const CUlaunchConfig* config, CUfunction function, void** parameters, void** extra))           \
  F(cuTensorMapEncodeTiled, (CUtensorMap * map, CUtensorMapDataType type, uint32_t rank, void* data,                  \
                             const uint64_t* sizes, const uint64_t* strides, const uint32_t* box,                     \
                             const uint32_t* steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,     \
                             CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill))
