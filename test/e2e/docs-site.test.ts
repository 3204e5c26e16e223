/** The documentation site, built by `npm run docs`, which installs the generator. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root } from "../support/server-process.js";

test("`npm run docs` builds the site, and none of its links is broken", { timeout: 900_000 }, async () => {
  const { stderr } = await promisify(execFile)("npm", ["run", "docs"], { cwd: root, maxBuffer: 2 ** 24 });
  expect(stderr).toContain("The site is in ");
  expect(existsSync(join(root, ".palestra/docs/site/index.html"))).toBe(true);
  expect(existsSync(join(root, ".palestra/docs/site/docker/haproxy.cfg"))).toBe(true);
});
