/** The pictures of the README, made by `npm run images`. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { PNG } from "pngjs";
import { beforeAll, describe, expect, test } from "vitest";
import { root, scratchDir } from "../../support/server-process.js";
import { missing, openBrowser, testStudio } from "../../support/studio.js";
import { whenDone } from "../../support/when-done.js";

const run = promisify(execFile);
const committed = join(root, ".github/images");
const mostBytes = 200_000;
/** Share of the pixels that may differ from a committed picture: the drawing of glyphs differs between machines. */
const mostDifferent = 0.02;

async function make(): Promise<string> {
  const { path, remove } = scratchDir();
  whenDone(remove);
  await run(process.execPath, ["--import", "tsx", ".config/images/images.ts", "--out", path], { cwd: root });
  return path;
}

describe.skipIf(missing)("the pictures that the script makes", () => {
  let folders: readonly [string, string];

  beforeAll(async () => {
    // One after the other: on a busy machine, Chromium now and then paints single pixels of a text in another way.
    folders = [await make(), await make()];
  }, 600_000);

  test("are equal byte for byte in two runs, and have the names of the committed ones", () => {
    const [one, other] = folders;
    expect(readdirSync(one)).toEqual(readdirSync(committed));
    expect(readdirSync(one)).toContain("episode-dark.png");
    for (const name of readdirSync(one))
      expect(readFileSync(join(one, name)).equals(readFileSync(join(other, name))), name).toBe(true);
  });

  test("are close to the committed ones with the same Chromium and fonts", ({ skip }) => {
    const [here, there] = [folders[0], committed].map((folder) => readFileSync(join(folder, "made-with.json"), "utf8"));
    skip(here !== there, `the committed pictures were made with ${there}, and this machine has ${here}`);
    for (const name of readdirSync(committed).filter((file) => file.endsWith(".png")))
      expect(differenceOf(join(committed, name), join(folders[0], name)), name).toBeLessThan(mostDifferent);
  });

  test("have the recording of the terminal that is committed", () => {
    const [made, kept] = [folders[0], committed].map((folder) => readFileSync(join(folder, "terminal.svg"), "utf8"));
    expect(made).toBe(kept);
  });
});

/** Returns the share of the pixels that differ between two PNG files, or 1 if their sizes differ. */
function differenceOf(one: string, other: string): number {
  const [a, b] = [PNG.sync.read(readFileSync(one)), PNG.sync.read(readFileSync(other))];
  if (a.width !== b.width || a.height !== b.height) return 1;
  let different = 0;
  for (let at = 0; at < a.data.length; at += 4)
    if (a.data.compare(b.data, at, at + 4, at, at + 4) !== 0) different += 1;
  return different / (a.width * a.height);
}

test("each committed picture is smaller than 200 kB and on a page", () => {
  const pages = readFileSync(join(root, "README.md"), "utf8");
  for (const name of readdirSync(committed).filter((file) => file !== "made-with.json")) {
    expect(statSync(join(committed, name)).size, name).toBeLessThan(mostBytes);
    expect(pages).toContain(`.github/images/${name}`);
  }
});

test("the first page has the success of the recorded run, whose curve it shows", () => {
  const recorded = readFileSync(join(root, ".config/images/data/default-run.json"), "utf8");
  const { heldOut } = JSON.parse(recorded) as { heldOut: { step: number; success: Record<string, number> }[] };
  const [first, last] = [heldOut[0], heldOut.at(-1)].map((evaluation) => {
    const levels = Object.entries(evaluation?.success ?? {}).filter(([set]) => set !== "TextCraft");
    return Math.round((100 * levels.reduce((sum, [, share]) => sum + share, 0)) / levels.length);
  });
  const page = readFileSync(join(root, "README.md"), "utf8").replace(/\s+/g, " ");
  expect(page).toContain(`rises from ${first} % to ${last} % in ${heldOut.at(-1)?.step} train steps`);
});

test("the package has none of the pictures", async () => {
  const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    ...{ cwd: root, maxBuffer: 2 ** 26 },
  });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  const names = files.map(({ path }) => path);
  expect(names).toContain("README.md");
  expect(
    names.filter((path) => path.startsWith(".") || readdirSync(committed).some((name) => path.endsWith(name))),
  ).toEqual([]);
});

testStudio(
  "the recording of the terminal plays, and stands still at its end for a reader who asks for reduced motion",
  async () => {
    const page = await openBrowser();
    await page.goto(pathToFileURL(join(committed, "terminal.svg")).href);
    const running = () =>
      page.evaluate<number>("document.getAnimations().filter((one) => one.playState === 'running').length");
    expect(await running()).toBeGreaterThan(10);
    const end = page.getByText(/^terminated after 7 steps/);
    const isInView = () =>
      end.evaluate((element) => {
        const { top, bottom } = (
          element as unknown as { getBoundingClientRect(): { top: number; bottom: number } }
        ).getBoundingClientRect();
        return top >= 0 && bottom <= 480;
      });
    expect(await isInView()).toBe(false);
    await page.emulateMedia({ reducedMotion: "reduce" });
    expect(await running()).toBe(0);
    expect(await isInView()).toBe(true);
  },
);
