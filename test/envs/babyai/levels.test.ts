/** Compares every level with recordings of MiniGrid. test/peers/babyai-levels.py describes their format. */
import { createHash, type Hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Kind, type Move } from "#palestra/envs/babyai/engine/codes.js";
import type { Game } from "#palestra/envs/babyai/engine/game.js";
import { levels } from "#palestra/envs/babyai/engine/levels/index.js";
import { fixtureLines, newGame } from "./recordings.js";

interface RecordedLevel {
  id: string;
  /** Values by seed, from `firstSeed` on. */
  missions: string[];
  /** Digests by seed, separated by spaces. "hung" if the reference did not return. */
  starts: string;
  walks: string;
  nexts: string;
  /** Values by seed, for the first seeds. */
  bots: (null | { moves: string; digest: string; reward: number })[];
}

const firstSeed = 20;
const seedCount = 200;
const walkMoves = 64;
const ahead = 3 * (3 * 7 + 5);

const endOf = (hash: Hash) => hash.digest("hex").slice(0, 8);

function int32(...numbers: number[]): Uint8Array {
  const bytes = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, at) => {
    bytes.writeInt32LE(number, 4 * at);
  });
  return bytes;
}

function carried({ carriedKind, carriedColor }: Game): [number, number] {
  return carriedKind === Kind.unseen ? [0, 0] : [carriedKind, carriedColor];
}

function start(game: Game): Hash {
  const { mission, maxSteps, agentX, agentY, agentDir, rejections, timeouts } = game;
  return createHash("sha256")
    .update(mission)
    .update(int32(maxSteps, agentX, agentY, agentDir, ...carried(game), rejections, timeouts))
    .update(game.encode())
    .update(game.view);
}

function lineOf(view: Uint8Array): string {
  const [kind, , state] = view.subarray(ahead, ahead + 3);
  if (kind === Kind.door && state !== 0) return "55555555555555001123";
  if (kind === Kind.key || kind === Kind.ball || kind === Kind.box) return "33333333355542012012";
  return kind === Kind.wall ? "00000000111111112456" : "22222222222200114456";
}

function walker(seed: number): (game: Game) => Move {
  let state = seed;
  return ({ view }) => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    return Number(lineOf(view)[(state >>> 8) % 20]) as Move;
  };
}

function play(game: Game, choose: (game: Game, at: number) => Move, moves: number): string {
  const hash = createHash("sha256");
  const step = Buffer.alloc(10);
  for (let at = 0; at < moves && !game.terminated && !game.truncated; at++) {
    const move = choose(game, at);
    game.step(move);
    step.writeDoubleLE(game.reward);
    step[8] = Number(game.terminated);
    step[9] = Number(game.truncated);
    hash.update(Uint8Array.of(move)).update(game.view).update(step);
  }
  return endOf(hash.update(game.encode()).update(int32(game.agentX, game.agentY, game.agentDir, ...carried(game))));
}

function draws(game: Game): number[] {
  return Array.from({ length: 3 }, () => game.stream.integers(0, 1_000_000));
}

function expectSameLevel(recorded: RecordedLevel, keepsLockedRoom: boolean): void {
  const { id, missions } = recorded;
  const [starts, walks, nexts] = [recorded.starts, recorded.walks, recorded.nexts].map((line) => line.split(" "));
  expect(missions).toHaveLength(seedCount);
  const played = missions.map((_, at) => {
    const seed = firstSeed + at;
    const game = newGame(id, { keepsLockedRoom });
    game.reset(seed);
    const { mission } = game;
    const started = endOf(start(game));
    const walked = play(game, walker(seed), walkMoves);
    game.reset();
    const next = endOf(start(game).update(int32(...draws(game))));
    // If MiniGrid hung, the test only checks that our generation ends.
    return { seed, mission, started, walked, next: nexts?.[at] === "hung" ? "hung" : next };
  });
  const expected = missions.map((mission, at) => {
    return { seed: firstSeed + at, mission, started: starts?.[at], walked: walks?.[at], next: nexts?.[at] };
  });
  expect(played).toEqual(expected);
}

function expectSameSolutions({ id, bots }: RecordedLevel): void {
  for (const [at, bot] of bots.entries()) {
    if (!bot) continue;
    const game = newGame(id, { keepsLockedRoom: false });
    game.reset(firstSeed + at);
    const moves = [...bot.moves].map((digit) => Number(digit) as Move);
    expect(play(game, (_, turn) => moves[turn] as Move, moves.length)).toBe(bot.digest);
    expect(game.reward).toBe(bot.reward);
  }
}

describe("as in MiniGrid 3.2.0", () => {
  const recorded = fixtureLines<RecordedLevel>("levels-3.2.0.jsonl.gz");

  test("the recording has all levels except the one of another version", () => {
    const ids = [...levels.values()].map(({ id }) => id).filter((id) => id !== "BabyAI-GoToObjS6-v0");
    expect(recorded.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(ids).toHaveLength(96);
  });

  test.each(recorded.map((level) => [level.id, level] as const))("%s equals the recording", (_, level) => {
    expectSameLevel(level, false);
    expectSameSolutions(level);
  });
});

describe("as in MiniGrid 2.3.1", () => {
  const recorded = fixtureLines<RecordedLevel>("levels-2.3.1.jsonl.gz");

  test.each(recorded.map((level) => [level.id, level] as const))("%s equals the recording", (_, level) =>
    expectSameLevel(level, true),
  );
});
