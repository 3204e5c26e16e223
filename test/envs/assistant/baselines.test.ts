/** The table of baselines in envs/assistant/README.md: keeping still and acting always both earn little. */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import assistant from "#palestra/envs/assistant/index.js";
import { type Played, play, playExpert, players } from "./players.js";

const page = new URL("../../../envs/assistant/README.md", import.meta.url);
const refresh =
  "UPDATE_BASELINES=1 npx vitest run --config .config/vitest.config.mjs test/envs/assistant/baselines.test.ts";
const tasks = 300;
const splits = ["easy", "easy-test", "proactive", "proactive-test"];

interface Means {
  reward: number;
  success: number;
}

function meansOf(run: (split: string, index: number) => Played, split: string): Means {
  const rewards = Array.from({ length: tasks }, (_, index) => run(split, index).reward);
  return {
    reward: rewards.reduce((sum, reward) => sum + reward, 0) / tasks,
    success: rewards.filter((reward) => reward >= (assistant.solvedReward as number)).length / tasks,
  };
}

const runs: Record<string, (split: string, index: number) => Played> = {
  ...Object.fromEntries(
    Object.entries(players()).map(([name, player]) => [name, (split, index) => play(player, split, index)]),
  ),
  expert: playExpert,
};
const rows = Object.entries(runs).map(([name, run]) => ({ name, means: splits.map((split) => meansOf(run, split)) }));

test("envs/assistant/README.md shows the measured baselines", () => {
  const cell = ({ reward, success }: Means) =>
    `${reward.toFixed(2).replace("-0.00", "0.00")}, ${Math.round(100 * success)} %`;
  const table = [
    `| ${["player", ...splits.map((split) => `\`${split}\``)].join(" | ")} |`,
    `|${"---|".repeat(splits.length + 1)}`,
    ...rows.map(({ name, means }) => `| ${[name, ...means.map(cell)].join(" | ")} |`),
  ].join("\n");
  const text = readFileSync(page, "utf8");
  const shown = /\| player \|[\s\S]*\| expert \|.*\|/.exec(text)?.[0];
  if (process.env.UPDATE_BASELINES === "1")
    writeFileSync(
      page,
      text.replace(shown as string, () => table),
    );
  else expect(shown, `stale: run \`${refresh}\``).toBe(table);
});

describe.each(splits)("on %s", (split) => {
  const of = (name: string) => rows.find((row) => row.name === name)?.means[splits.indexOf(split)] as Means;

  test("the expert earns the most that is possible, and so does a reader of the tables", () => {
    for (const name of ["expert", "reader of the tables"]) {
      expect(of(name).reward).toBeCloseTo(1, 9);
      expect(of(name).success).toBe(1);
    }
  });

  test.each(["still", "eager", "eager at every second piece of news", "eager at good times"])(
    "the player %s earns less than 30 % of the expert, and solves next to nothing",
    (name) => {
      expect(of(name).reward).toBeLessThan(0.3 * of("expert").reward);
      expect(of(name).success).toBeLessThan(0.05);
    },
  );

  test("an agent that knows the habits and ignores bad times loses by it", () => {
    expect(of("reader of the habits that ignores bad times").reward).toBeLessThan(0.9);
  });
});
