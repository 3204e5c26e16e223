/** The unchanged Python client of the Open Reward Standard plays a real gym. */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { Tool } from "#palestra/envs/env.js";
import { fixture } from "../support/gym.js";
import { breakingProxy, noClient, type Plan, type PlayedPlan, playPlans } from "../support/openreward.js";
import { startGym } from "../support/server-process.js";
import { scratch, serve } from "../support/serving.js";
import { eventually } from "../support/watching.js";

beforeEach((context) => {
  if (noClient) context.skip(noClient);
});

const distant = { deployment: "distant@elsewhere", environmentModules: [fixture("distant")] };

/** A busy machine takes most of this time to start the gyms. */
const limitMs = 240_000;

interface Observed {
  observation: string;
  reward: number;
  terminated: boolean;
  truncated: boolean;
}

interface Opened extends Observed {
  episodeId: string;
  prompt: string;
  tools: Tool[];
}

interface Played {
  opened: Opened;
  actions: string[];
  steps: Observed[];
}

test("20 episodes of three environments have the results of /v1", { timeout: limitMs }, async () => {
  const { url } = await serve({ env: { PALESTRA_LOCAL_EXPERT: "true" } });
  const tasks = [
    ...Array.from({ length: 8 }, (_, at) => ({ environment: "textcraft", task: { split: "train", index: 11 * at } })),
    ...Array.from({ length: 8 }, (_, at) => ({ environment: "babyai", task: { split: "agentgym", index: 7 * at } })),
    ...Array.from({ length: 4 }, (_, at) => ({ environment: "memory", task: { split: "train", index: at } })),
  ];
  const references: Played[] = [];
  for (const { environment, task } of tasks) references.push(await playExpert(url, environment, task));
  const plans = tasks.map(({ environment, task }, at): Plan => {
    const { opened, actions } = references[at] as Played;
    const calls = actions.map((action) => callOf(action, opened.tools));
    // A wrong call before the last step changes nothing.
    calls.splice(-1, 0, ["fly", {}]);
    return { deployment: at % 2 === 0 ? environment : `${environment}?rewards=steps`, task, calls };
  });
  const played = await playPlans(url, plans);
  expect(played).toHaveLength(20);
  for (const [at, { prompt, tools, results }] of played.entries()) {
    const { opened, steps } = references[at] as Played;
    expect(prompt).toEqual([opened.prompt, opened.observation]);
    expect(tools).toEqual(opened.tools.map(({ name }) => name));
    expect(results.splice(-2, 1)).toEqual([{ refused: "not_found" }]);
    const total = steps.reduce((sum, { reward }) => sum + reward, 0);
    const isEach = plans[at]?.deployment.endsWith("steps") ?? false;
    expect(results.map(({ metadata, ...result }) => result)).toEqual(
      steps.map(({ observation, reward, terminated, truncated }) => {
        const finished = terminated || truncated;
        return { content: [observation], reward: isEach ? reward : finished ? total : null, finished };
      }),
    );
    expect(results.at(-1)?.finished).toBe(true);
  }
  const returns = references.map(({ steps }) => steps.reduce((sum, { reward }) => sum + reward, 0));
  expect(Math.min(...returns)).toBeGreaterThan(0);
});

test("a call with a broken connection, with or without its id, takes one step", { timeout: limitMs }, async () => {
  const { url } = await serve(distant);
  for (const passesId of [true, false]) {
    const proxy = await breakingProxy(url, passesId);
    const [played] = await playPlans(proxy.url, [waits(6, 150)]);
    await expectEachOnce(url, played as PlayedPlan, 6);
    expect(proxy.breaks()).toBeGreaterThanOrEqual(3);
  }
});

