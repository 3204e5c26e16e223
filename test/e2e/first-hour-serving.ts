/** Steps of the first hour that start a gym, play in it and manage its tokens. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, type TestContext } from "vitest";
import { lendEngine } from "../support/fresh-clone.js";
import type { Walk } from "./first-hour-clone.js";

export async function serveFromFreshClone(walk: Walk, command: string): Promise<void> {
  walk.gym = walk.clone.start(`${command} -- --port ${walk.clone.port}`);
  await walk.gym.prints(new RegExp(`http://127.0.0.1:${walk.clone.port}`));
  const body = JSON.stringify({ environment: "textcraft", task: { index: 0 } });
  const headers = { "content-type": "application/json" };
  const created = await fetch(`http://127.0.0.1:${walk.clone.port}/v1/episodes`, { method: "POST", headers, body });
  const isEngineBuilt = existsSync(join(walk.clone.folder, "native/build"));
  lendEngine(walk.clone.folder);
  expect([created.status, isEngineBuilt]).toEqual([200, false]);
}

export async function playWithCurl(walk: Walk, block: string): Promise<void> {
  const output = await walk.clone.succeeds(block);
  for (const id of ["textcraft", "babyai", "sciworld"]) expect(output).toContain(`"id":"${id}`);
  expect(output).toContain("Got 1 acacia logs");
  expect(output).toContain("Crafted 4 minecraft:acacia_planks");
  expect(output).not.toContain('"error"');
}

export async function openWithFormat(walk: Walk, block: string): Promise<void> {
  expect(JSON.parse(await walk.clone.succeeds(block))).toMatchObject({ environment: "textcraft@1", format: "react" });
}

export async function playSeats(walk: Walk, block: string): Promise<void> {
  const replies = await walk.clone.succeeds(block);
  expect(replies).toContain('"turn":"left"');
  expect(replies).toContain("The other player says: I need the hats most");
}

export async function playWithPython(walk: Walk, program: string, context: TestContext): Promise<void> {
  const { code } = await walk.clone.run('python3 -c "import requests"');
  if (code !== 0) context.skip("no python3 with the package requests");
  walk.clone.write("first-hour.py", program);
  const output = await walk.clone.succeeds("python3 first-hour.py", "inventory\n".repeat(1000));
  expect(output).toContain("Goal: craft");
  expect(output).toContain("Inventory:");
}

export async function playWithTypeScript(walk: Walk, program: string): Promise<void> {
  walk.clone.write("first-hour.ts", program);
  const lines = (await walk.clone.succeeds("npx tsx first-hour.ts")).trimEnd().split("\n");
  expect(lines[0]).toContain("Inventory:");
  expect(lines.at(-1)).toMatch(/oak log/);
}

export async function playByHand(walk: Walk, command: string): Promise<void> {
  const asks = command.includes("sciworld");
  const output = await walk.clone.succeeds(
    command,
    asks ? ":inventory\n:valid-actions\nlook around\n" : "inventory\nnothing\n",
  );
  expect(output).toMatch(asks ? /left after 1 step,/ : /left after 2 steps/);
  if (asks) expect(output).toContain("look around");
}

export async function serveThisMachine(walk: Walk, command: string): Promise<void> {
  const local = walk.clone.start(`${command.replace("npx palestra", "npx palestra --data-dir local")} --port 0`);
  await local.prints(/http:\/\/127\.0\.0\.1:[0-9]+/);
  const url = /http:\/\/127\.0\.0\.1:[0-9]+/.exec(local.output())?.[0];
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  await local.stop();
}

export async function serveOtherMachines(walk: Walk, command: string): Promise<void> {
  const [npx, palestra, ...rest] = command.split(" ");
  const open = walk.clone.start([npx, palestra, "--data-dir", "served", ...rest, "--port", "0"].join(" "));
  await open.prints(/http:\/\/[0-9.]+:[0-9]+/);
  const port = /http:\/\/[0-9.]+:([0-9]+)/.exec(open.output())?.[1];
  const ask = async (secret: string) => {
    const headers = { authorization: `Bearer ${secret}` };
    return (await fetch(`http://127.0.0.1:${port}/v1/environments`, { headers })).status;
  };
  expect(await ask("nobody's")).toBe(401);
  const secret = await walk.clone.succeeds("npx palestra --data-dir served token create --name ada");
  expect(await ask(secret.trim())).toBe(200);
  await open.stop();
}

export async function revokeToken(walk: Walk, command: string): Promise<void> {
  await walk.clone.succeeds(command);
  expect(await walk.clone.succeeds("npx palestra token list")).not.toContain("ada");
}

export async function createGroup(walk: Walk, command: string): Promise<void> {
  expect(await walk.clone.succeeds(command)).toMatch(
    /^lab-a: at most 500 live episodes, at most 1000000 steps per UTC day/,
  );
}

export async function createLimitedToken(walk: Walk, command: string): Promise<void> {
  expect(await walk.clone.succeeds(command)).toMatch(/^pal_\S+\n$/);
  expect(await walk.clone.succeeds("npx palestra token list")).toMatch(/ grace +- +lab-a +20\S+Z +10000 +4 +- +0 /);
}

export async function serveOwnTasks(walk: Walk, command: string): Promise<void> {
  const own = walk.clone.start(`${command.replace("npx palestra", "npx palestra --data-dir own-tasks")} --port 0`);
  await own.prints(/^ {2}puzzles +(Tasks of puzzles\.jsonl\.|needs machines)/m);
  await own.stop();
}

export async function serveOwnModule(walk: Walk, command: string): Promise<void> {
  await walk.clone.succeeds("cp test/fixtures/environments/plain.mjs maze.js");
  await servesEnvironment(walk, `${command} --data-dir own --port 0`, "plain");
}

/** Serves the environment that `palestra init` has written. */
export async function serveStarter(walk: Walk, command: string): Promise<void> {
  await servesEnvironment(walk, `cd treasure-hunt && ${command} -- --data-dir own --port 0`, "treasure-hunt");
}

async function servesEnvironment({ clone }: Walk, command: string, id: string): Promise<void> {
  const own = clone.start(command);
  await own.prints(/http:\/\/127\.0\.0\.1:[0-9]+/);
  const url = /http:\/\/127\.0\.0\.1:[0-9]+/.exec(own.output())?.[0];
  expect(await (await fetch(`${url}/v1/environments`)).text()).toContain(`"id":"${id}"`);
  await own.stop();
}

export async function scoreAnswers(walk: Walk, block: string): Promise<void> {
  const { results } = JSON.parse(await walk.clone.succeeds(block)) as { results: { reward?: number }[] };
  expect(results.map(({ reward }) => reward)).toEqual([1, 0]);
}
