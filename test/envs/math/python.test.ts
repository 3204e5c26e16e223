/** The environment math@python, with programs in a sandbox. */
import { describe, expect, test } from "vitest";
import type { AsyncContext } from "#palestra/envs/env.js";
import mathWithPython from "#palestra/envs/math/python/index.js";
import { taskOf } from "#palestra/envs/math/tasks.js";
import { openGym, type TestGym } from "../../support/gym.js";
import { machines, signal, testMachines } from "../workbench/machines.js";

const environment = "math@python";
const task = { split: "test", index: 0 };

/** Plays actions in one episode and returns the replies. */
async function played(gym: TestGym, actions: readonly string[]) {
  const { episodeId } = await gym.create({ environment, task });
  const replies = [];
  for (const [index, action] of actions.entries()) replies.push(await gym.call("step", { episodeId, index, action }));
  return { episodeId, replies };
}

/** Creates an instance with recorded replies. */
async function begun(answers: unknown[] = []) {
  const context = {
    now: () => 0,
    sandboxes: { machines },
    record: async (ask: () => Promise<unknown>) => answers.shift() ?? ask(),
  } as unknown as AsyncContext;
  const instance = mathWithPython.create(context);
  await instance.reset({ task, seed: 0, options: { answers: "once" } });
  return instance;
}

const observationOf = async (action: string) => (await (await begun()).step(action, signal())).observation;

describe("a program", () => {
  testMachines("solves a task with its printed output", async () => {
    const gym = await openGym();
    const { working } = taskOf(task);
    const formula = (working.at(-1) as string).replaceAll("^", "**").replace(/(\d+)%/g, "($1/100)");
    const code = `from fractions import Fraction\nprint(eval(${JSON.stringify(formula.replace(/\d+/g, "Fraction($&)"))}))`;
    const { replies } = await played(gym, [`Let me compute.\npython\n${code}`]);
    const printed = replies[0]?.observation as string;
    expect(printed).toMatch(/^-?\d+(\/\d+)?$/);
    const { replies: all } = await played(gym, [`python\n${code}`, `submit ${printed}`]);
    expect(all[1]).toMatchObject({ observation: "That is right.", reward: 1, terminated: true });
    const scored = await gym.call("score", { environment, answers: [{ task, answer: printed }] });
    expect(scored).toMatchObject({ environment, results: [{ reward: 1 }] });
  });

  testMachines(
    "that fails is shown with its error, its exit code or its empty output, and the episode continues",
    async () => {
      expect(await observationOf("python\nprint(1)\n1/0")).toMatch(
        /^1\n.*Traceback[\s\S]*ZeroDivisionError.*\n\[exit code 1\]$/,
      );
      expect(await observationOf("python\nprint('a'")).toMatch(/SyntaxError[\s\S]*\[exit code 1\]$/);
      expect(await observationOf("python\nraise SystemExit(7)")).toBe("[exit code 7]");
      expect(await observationOf("python\nx = 1")).toBe("Nothing was printed.");
    },
  );

  testMachines("that never ends is stopped, and the episode continues", async () => {
    const instance = await begun();
    const { observation, reward, terminated } = await instance.step(
      "python\nprint(3, flush=True)\nwhile True: pass",
      signal(),
    );
    expect([observation, reward, terminated]).toEqual(["3\n[ended after 10000 ms]", 0, false]);
    expect((await instance.step("python\nprint(4)", signal())).observation).toBe("4");
  });

  testMachines("has no network and does not see the previous program", async () => {
    const instance = await begun();
    expect((await instance.step("python\nopen('/tmp/kept', 'w').write('1'); x = 1", signal())).observation).toBe(
      "Nothing was printed.",
    );
    const look =
      "import os, socket\nprint(os.path.exists('/tmp/kept'), 'x' in globals())\nsocket.create_connection(('127.0.0.1', 80), 1)";
    expect((await instance.step(`python\n${look}`, signal())).observation).toMatch(
      /^False False\n[\s\S]*Error[\s\S]*\[exit code 1\]$/,
    );
  });

  testMachines("may be in a code fence", async () => {
    for (const text of [
      "python\n```python\nprint(1)\n```",
      "python\n```py\nprint(1)```",
      "python:\n```\nprint(1)\n```\nThen I submit it.",
      "python\r\n```python\r\nprint(1)\r\n```\r\n",
      "python\n```python\nprint(1)",
      "python print(1)",
      "Thought: calculate it.\n  python\n\nprint(1)",
    ])
      expect(await observationOf(text), text).toBe("1");
    expect(await observationOf("python\n```python\nprint('a ``` b')\n```")).toBe("a ``` b");
  });

  testMachines("is not rerun when its episode is replayed", async () => {
    const gym = await openGym();
    const { episodeId, replies } = await played(gym, ["python\nimport uuid\nprint(uuid.uuid4())", "calculate 1 + 1"]);
    expect(replies[0]?.observation).toMatch(/^[0-9a-f-]{36}$/);
    const before = await gym.text("transcript", { episodeId });
    const after = await gym.restart();
    const { answer } = taskOf(task);
    const last = await after.call("step", { episodeId, index: 2, action: `submit ${answer}` });
    expect(last).toMatchObject({ reward: 1, terminated: true });
    const kept = await after.text("transcript", { episodeId });
    expect(kept.startsWith(before.slice(0, before.lastIndexOf("]")))).toBe(true);
  });
});

test("an action before the program takes precedence", async () => {
  const instance = await begun();
  expect((await instance.step("calculate 2 + 2\npython\nprint(1)", signal())).observation).toBe("4");
  expect((await instance.step("submit no\npython\nprint(1)", signal())).terminated).toBe(true);
});

test.each([
  ["train", 797],
  ["test", 41],
  ["easy", 197],
  ["easy-test", 23],
  ["twenty-four", 97],
] as const)("the expert solves %s, and random and idle agents earn nothing", async (split, every) => {
  const size = mathWithPython.splits[split]?.size as number;
  for (let index = 0; index < size; index += every) {
    const request = { task: { split, index }, seed: 0, options: { answers: "retry" } };
    const instance = await begun(Array.from({ length: 9 }, () => ({ text: "104729" })));
    await instance.reset(request);
    for (const action of ["", "wait", "python\nprint(104729)", "submit", "submit 104729.5"])
      expect(await instance.step(action, signal())).toMatchObject({ reward: 0 });
    await instance.reset(request);
    let reward = 0;
    for (
      let action = await mathWithPython.expert?.(instance, signal());
      action;
      action = await mathWithPython.expert?.(instance, signal())
    )
      reward += (await instance.step(action, signal())).reward;
    expect(reward, `${split}:${index}`).toBe(1);
  }
});
