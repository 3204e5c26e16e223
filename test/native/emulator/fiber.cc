#include "fiber.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace palestra::simt {

#if defined(__x86_64__)

// swapcontext would save the signal mask by a system call. A kernel with thousands of threads needs a switch of a few
// nanoseconds. Saves the callee-saved registers of the System V ABI.
extern "C" void palestra_switch_stack(void** save, void* load);
asm(R"(
.text
.globl palestra_switch_stack
.hidden palestra_switch_stack
.type palestra_switch_stack,@function
palestra_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size palestra_switch_stack,.-palestra_switch_stack
)");

struct Context {
  void* stack_pointer = nullptr;
};
static void switch_to(Context& from, Context& to) { palestra_switch_stack(&from.stack_pointer, to.stack_pointer); }
static void prepare(Context& context, char* stack, size_t bytes, void (*entry)()) {
  auto* top = reinterpret_cast<uint64_t*>(reinterpret_cast<uintptr_t>(stack + bytes) & ~uintptr_t{15});
  *--top = 0;  // The entry never returns. Its frame is aligned as after a call.
  *--top = reinterpret_cast<uint64_t>(entry);
  for (int i = 0; i < 6; ++i) *--top = 0;
  context.stack_pointer = top;
}

#else

using Context = ucontext_t;
static void switch_to(Context& from, Context& to) { swapcontext(&from, &to); }
static void prepare(Context& context, char* stack, size_t bytes, void (*entry)()) {
  getcontext(&context);
  context.uc_stack.ss_sp = stack;
  context.uc_stack.ss_size = bytes;
  context.uc_link = nullptr;
  makecontext(&context, entry, 0);
}

#endif

struct Fiber::State {
  Context own, caller;
  char* stack = nullptr;
  size_t bytes = 0;
  void (*function)(void*) = nullptr;
  void* argument = nullptr;
  bool ended = true;
  const void* caller_stack = nullptr;
  size_t caller_bytes = 0;
};

namespace {
thread_local Fiber* running = nullptr;
}

Fiber::Fiber(size_t stack_bytes) : state_(std::make_unique<State>()) {
  void* memory = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  state_->stack = static_cast<char*>(memory);
  state_->bytes = stack_bytes;
}

Fiber::Fiber(Fiber&&) noexcept = default;

Fiber::~Fiber() {
  if (state_) munmap(state_->stack, state_->bytes);
}

const char* Fiber::stack() const { return state_->stack; }

void Fiber::enter() {
  State& state = *running->state_;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, &state.caller_stack, &state.caller_bytes);
#endif
  state.function(state.argument);
  state.ended = true;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(nullptr, state.caller_stack, state.caller_bytes);
#endif
  switch_to(state.own, state.caller);
}

void Fiber::begin(void (*function)(void*), void* argument) {
  state_->function = function;
  state_->argument = argument;
  state_->ended = false;
  prepare(state_->own, state_->stack, state_->bytes, &Fiber::enter);
}

bool Fiber::resume() {
  Fiber* const before = running;
  running = this;
#if defined(__SANITIZE_ADDRESS__)
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, state_->stack, state_->bytes);
#endif
  switch_to(state_->caller, state_->own);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
  running = before;
  return !state_->ended;
}

void Fiber::stop() {
  State& state = *running->state_;
#if defined(__SANITIZE_ADDRESS__)
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, state.caller_stack, state.caller_bytes);
#endif
  switch_to(state.own, state.caller);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fake, &state.caller_stack, &state.caller_bytes);
#endif
}

}  // namespace palestra::simt
