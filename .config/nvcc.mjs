/** Finds NVIDIA's compiler on this machine. Parses on an old Node; see setup.mjs. */
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { answers } from "./build-tools.mjs";

/** @returns the first nvcc that runs: $NVCC, on the PATH, in CUDA's usual folder, or in the packages that .ci/run installs */
export function findNvcc() {
  const candidates = [process.env.NVCC, ...onPath(), "/usr/local/cuda/bin/nvcc", ...inCache()];
  return candidates.find((command) => command && existsSync(command) && answers(command));
}

/** Returns the path of an NVIDIA header, beside the compiler or in CUDA's usual folder, or undefined. */
export function findCudaHeader(name) {
  const nvcc = findNvcc();
  const folders = [...(nvcc ? [join(dirname(nvcc), "../include")] : []), "/usr/local/cuda/include"];
  return folders.map((folder) => join(folder, name)).find(existsSync);
}

function onPath() {
  const folders = (process.env.PATH || "").split(":").filter(Boolean);
  return folders.map((folder) => join(folder, "nvcc"));
}

/** Returns the paths palestra/cuda-VERSION/lib/python3.N/site-packages/nvidia/cuN/bin/nvcc, newest first. */
function inCache() {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "palestra");
  const matching = (folder, pattern) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => pattern.test(name))
          .sort()
          .reverse()
      : [];
  return matching(cache, /^cuda-/).flatMap((version) => {
    const libraries = join(cache, version, "lib");
    return matching(libraries, /^python3/).flatMap((python) => {
      const packages = join(libraries, python, "site-packages/nvidia");
      return matching(packages, /^cu\d+$/).map((release) => join(packages, release, "bin/nvcc"));
    });
  });
}
