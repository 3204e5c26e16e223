// Finds the source line of a code address, with addr2line if it is installed.
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "race-detector.h"

namespace palestra::simt {

std::string source_of(const void* place) {
  Dl_info module;
  if (dladdr(place, &module) == 0) return "an unknown place";
  // A return address is behind its call.
  const size_t offset = static_cast<const char*>(place) - static_cast<const char*>(module.dli_fbase) - 1;
  char command[1200];
  std::snprintf(command, sizeof command, "addr2line -i -s -e '%s' %#zx 2>/dev/null", module.dli_fname, offset);
  // Innermost first, for inlined functions. Lines of the emulated instructions are skipped.
  std::string lines, before;
  if (FILE* const answer = popen(command, "r")) {
    char text[256];
    while (std::fgets(text, sizeof text, answer)) {
      const std::string line(text, std::strcspn(text, " \n"));
      if (line == before || line.rfind("simt-emulated.h:", 0) == 0) continue;
      lines += (lines.empty() ? "" : " in ") + line;
      before = line;
    }
    pclose(answer);
  }
  if (lines.empty() || lines[0] == '?') {
    std::snprintf(command, sizeof command, "%s+%#zx", module.dli_fname, offset);
    return command;
  }
  return lines;
}

}  // namespace palestra::simt
