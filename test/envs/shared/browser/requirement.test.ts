/** The browser requirement of environments with web pages. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { browser } from "#palestra/envs/shared/browser/requirement.js";
import { scratchDir } from "../../../support/gym.js";

const before = process.env.PALESTRA_SANDBOXES_BROWSER;
afterEach(() => {
  if (before === undefined) delete process.env.PALESTRA_SANDBOXES_BROWSER;
  else process.env.PALESTRA_SANDBOXES_BROWSER = before;
});

function program(line: string): string {
  const path = join(scratchDir(), "chromium");
  writeFileSync(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
  return path;
}

test("the probe reports a browser with its version and path", async () => {
  const path = program("echo Chromium 9");
  process.env.PALESTRA_SANDBOXES_BROWSER = path;
  expect(await browser.probe()).toEqual({ available: true, detail: `Chromium 9 at ${path}` });
});

test("the probe reports a slow browser without waiting for its version", async () => {
  const path = program("exec sleep 600");
  process.env.PALESTRA_SANDBOXES_BROWSER = path;
  expect(await browser.probe()).toEqual({ available: true, detail: `Chromium at ${path}` });
});

test("the probe reports a failing or missing browser with a reason", async () => {
  const path = program("exit 3");
  process.env.PALESTRA_SANDBOXES_BROWSER = path;
  expect(await browser.probe()).toEqual({ available: false, detail: `${path} --version failed` });
  process.env.PALESTRA_SANDBOXES_BROWSER = "/nowhere/chromium";
  expect(await browser.probe()).toMatchObject({
    available: false,
    detail: expect.stringContaining("/nowhere/chromium"),
  });
});

test("setup with a file is refused and names the setting to use", async () => {
  await expect(browser.setUp({ from: "/a.jar" })).rejects.toThrow("`sandboxes.browser`");
});
