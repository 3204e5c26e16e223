/**
 * Tasks of math. A problem is generated from the name of its split and its index, or was imported by `palestra setup
 * math`.
 */
import type { TaskRef, TaskSplit } from "../env.js";
import { Recent } from "../shared/kept/recent.js";
import { Draw } from "./draw.js";
import * as everyday from "./families/everyday.js";
import * as numbers from "./families/numbers.js";
import * as unknowns from "./families/unknowns.js";
import { type ImportedSet, importedSets } from "./imported.js";
import { type Difficulty, difficulties, type Family, type Problem } from "./problem.js";
import { sumWithValue } from "./sum.js";
import { allSolutions, goal, solutionOf, solvableHands } from "./twenty-four.js";

/** A problem, with its family and its difficulty. */
export interface MathTask extends Problem {
  family: string;
  /** Difficulty of the problem, at least 1. The value is 0 for an imported problem, whose difficulty is unknown. */
  difficulty: Difficulty | 0;
  /** The four numbers of a 24 game. Absent for other problems. */
  hand?: readonly number[];
}

export const families: Readonly<Record<string, Family>> = { ...everyday, ...unknowns, ...numbers };
export const twentyFour = "twentyFour";
export const familyNames: readonly string[] = [...Object.keys(families), twentyFour];

/** One in 5 generated problems belongs to the test split. The hash is worse with a power of two. */
const testShare = 5;
/** One in 10 solvable hands belongs to the test split. */
const testHands = 10;
const solvableCount = 1_362;
const mostTitle = 200;

interface Kind {
  size: number;
  summary: string;
  task(index: number): MathTask;
}

const rounds = familyNames.length * difficulties.length;
const inTurn = (isTest: boolean, seed: bigint) => (index: number) => {
  const family = familyNames[index % familyNames.length] as string;
  const difficulty = difficulties[Math.floor(index / familyNames.length) % difficulties.length] as Difficulty;
  return generated(family, difficulty, isTest, (seed << 32n) + BigInt(index));
};
/** Values of the easy sums, in turn, so that each is the right answer to 2 % of the tasks. Rarer values lack test problems. */
const easyValues = { lowest: -14, count: 50 };
const ofSums = (isTest: boolean, seed: bigint) => (index: number) => {
  const value = easyValues.lowest + (index % easyValues.count);
  const family: Family = (draw) => sumWithValue(draw, value, 20);
  return { ...drawn(family, 1, isTest, (seed << 32n) + BigInt(index)), family: "sums", difficulty: 1 as const };
};

const kinds: Record<string, Kind> = {
  train: {
    size: 100 * rounds,
    summary: `All ${familyNames.length} families in turn, and each family's difficulties from 1 to 5 in turn.`,
    task: inTurn(false, 1n),
  },
  test: { size: 10 * rounds, summary: "The same, of problems that train does not have.", task: inTurn(true, 2n) },
  easy: {
    size: 2_000,
    summary: "Sums and differences of two numbers up to 20, with the values -14 to 35 in turn.",
    task: ofSums(false, 3n),
  },
  "easy-test": { size: 200, summary: "The same, of problems that easy does not have.", task: ofSums(true, 4n) },
  "twenty-four": {
    size: solvableCount,
    summary: "The 24 game: every hand that can be solved, in ascending order.",
    task: (index) => handTask(index),
  },
};

export function mathSplits(): Record<string, TaskSplit> {
  return Object.fromEntries(Object.entries(allKinds()).map(([name, kind]) => [name, toSplit(kind)]));
}

/**
 * Cache of tasks: the rollouts of a group request the same task, and generating a hand of the 24 game takes
 * milliseconds.
 */
const made = new Recent<MathTask>(4_096);

/** Returns a task. @throws {RangeError} the task does not exist, which the gym checks before a reset */
export function taskOf({ split, index }: TaskRef): MathTask {
  const kind = allKinds()[split];
  if (!kind || index >= kind.size) throw new RangeError(`expected a task of math, but received ${split}:${index}`);
  const key = `${split}:${index}`;
  return made.get(key) ?? made.set(key, kind.task(index));
}

let known: Record<string, Kind> | undefined;

function allKinds(): Record<string, Kind> {
  known ??= { ...kinds, ...Object.fromEntries(importedSets().map((set) => [set.name, importedKind(set)])) };
  return known;
}

function importedKind({ name, size, source, at }: ImportedSet): Kind {
  const task = (index: number): MathTask => ({ ...at(index), working: [], family: name, difficulty: 0 });
  return { size, summary: `Problems of ${source}, in its order.`, task };
}

function generated(family: string, difficulty: Difficulty, isTest: boolean, seed: bigint): MathTask {
  if (family === twentyFour) return dealt(isTest, seed);
  return { ...drawn(families[family] as Family, difficulty, isTest, seed), family, difficulty };
}

/**
 * Generates a problem. A hash of the problem's text decides whether it belongs to test or training, so no problem is in
 * both.
 */
function drawn(family: Family, difficulty: Difficulty, isTest: boolean, seed: bigint): Problem {
  for (let attempt = 0n; ; attempt++) {
    const problem = family(new Draw((attempt << 64n) + seed), difficulty);
    if ((hashOf(problem.text) % testShare === 0) === isTest) return problem;
  }
}

function dealt(isTest: boolean, seed: bigint): MathTask {
  const all = Array.from({ length: solvableCount }, (_, at) => at);
  return handTask(new Draw(seed).one(all.filter((at) => (at % testHands === 0) === isTest)));
}

function handTask(index: number): MathTask {
  const hand = solvableHands()[index] as readonly number[];
  const solution = solutionOf(hand) as string;
  return {
    text: `Make ${goal} out of ${hand.join(", ")}: use each of the four numbers once, with +, -, *, / and brackets. Submit the formula.`,
    answer: solution,
    working: [solution],
    family: twentyFour,
    difficulty: difficultyOf(allSolutions(hand).length),
    hand,
  };
}

/** Returns the difficulty of a hand: the fewer solutions, the harder. */
function difficultyOf(solutions: number): Difficulty {
  const least = [20, 10, 5, 2].findIndex((count) => solutions >= count);
  return difficulties[least < 0 ? 4 : least] as Difficulty;
}

function toSplit({ size, summary, task }: Kind): TaskSplit {
  return {
    size,
    summary,
    title: (index) => {
      const line = task(index).text.trim().replace(/\s+/g, " ");
      return line.length <= mostTitle ? line : `${line.slice(0, mostTitle).toWellFormed()}…`;
    },
  };
}

/** Returns the 32-bit FNV-1a hash of a text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
