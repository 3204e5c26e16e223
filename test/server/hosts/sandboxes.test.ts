/** The sandbox providers that the settings name. */
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, onTestFinished, test, vi } from "vitest";
import { loadConfig } from "#palestra/server/config/settings.js";
import { openSandboxes } from "#palestra/server/hosts/sandboxes.js";
import { firstPage, testBrowser } from "../../support/browsers.js";

function open(sandboxes: Record<string, unknown>) {
  const opened = openSandboxes(loadConfig({ env: {}, flags: { sandboxes } }));
  onTestFinished(() => opened.close());
  return opened;
}

testBrowser("the first session starts as many browsers as the settings name", async () => {
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`palestra-browsers-${process.pid}-`));
  const { browsers } = open({ browsers: 1, contextsPerBrowser: 1, warmContexts: 0, waitMs: 100_000 });
  expect(folders()).toEqual([]);
  const session = await browsers.open({ hosts: [] });
  expect(folders()).toHaveLength(1);
  expect(await session.call(() => firstPage(session).evaluate("1 + 1"))).toBe(2);
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const refusal = expect(browsers.open({ hosts: [] })).rejects.toMatchObject({
    code: "FULL",
    message: "All 1 browser sessions are in use, and none ended within 100000 ms.",
  });
  await vi.advanceTimersByTimeAsync(100_000);
  await refusal;
  vi.useRealTimers();
});

test("a missing browser from the settings is reported as MISSING", async () => {
  const { browsers } = open({ browser: "/nowhere/chromium" });
  await expect(browsers.open({ hosts: [] })).rejects.toMatchObject({
    code: "MISSING",
    received: "/nowhere/chromium",
    advice: expect.stringContaining("palestra setup browser"),
  });
});

test.each([
  [{ hosts: ["http://a"] }, /a host of the form/],
  [{ hosts: "a" }, /a list of hosts/],
  [{ hosts: [], viewport: { width: 0, height: 1 } }, /an integer from 1 to 4096 as viewport.width, but received 0/],
  [{ hosts: [], viewport: { width: 1, height: 5_000 } }, /viewport.height, but received 5000/],
  [{ hosts: [], locale: "not a locale" }, /a locale such as en-US/],
  [{ hosts: [], timezone: "Mars/Base" }, /a time zone such as Europe\/Berlin, but received "Mars\/Base"/],
  [{ hosts: [], lifetimeMs: 0 }, /lifetimeMs, but received 0/],
  [{ hosts: [], mostPages: 1.5 }, /mostPages, but received 1.5/],
])("an invalid request is REFUSED: %j", async (request, message) => {
  const { browsers } = open({});
  const opening = browsers.open(request as Parameters<typeof browsers.open>[0]);
  await expect(opening).rejects.toMatchObject({ code: "REFUSED", message: expect.stringMatching(message) });
});
