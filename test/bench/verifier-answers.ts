/** Input of the bench `verifiers`: answers to tasks, half of them right, and verifiers that run in this process. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Piece, pieceFunctions, scoreOf } from "#palestra/envs/custom/reward/pieces.js";
import { taskOf } from "#palestra/envs/math/tasks.js";
import { finalAnswer } from "#palestra/envs/shared/arithmetic/final-answer.js";
import { isSameAnswer } from "#palestra/envs/shared/arithmetic/same-answer.js";
import { EnginePool } from "#palestra/envs/sql/engine/pool.js";
import type { Problem } from "#palestra/envs/sql/engine/request.js";
import { judge } from "#palestra/envs/sql/judge.js";
import { planOf, type SqlTask, type TaskPlan } from "#palestra/envs/sql/tasks.js";

export interface AnswerToScore {
  task: { split: string; index: number };
  answer: string;
}

/** Answers to tasks of one environment. */
export interface Verifier {
  /** Name in the results. */
  name: string;
  environment: string;
  answers: readonly AnswerToScore[];
  /** Scores an answer in this process, without the gym: 0 to 1. */
  direct(at: number): number | Promise<number>;
  /** Concurrent calls of `direct`, if it waits for a process. */
  atOnce: number;
  close?(): void;
}

const count = 1_024;
/** Number of sql answers, each of which takes milliseconds. */
const sqlCount = 256;
const signal = new AbortController().signal;
const isWrong = (at: number) => at % 2 === 1;
const piece: Piece = { numeric: { field: "answer" } };
/** Limits of the pool of the environment `sql`. */
const sqlLimits = { queryMs: 2_000, memoryMb: 256 };

const rewardModule = `export default function reward({ task, answer }, { numeric }) {
  const right = numeric({ task, answer }) === 1;
  return { reward: right ? 1 : 0, info: { right } };
}
`;

/** Returns right answers in several spellings and wrong ones, each after some reasoning. */
export function mathVerifier(): Verifier {
  const answers = Array.from({ length: count }, (_, index) => {
    const { answer } = taskOf({ split: "test", index });
    const given = isWrong(index) ? `${index}/7` : answer;
    const text = [`First I multiply, then I add ${index}. \\boxed{${given}}`, `So it is this.\n#### ${given}`, given];
    return { task: { split: "test", index }, answer: text[index % 3] as string };
  });
  const expected = answers.map(({ task }) => taskOf(task).answer);
  return {
    name: "math",
    environment: "math",
    answers,
    direct: (at) => Number(isSameAnswer(expected[at] as string, finalAnswer((answers[at] as AnswerToScore).answer))),
    atOnce: 1,
  };
}

/** Two environments with the same tasks: one with a JavaScript reward function, one with a ready-made piece. */
export function ownVerifiers(folder: string): { verifiers: Verifier[]; definitions: string[] } {
  const tasks = Array.from({ length: count }, (_, at) => ({ prompt: `What is ${at} + 7?`, answer: at + 7 }));
  writeFileSync(join(folder, "tasks.jsonl"), tasks.map((task) => JSON.stringify(task)).join("\n"));
  writeFileSync(join(folder, "reward.mjs"), rewardModule);
  const answers = tasks.map(({ answer }, index) => ({
    task: { split: "train", index },
    answer: `${answer + Number(isWrong(index))}`,
  }));
  const request = (at: number) => {
    const { answer } = answers[at] as AnswerToScore;
    return { task: tasks[at] as (typeof tasks)[number], answer, steps: 1, tokens: 1, calls: [] };
  };
  const numeric = pieceFunctions().numeric as (request: object) => number;
  const kinds = [
    { id: "own-function", reward: "reward.mjs", direct: (at: number) => numeric(request(at)) },
    { id: "own-piece", reward: piece, direct: (at: number) => scoreOf(piece, request(at)).reward },
  ];
  const definitions = kinds.map(({ id, reward }) => {
    const file = join(folder, `${id}.json`);
    writeFileSync(file, JSON.stringify({ id, tasks: "tasks.jsonl", reward }));
    return file;
  });
  const verifiers = kinds.map(({ id, direct }) => ({ name: id, environment: id, answers, direct, atOnce: 1 }));
  return { verifiers, definitions };
}

/** Gold queries of tasks, and other queries. `direct` asks the processes that run SQL. */
export async function sqlVerifier(processes: number, tasks = 64): Promise<Verifier> {
  const pool = new EnginePool(processes, sqlLimits);
  const problems: SqlTask[] = [];
  for (let index = 0; index < tasks; index++) {
    const plan = planOf("test", index) as TaskPlan;
    const problem: Problem = await pool.ask(plan, signal);
    const databases = plan.seeds.map((seed) => ({ schema: plan.schema, seed }));
    problems.push({ problem, schema: plan.schema, databases });
  }
  const answers = Array.from({ length: sqlCount }, (_, at) => {
    const index = at % tasks;
    const { gold } = (problems[index] as SqlTask).problem;
    return { task: { split: "test", index }, answer: isWrong(at) ? `SELECT * FROM (${gold}) LIMIT 1` : gold };
  });
  return {
    name: "sql",
    environment: "sql",
    answers,
    direct: async (at) => {
      const { task, answer } = answers[at] as AnswerToScore;
      return Number((await judge(pool, problems[task.index] as SqlTask, answer, signal)).equal);
    },
    atOnce: 2 * processes,
    close: () => pool.close(),
  };
}
