/**
 * Actions of 1 MiB, the longest that a gym accepts. Their repetitions would make a careless regular expression take
 * quadratic time.
 */
import { afterAll, describe, expect, test } from "vitest";
import { parseAction as parseDesktop } from "#palestra/envs/desktop/actions.js";
import type { AnyEnvironmentSpec, AsyncEnvironment, Environment } from "#palestra/envs/env.js";
import { parseAction as parseMiniWob } from "#palestra/envs/miniwob/actions.js";
import { Registry } from "#palestra/envs/registry.js";
import { parseWebAction } from "#palestra/envs/shared/browser/actions/web-action.js";
import { parseAction as parseWorkbench } from "#palestra/envs/workbench/actions.js";
import { loadConfig } from "#palestra/server/config/settings.js";
import { openSandboxes } from "#palestra/server/hosts/sandboxes.js";

const length = 2 ** 20;
/** Processor time in milliseconds. Linear work takes tens of milliseconds, quadratic work minutes. */
const mostMs = 5_000;

const repeated = (text: string) => text.repeat(Math.ceil(length / text.length)).slice(0, length);

const units = [
  ...["a", " ", "\n", "\t x", "1", "1.", "1,", ".", ",", "-", "\\", "/", "İ", "\ud800", "\u200d"],
  ...["(", "[", "]", "{", "}", '"', "'", "`", "``` a", "<", "<a>", "<search>", "<answer>", "<tool_call>{"],
  ...[
    "click [",
    "click [1] ",
    "type [1] [x] ",
    "stop [",
    "[1]",
    "] [1",
    "Action: ",
    "answer is ",
    "the ",
    "and ",
    "in ",
  ],
  ...[
    "use ",
    "1 oak log, ",
    "a + ",
    "2^",
    "\\frac{",
    "\\text{",
    "\\cup ",
    "%",
    "# \n",
    "a.b ",
    "https://a.",
    "SELECT ",
    "-- ",
  ],
];
/** The action is each unit alone, and each unit between two words, since the ends of an action are trimmed. */
const texts = units.flatMap((unit) => [repeated(unit), `x${repeated(unit)}y`]);

async function cpuMs(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await Promise.resolve(work()).catch(() => undefined);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

const parsers = { web: parseWebAction, miniwob: parseMiniWob, desktop: parseDesktop, workbench: parseWorkbench };

describe.each(Object.entries(parsers))("the parser of %s actions", (_, parse) => {
  test.each(["", "click [", "type [1] [", "press [", "stop [", "```click [", '{"'])(
    "reads long actions that begin with %j in linear time",
    async (start) => {
      for (const text of texts) {
        const action = `${start}${text}`.slice(0, length);
        const ms = await cpuMs(() => {
          try {
            parse(action);
          } catch {
            // A refusal also counts as an answer.
          }
        });
        expect(ms, action.slice(0, 60)).toBeLessThan(mostMs);
      }
    },
  );
});

const starts: Readonly<Record<string, readonly string[]>> = {
  textcraft: ["", "get 1 ", "craft 1 a using "],
  babyai: ["", "go to ", "pickup "],
  sciworld: ["", "look at ", "move a to ", "mix "],
  memory: ["", "search ", "read ", "answer "],
  math: ["", "calculate ", "submit ", "submit 1"],
  service: ["", "say ", "find_customer ", "change_address A310 "],
  assistant: ["", "wait ", "look ", "remind e1 "],
  delegate: ["", "ask ivy ", "submit ", "submit 1: "],
  searchqa: ["", "<search>", "<answer>"],
  deepsearch: ["", "search ", "open ", "answer "],
  sql: ["", "query ", "answer "],
};
// The engines `python` and `jvm` parse actions with the code of the built-in engines.
const specs = (await Registry.load())
  .list()
  .filter(({ id, version }) => id in starts && version !== "python" && version !== "jvm");

const sandboxes = openSandboxes(loadConfig({ env: {}, flags: {} }));
afterAll(() => sandboxes.close());
const context = { now: Date.now, sandboxes, record: <T>(ask: () => Promise<T>) => ask() };

describe.each(specs.map((spec) => ({ id: spec.id, spec })))("$id", ({ id, spec }) => {
  test.each(starts[id] as string[])("answers long actions that begin with %j in linear time", async (start) => {
    let player = await opened(spec);
    for (const text of texts) {
      const action = `${start}${text}`.slice(0, length);
      let isOver = false;
      const ms = await cpuMs(async () => {
        isOver = true;
        isOver = (await player.step(action, AbortSignal.timeout(60_000))).terminated;
      });
      expect(ms, action.slice(0, 60)).toBeLessThan(mostMs);
      if (isOver) player = await opened(spec);
    }
  });
});

async function opened(spec: AnyEnvironmentSpec): Promise<Environment | AsyncEnvironment> {
  const player = spec.create(context as never) as Environment | AsyncEnvironment;
  const options = Object.fromEntries(
    Object.entries(spec.options ?? {}).map(([name, { values }]) => [name, Object.keys(values)[0] as string]),
  );
  const split = Object.keys(spec.splits)[0] as string;
  await player.reset({ task: { split, index: 0 }, seed: 0, options }, AbortSignal.timeout(60_000));
  return player;
}
