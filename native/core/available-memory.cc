#include "available-memory.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

namespace palestra {

namespace {

constexpr size_t unlimited = std::numeric_limits<size_t>::max();

/** Returns the value after a key in a file of lines "key value". */
std::optional<size_t> read_value(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  std::string line, name;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    size_t value;
    if (words >> name && name == key && words >> value) return value;
  }
  return {};
}

/** Returns the only number in a file. Returns nothing when the file is missing or says "max". */
std::optional<size_t> read_number(const std::string& path) {
  std::ifstream file(path);
  size_t value;
  if (file >> value) return value;
  return {};
}

/** Names of the same files in the two versions of control groups. */
struct GroupFiles {
  const char* mount;
  const char* limit;
  const char* usage;
  const char* droppable;
};
constexpr GroupFiles version1{"/sys/fs/cgroup/memory", "/memory.limit_in_bytes", "/memory.usage_in_bytes",
                              "total_inactive_file"};
constexpr GroupFiles version2{"/sys/fs/cgroup", "/memory.max", "/memory.current", "inactive_file"};

size_t free_in_group(const std::string& folder, const GroupFiles& files) {
  const auto limit = read_number(folder + files.limit);
  const auto usage = read_number(folder + files.usage);
  if (!limit || !usage) return unlimited;
  const size_t droppable = read_value(folder + "/memory.stat", files.droppable).value_or(0);
  const size_t held = *usage - std::min(*usage, droppable);
  return *limit - std::min(*limit, held);
}

/** Returns the minimum over the group and its ancestors, because each of these groups is a limit. */
size_t free_in_groups(const std::string& root, std::string group, const GroupFiles& files) {
  const std::string mount = root + files.mount;
  size_t least = free_in_group(mount, files);
  while (group.size() > 1) {
    least = std::min(least, free_in_group(mount + group, files));
    group.resize(group.rfind('/'));
  }
  return least;
}

/** /proc/self/cgroup has a line "id:controllers:path" for each hierarchy; version 2 is "0::path". */
size_t free_in_all_groups(const std::string& root) {
  std::ifstream file(root + "/proc/self/cgroup");
  std::string line;
  size_t least = unlimited;
  while (std::getline(file, line)) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos || line[second + 1] != '/') continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    if (controllers == ",,") {
      least = std::min(least, free_in_groups(root, line.substr(second + 1), version2));
    } else if (controllers.find(",memory,") != std::string::npos) {
      least = std::min(least, free_in_groups(root, line.substr(second + 1), version1));
    }
  }
  return least;
}

/** Installed memory, for systems that do not report free memory. */
size_t physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? static_cast<size_t>(pages) * static_cast<size_t>(page) : size_t{1} << 30;
}

}  // namespace

size_t available_memory(const std::string& root) {
  const auto kilobytes = read_value(root + "/proc/meminfo", "MemAvailable:");
  const size_t machine = kilobytes ? *kilobytes * 1024 : physical_memory();
  return std::min(machine, free_in_all_groups(root));
}

}  // namespace palestra
