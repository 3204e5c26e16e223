/** Settings of the benchmark's sites, read from `sites.json` or, if that file does not exist, from environment variables. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { type SiteName, siteNames, sitesOf } from "../tasks/sites.js";

const command = z.array(z.string()).min(1);
const path = z.string().regex(/^\//, "expected a path that begins with /");

const login = z.strictObject({
  /** Path of the login page. */
  path,
  /** Label or placeholder of each field. */
  username: z.string(),
  password: z.string(),
  /** Text of the submit button. */
  button: z.string(),
  /** Page that only logged-in users can see. Other visitors are redirected, or do not see the text. */
  check: z.strictObject({ path, text: z.string().optional() }),
});
export type LoginSettings = z.infer<typeof login>;

const machine = z.strictObject({
  /** Docker image, or a folder with a Dockerfile. */
  image: z.union([z.string(), z.strictObject({ folder: z.string() })]),
  /** Port of the site in the container. */
  port: z.int().min(1).max(65_535),
  /** Command that serves the site. */
  start: command,
  /** Commands to run when the site answers for the first time. `{url}` is replaced by the site's address. */
  afterStart: z.array(command).default([]),
  user: z.string().default("root"),
  /** Path that returns status 200 when the site is up. */
  ready: path.default("/"),
  /** Maximum number of seconds until the site is up. */
  readySeconds: z.int().min(1).default(600),
  /** Number of containers. Each container serves one episode at a time. */
  replicas: z.int().min(1).max(64).default(1),
  memoryMb: z.int().min(16).default(8_192),
  cpus: z.number().positive().default(2),
  processes: z.int().min(1).default(4_096),
  diskMb: z.int().min(1).default(65_536),
});
export type MachineSettings = z.infer<typeof machine>;

const reset = z.union([
  /** Command on this machine that resets the site. */
  z.strictObject({ command }),
  /**
   * Reset server: `GET url/reset` starts a reset, and `GET url/status` returns `Ready for duty!` when it has finished.
   */
  z.strictObject({ url: z.url() }),
]);
export type ResetSettings = z.infer<typeof reset>;

const site = z
  .strictObject({
    /** Address of an external site. */
    url: z.url({ protocol: /^https?$/ }).optional(),
    /** Container in which the gym runs the site. */
    machine: machine.optional(),
    /** Path of the site's address in tasks, for a site in a container. */
    path: path.optional(),
    account: z.strictObject({ username: z.string(), password: z.string() }).optional(),
    login: login.optional(),
    /** Headers of every browser request, for images that log in by a header. */
    headers: z.record(z.string(), z.string()).optional(),
    /** Way to reset an external site. A container is recreated instead of being reset. */
    reset: reset.optional(),
    /** Time of resets: after an episode that has changed the site, or never. */
    resetAfter: z.enum(["change", "never"]).default("change"),
    /** Number of concurrent episodes on an external site. Concurrent episodes see each other's changes. */
    parallel: z.int().min(1).max(1_024).default(1),
  })
  .refine(({ url, machine: own }) => (url === undefined) !== (own === undefined), "expected either url or machine");
export type SiteSettings = z.infer<typeof site>;

const settings = z.strictObject({ sites: z.partialRecord(z.enum(siteNames), site) });
export type SitesSettings = Partial<Record<SiteName, SiteSettings>>;

/** Returns the folder of the settings and of the tasks that `palestra setup webarena` saved. */
export function webarenaFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return join(environment.XDG_DATA_HOME || join(homedir(), ".local", "share"), "palestra", "webarena");
}

export function settingsPath(environment: NodeJS.ProcessEnv = process.env): string {
  return environment.PALESTRA_WEBARENA_SITES || join(webarenaFolder(environment), "sites.json");
}

/**
 * Reads the settings.
 *
 * @returns the sites of the file or, if there is no file, of WebArena's and BrowserGym's variables
 * @throws {Error} the file or a variable is invalid
 */
export function siteSettings(environment: NodeJS.ProcessEnv = process.env): SitesSettings {
  const file = settingsPath(environment);
  const text = textOf(file, environment.PALESTRA_WEBARENA_SITES !== undefined);
  if (text === undefined) {
    const urls = Object.entries(sitesOf(environment));
    return Object.fromEntries(urls.map(([name, url]) => [name, site.parse({ url })]));
  }
  try {
    return settings.parse(JSON.parse(text)).sites as SitesSettings;
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new Error(`expected the settings of WebArena's sites in ${file}, but received:\n${reason}`);
  }
}

/** Reads the settings file. Returns undefined if the default file does not exist. */
function textOf(file: string, isNamed: boolean): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (!isNamed && (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`expected the settings of WebArena's sites at ${file}: ${(error as Error).message}`);
  }
}
