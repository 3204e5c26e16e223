/** The documentation site, built by `npm run docs` in a fresh clone. The command installs the generator. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { copyFiles } from "../support/fresh-clone.js";
import { scratch } from "../support/serving.js";

const run = promisify(execFile);

test("`npm run docs` builds the site in a fresh clone, with its pictures and downloads, and no link is broken", {
  timeout: 900_000,
}, async ({ skip }) => {
  const clone = scratch();
  copyFiles(clone);
  await run("git", ["init", "--quiet"], { cwd: clone });
  try {
    const { stderr } = await run("npm", ["run", "docs"], { cwd: clone, maxBuffer: 2 ** 24 });
    expect(stderr).toContain("The site is in ");
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    const isOffline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(stderr);
    skip(isOffline, "the package registry cannot be reached, and npm's cache lacks VitePress");
    throw error;
  }
  for (const file of ["index.html", "docker/haproxy.cfg", "images/terminal.svg", "images/episode-dark.png"])
    expect(existsSync(join(clone, ".palestra/docs/site", file)), file).toBe(true);
});
