#pragma once
#include <memory>
#include <type_traits>

namespace palestra {

/**
 * Threads that share the tiles of one operation. The calling thread works too and needs nobody: it drains every tile
 * that no worker has begun, so that a worker which the operating system keeps away costs speed and never a stall.
 * Workers may run on every core but the caller's, of those that the thread had which made the pool.
 *
 * What a tile computes may not depend on who runs it or in which order: then 1 thread and n threads give the same bits.
 */
class ThreadPool {
 public:
  /** @param threads in all, with the calling one; 1 starts none */
  explicit ThreadPool(int threads);
  ~ThreadPool();

  int threads() const;

  /** Runs `tile(0) ... tile(tiles - 1)` and returns when all are done. One caller at a time; tiles do not throw. */
  template <class Tile>
  void run(int tiles, Tile&& tile) {
    run(tiles, [](void* tile, int index) { (*static_cast<std::remove_reference_t<Tile>*>(tile))(index); },
        const_cast<void*>(static_cast<const void*>(&tile)));
  }

 private:
  void run(int tiles, void (*call)(void*, int), void* tile);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace palestra
