/**
 * The verdicts of all bundled environments, as envs/verdicts.md shows them. The rows of an environment are compared where its
 * dependencies are available.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { customEnvironment } from "#palestra/envs/custom/index.js";
import type { AnyEnvironmentSpec, AsyncEnvironmentSpec, Options, TaskRef } from "#palestra/envs/env.js";
import { mountedEnvironment } from "#palestra/envs/mounted/index.js";
import { fillOptions, Registry, versionedId } from "#palestra/envs/registry.js";
import { WebArena } from "#palestra/envs/shared/web-tasks/env.js";
import { createAsyncWrapped, createWrapped } from "#palestra/envs/shared/wrappers/wrap.js";
import { OfficialBenchmark } from "#palestra/envs/webarena/benchmark.js";
import type { SitesSettings } from "#palestra/envs/webarena/settings.js";
import { app as forum } from "#palestra/envs/webarena-lab/sites/forum/app.js";
import { openWorld } from "#palestra/envs/webarena-lab/world.js";
import { loadConfig } from "#palestra/server/config/settings.js";
import { EpisodeCount, endingOf } from "#palestra/server/hosts/ending.js";
import { openSandboxes } from "#palestra/server/hosts/sandboxes.js";
import { getPages } from "../support/miniwob.js";
import { serve } from "../support/serving.js";
import { file } from "./custom/support.js";
import { fixtureData } from "./tau2/recorded.js";

const page = new URL("../../envs/verdicts.md", import.meta.url);
const refresh = "UPDATE_VERDICTS=1 npx vitest run --config .config/vitest.config.mjs test/envs/verdicts.test.ts";
const isUpdate = process.env.UPDATE_VERDICTS === "1";

// MiniWoB++'s pages and a task of WebArena are installed in a folder of the test's own.
await getPages();
installTask(process.env.XDG_DATA_HOME as string);
const registry = await Registry.load();
// The specs know no data yet, so that other tests of this process see those of a machine without it.
vi.stubEnv("TAU2_DATA_DIR", fixtureData);
afterAll(() => vi.unstubAllEnvs());
const sandboxes = openSandboxes(loadConfig({ env: {}, flags: {} }));
afterAll(() => sandboxes.close());

/** The expert's next action, and a click on another button than the expert's. */
const [expert, wrongButton] = [Symbol("expert"), Symbol("wrong button")];
type Action = string | symbol;

interface Play {
  id: string;
  task: TaskRef;
  options?: Options;
  /** Episodes by title. The actions are repeated to the end; `limit` is the number of steps. */
  episodes: Record<string, { actions: readonly Action[]; limit?: number; index?: number }>;
}

const solved = { "the expert": { actions: [expert] } };
const refused = { "3 refused actions": { actions: ["?"], limit: 3 } };

