/** Compares missions, views, rewards and ends with the larger recordings of MiniGrid 3.1.0. */
import { describe, expect } from "vitest";
import type { Move } from "#palestra/envs/babyai/engine/codes.js";
import type { Game } from "#palestra/envs/babyai/engine/game.js";
import { carrying, newGame, sha256, sharedLines, sharedTest } from "./recordings.js";

interface RecordedStart {
  mission: string;
  maxSteps: number;
  agentPos: [number, number];
  agentDir: number;
  gridSha256: string;
  imageSha256: string;
}

interface RecordedWalk extends RecordedStart {
  id: string;
  seed: number;
  carrying: [string, string] | null;
  rejections: number;
  timeouts: number;
  gridShape: [number, number, number];
  grid?: number[][][];
  image?: number[][][];
  walk: {
    actions: Move[];
    imageSha256AfterEach: string[];
    rewards: number[];
    terminated: boolean[];
    truncated: boolean[];
    endPos: [number, number];
    endDir: number;
    endCarrying: [string, string] | null;
    endGridSha256: string;
  };
  next: (RecordedStart & { rngProbe: number[] }) | null;
}

interface RecordedBot {
  id: string;
  seed: number;
  mission: string;
  botActions: Move[];
  reward: number;
  terminated: boolean;
  truncated: boolean;
  imageSha256AfterEach: string[];
  endGridSha256: string;
}

function startOf(game: Game): RecordedStart {
  return {
    mission: game.mission,
    maxSteps: game.maxSteps,
    agentPos: [game.agentX, game.agentY],
    agentDir: game.agentDir,
    gridSha256: sha256(game.encode()),
    imageSha256: sha256(game.view),
  };
}

const isStart = (key: string) =>
  ["mission", "maxSteps", "agentPos", "agentDir", "gridSha256", "imageSha256"].includes(key);

function recordedStart(record: RecordedStart): object {
  return Object.fromEntries(Object.entries(record).filter(([key]) => isStart(key)));
}

function walk(game: Game, actions: readonly Move[]): RecordedWalk["walk"] {
  const steps = actions.map((action) => {
    game.step(action);
    return { image: sha256(game.view).slice(0, 8), ...pick(game) };
  });
  return {
    actions: [...actions],
    imageSha256AfterEach: steps.map(({ image }) => image),
    rewards: steps.map(({ reward }) => reward),
    terminated: steps.map(({ terminated }) => terminated),
    truncated: steps.map(({ truncated }) => truncated),
    endPos: [game.agentX, game.agentY],
    endDir: game.agentDir,
    endCarrying: carrying(game),
    endGridSha256: sha256(game.encode()),
  };
}

const pick = ({ reward, terminated, truncated }: Game) => ({ reward, terminated, truncated });

function expectSameEpisode(record: RecordedWalk): void {
  const game = newGame(record.id);
  game.reset(record.seed);
  expect(startOf(game)).toEqual(recordedStart(record));
  expect(carrying(game)).toEqual(record.carrying);
  expect([game.rejections, game.timeouts]).toEqual([record.rejections, record.timeouts]);
  expect([game.width, game.height, 3]).toEqual(record.gridShape);
  if (record.grid) expect([...game.encode()]).toEqual(record.grid.flat(2));
  if (record.image) expect([...game.view]).toEqual(record.image.flat(2));
  expect(walk(game, record.walk.actions)).toEqual(record.walk);
  game.reset();
  if (!record.next) return;
  const { rngProbe, ...next } = record.next;
  expect(startOf(game)).toEqual(next);
  expect(rngProbe.map(() => game.stream.integers(0, 1_000_000))).toEqual(rngProbe);
}

describe("the larger traces", () => {
  sharedTest("every reset, walk and second reset is equal", () => {
    const records = sharedLines<RecordedWalk>("babyai_resets_walks.jsonl.gz");
    expect(records).toHaveLength(1920);
    for (const record of records) expectSameEpisode(record);
  });

  sharedTest("every solution of the bot is equal", () => {
    const records = sharedLines<RecordedBot>("babyai_bot.jsonl.gz");
    expect(records).toHaveLength(272);
    for (const record of records) {
      const game = newGame(record.id);
      game.reset(record.seed);
      expect(game.mission).toBe(record.mission);
      const { imageSha256AfterEach, endGridSha256 } = walk(game, record.botActions);
      expect(imageSha256AfterEach).toEqual(record.imageSha256AfterEach);
      expect(endGridSha256).toBe(record.endGridSha256);
      const { reward, terminated, truncated } = record;
      expect(pick(game)).toEqual({ reward, terminated, truncated });
    }
  });
});
