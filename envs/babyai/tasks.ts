/** Task splits: the 40 levels in AgentGym's numbering, and one split for every level. */
import type { TaskRef, TaskSplit } from "../env.js";
import { Game } from "./engine/game.js";
import type { Level } from "./engine/level.js";
import { levels } from "./engine/levels/index.js";

/** AgentGym's levels 1 to 40. */
const agentgymLevels = [
  ...["GoToRedBallGrey", "GoToRedBall", "GoToRedBallNoDists", "GoToObjS6-v0", "GoToLocalS8N7", "GoToObjMazeS7"],
  ...["GoToImpUnlock", "GoToSeqS5R2", "GoToRedBlueBall", "GoToDoor", "GoToObjDoor", "Open", "OpenRedDoor"],
  ...["OpenDoorLoc", "OpenRedBlueDoorsDebug", "OpenDoorsOrderN4Debug", "Pickup", "UnblockPickup", "PickupLoc"],
  ...["PickupDistDebug", "PickupAbove", "PutNextLocalS6N4", "PutNextS7N4Carrying", "Unlock", "UnlockLocalDist"],
  ...["KeyInBox", "UnlockPickupDist", "BlockedUnlockPickup", "UnlockToUnlock", "ActionObjDoor", "FindObjS7"],
  ...["KeyCorridorS6R3", "OneRoomS20", "MoveTwoAcrossS8N9", "SynthS5R2", "SynthLoc", "SynthSeq", "MiniBossLevel"],
  ...["BossLevel", "BossLevelNoUnlock"],
];

/**
 * Seeds of the split `test`: `perLevel` seeds for each level. They start at 10^9, so that training seeds counted from 0
 * never reach them.
 */
const testSeeds = { first: 1_000_000_000, perLevel: 3 };

/** Everything that determines the mission of an episode. */
export interface Problem {
  /** Name of the level in MiniGrid without `BabyAI-`, and without `-v0` if the level has only one version. */
  level: string;
  seed: number;
  /**
   * Number of resets. AgentGym's server resets twice with the same seed, and in some levels the second mission depends
   * on the first.
   */
  resets: 1 | 2;
}

export function problemOf({ split, index }: TaskRef): Problem {
  if (split !== "agentgym" && split !== "test") return { level: split, seed: index, resets: 1 };
  const count = agentgymLevels.length;
  const level = agentgymLevels[index % count] as string;
  const round = Math.floor(index / count);
  if (split === "test") return { level, seed: testSeeds.first + round, resets: 1 };
  return { level, seed: round, resets: 2 };
}

/**
 * Returns a game at the start of the problem. Each call makes a new game, since a game depends on its earlier missions.
 */
export function gameOf({ level, seed, resets }: Problem): Game {
  const game = new Game(levels.get(level) as Level);
  for (let reset = 0; reset < resets; reset++) game.reset(seed);
  return game;
}

const every = Number.MAX_SAFE_INTEGER;

export const splits: Record<string, TaskSplit> = {
  agentgym: {
    size: every,
    summary: "AgentGym's data_idx: its level number is the index modulo 40 plus 1, its seed the index divided by 40.",
    options: { ends: "agentgym" },
    title: (index) => gameOf(problemOf({ split: "agentgym", index })).mission,
  },
  test: {
    size: agentgymLevels.length * testSeeds.perLevel,
    summary: "120 tasks to measure on: AgentGym's 40 levels in turn, with the seeds from 1,000,000,000 up.",
    title: (index) => gameOf(problemOf({ split: "test", index })).mission,
  },
  ...Object.fromEntries([...levels.keys()].map((level) => [level, splitOf(level)])),
};

function splitOf(level: string): TaskSplit {
  return {
    size: every,
    summary: `The level ${level} of MiniGrid's BabyAI; the index is its seed.`,
    title: (index) => gameOf(problemOf({ split: level, index })).mission,
  };
}
