/** Tokens with limits in a running gym, over HTTP and sockets and across a crash. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ErrorBody } from "#palestra/server/errors.js";
import { eventually } from "../support/gym.js";
import { palestra } from "../support/palestra.js";
import { connect, scratch, serve } from "../support/serving.js";

interface Reply {
  status: number;
  episodeId: string;
  error?: ErrorBody;
}

async function token(dataDir: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await palestra(["--data-dir", dataDir, "token", ...args]);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout.trim();
}

/** Sends a request with a token, and returns the reply's status and body. */
async function post(url: string, secret: string, path: string, body: object): Promise<Reply> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${secret}` };
  const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, ...((await response.json()) as Omit<Reply, "status">) };
}

const open = (url: string, secret: string) =>
  post(url, secret, "/v1/episodes", { environment: "textcraft", task: { index: 0 } });

test("the steps of a group are limited over HTTP and sockets, and stored steps still count after a crash of the gym", async () => {
  const dataDir = scratch();
  const gym = await serve({ dataDir });
  await token(dataDir, "group", "lab-a", "--max-steps-per-day", "4");
  const ada = await token(dataDir, "create", "--name", "ada", "--group", "lab-a");
  const bob = await token(dataDir, "create", "--name", "bob", "--group", "lab-a");
  const first = await open(gym.url, ada);
  const second = await open(gym.url, bob);
  const step = (index: number, { episodeId } = first) => ({ episodeId, index, action: "inventory" });
  const path = `/v1/episodes/${first.episodeId}/step`;
  for (const index of [0, 1]) expect((await post(gym.url, ada, path, { index, action: "look" })).status).toBe(200);
  const socket = await connect(gym.url, { token: bob });
  await socket.request("step", step(0, second));

  const stored = () => JSON.parse(readFileSync(join(dataDir, "usage.json"), "utf8")).groups["lab-a"] as number;
  await eventually(() => {
    try {
      return stored() === 3;
    } catch {
      return false;
    }
  });
  await gym.process.kill();

  const after = await serve({ dataDir });
  expect((await post(after.url, ada, path, { index: 2, action: "look" })).status).toBe(200);
  const refused = await post(after.url, ada, path, { index: 3, action: "look" });
  expect([refused.status, refused.error?.code, refused.error?.details]).toEqual([
    429,
    "LIMIT_TOKEN_STEPS",
    { limit: 4, used: 4, of: "group", freesAt: expect.stringMatching(/T00:00:00\.000Z$/) },
  ]);
  const again = await connect(after.url, { token: bob });
  await expect(again.request("step", step(1, second))).rejects.toMatchObject({ code: "LIMIT_TOKEN_STEPS" });
  await after.process.stop();
  const { tokens, groups } = JSON.parse(await token(dataDir, "list", "--json"));
  expect(groups).toMatchObject([{ name: "lab-a", tokens: 2, stepsToday: 4 }]);
  expect(tokens).toMatchObject([
    { name: "ada", stepsToday: 3 },
    { name: "bob", stepsToday: 1 },
  ]);
});

test("a token is refused after its expiry, over HTTP and on the socket that it opened", async () => {
  const dataDir = scratch();
  const gym = await serve({ dataDir });
  const expiresAt = new Date(Date.now() + 15_000).toISOString();
  const secret = await token(dataDir, "create", "--name", "ada", "--expires", expiresAt);
  const { episodeId } = await open(gym.url, secret);
  const socket = await connect(gym.url, { token: secret });
  await socket.request("step", { episodeId, index: 0, action: "inventory" });
  await sleep(Date.parse(expiresAt) - Date.now() + 1);
  await expect(socket.request("get", { episodeId })).rejects.toThrow(
    `TOKEN_EXPIRED: The bearer token expired at ${expiresAt}.`,
  );
  expect(await open(gym.url, secret)).toMatchObject({ status: 401, error: { code: "TOKEN_EXPIRED" } });
});
