/** The tokens of open studios: how long they are valid, and what their file tells. */
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LocalToken } from "#palestra/server/tokens/local-token.js";
import { StudioTokens, studioTokenFile } from "#palestra/server/tokens/studio-tokens.js";
import { scratch, serve } from "../../support/serving.js";

const day = 86_400_000;

test("a gym accepts a studio's token after a restart, and refuses it once its hash is removed from the file", async () => {
  const dataDir = scratch();
  const statusAt = async (url: string, token: string) =>
    (await fetch(`${url}/v1/usage`, { headers: { authorization: `Bearer ${token}` } })).status;
  const first = await serve({ dataDir, env: { PALESTRA_AUTH: "required" } });
  const token = new StudioTokens(dataDir).create();
  expect(await statusAt(first.url, token)).toBe(200);
  await first.process.stop();

  const second = await serve({ dataDir, env: { PALESTRA_AUTH: "required" } });
  expect(await statusAt(second.url, token)).toBe(200);
  expect(await statusAt(second.url, `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`)).toBe(401);
  rmSync(join(dataDir, studioTokenFile));
  await expect.poll(() => statusAt(second.url, token), { timeout: 20_000 }).toBe(401);
});

test("a studio's token expires after seven days, and several tokens are valid together", () => {
  const dataDir = scratch();
  const now = Date.parse("2026-01-01T00:00:00Z");
  const [older, newer] = [new StudioTokens(dataDir).create(now), new StudioTokens(dataDir).create(now + 3 * day)];
  const tokens = new StudioTokens(dataDir);
  expect(tokens.matches(older, now + 7 * day - 1)).toBe(true);
  expect(tokens.matches(older, now + 7 * day)).toBe(false);
  expect(tokens.matches(newer, now + 7 * day)).toBe(true);
  expect(tokens.matches("", now)).toBe(false);
});

test("the file has no token, is private, and gives no access if others can read it or if it is damaged", () => {
  const dataDir = scratch();
  const path = join(dataDir, studioTokenFile);
  const token = new StudioTokens(dataDir).create();
  expect(readFileSync(path, "utf8")).not.toContain(token.slice("pal_ui_".length));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(new LocalToken(dataDir).matches(token)).toBe(true);
  chmodSync(path, 0o644);
  expect(new LocalToken(dataDir).matches(token)).toBe(false);
  chmodSync(path, 0o600);
  expect(new LocalToken(dataDir).matches(token)).toBe(true);
  writeFileSync(path, '{"tokens":[{"sha256":"');
  expect(new LocalToken(dataDir).matches(token)).toBe(false);
  const next = new StudioTokens(dataDir).create();
  expect(new LocalToken(dataDir).matches(next)).toBe(true);
});
