/** The token of the gym's own user: its rights, and the life of its file. */
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildApp } from "#palestra/server/app/app.js";
import { loadConfig } from "#palestra/server/config/settings.js";
import { LocalToken, localTokenFile } from "#palestra/server/tokens/local-token.js";
import { scratchDir, TestGym } from "../../support/gym.js";
import { serve } from "../../support/serving.js";

interface LocalGym {
  url: string;
  token: string;
}

const fileIn = (dataDir: string) => join(dataDir, localTokenFile);
const read = (dataDir: string) => JSON.parse(readFileSync(fileIn(dataDir), "utf8")) as LocalGym;
const expertOf = async (gym: TestGym, token?: string) => {
  const { episodeId } = await gym.create({}, { token });
  return gym.send("expert", { episodeId }, { token });
};

async function gymWithToken(settings: object): Promise<{ gym: TestGym; token: string; dataDir: string }> {
  const dataDir = scratchDir();
  const localToken = new LocalToken(dataDir);
  const flags = { logLevel: "silent", hosts: { count: 1 }, ...settings, dataDir };
  const gym = new TestGym(await buildApp(loadConfig({ env: {}, flags }), { localToken }), { dataDir, log: {} }, {});
  localToken.publish("127.0.0.1", 8700);
  return { gym, token: read(dataDir).token, dataDir };
}

test("the holder of the local token owns the episodes of callers without a token and may call the expert", async () => {
  const { gym, token } = await gymWithToken({});
  try {
    expect((await expertOf(gym, token)).statusCode).toBe(200);
    const refused = await expertOf(gym);
    expect(refused.statusCode).toBe(403);
    expect(refused.json().error.message).toContain("`palestra token create --name <name>` and the option `--expert`");
    const { episodeId } = await gym.create();
    expect(await gym.call("get", { episodeId }, { token })).toMatchObject({ episodeId });
  } finally {
    await gym.close();
  }
});

test("a gym that requires tokens accepts the local token of its own start only", async () => {
  const { gym, token, dataDir } = await gymWithToken({ auth: "required" });
  try {
    expect((await expertOf(gym, token)).statusCode).toBe(200);
    new LocalToken(dataDir).publish("127.0.0.1", 8700);
    const headers = { authorization: `Bearer ${read(dataDir).token}` };
    expect((await gym.app.inject({ url: "/v1/environments", headers })).statusCode).toBe(401);
  } finally {
    await gym.close();
  }
});

test("the file is private to its user, even if it replaces another file", () => {
  const dataDir = scratchDir();
  writeFileSync(fileIn(dataDir), "left behind");
  chmodSync(fileIn(dataDir), 0o666);
  new LocalToken(dataDir).publish("127.0.0.1", 8700);
  expect(statSync(fileIn(dataDir)).mode & 0o777).toBe(0o600);
});

test.each([
  ["127.0.0.1", "http://127.0.0.1:81"],
  ["127.0.0.9", "http://127.0.0.9:81"],
  ["localhost", "http://127.0.0.1:81"],
  ["::1", "http://[::1]:81"],
  ["0.0.0.0", "http://127.0.0.1:81"],
  ["::", "http://127.0.0.1:81"],
  ["192.0.2.1", undefined],
  ["gym.example.org", undefined],
])("a gym that listens on %s gives clients on this machine the URL %s", (host, url) => {
  const dataDir = scratchDir();
  expect(new LocalToken(dataDir).publish(host, 81)).toBe(url !== undefined);
  expect(existsSync(fileIn(dataDir)) ? read(dataDir).url : undefined).toBe(url);
});

test("each start creates a new token, a stop removes the file, and a killed gym's file is worthless", async () => {
  const dataDir = scratchDir();
  const listed = async (url: string, token: string) =>
    (await fetch(`${url}/v1/episodes`, { headers: { authorization: `Bearer ${token}` } })).status;

  const killed = await serve({ dataDir });
  const before = read(dataDir);
  expect(before.url).toBe(killed.url);
  expect(await listed(killed.url, before.token)).toBe(200);
  await killed.process.kill();
  expect(read(dataDir)).toEqual(before);

  const stopped = await serve({ dataDir });
  const after = read(dataDir);
  expect(await listed(stopped.url, before.token)).toBe(401);
  expect(await listed(stopped.url, after.token)).toBe(200);
  await stopped.process.stop();
  expect(existsSync(fileIn(dataDir))).toBe(false);
});
