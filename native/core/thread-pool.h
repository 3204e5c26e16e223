#pragma once
#include <memory>
#include <type_traits>

namespace palestra {

/**
 * Threads that share the tiles of one operation. The calling thread works, too, and depends on no worker: it computes
 * all tiles that no worker has started. A delayed worker reduces the speed but cannot block the operation. Workers may
 * run on every core of the thread that made the pool, except the caller's core.
 *
 * The result of a tile must not depend on its thread or on the order of tiles. Any number of threads then gives the
 * same bits.
 */
class ThreadPool {
 public:
  /** @param threads total number, including the calling thread; with 1 no thread is started */
  explicit ThreadPool(int threads);
  ~ThreadPool();

  int threads() const;

  /**
   * Runs `tile(0) ... tile(tiles - 1)` and returns when all are done. Supports one caller at a time. Tiles must not
   * throw.
   */
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
