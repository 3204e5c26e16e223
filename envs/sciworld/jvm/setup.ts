/** Gets the original simulator: from the Python package that carries it, or from wherever the user has it. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { exists, jarFolder, typeNumbersName, typeNumbersPath } from "./jar.js";

const release = "scienceworld==1.2.3";
/** Of the wheel; pip takes no other. */
const sha256 = "e9737b9d099bfaad90ef053ad6ac1d795e2063ed320efdfc0e9d9c8b5bebf419";

/** Ways to call pip, the first that is there. */
const pips = [["python3", "-m", "pip"], ["python", "-m", "pip"], ["pip3"], ["pip"]] as const;

/**
 * Puts the jar where `sciworld@jvm` looks for it, in place of one that is there.
 *
 * @param from a jar of one's own; the package's unless told
 * @returns what was done
 * @throws {Error} it could not be got: the message says what came instead, and what else can be done
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
    return `${from ?? `the jar of ${release}`} is now ${join(folder, "scienceworld.jar")} (sha256 ${digest})`;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** @returns where the package's jar lies below the folder */
async function fetchJar(folder: string): Promise<string> {
  const wanted = join(folder, "requirements.txt");
  await writeFile(wanted, `${release} --hash=sha256:${sha256}\n`);
  const unpacked = join(folder, "package");
  await pip(
    "install",
    "--quiet",
    "--disable-pip-version-check",
    "--no-deps",
    "--require-hashes",
    "--target",
    unpacked,
    "--requirement",
    wanted,
  );
  return join(unpacked, "scienceworld", "scienceworld.jar");
}

async function pip(...args: string[]): Promise<void> {
  const run = promisify(execFile);
  for (const [program, ...first] of pips) {
    try {
      await run(program, [...first, "--version"]);
    } catch {
      continue;
    }
    await run(program, [...first, ...args]).catch((error: { stderr: string }) => {
      const said = error.stderr.trim().split("\n").at(-1);
      throw new Error(`pip's complaint: ${said}. ${otherWay}`);
    });
    return;
  }
  throw new Error(`no pip: none of ${pips.map((words) => words.join(" ")).join(", ")} runs here. ${otherWay}`);
}

const otherWay = `Install pip, or take the jar out of the Python package ${release} on another machine and name it with --jar`;
