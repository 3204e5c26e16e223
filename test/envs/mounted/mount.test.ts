import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Requirement } from "#palestra/envs/env.js";
import { mountedEnvironment } from "#palestra/envs/mounted/index.js";
import { parseMount } from "#palestra/envs/mounted/mount.js";
import { Registry } from "#palestra/envs/registry.js";
import { scratch } from "../../support/serving.js";

/** An address where no server listens. */
const nowhere = "http://ada:sesame@127.0.0.1:9";

const defined = (mount: string) => mountedEnvironment(JSON.stringify({ mount }));

test.each([
  ["maze=agentgym:http://a:1/maze/", { name: "maze", kind: "agentgym", address: "http://a:1/maze" }],
  ["shop=agentgym/webshop:http://a:1", { kind: "agentgym", dialect: "webshop", address: "http://a:1" }],
  ["echo=openenv:wss://a:1/x", { kind: "openenv", address: "https://a:1/x" }],
  ["pong=gymnasium:ale_py:ALE/Pong-v5", { kind: "gymnasium", address: "ale_py:ALE/Pong-v5" }],
  ["any=https://a.test", { name: "any", address: "https://a.test" }],
  ["x=openenv:http://a#replay", { options: { replay: true } }],
  ["x=openenv:http://a#rewards=-1..2.5&solved=1", { options: { rewards: [-1, 2.5], solved: 1 } }],
  ["x=gymnasium:A-v0#actions=up,down&workers=2", { options: { actions: ["up", "down"], workers: 2 } }],
])("%s is read", (text, expected) => {
  expect(parseMount(text)).toMatchObject(expected);
});

test.each([
  ["maze", /NAME=agentgym:URL.*NAME=openenv:URL.*NAME=gymnasium:ID/],
  ["Maze=openenv:http://a", /lower-case letters/],
  ["x=ftp://a", /the protocol ftp:/],
  ["x=openenv/echo:http://a", /without a dialect/],
  ["x=openenv:sesame", /a text that is none/],
  ["x=openenv:http://a#replays", /one of the options replay, tasks.*"replays"/],
  ["x=openenv:http://a#replay=no", /no value as the option replay/],
  ["x=openenv:http://a#rewards=1..0", /LOWEST\.\.HIGHEST/],
  ["x=openenv:http://a#tasks=0", /a positive integer/],
  ["x=gymnasium:A;rm -rf", /the id of a Gymnasium environment/],
])("%s is refused", (text, message) => {
  expect(() => parseMount(text)).toThrow(message);
});

test.each([
  "http://ada:sesame@a",
  "x=gymnasium:http://ada:sesame@a",
  "x=openenv:http//ada:sesame@a",
  "x=ftp://ada:sesame@a",
])("the error for %s repeats no password", (text) => {
  expect(() => parseMount(text)).toThrow(/^expected /);
  expect(() => parseMount(text)).not.toThrow(/sesame/);
});

test("two mounts cannot have one name", async () => {
  const mounts = ["a", "b"].map((path) => JSON.stringify({ mount: `twice=agentgym/maze:http://127.0.0.1:9/${path}` }));
  await expect(Registry.load(mounts, "added")).rejects.toThrow(/a name for each mount.*twice/);
});

describe("a mount without its server", () => {
  test("is an environment whose requirement is missing, and shows no credentials", async () => {
    const { spec } = await defined(`shop=agentgym/webshop:${nowhere}/t/secret-token/x?key=secret-key`);
    expect(spec).toMatchObject({ id: "shop", restore: "none", rewardRange: [0, 1] });
    const [requirement] = spec.requirements as [Requirement];
    expect(requirement.howToGet).toBe("Start the AgentGym server at http://127.0.0.1:9");
    const { available, detail } = await requirement.probe();
    expect(available).toBe(false);
    const environment = spec.create({} as never);
    const request = { task: { split: "agentgym", index: 0 }, seed: 0, options: {} };
    const error = (await environment.reset(request, new AbortController().signal).catch((e: Error) => e)) as Error;
    expect(error.name).toBe("ServiceFailed");
    for (const text of [detail, error.message, error.stack, JSON.stringify(spec)]) {
      expect(text).not.toMatch(/sesame|secret/);
    }
  });

  test("is refused if its protocol is unknown", async () => {
    await expect(defined(`x=${nowhere}`)).rejects.toThrow(/AgentGym or OpenEnv server at http:\/\/127\.0\.0\.1:9/);
    await expect(defined(`x=${nowhere}`)).rejects.not.toThrow(/sesame/);
  });

  test("has the same version in another process", async () => {
    const first = await defined(`game=openenv:${nowhere}#replay`);
    const second = await mountedEnvironment(first.definition);
    expect(second.spec).toMatchObject({ id: "game", version: first.spec.version, restore: "replay" });
  });
});

test("the version depends on the server and its rules, and not on credentials or time limits", async () => {
  const version = async (mount: string) => (await defined(mount)).spec.version;
  const base = await version("x=agentgym/maze:http://127.0.0.1:9/a");
  for (const same of ["http://ada:pw@127.0.0.1:9/a", "http://127.0.0.1:9/t/token/a", "http://127.0.0.1:9/a#timeout=5"])
    expect(await version(`x=agentgym/maze:${same}`)).toBe(base);
  for (const other of ["http://127.0.0.1:9/b", "http://127.0.0.1:8/a", "http://127.0.0.1:9/a#steps=7"])
    expect(await version(`x=agentgym/maze:${other}`)).not.toBe(base);
  expect(await version("x=agentgym/wordle:http://127.0.0.1:9/a")).not.toBe(base);
});

test("the options of a mount override those of the dialect", async () => {
  const prompt = join(scratch(), "prompt.txt");
  writeFileSync(prompt, "Buy it.");
  const options = `#tasks=7&steps=3&rewards=2..5&solved=4&prompt=${prompt}`;
  const { spec } = await defined(`shop=agentgym/webshop:http://127.0.0.1:9${options}`);
  // A wrong action may have the reward 0.
  expect(spec).toMatchObject({ maxSteps: 3, rewardRange: [0, 5], solvedReward: 4, prompt: "Buy it." });
  expect(spec.splits.agentgym?.size).toBe(7);
  await expect(defined("x=agentgym/maze:http://a#prompt=/no/file")).rejects.toThrow(/a text file as the prompt/);
});

test("a mount cannot take the name of another environment", async () => {
  const mount = JSON.stringify({ mount: "textcraft=agentgym:http://127.0.0.1:9" });
  await expect(Registry.load([mount])).rejects.toThrow(/a name for each mount.*textcraft/);
});

test("an unknown dialect is refused with the known ones", async () => {
  await expect(defined("x=agentgym/textworld:http://a")).rejects.toThrow(/dialects textcraft, babyai.*"textworld"/);
});
