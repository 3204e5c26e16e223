/**
 * Command `palestra setup webarena --sites`, which describes the sites of the published images: a compose file that
 * starts them, and the settings with which the gym uses and resets them.
 */
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { z } from "zod";
import type { SetUpChoices, SiteFamily } from "../env.js";
import { type Described, type DescribedName, type DescribedSite, Place } from "./images/described.js";
import { parseSettings, type settings, settingsPath, webarenaFolder } from "./settings.js";

const guide = "envs/webarena/README.md#published-images";
/** Number of episodes that use a site at the same time if no episode can change it. */
const readers = 16;

/**
 * Resets a site in the compose file `$0`. Compose alone would keep the volumes that an image declares, or leave them
 * behind.
 */
const resetScript =
  'docker compose --file "$0" rm --stop --force --volumes "$1" && docker compose --file "$0" up --detach --no-deps "$1"';

/**
 * Writes the compose file and the settings.
 *
 * @param from folder of both files. Default: the folder where the gym looks for settings.
 * @param force whether existing files are replaced
 * @returns the written files and the next commands
 * @throws {Error} a file exists or cannot be written, or the host is invalid
 */
export async function setUpSites({
  from,
  host = "localhost",
  family = "webarena",
  force = false,
}: SetUpChoices): Promise<string> {
  const place = new Place(host);
  const folder = resolve(from ?? webarenaFolder());
  const composePath = join(folder, "compose.yaml");
  const sitesPath = join(folder, "sites.json");
  if (!force) await refuseExisting([composePath, sitesPath]);
  const described = await describe(family, place);
  const sites = settingsOf(described, composePath);
  parseSettings(() => sites, sitesPath);
  for (const data of described.dataFolders) await mkdir(join(folder, data), { recursive: true });
  // If another program has created a file in the meantime, it is not replaced, either.
  const how = { flag: force ? "w" : "wx" };
  await writeFile(composePath, await composeText(described), how);
  await writeFile(sitesPath, `${JSON.stringify(sites, null, 2)}\n`, how);
  return summaryOf({ family, place, composePath, sitesPath });
}

async function refuseExisting(paths: readonly string[]): Promise<void> {
  const found = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        () => [path],
        () => [],
      ),
    ),
  );
  const existing = found.flat();
  if (existing.length === 0) return;
  throw new Error(
    `expected no ${existing.join(" and no ")}, but found ${existing.length === 1 ? "it" : "both"}. Name another folder, or add --force to replace ${existing.length === 1 ? "the file" : "the files"}.`,
  );
}

async function describe(family: SiteFamily, place: Place): Promise<Described> {
  return family === "verified"
    ? (await import("./images/verified.js")).verifiedImages(place)
    : (await import("./images/webarena.js")).webarenaImages(place);
}

function settingsOf({ sites }: Described, composePath: string): z.input<typeof settings> {
  const entries = Object.entries(sites) as [DescribedName, DescribedSite][];
  return {
    sites: Object.fromEntries(
      entries.map(([name, { url, headers, isChangeable }]) => [
        name,
        {
          url,
          ...(headers && { headers: { ...headers } }),
          ...(isChangeable
            ? { reset: { command: ["sh", "-c", resetScript, composePath, name] } }
            : { parallel: readers }),
        },
      ]),
    ),
  };
}

async function composeText({ compose }: Described): Promise<string> {
  const { stringify } = await import("yaml");
  const head = `# Sites of WebArena, for Docker Compose 2.30 or newer. Written by \`palestra setup webarena --sites\`.\n`;
  return head + stringify(compose, { lineWidth: 0, aliasDuplicateObjects: false });
}

interface Written {
  family: SiteFamily;
  place: Place;
  composePath: string;
  sitesPath: string;
}

function summaryOf({ family, place, composePath, sitesPath }: Written): string {
  const images = family === "verified" ? "WebArena-Verified's slim images" : "WebArena's images";
  const split = family === "verified" ? "verified" : "test";
  const steps = [
    `Get the images and the data: ${guide}`,
    `docker compose --file ${quoted(composePath)} up --detach`,
    "npx palestra setup webarena",
    ...(settingsPath() === sitesPath ? [] : [`export PALESTRA_WEBARENA_SITES=${quoted(sitesPath)}`]),
    `npx palestra eval --env webarena --split ${split} --limit 8 --concurrency 4 --policy openai:http://127.0.0.1:8000/v1#MODEL`,
  ];
  const warning = place.isPublic
    ? "\nThe sites' ports are open on all of their machine's network interfaces, and their passwords are public: let only the gym's machine through its firewall."
    : "";
  return `${images} at ${place.host} are described in:\n  ${composePath}\n  ${sitesPath}${warning}\nNext:\n${steps
    .map((step, at) => `  ${at + 1}. ${step}`)
    .join("\n")}`;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