const plays: Play[] = [
  {
    id: "textcraft@1",
    task: { split: "all", index: 400 },
    episodes: { ...solved, "3 actions of the expert": { actions: [expert], limit: 3 }, ...refused },
  },
  {
    id: "babyai@1",
    task: { split: "GoToSeqS5R2", index: 1 },
    episodes: { ...solved, "4 actions of the expert": { actions: [expert], limit: 4 }, ...refused },
  },
  ...["sciworld@1", "sciworld@jvm"].map((id) => ({
    id,
    task: { split: "find-animal", index: 0 },
    episodes: { ...solved, ...refused, "a wrong focus": { actions: ["focus on air"] } },
  })),
  {
    id: "searchqa@1",
    task: { split: "train", index: 0 },
    episodes: { ...solved, "3 wrong answers": { actions: ["<answer>Paris</answer>"], limit: 3 }, ...refused },
  },
  {
    id: "deepsearch@1",
    task: { split: "train", index: 0 },
    episodes: {
      ...solved,
      "a wrong answer": { actions: ["<answer>Paris</answer><cite>nowhere</cite>"] },
      ...refused,
    },
  },
  ...["math@3", "math@python"].map((id) => ({
    id,
    task: { split: "train", index: 0 },
    episodes: { ...solved, "a wrong answer": { actions: ["submit 12"] }, ...refused },
  })),
  {
    id: "sql@2",
    task: { split: "train", index: 0 },
    episodes: { ...solved, "a wrong query": { actions: ["submit SELECT 1 AS one"] }, ...refused },
  },
  {
    id: "textcraft-pair@1",
    task: { split: "test", index: 11 },
    episodes: { ...solved, "3 turns of waiting": { actions: ["wait"], limit: 3 } },
  },
  {
    id: "bargain@1",
    task: { split: "test", index: 1 },
    episodes: {
      ...solved,
      "a deal below the best sum": { actions: ["keep 4 balls", "accept"] },
      "a seat that walks away": { actions: ["walk away"] },
      ...refused,
    },
  },
  {
    id: "memory@2",
    task: { split: "train", index: 0 },
    episodes: { ...solved, "a wrong answer": { actions: ["<answer>Paris</answer>"] }, ...refused },
  },
  {
    id: "delegate@1",
    task: { split: "train", index: 0 },
    episodes: {
      ...solved,
      "answers of the agent's own": { actions: ["submit 1: 734; 2: 1 May 2020; 4: 437"] },
      ...refused,
    },
  },
  {
    id: "assistant@1",
    task: { split: "proactive", index: 1 },
    episodes: {
      ...solved,
      "a proposal that nobody wants": { actions: ["remind e1 30", "wait"] },
      ...refused,
    },
  },
  {
    id: "service@1",
    task: { split: "orders", index: 2 },
    episodes: {
      ...solved,
      "a needless question": { actions: ["say What is the reason?", expert] },
      "a change without a check": { actions: ["cancel_order A111", "end_conversation"] },
      "a hand-over at once": { actions: ["hand_over"] },
      ...refused,
    },
  },
  {
    id: "tau2-airline@1",
    task: { split: "base", index: 1 },
    episodes: {
      ...solved,
      "a message at once": { actions: ["say Goodbye."] },
      ...refused,
    },
  },
  {
    id: "tau2-retail@1",
    task: { split: "base", index: 0 },
    episodes: { ...solved, "a message at once": { actions: ["say Goodbye."] } },
  },
  {
    id: "tau2-mock@1",
    task: { split: "base", index: 1 },
    episodes: { ...solved, "a message at once": { actions: ["say Goodbye."] } },
  },
  {
    id: "webarena-lab@2",
    task: { split: "train", index: 0 },
    episodes: {
      ...solved,
      "a wrong answer": { actions: ["stop [Paris]"] },
      ...refused,
      "a wrong page": { actions: ["stop"], index: 7 },
      "the expert on a task that changes data": { actions: [expert], index: 12 },
      "a stop without the change": { actions: ["stop"], index: 12 },
    },
  },
  {
    id: "miniwob@1",
    task: { split: "click-test-2", index: 0 },
    episodes: { ...solved, "a click on another button": { actions: [wrongButton] }, ...refused },
  },
  {
    id: "workbench@2",
    task: { split: "train", index: 0 },
    episodes: { ...solved, "a submission at once": { actions: ["submit"] }, ...refused },
  },
  {
    id: "desktop@1",
    task: { split: "train", index: 0 },
    episodes: { ...solved, "done at once": { actions: ['{"action": "done"}'] }, ...refused },
  },
];

const committed = existsSync(page) ? readFileSync(page, "utf8") : "";
const rows = new Map<string, string[]>();

/** Returns the rows of an environment in the committed page. */
const rowsOf = (id: string) => committed.split("\n").filter((line) => line.startsWith(`| ${id} |`));

