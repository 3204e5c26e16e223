/** The command line and the versions of a run, for its report. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import type { RunOrigin } from "../../../trainer/report/run-file.js";
import { textWithoutSecrets } from "../../formats/secrets.js";
import { version } from "../../version.js";

/** Flags whose value is a secret. */
const secretFlags = ["--endpoint_api_key"];

/** @param command command of the trainer's program that was parsed */
export function runOrigin(command: Command): RunOrigin {
  return { command: commandLineOf(command), versions: versions() };
}

/** Returns the command line of a command that was parsed. */
export function commandLineOf(command: Command): string {
  const { rawArgs = [] } = (command.parent ?? command) as Command & { rawArgs?: string[] };
  return commandLine(rawArgs);
}

/** Returns the versions of Palestra and, in a working copy, its commit. */
export function versions(): Record<string, string> {
  const commit = commitOf(dirname(createRequire(import.meta.url).resolve("palestra/package.json")));
  return { palestra: version, ...(commit !== undefined && { commit }) };
}

/** Returns a command line that a shell reads, without secrets. */
export function commandLine(args: readonly string[]): string {
  const shown = args.map((arg, at) => {
    const [name = ""] = arg.split("=");
    if (secretFlags.includes(args[at - 1] ?? "")) return "(not shown)";
    return secretFlags.includes(name) && arg.includes("=") ? `${name}=(not shown)` : textWithoutSecrets(arg);
  });
  return ["palestra", ...shown].map(quoted).join(" ");
}

function quoted(arg: string): string {
  return /^[\w@%+=:,./#-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`;
}

function commitOf(folder: string): string | undefined {
  if (!existsSync(join(folder, ".git"))) return undefined;
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    const isChanged = git("status", "--porcelain", "--untracked-files=no") !== "";
    return `${git("rev-parse", "--short=12", "HEAD")}${isChanged ? ", with changes" : ""}`;
  } catch {
    return undefined;
  }
}
