/** The command `palestra setup browser`, which finds Chromium or installs it with Playwright. */
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { lastLine } from "../programs.js";
import { SandboxError } from "../sandbox.js";
import { findBrowser, installedPath } from "./executable.js";

const installMs = 900_000;
const versionMs = 30_000;

export interface InstallOptions {
  environment?: NodeJS.ProcessEnv;
  /** Command that installs Chromium. Default: Playwright's installer. */
  installer?: readonly [string, ...string[]];
}

/**
 * Finds or installs Chromium, and checks that it starts.
 *
 * @returns a line with the version of the browser and where it was found
 * @throws {SandboxError} MISSING, START
 */
export async function setUpBrowser(options: InstallOptions = {}): Promise<string> {
  const { environment = process.env } = options;
  const found = await findBrowser({ environment }).catch((error: SandboxError) => {
    if (environment.PALESTRA_SANDBOXES_BROWSER) throw error;
  });
  if (found !== undefined) return `${await versionOf(found)} is there: ${found}`;
  await install(options, environment);
  const installed = await installedPath();
  if (installed === undefined)
    throw SandboxError.ofState("MISSING", "Playwright's installer installed no Chromium.", "Install Chromium yourself");
  return `${await versionOf(installed)} was installed by Playwright: ${installed}`;
}

/** Returns the output of `--version`. @throws {SandboxError} START */
export async function versionOf(path: string, withinMs = versionMs): Promise<string> {
  const { stdout } = await promisify(execFile)(path, ["--version"], { timeout: withinMs, env: {} }).catch((cause) => {
    const advice = "Libraries may be missing: `npx playwright install-deps chromium` installs them";
    throw new SandboxError("START", `a version from ${path}`, lastLine(cause.stderr || cause.message), advice, {
      cause,
    });
  });
  return stdout.trim();
}

async function install({ installer }: InstallOptions, environment: NodeJS.ProcessEnv): Promise<void> {
  const cli = join(dirname(createRequire(import.meta.url).resolve("playwright/package.json")), "cli.js");
  const [program, ...args] = installer ?? [process.execPath, cli, "install", "chromium"];
  await promisify(execFile)(program, args, { timeout: installMs, env: environment }).catch((cause) => {
    const advice = "Install Chromium yourself, such as Debian's chromium and fonts-liberation";
    const received = lastLine(cause.stderr || cause.message);
    throw new SandboxError("MISSING", "Playwright's installer to install Chromium", received, advice, { cause });
  });
}
