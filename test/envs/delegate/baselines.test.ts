/** The table of baselines in envs/delegate/README.md, and the margins of the optimal plan. */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Known, type Means, meansOf, players } from "./players.js";

const page = new URL("../../../envs/delegate/README.md", import.meta.url);
const refresh =
  "UPDATE_BASELINES=1 TEST_RUN=long npx vitest run --config .config/vitest.config.mjs --project long test/envs/delegate/baselines.test.ts";
const tasks = 500;
const splits = ["easy", "easy-test", "train", "test"];

const percent = (share: number) => `${Math.round(100 * share)} %`;
const cell = ({ reward, success, cost }: Means) => `${reward.toFixed(2)}, ${percent(success)}, ${percent(cost)}`;

const told = Object.keys(players()).map((name) => ({
  name,
  means: splits.map((split) => meansOf(players()[name] as never, split, tasks)),
}));
const known = ["told", "record", "hidden"] as const;
const optima = known.map((skills: Known) => ({
  name: `\`${skills}\``,
  means: splits.map((split) => meansOf(players()["optimal plan"] as never, split, tasks, skills)),
}));

function tableOf(first: string, rows: readonly { name: string; means: readonly Means[] }[]): string {
  return [
    `| ${[first, ...splits.map((split) => `\`${split}\``)].join(" | ")} |`,
    `|${"---|".repeat(splits.length + 1)}`,
    ...rows.map(({ name, means }) => `| ${[name, ...means.map(cell)].join(" | ")} |`),
  ].join("\n");
}

test("envs/delegate/README.md shows the measured baselines", () => {
  const table = `${tableOf("player", told)}\n\n${tableOf("optimal plan with `skills`", optima)}`;
  const text = readFileSync(page, "utf8");
  const shown = /\| player \|[\s\S]*\| `hidden` \|.*\|/.exec(text)?.[0];
  if (process.env.UPDATE_BASELINES === "1")
    writeFileSync(
      page,
      text.replace(shown as string, () => table),
    );
  else expect(shown, `stale: run \`${refresh}\``).toBe(table);
});

describe.each(splits)("on %s", (split) => {
  const at = splits.indexOf(split);
  const of = (name: string) => told.find((row) => row.name === name)?.means[at] as Means;
  const best = of("optimal plan");

  test("the optimal plan earns its expected return, and at least 0.1 more than a rule that ignores the skills", () => {
    expect(Math.abs(best.reward - best.optimum)).toBeLessThan(4 * best.error);
    for (const name of ["always the cheapest helper", "always the dearest helper", "a random helper"])
      expect(of(name).reward, name).toBeLessThan(best.reward - 0.1);
    expect(of("the most skilled helper").reward).toBeLessThan(best.reward - 0.02);
  });

  test("the expert spends the money of the optimal plan and solves all, and an agent that asks nobody earns nothing", () => {
    expect(of("expert")).toMatchObject({ success: 1, cost: best.cost });
    expect(of("answers nothing")).toMatchObject({ reward: 0, success: 0 });
  });

  test("the more is known about the skills, the more the optimal plan earns", () => {
    const rewards = optima.map(({ means }) => means[at]?.optimum as number);
    expect(rewards).toEqual([...rewards].sort((one, other) => other - one));
  });
});
