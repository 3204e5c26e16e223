/** The Python package's wheel, and programs in Python. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { root } from "./server-process.js";

/** Folder of the virtual environments that .ci/run installs. */
export const environments = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "palestra");
/** Virtual environment that builds wheels. Its folder `wheels` has the dependencies of the Python package. */
export const gymnasiumVenv = process.env.GYMNASIUM_VENV ?? join(environments, "gymnasium-1.4.0");

/** Builds the wheel of the Python package in a folder, and returns its path. */
export async function buildWheel(folder: string): Promise<string> {
  const source = join(folder, "source");
  cpSync(join(root, "openapi/python"), source, { recursive: true });
  const args = ["-m", "build", "--wheel", "--no-isolation", "--outdir", folder, source];
  await runProgram(join(gymnasiumVenv, "bin/python"), args, { cwd: folder });
  return join(folder, readdirSync(folder).find((name) => name.endsWith(".whl")) as string);
}

/** @returns standard output @throws {Error} with all output, if the program fails */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<string> {
  // Python writes nothing into the working tree.
  const all = { ...process.env, PYTHONDONTWRITEBYTECODE: "1", ...env };
  const child = spawn(program, args, { cwd, env: all, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0)
    throw new Error(`expected ${args.join(" ")} to succeed, but it ended with ${code}:\n${output}${errors}`);
  return output;
}
