/**
 * A player that gives one constant answer to every task must earn next to nothing. The tests give each of the most
 * common gold answers to all tasks of a sample.
 */
import { expect, test } from "vitest";
import { isRight } from "#palestra/envs/delegate/score.js";
import { splits as delegateSplits, jobOf } from "#palestra/envs/delegate/tasks.js";
import { judged } from "#palestra/envs/math/score.js";
import { mathSplits, taskOf as mathTask } from "#palestra/envs/math/tasks.js";
import { splits as memorySplits, taskOf as memoryTask } from "#palestra/envs/memory/tasks.js";
import { lengths } from "#palestra/envs/memory/world/lengths.js";
import { Registry } from "#palestra/envs/registry.js";
import { questionSets } from "#palestra/envs/shared/questions/sets.js";
import { QuestionSplits } from "#palestra/envs/shared/questions/splits.js";
import { isExact } from "#palestra/envs/shared/questions/squad.js";
import { isExactMatch } from "#palestra/envs/shared/web-tasks/evaluators/string-match.js";
import sql from "#palestra/envs/sql/index.js";
import { splits as labSplits, taskOf as labTask, templates } from "#palestra/envs/webarena-lab/tasks/index.js";

/** Largest share of the tasks that a constant answer may solve. */
const mostSolved = 0.02;
const mostTried = 50;
const guesses = ["N/A", "unknown", "none", "yes", "no", "0", "1", "2", ""];

interface Case {
  /** Accepted answers. Empty if no answer solves the task. */
  golden: readonly string[];
  isRight(answer: string): boolean | Promise<boolean>;
}

/** Returns the answers that solve too many of the tasks, with their shares. */
async function tooGood(cases: readonly Case[]): Promise<string[]> {
  const counts = new Map<string, number>();
  for (const answer of cases.flatMap(({ golden }) => [...new Set(golden)]))
    counts.set(answer, (counts.get(answer) ?? 0) + 1);
  const common = [...counts].sort(([, one], [, other]) => other - one).slice(0, mostTried);
  const found: string[] = [];
  for (const answer of new Set([...common.map(([golden]) => golden), ...guesses])) {
    let solved = 0;
    for (const { isRight } of cases) if (await isRight(answer)) solved += 1;
    if (solved > mostSolved * cases.length) found.push(`${answer}: ${solved} of ${cases.length}`);
  }
  return found;
}

/** Environments with tests below. */
const tested = ["webarena-lab", "searchqa", "deepsearch", "sql", "memory", "math", "delegate"];
const published = "its tasks are an imported benchmark's own list, whose shares envs/webarena/README.md states";
/** Other environments, with the reason why no answer of a player solves their tasks. */
const untested: Readonly<Record<string, string>> = {
  textcraft: "an item is crafted",
  "textcraft-pair": "an item is crafted",
  bargain: "the deal is scored, for which test/envs/bargain/bargain.test.ts has fixed players",
  babyai: "the grid is scored",
  sciworld: "the world is scored",
  service:
    "the conversation and the records are scored, for which test/envs/service/baselines.test.ts has fixed players",
  miniwob: "the page is scored",
  workbench: "the machine is scored",
  desktop: "the machine is scored",
  assistant: "proposals in the course of a day are scored",
  webarena: published,
  // A task whose golden actions change nothing rewards an agent that does nothing, in tau2-bench, too.
  ...Object.fromEntries(["airline", "retail", "mock"].map((domain) => [`tau2-${domain}`, "the records are scored"])),
};

test("every environment is tested here, or has no answers, or has the answers of a published benchmark", async () => {
  const ids = new Set((await Registry.load()).all().map(({ id }) => id));
  expect([...ids].sort()).toEqual([...tested, ...Object.keys(untested)].sort());
});

const trainTemplates = templates.length - (labSplits.test?.size ?? 0) / 5;
const tasks = (split: string, count: number) => Array.from({ length: count }, (_, index) => ({ split, index }));

test.each([
  ["train", trainTemplates * 10],
  ["test", labSplits.test?.size ?? 0],
])("no constant answer solves too many of webarena-lab's %s tasks", async (split, count) => {
  const cases = tasks(split, count).map((ref): Case => {
    const { problem } = labTask(ref);
    const { reference_answers: answers, reference_url: url, program_html: targets } = problem.evaluation;
    const isOnlyAnswer = answers && !url && !targets;
    if (!isOnlyAnswer) return { golden: [], isRight: () => false };
    // A list of required parts would accept an answer that lists everything.
    expect(Object.keys(answers)).toEqual(["exact_match"]);
    const gold = answers.exact_match as string;
    return { golden: [gold], isRight: (answer) => isExactMatch(gold, answer) };
  });
  expect(cases.filter(({ golden }) => golden.length > 0).length).toBeGreaterThan(count / 4);
  expect(await tooGood(cases)).toEqual([]);
});

const questions = new QuestionSplits(questionSets());
test.each(Object.entries(questions.splits).map(([split, { size }]) => [split, size] as const))(
  "no constant answer solves too many questions of %s, which searchqa and deepsearch share",
  async (split, size) => {
    const cases = tasks(split, Math.min(size, 2_000)).map((ref): Case => {
      const { golden } = questions.problemOf(ref).question;
      return { golden, isRight: (answer) => isExact(answer, golden) };
    });
    expect(await tooGood(cases)).toEqual([]);
  },
);

test.each(["train", "test", "easy"])(
  "no constant query solves too many of sql's %s tasks",
  async (split) => {
    const signal = AbortSignal.timeout(600_000);
    const cases = await Promise.all(
      tasks(split, 60).map(async (task): Promise<Case> => {
        const instance = sql.create({ now: () => 0, record: (ask) => ask(), sandboxes: {} as never });
        await instance.reset({ task, seed: 0, options: { schema: "asked" } }, signal);
        const gold = instance.task?.problem.gold;
        const isRight = async (answer: string) =>
          (await sql.verify?.({ task, options: { schema: "asked" }, answer }, signal))?.reward === 1;
        return { golden: gold === undefined ? [] : [gold], isRight };
      }),
    );
    expect(await tooGood(cases)).toEqual([]);
  },
  600_000,
);

const sized = (splits: Record<string, { size: number }>) =>
  Object.entries(splits).map(([split, { size }]) => [split, Math.min(size, 1_000)] as const);

// math@python has the same tasks.
test.each(sized(mathSplits()))("no constant answer solves too many of math's %s tasks", async (split, count) => {
  const cases = tasks(split, count).map((ref): Case => {
    const task = mathTask(ref);
    return { golden: [task.answer], isRight: (answer) => judged(task, answer).isRight };
  });
  expect(await tooGood(cases)).toEqual([]);
});

test.each(
  sized(memorySplits).flatMap(([split, count]) =>
    (Object.keys(lengths) as (keyof typeof lengths)[]).map((length) => [split, length, Math.min(count, 500)] as const),
  ),
)("no constant answer solves too many of memory's %s tasks with %s histories", async (split, length, count) => {
  const cases = tasks(split, count).map((ref): Case => {
    const { golden } = memoryTask(ref, length);
    return { golden, isRight: (answer) => isExact(answer, golden) };
  });
  expect(await tooGood(cases)).toEqual([]);
});

test.each(sized(delegateSplits))(
  "no constant answer solves too many parts of delegate's %s jobs",
  async (split, count) => {
    const cases = tasks(split, count).flatMap((ref) =>
      jobOf(ref).parts.map((part): Case => {
        return { golden: [part.problem.answer], isRight: (answer) => isRight(part, answer) };
      }),
    );
    expect(await tooGood(cases)).toEqual([]);
  },
);
