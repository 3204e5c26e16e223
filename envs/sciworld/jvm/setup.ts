/** Installs the ScienceWorld simulator from ScienceWorld's Python package, or from a file that the user names. */
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fetchPackage, type PythonPackage } from "../../shared/python/fetch-package.js";
import { exists, jarFolder, typeNumbersName, typeNumbersPath } from "./jar.js";

/**
 * Copies the jar to the folder in which `sciworld@jvm` looks for it, and replaces an older jar.
 *
 * @param from path of a jar. Default: the jar in the Python package
 * @returns a summary of the work done
 * @throws {Error} the installation failed; the message states the cause and the remedy
 */
export async function setUpJar(from?: string): Promise<string> {
  const folder = jarFolder();
  await mkdir(dirname(folder), { recursive: true });
  const scratch = await mkdtemp(`${folder}-`);
  try {
    const jar = from ?? (await fetchJar(scratch));
    const taken = join(scratch, "taken");
    await mkdir(taken);
    await cp(jar, join(taken, "scienceworld.jar"));
    const numbers = typeNumbersPath(jar);
    if (await exists(numbers)) await cp(numbers, join(taken, typeNumbersName));
    await rm(folder, { recursive: true, force: true });
    await rename(taken, folder);
    const digest = createHash("sha256")
      .update(await readFile(join(folder, "scienceworld.jar")))
      .digest("hex");
    return `${from ?? `the jar of ${simulator.release}`} is now ${join(folder, "scienceworld.jar")} (sha256 ${digest})`;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const simulator: PythonPackage = {
  release: "scienceworld==1.2.3",
  sha256: "e9737b9d099bfaad90ef053ad6ac1d795e2063ed320efdfc0e9d9c8b5bebf419",
};

const otherWay = `Install pip, or take the jar out of the Python package ${simulator.release} on another machine and name it with --jar`;

/** Downloads the package into a folder. @returns the path of its jar */
async function fetchJar(folder: string): Promise<string> {
  return join(await fetchPackage(simulator, folder, otherWay), "scienceworld", "scienceworld.jar");
}
