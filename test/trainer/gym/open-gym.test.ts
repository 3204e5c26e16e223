/** The gym of a run and the token for it: the user's running gym, a named gym, or a gym that the run starts. */
import { chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { localGym } from "#palestra/trainer/gym/local-gym.js";
import { type GymPlace, openGym } from "#palestra/trainer/gym/open-gym.js";
import { root } from "../../support/server-process.js";
import { scratch, serve } from "../../support/serving.js";

const asExpert = { expert: true };
const variables = ["GYM_TOKEN"] as const;
const before = new Map(variables.map((name) => [name, process.env[name]]));

function setVariables(values: Partial<Record<(typeof variables)[number], string>>): void {
  for (const name of variables) {
    const value = values[name];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
beforeEach(() => setVariables({}));
afterEach(() => setVariables(Object.fromEntries([...before].filter(([, value]) => value !== undefined))));

const silent = () => {};

/** Returns the expert's first action of an episode in the chosen gym. */
async function adviceIn(gym: string, place: GymPlace = {}): Promise<string | null> {
  const { client, close } = await openGym({ gym }, place, asExpert, silent);
  try {
    return await (await client.begin({ environment: "textcraft", split: "test", index: 0 })).expert();
  } finally {
    await close();
  }
}

describe("a run that needs the expert", () => {
  test("uses the local token of a running gym of the same data directory, and of no other", async () => {
    const [own, other] = [scratch(), scratch()];
    const gyms = await Promise.all([serve({ dataDir: own }), serve({ dataDir: other })]);
    const place = { dataDir: own };
    expect(await adviceIn(gyms[0].url, place)).toEqual(expect.any(String));
    expect(await adviceIn(gyms[0].url.replace("127.0.0.1", "localhost"), place)).toEqual(expect.any(String));
    await expect(adviceIn(gyms[1].url, place)).rejects.toMatchObject({
      code: "RIGHT_MISSING",
      message: expect.stringMatching(/`palestra token create --name <name> --expert` .+ GYM_TOKEN .+ `--gym spawn`/),
    });
  });

  test("starts despite the leftover file of a killed gym", async () => {
    const dataDir = scratch();
    const killed = await serve({ dataDir });
    await killed.process.kill();
    const port = Number(new URL(killed.url).port);
    await serve({ port, env: { PALESTRA_LOCAL_EXPERT: "true" } });
    expect(await adviceIn(killed.url, { dataDir })).toEqual(expect.any(String));
  });

  test("continues when its gym is restarted with another token", async () => {
    const dataDir = scratch();
    const first = await serve({ dataDir });
    const { client, close } = await openGym({ gym: first.url }, { dataDir }, asExpert, silent);
    onTestFinished(close);
    const episode = await client.begin({ environment: "textcraft", split: "test", index: 0 });
    const advice = await episode.expert();
    await first.process.kill();
    const again = episode.expert();
    await serve({ dataDir, port: Number(new URL(first.url).port) });
    expect(await again).toBe(advice);
  });

  test("prefers GYM_TOKEN to any other token, and the error names a token without the right", async () => {
    const dataDir = scratch();
    const { url } = await serve({ dataDir });
    setVariables({ GYM_TOKEN: "pal_unknown" });
    await expect(adviceIn(url, { dataDir })).rejects.toMatchObject({
      code: "GYM_REFUSED",
      message: expect.stringContaining("set GYM_TOKEN to it"),
    });
  });

  test("can call the expert of a gym that it starts, even if GYM_TOKEN is set", async () => {
    setVariables({ GYM_TOKEN: "pal_unknown" });
    expect(await adviceIn("spawn", { program: { path: join(root, "dist/server/program/cli.js") } })).toEqual(
      expect.any(String),
    );
  });
});

describe("the file of a local gym", () => {
  const url = "http://127.0.0.1:8700";
  const record = { url, hostname: hostname(), token: "pal_secret" };

  function dirWith(content: unknown, mode = 0o600): string {
    const dataDir = scratch();
    const path = join(dataDir, "local-gym.json");
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    chmodSync(path, mode);
    return dataDir;
  }

  test("is used only for its own address, as a number or as localhost", () => {
    const dataDir = dirWith(record);
    expect(localGym(dataDir, url)?.token).toBe("pal_secret");
    expect(localGym(dataDir, `${url}/`)?.token).toBe("pal_secret");
    expect(localGym(dataDir, "http://localhost:8700")?.url).toBe(`${url}/`);
  });

  test.each([
    ["another port", "http://127.0.0.1:8701"],
    ["another address of this machine", "http://127.0.0.2:8700"],
    ["a name that may mean anything", "http://gym.example.org:8700"],
    ["another protocol", "https://127.0.0.1:8700"],
    ["no URL", "8700"],
  ])("gives no token to %s", (_, asked) => {
    expect(localGym(dirWith(record), asked)).toBeUndefined();
  });

  test.each([
    ["that others can read", record, 0o644],
    ["of another machine", { ...record, hostname: `${hostname()}-2` }, 0o600],
    ["without a token", { url, hostname: hostname() }, 0o600],
    ["that is no JSON", "{", 0o600],
  ])("is ignored with %s", (_, content, mode) => {
    expect(localGym(dirWith(content, mode), url)).toBeUndefined();
  });
});

test("an address without a server fails with GYM_UNREACHABLE", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  await expect(adviceIn(`http://127.0.0.1:${port}`)).rejects.toMatchObject({ code: "GYM_UNREACHABLE" });
});
