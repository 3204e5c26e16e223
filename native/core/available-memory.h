#pragma once
#include <cstddef>
#include <string>

namespace palestra {

/**
 * Bytes that a process can still take without being ended for it: what the machine has free, or less where a control
 * group around the process, version 1 or 2, allows less. Pages of files that the kernel would drop count as free.
 *
 * @param root the folder in which `proc` and `sys` lie; empty: the machine's own
 */
size_t available_memory(const std::string& root);

}  // namespace palestra