async function verdictRows(spec: AnyEnvironmentSpec, play: Play): Promise<string[]> {
  const found: string[] = [];
  for (const [title, { actions, limit, index }] of Object.entries(play.episodes)) {
    const task = { ...play.task, ...(index !== undefined && { index }) };
    const { outcome, why } = await played(spec, { ...play, task }, actions, limit ?? spec.maxSteps);
    found.push(`| ${play.id} | ${title} | ${outcome} | ${why.replaceAll("|", "\\|")} |`);
  }
  return found;
}

/** Plays an episode as a host does, and returns the outcome that the log would keep. */
async function played(
  spec: AnyEnvironmentSpec,
  { task, options = {} }: Play,
  actions: readonly Action[],
  limit: number,
) {
  const signal = AbortSignal.timeout(300_000);
  const context = { now: () => 1_700_000_000_000, sandboxes, record: <T>(ask: () => Promise<T>) => ask() };
  const environment = spec.isAsync ? createAsyncWrapped(spec, context, limit) : createWrapped(spec, context, limit);
  const chosen = fillOptions(spec, options, task.split);
  const count = new EpisodeCount(spec, chosen);
  const asked = spec as AsyncEnvironmentSpec;
  try {
    const first = await environment.reset({ task, seed: 0, options: chosen }, signal);
    for (let at = 0; ; at++) {
      const next = actions[Math.min(at, actions.length - 1)] as Action;
      const advice = typeof next === "string" ? next : await asked.expert?.(environment.unwrapped as never, signal);
      if (typeof advice !== "string")
        throw new Error(`expected an action of the expert at step ${at + 1}, but received none`);
      const action = next === wrongButton ? otherButton(first.observation, advice) : advice;
      const result = await environment.step(action, signal);
      count.add(result.reward);
      if (!result.terminated && !result.truncated) continue;
      const end = count.end(action, result);
      const verdict = await asked.verdict?.(environment.unwrapped as never, end, signal);
      const { kind, detail } = endingOf(0, end, verdict);
      return { outcome: kind === "solved" ? "solved" : "failed", why: (JSON.parse(detail) as { why: string }).why };
    }
  } finally {
    await environment.close();
  }
}

/** Returns a click on a button that the advice does not click on. */
function otherButton(observation: string, advice: string): string {
  const clicks = [...observation.matchAll(/\[(\w+)\] button/g)].map(([, id]) => `click [${id}]`);
  const other = clicks.find((click) => click !== advice);
  if (other === undefined) throw new Error(`expected two buttons, but received ${observation}`);
  return other;
}

/** Writes a task of WebArena about the bundled forum. */
function installTask(folder: string): void {
  const task = {
    ...{
      task_id: 0,
      sites: ["reddit"],
      intent: "Open the forum books",
      intent_template_id: 1,
      start_url: "__REDDIT__",
    },
    eval: { eval_types: ["url_match"], reference_url: "__REDDIT__/f/books", url_note: "GOLD in PRED" },
  };
  mkdirSync(join(folder, "palestra/webarena/tasks"), { recursive: true });
  writeFileSync(join(folder, "palestra/webarena/tasks/test.json"), JSON.stringify([task]));
}

/** Returns WebArena's spec with the bundled forum as its only site. */
async function webarenaOnForum(spec: AsyncEnvironmentSpec): Promise<AsyncEnvironmentSpec> {
  const world = openWorld();
  const server = createAdaptorServer({
    overrideGlobalObjects: false,
    fetch: (request) => forum.fetch(request, world),
  }) as Server;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sites = { reddit: { url, resetAfter: "change", parallel: 1 } } as SitesSettings;
  const benchmark = new OfficialBenchmark(sandboxes.machines, sites);
  return { ...spec, create: (context) => new WebArena(context, benchmark) };
}

/** Compares the rows with the page, or keeps them for the new page. */
function settle(id: string, found: string[]): void {
  rows.set(id, found);
  if (!isUpdate) expect(rowsOf(id), `stale: run \`${refresh}\``).toEqual(found);
}

