/** Numbers of tasks in `palestra envs`, `/v1/environments` and envs/README.md. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openGym } from "../../../support/gym.js";
import { root } from "../../../support/server-process.js";

const printed = execFileSync(process.execPath, [join(root, "dist/server/program/cli.js"), "envs"], {
  encoding: "utf8",
});
const readme = readFileSync(join(root, "envs/README.md"), "utf8");
const gym = await openGym();

async function sizes(environment: string): Promise<Record<string, number>> {
  const { environments } = await gym.call("listEnvironments");
  const found = environments.find(({ id, version }) => id === environment && version === 1);
  return Object.fromEntries(Object.entries(found?.splits ?? {}).map(([name, { size }]) => [name, size]));
}

test("a split with a task for every seed is described in words instead of a number", () => {
  expect(printed).toContain("tasks: agentgym any seed (default), test 120, GoToRedBallGrey any seed");
  expect(printed).not.toContain("9007199254740991");
});

test("the number of ScienceWorld's tasks is the number of its variations", async () => {
  const { agentgym = 0, train = 0, dev = 0, test = 0, ...byName } = await sizes("sciworld");
  const all = train + dev + test;
  expect(Object.values(byName).reduce((sum, size) => sum + size, 0)).toBe(all);
  const inWords = (count: number) => count.toLocaleString("en-US");
  expect(printed).toContain(
    `ScienceWorld's ${inWords(all)} tasks, the variations of ${Object.keys(byName).length} task types`,
  );
  expect(printed).toContain(`tasks: agentgym ${inWords(agentgym)} (default), train ${inWords(train)}`);
  expect(readme).toMatch(
    new RegExp(`^\\| \\[sciworld\\][^|]+\\| ${inWords(all)}, of which AgentGym plays ${inWords(agentgym)} \\|`, "m"),
  );
});

test("envs/README.md states the number of TextCraft's tasks", async () => {
  const { all = 0 } = await sizes("textcraft");
  expect(readme).toMatch(new RegExp(`^\\| \\[textcraft\\][^|]+\\| ${all} \\|`, "m"));
});
