/**
 * Settings of the benchmark's sites. They come from `sites.json` or, if this file does not exist, from environment
 * variables.
 */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { type SiteName, siteNames, sitesOf } from "../shared/web-tasks/tasks/sites.js";

const command = z.array(z.string()).min(1);
const path = z.string().regex(/^\//, "expected a path that begins with /");

const login = z.strictObject({
  /** Path of the login page. */
  path,
  /** Label or placeholder of the field for the user name. */
  username: z.string(),
  password: z.string(),
  /** Text of the submit button. */
  button: z.string(),
  /** Page for checking a login. For visitors without a login, the page redirects or lacks the text. */
  check: z.strictObject({ path, text: z.string().optional() }),
});
export type LoginSettings = z.infer<typeof login>;

const machine = z.strictObject({
  /** Name of a Docker image, or a folder with a Dockerfile. */
  image: z.union([z.string(), z.strictObject({ folder: z.string() })]),
  /** Port of the site in the container. */
  port: z.int().min(1).max(65_535),
  /** Command that starts the site in the container. */
  start: command,
  /** Commands to run after the site has answered for the first time. `{url}` stands for the site's URL. */
  afterStart: z.array(command).default([]),
  user: z.string().default("root"),
  /** Path that returns status 200 as soon as the site is ready. */
  ready: path.default("/"),
  /** Maximum number of seconds until the site is ready. */
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
  /** Local command that resets the site. */
  z.strictObject({ command }),
  /** Reset server: `GET url/reset` starts a reset, and `GET url/status` returns `Ready for duty!` after the reset. */
  z.strictObject({ url: z.url() }),
]);
export type ResetSettings = z.infer<typeof reset>;

const site = z
  .strictObject({
    /** URL of an external site. */
    url: z.url({ protocol: /^https?$/ }).optional(),
    /** Container in which the gym runs the site. */
    machine: machine.optional(),
    /** Path of the site's URL, for a site in a container. */
    path: path.optional(),
    account: z.strictObject({ username: z.string(), password: z.string() }).optional(),
    login: login.optional(),
    /** Headers to add to every browser request, for images that use a header as login. */
    headers: z.record(z.string(), z.string()).optional(),
    /** Method for resetting an external site. A container is not reset but created again. */
    reset: reset.optional(),
    /** When to reset the site: after an episode that has changed it, or never. */
    resetAfter: z.enum(["change", "never"]).default("change"),
    /** Maximum number of concurrent episodes on an external site. They see each other's changes. */
    parallel: z.int().min(1).max(1_024).default(1),
  })
  .refine(
    ({ url, machine: own }) => (url === undefined) !== (own === undefined),
    "expected either url or machine, not both or neither",
  );
export type SiteSettings = z.infer<typeof site>;

export const settings = z.strictObject({ sites: z.partialRecord(z.enum(siteNames), site) });
export type SitesSettings = Partial<Record<SiteName, SiteSettings>>;

/** Returns the folder with the settings and the imported tasks. */
export function webarenaFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return join(environment.XDG_DATA_HOME || join(homedir(), ".local", "share"), "palestra", "webarena");
}

export function settingsPath(environment: NodeJS.ProcessEnv = process.env): string {
  return environment.PALESTRA_WEBARENA_SITES || join(webarenaFolder(environment), "sites.json");
}

/**
 * Reads the settings.
 *
 * @returns the sites in the file or, without a file, the sites in the environment variables of WebArena and BrowserGym
 * @throws {Error} the file or a variable is invalid
 */
export function siteSettings(environment: NodeJS.ProcessEnv = process.env): SitesSettings {
  const file = settingsPath(environment);
  const text = textOf(file, environment.PALESTRA_WEBARENA_SITES !== undefined);
  if (text === undefined) {
    const urls = Object.entries(sitesOf(environment));
    return Object.fromEntries(urls.map(([name, url]) => [name, site.parse({ url })]));
  }
  return parseSettings(() => JSON.parse(text), file);
}

/**
 * Checks settings.
 *
 * @param read returns the content of the file
 * @throws {Error} the settings are invalid
 */
export function parseSettings(read: () => unknown, file: string): SitesSettings {
  try {
    return settings.parse(read()).sites as SitesSettings;
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new Error(`expected valid settings of WebArena's sites in ${file}, but received:\n${reason}`);
  }
}

/** Reads the settings file. Returns undefined if the default file does not exist. */
function textOf(file: string, isNamed: boolean): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (!isNamed && (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(`cannot read the settings of WebArena's sites at ${file}: ${(error as Error).message}`);
  }
}
