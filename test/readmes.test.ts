/** The pages of the repository name only what exists: links, headings, files, settings, metrics and benches. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { Metrics } from "#palestra/server/app/plugins/metrics.js";
import { Config } from "#palestra/server/config/config.js";
import { root } from "./support/server-process.js";

/** @returns files of the checkout, including untracked ones, or none outside of a checkout */
function filesOfCheckout(): string[] {
  const args = ["ls-files", "-co", "--exclude-standard", "-z"];
  try {
    return execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean);
  } catch {
    return [];
  }
}

const files = filesOfCheckout();
const folders = new Set(files.flatMap(foldersAbove));
const exists = (path: string) => files.includes(path) || folders.has(path.replace(/\/$/, ""));

function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? ["."] : [folder, ...foldersAbove(folder)];
}

/** Agents read the instructions of tasks, which name paths of the agent's machine. */
const pages = files.filter((path) => path.endsWith(".md") && !path.includes("/data/"));
const textOf = (page: string) => readFileSync(join(root, page), "utf8");
const withoutBlocks = (text: string) => text.replace(/^ *```[\s\S]*?^ *```$/gm, "");

/** Returns the anchors of a page's headings, in GitHub's form. */
function anchorsOf(page: string): string[] {
  const headings = [...withoutBlocks(textOf(page)).matchAll(/^#+ (.+)$/gm)];
  return headings.map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function brokenLinks(page: string): string[] {
  const links = [
    ...withoutBlocks(textOf(page)).matchAll(/\]\(([^)\s]+)\)|^ *<(?:img|source)\b.* src(?:set)?="([^"]*)"/gm),
  ].map(([, link, picture]) => link ?? picture ?? "");
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : normalize(join(dirname(page), path));
    return !exists(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
  });
}

const topFolders = [...new Set(files.filter((path) => path.includes("/")).map((path) => path.split("/")[0]))];
const ofRepository = new RegExp(`^(${topFolders.join("|").replaceAll(".", "\\.")})/[\\w./-]*$`);
const ofPage = /^\w[\w./-]*\.(ts|cc|h)$/;
/** Paths that a build creates. */
const made = /^native\/build(-packages)?\//;

/** @returns the paths in backticks: from the root, or source files from the page's own folder */
function pathsIn(page: string, text: string): { path: string; found: boolean }[] {
  const quoted = [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, path = ""]) => path);
  return quoted
    .filter((path) => !made.test(path) && (ofRepository.test(path) || ofPage.test(path)))
    .map((path) => ({ path, found: exists(path) || exists(normalize(join(dirname(page), path))) }));
}

describe.each(pages)("%s", (page) => {
  test("links only to files and headings that exist", () => {
    expect(brokenLinks(page)).toEqual([]);
  });

  test("names only paths of the repository that exist", () => {
    const missing = pathsIn(page, textOf(page)).filter(({ found }) => !found);
    expect(missing.map(({ path }) => path)).toEqual([]);
  });
});

describe.skipIf(files.length === 0)("the tables of a README", () => {
  const heading = "\n## Where is what\n";

  test.each(["server", "envs", "trainer", "native", "sandboxes"])(
    "%s/README.md answers each question with a path or a link",
    (folder) => {
      const page = `${folder}/README.md`;
      const [, section = ""] = textOf(page).split(heading);
      const rows = section
        .split("\n")
        .filter((line) => /^\| [^-]/.test(line) && !/^\| (question|to add) \|/.test(line));
      expect(rows.length).toBeGreaterThan(5);
      expect(rows.filter((row) => !row.includes("](") && !pathsIn(page, row).some(({ found }) => found))).toEqual([]);
    },
  );
});

describe("README.md", () => {
  test("has at most 150 lines", () => {
    expect(textOf("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  });
});

describe("settings of the server", () => {
  const defaults = Object.entries<unknown>(Config.parse({})).flatMap(([key, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? (Object.entries(value) as [string, unknown][]).map(([name, inner]) => [`${key}.${name}`, inner] as const)
      : [[key, value] as const],
  );
  const rows = ["server/README.md", "sandboxes/README.md"].flatMap((page) => [
    ...textOf(page).matchAll(/^\| `([\w.]+)` \| (.+?) \| .+ \|$/gm),
  ]);
  const documented = new Map(rows.map(([, name = "", value = ""]) => [name, value.replaceAll("`", "")]));

  test.each(defaults)("%s is in a table with its default, %j", (name, value) => {
    // The default number of hosts depends on the machine.
    const expected =
      name === "hosts.count"
        ? documented.get(name)
        : Array.isArray(value)
          ? JSON.stringify(value).replaceAll(",", ", ")
          : String(value);
    expect(documented.get(name)).toBe(expected);
    expect(expected).toBeDefined();
  });
});

test("server/README.md lists every metric of the gym", async () => {
  const own = new Metrics().families.map(({ name }) => name);
  const gauges = ["server/app/plugins/metrics.ts", "server/app/fleet/fleet.ts"].flatMap((path) => [
    ...readFileSync(join(root, path), "utf8").matchAll(/(?:gauge|total)\("(\w+)"/g),
  ]);
  const names = [...new Set([...own, ...gauges.map(([, name = ""]) => name)])];
  const documented = [...textOf("server/README.md").matchAll(/^\| `(palestra_\w+)` \|/gm)].map(([, name]) => name);
  expect(documented.sort()).toEqual(names.sort());
});

test("test/README.md lists every bench", () => {
  const run = readFileSync(join(root, "test/bench/run.ts"), "utf8");
  const benches = [...run.matchAll(/^bench\(\s*"([\w-]+)"/gm)].map(([, name]) => name);
  const documented = [...textOf("test/README.md").matchAll(/bench -- ([\w-]+)/g)].map(([, name]) => name);
  expect(documented.sort()).toEqual(benches.sort());
});