const head = `# Verdict sentences

The gym asks an environment why an episode has ended as it did. Only callers with the right \`expert\` receive the sentence,
because it may name the right answer. \`test/envs/verdicts.test.ts\` plays the episodes of this table and writes it:

\`\`\`sh
${refresh}
\`\`\`

\`own@1\` has [tasks of its own](custom/README.md), and \`craft\` is a [mount](mounted/README.md) of an AgentGym server.

| environment | episode | outcome | sentence |
|---|---|---|---|
`;

const order = [...plays.map(({ id }) => id), "webarena@2", "own@1", "craft"];
const pageText = () => `${head}${order.flatMap((id) => rows.get(id) ?? rowsOf(id)).join("\n")}\n`;
afterAll(() => {
  if (isUpdate) writeFileSync(page, pageText());
});

describe("the sentences of", () => {
  test.for(plays)("$id", { timeout: 600_000 }, async (play, context) => {
    const spec = registry.get(play.id);
    for (const requirement of spec.requirements) {
      const { available, detail } = await requirement.probe();
      if (!available) return context.skip(detail);
    }
    settle(play.id, await verdictRows(spec, play));
  });

  test("webarena@2", async (context) => {
    const spec = registry.get("webarena@2") as AsyncEnvironmentSpec;
    const { available, detail } = (await spec.requirements[0]?.probe()) ?? { available: false, detail: "" };
    if (!available) return context.skip(detail);
    const episodes = {
      "a visit of the right page": { actions: ["goto [http://reddit.com/f/books]", "stop"] },
      "a stop at once": { actions: ["stop"] },
      ...refused,
    };
    const play = { id: "webarena@2", task: { split: "test", index: 0 }, episodes };
    settle(play.id, await verdictRows(await webarenaOnForum(spec), play));
  }, 120_000);

  test("an environment from a task file, with and without a reason of the reward function", async () => {
    const tasks = file("tasks.jsonl", '{"prompt": "What is 347 * 86 + 86?", "answer": 29928}');
    const reason = file(
      "reward.mjs",
      `export default ({ task, answer }) => answer === "29,928" ? 1 : { reward: 0, why: \`\${answer} is not \${task.answer}, so 86 was left out.\` };`,
    );
    const found: string[] = [];
    for (const reward of [{ numeric: {} }, reason]) {
      const { spec } = await customEnvironment(
        JSON.stringify({ id: "own", tasks, tools: ["calculate"], reward }),
        true,
      );
      const title = typeof reward === "string" ? "a wrong answer, explained by the reward function" : "a wrong answer";
      const episodes = {
        ...(typeof reward !== "string" && { ...solved, ...refused }),
        [title]: { actions: ["submit 29842"] },
      };
      found.push(...(await verdictRows(spec, { id: "own@1", task: { split: "train", index: 0 }, episodes })));
    }
    settle("own@1", found);
  }, 120_000);

  test("a mounted server of AgentGym", async () => {
    const { url } = await serve();
    const mount = `craft=agentgym/textcraft:${url}/agentgym/textcraft`;
    const { spec } = await mountedEnvironment(JSON.stringify({ mount }));
    const episodes = {
      "3 refused actions": { actions: ["?"], limit: 3 },
      "a goal of one craft": { actions: ["get 1 acacia logs", "craft 4 acacia planks using 1 acacia logs"] },
    };
    settle("craft", await verdictRows(spec, { id: "craft", task: { split: "agentgym", index: 0 }, episodes }));
  }, 120_000);
});

test("the page has a solved and a failed episode of every bundled environment", () => {
  const text = isUpdate ? pageText() : committed;
  expect(text.startsWith(head), `stale: run \`${refresh}\``).toBe(true);
  for (const spec of registry.list()) {
    const id = versionedId(spec);
    const outcomes = text
      .split("\n")
      .flatMap((line) => (line.startsWith(`| ${id} |`) ? [line.split("|")[3]?.trim()] : []));
    expect(new Set(outcomes), id).toEqual(new Set(["solved", "failed"]));
  }
});