test("a gym that is killed during an episode continues it, and takes no step twice", {
  timeout: limitMs,
}, async () => {
  const dataDir = scratch();
  let server = await startGym({ dataDir, ...distant, showErrors: true });
  onTestFinished(async () => void (await server.process.kill()));
  const { url } = server;
  const total = 12;
  const playing = playPlans(url, [waits(total, 60)]);
  for (const count of [3, 7]) {
    const { index } = await eventually(
      () => newest(url),
      ({ index }) => index >= count,
      90_000,
    );
    // A client that is still loading its packages does not retry a request to a gym that is killed meanwhile.
    expect(index).toBeGreaterThanOrEqual(count);
    await sleep(20);
    await server.process.kill();
    server = await startGym({ dataDir, ...distant, port: Number(new URL(url).port), showErrors: true });
  }
  const [played] = await playing;
  await expectEachOnce(url, played as PlayedPlan, total);
});

function waits(count: number, ms: number): Plan {
  const calls = Array.from({ length: count }, (): [string, object] => ["act", { action: `wait ${ms}` }]);
  return { deployment: distant.deployment, task: { split: "play", index: 0 }, calls };
}

/** The last result of a client that gave up is a typed error. */
async function expectEachOnce(url: string, { results }: PlayedPlan, total: number): Promise<void> {
  const done = results.filter(({ failed }) => failed === undefined);
  expect(done.map(({ metadata }) => metadata?.step_count)).toEqual(done.map((_, at) => at + 1));
  const [failure] = results.filter(({ failed }) => failed !== undefined);
  if (failure) expect(failure).toEqual({ failed: "MaxRetriesError" });
  else expect(done).toHaveLength(total);
  const steps = (await newest(url)).index;
  expect(steps).toBeGreaterThanOrEqual(done.length);
  expect(steps).toBeLessThanOrEqual(done.length + (failure ? 1 : 0));
}

/** Returns the newest episode, or an empty one if there is none or the gym is down. */
async function newest(url: string): Promise<{ index: number }> {
  try {
    const page = (await get(`${url}/v1/episodes?limit=1&detail=state`)) as { episodes: { state: { index: number } }[] };
    return page.episodes[0]?.state ?? { index: 0 };
  } catch {
    return { index: 0 };
  }
}

async function playExpert(url: string, environment: string, task: object): Promise<Played> {
  const opened = (await post(`${url}/v1/episodes`, { environment, task })) as Opened;
  const at = `${url}/v1/episodes/${opened.episodeId}`;
  const played: Played = { opened, actions: [], steps: [] };
  for (let index = 0; ; index++) {
    const { action } = (await get(`${at}/expert`)) as { action: string };
    const step = (await post(`${at}/step`, { index, action })) as Observed;
    played.actions.push(action);
    played.steps.push(step);
    if (step.terminated || step.truncated) return played;
  }
}

/** Returns the tool call for an action. */
function callOf(action: string, tools: readonly Tool[]): [string, object] {
  for (const { name, action: template, parameters } of tools) {
    const { properties } = parameters as { properties: Record<string, { type: string }> };
    const typeOf = (place: string) => properties[place]?.type;
    const places = [...template.matchAll(/\{(\w+)\}/g)].map(([, place]) => place as string);
    const pattern = template
      .replace(/[.*+?^$()|[\]\\]/g, "\\$&")
      .replace(/\{(\w+)\}/g, (_, place) => (typeOf(place) === "integer" ? "(\\d+)" : "(.+)"));
    const match = new RegExp(`^${pattern}$`).exec(action);
    if (!match) continue;
    const argument = (text: string, type: string | undefined) =>
      type === "integer" ? Number(text) : type === "array" ? text.split(", ") : text;
    const input = places.map((place, i) => [place, argument(match[i + 1] as string, typeOf(place))]);
    return [name, Object.fromEntries(input)];
  }
  throw new Error(`expected a tool for the action ${action}`);
}

async function post(url: string, body: object = {}): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  return read(await fetch(url, { method: "POST", headers, body: JSON.stringify(body) }));
}

async function get(url: string): Promise<unknown> {
  return read(await fetch(url));
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  if (response.status !== 200) throw new Error(`expected status 200, but received ${response.status}: ${text}`);
  return JSON.parse(text);
}
