/** Finds Chromium on this machine. */
import { open, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findProgram, isProgram } from "../programs.js";
import { SandboxError } from "../sandbox.js";

/** Names of Chromium's program in Linux distributions. */
const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];

export const advice =
  "Run `palestra setup browser`, install Chromium (Debian: `apt-get install chromium fonts-liberation`), or set " +
  "`sandboxes.browser` to its path";

/** Name of the environment variable for `sandboxes.browser`, for code without access to the settings. */
export const variable = "PALESTRA_SANDBOXES_BROWSER";

/** Value of the setting that makes Palestra search for a program. */
export const auto = "auto";

export interface Search {
  /** Path of the program, or `auto`. Default: the environment variable, else `auto`. */
  setting?: string | undefined;
  environment?: NodeJS.ProcessEnv;
}

/**
 * Returns the path of Chromium's program: the program of the setting, else the first on the PATH, else the program that
 * Playwright has installed.
 *
 * @throws {SandboxError} MISSING
 */
export async function findBrowser({ environment = process.env, setting }: Search = {}): Promise<string> {
  const wanted = setting ?? environment[variable] ?? auto;
  if (wanted !== auto) {
    // A wrong setting is an error, and must not lead to another browser.
    if (await isProgram(wanted)) return programBehind(wanted);
    throw new SandboxError("MISSING", "the path of Chromium in the setting `sandboxes.browser`", wanted, advice);
  }
  for (const name of names) {
    const program = await findProgram(name, environment.PATH ?? "");
    if (program !== undefined) return programBehind(program);
  }
  const installed = await installedPath();
  if (installed !== undefined) return installed;
  const received = `none: no folder of PATH has ${names.join(" or ")}, and Playwright has installed none`;
  throw new SandboxError("MISSING", "Chromium", received, advice);
}

/** Returns the path of Playwright's Chromium, or undefined if it is not installed. */
export async function installedPath(): Promise<string | undefined> {
  const { chromium } = await import("playwright");
  const path = chromium.executablePath();
  return path && (await isProgram(path)) ? path : undefined;
}

/**
 * Returns the program that a distribution's start script runs, since the script adds flags and reads the user's
 * settings. Returns the script itself if the program is not at a known path.
 */
async function programBehind(path: string): Promise<string> {
  const real = await realpath(path);
  if (!(await isScript(real))) return real;
  const places = [
    join(dirname(real), "chrome"),
    join(dirname(real), "../lib/chromium/chromium"),
    join(dirname(real), "../lib/chromium-browser/chromium-browser"),
  ];
  for (const place of places) {
    if ((await isProgram(place)) && !(await isScript(place))) return place;
  }
  return real;
}

async function isScript(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (!file) return false;
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.toString("latin1") === "#!";
  } finally {
    await file.close();
  }
}
