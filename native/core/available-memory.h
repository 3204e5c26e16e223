#pragma once
#include <cstddef>
#include <string>

namespace palestra {

/**
 * Returns the bytes that the process can still allocate before the system would kill it. The limit is the machine's
 * free memory, or that of a control group (version 1 or 2) if it is lower. The page cache counts as free.
 *
 * @param root the folder of `proc` and `sys`; empty for the machine's own
 */
size_t available_memory(const std::string& root);

}  // namespace palestra
