#include "cuda-device.h"

#include "../../../core/failure.h"
#include "cuda-memory.h"
#include "modules.h"
#include "primary-context.h"

namespace palestra::cuda {

namespace {

/** The first major version of compute capability with bf16 mma and cp.async. */
constexpr int lowest_major = 8;

const Driver& require_driver() {
  std::string why_not;
  const Driver* const driver = Driver::find(&why_not);
  if (!driver) throw Failure(Code::device, why_not);
  return *driver;
}

int count_devices(const Driver& driver) {
  int count = 0;
  driver.check(driver.cuDeviceGetCount(&count), "cuDeviceGetCount");
  return count;
}

int attribute(const Driver& driver, CUdevice device, CUdevice_attribute which) {
  int value = 0;
  driver.check(driver.cuDeviceGetAttribute(&value, which, device), "cuDeviceGetAttribute");
  return value;
}

CUdevice require_device(const Driver& driver, int ordinal) {
  const int count = count_devices(driver);
  if (ordinal < 0 || ordinal >= count) {
    throw Failure(Code::device, "expected a CUDA device below " + std::to_string(count) + ", but received " +
                                    std::to_string(ordinal));
  }
  CUdevice device = 0;
  driver.check(driver.cuDeviceGet(&device, ordinal), "cuDeviceGet");
  return device;
}

Properties read_properties(const Driver& driver, CUdevice device) {
  char name[256] = "";
  size_t total_bytes = 0;
  driver.check(driver.cuDeviceGetName(name, sizeof name, device), "cuDeviceGetName");
  driver.check(driver.cuDeviceTotalMem_v2(&total_bytes, device), "cuDeviceTotalMem");
  const auto get = [&](CUdevice_attribute which) { return attribute(driver, device, which); };
  const double kilohertz = get(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  const double bus_bits = get(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  return {name,
          get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
          get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
          get(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
          get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
          2 * kilohertz * 1000 * bus_bits / 8,  // Two transfers per clock.
          total_bytes};
}

/** Fails when kernels cannot run on the device. */
Properties require_properties(const Driver& driver, int ordinal) {
  Properties properties = read_properties(driver, require_device(driver, ordinal));
  if (properties.major < lowest_major) {
    throw Failure(Code::device, "expected a CUDA device of compute capability 8.0 or higher, but received " +
                                    properties.name + " of " + std::to_string(properties.major) + "." +
                                    std::to_string(properties.minor));
  }
  return properties;
}

}  // namespace

struct CudaDevice::State {
  State(const Driver& driver, int ordinal)
      : context(std::make_shared<PrimaryContext>(driver, require_device(driver, ordinal))),
        modules(context, Modules::usual_folder()) {}

  const std::shared_ptr<const PrimaryContext> context;
  Modules modules;
};

CudaDevice::CudaDevice(int ordinal, size_t memory_bytes)
    : driver_(require_driver()),
      properties_(require_properties(driver_, ordinal)),
      state_(std::make_unique<State>(driver_, ordinal)) {
  const size_t budget = memory_bytes > 0 ? memory_bytes : CudaMemory::available(*state_->context) / 10 * 9;
  memory_ = std::make_unique<CudaMemory>(state_->context, budget);
}

CudaDevice::~CudaDevice() = default;

int CudaDevice::find(std::string* why_not) {
  why_not->clear();
  try {
    const Driver& driver = require_driver();
    const int count = count_devices(driver);
    for (int ordinal = 0; ordinal < count; ++ordinal) {
      try {
        require_properties(driver, ordinal);
        Modules::files(Modules::usual_folder(), driver);
        why_not->clear();
        return ordinal;
      } catch (const Failure& failure) {
        if (why_not->empty()) *why_not = failure.what();
      }
    }
    if (count == 0) *why_not = "expected a CUDA device, but received none";
  } catch (const Failure& failure) {
    *why_not = failure.what();
  }
  return -1;
}

CUfunction CudaDevice::kernel(const char* name) {
  const CUfunction function = state_->modules.find(name);
  if (!function) {
    throw Failure(Code::internal, std::string("expected a kernel that a module has, but received ") + name);
  }
  return function;
}

bool CudaDevice::has_kernel(const char* name) { return state_->modules.find(name) != nullptr; }

std::shared_ptr<const PrimaryContext> CudaDevice::context() const { return state_->context; }

void CudaDevice::use() { state_->context->use(); }

}  // namespace palestra::cuda
