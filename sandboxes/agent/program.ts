/** Compiles the agent's program when a sandbox first needs it, and caches it. */
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { access, chmod, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { cacheFolders } from "../cache-folders.js";
import { SandboxError } from "../sandbox.js";

const sources = fileURLToPath(new URL(".", import.meta.url));
/** Compiler flags. A statically linked program runs in any image, even if the image has no C library. */
const flags = ["-std=gnu11", "-O2", "-static", "-Wall", "-Wextra"];
const mostCompilingMs = 120_000;

let building: Promise<string> | undefined;

/** Returns the path of the program. @throws {SandboxError} MISSING if there is no C compiler */
export function agentProgram(): Promise<string> {
  building ??= find().catch((error) => {
    building = undefined;
    throw error;
  });
  return building;
}

async function find(): Promise<string> {
  const names = (await readdir(sources)).filter((name) => /\.[ch]$/.test(name)).sort();
  const hash = createHash("sha256").update(`${process.arch} ${flags.join(" ")}`);
  for (const name of names) hash.update(name).update(await readFile(join(sources, name)));
  const version = hash.digest("hex").slice(0, 16);
  const folders = cacheFolders("sandbox-agent");
  const compiled = folders.map((folder) => join(folder, version)).find((program) => existsSync(program));
  if (compiled) return compiled;
  const files = names.filter((name) => name.endsWith(".c"));
  return compile(files, join(await firstWritable(folders), version));
}

/**
 * Tries to create the folders in order, and returns the path of the first writable folder. @throws {SandboxError}
 * MISSING
 */
async function firstWritable(folders: readonly string[]): Promise<string> {
  const refusals: string[] = [];
  for (const folder of folders) {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await access(folder, constants.W_OK);
      return folder;
    } catch (error) {
      refusals.push((error as Error).message);
    }
  }
  const advice = "Set XDG_CACHE_HOME to a folder that can be written";
  throw new SandboxError(
    "MISSING",
    "a writable cache folder for the sandbox agent's program",
    refusals.join("; "),
    advice,
  );
}

/** Compiles the files and returns the path of the program. @throws {SandboxError} MISSING */
async function compile(files: readonly string[], program: string): Promise<string> {
  const unfinished = `${program}.${randomUUID()}`;
  try {
    const compiler = process.env.CC || "cc";
    await promisify(execFile)(compiler, [...flags, "-o", unfinished, ...files], {
      cwd: sources,
      timeout: mostCompilingMs,
    });
    await chmod(unfinished, 0o755);
    await rename(unfinished, program);
    return program;
  } catch (error) {
    await rm(unfinished, { force: true });
    const advice = "Install a C compiler: `apt-get install gcc libc6-dev` on Debian";
    throw new SandboxError("MISSING", "a C compiler that compiles the sandbox agent", (error as Error).message, advice);
  }
}
