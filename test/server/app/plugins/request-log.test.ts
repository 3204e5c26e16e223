import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { TokenStore } from "#palestra/server/tokens/token-file.js";
import { scratchDir } from "../../../support/gym.js";

const dataDir = scratchDir();
const { secret } = new TokenStore(dataDir).create({ name: "ada", rights: [], maxEpisodes: 10 });
const program = fileURLToPath(new URL("../../../support/logging-gym.mjs", import.meta.url));
const { stdout } = await promisify(execFile)(process.execPath, [program, dataDir, secret]);
const lines = stdout
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Record<string, unknown>);
const requests = lines.filter(({ msg }) => msg === "request");

test("every request is logged with its status and its caller", () => {
  expect(requests).toHaveLength(15);
  expect(requests[0]).toMatchObject({ level: 20, method: "POST", url: "/v1/episodes", status: 200 });
  expect(requests[0]?.caller).toMatch(/^[0-9a-f]{12}$/);
});

test("a failed request is logged as information if the caller caused it, and as a warning otherwise", () => {
  expect(requests.find(({ url }) => url === "/nothing")).toMatchObject({ level: 30, status: 404 });
  expect(requests.find(({ url }) => url === "/boom")).toMatchObject({ level: 40, status: 500 });
});

test("a fault in the gym is logged with its stack", () => {
  const fault = lines.find(({ level }) => level === 50);
  expect(fault).toMatchObject({
    msg: "fault in the gym",
    err: { message: "boom", stack: expect.stringContaining("at ") },
  });
});

test("no token and no action is logged", () => {
  expect(stdout).not.toContain(secret.slice(4));
  const encoded = [...secret.slice(4)].map((character) => `%${character.charCodeAt(0).toString(16)}`).join("");
  expect(stdout).not.toContain(encoded);
  expect(stdout).not.toMatch(/sesame|barley/);
});
