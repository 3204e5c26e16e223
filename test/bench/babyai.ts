/**
 * How fast BabyAI answers text on one thread, the list of actions included, and with `--peer` beside AgentGym's own: both
 * take the same random walk through the 40 levels, and the bench stops if an observation differs.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { Game } from "#palestra/envs/babyai/engine/game.js";
import { levels } from "#palestra/envs/babyai/engine/levels/index.js";
import { AgentgymEpisode } from "#palestra/envs/babyai/text/agentgym-episode.js";
import { type BenchResult, median } from "./report.js";

export interface BabyaiOptions {
  /** The folder agentenv-babyai of AgentGym. */
  peer?: string | undefined;
  /** A Python that has minigrid 2.3 and gymnasium. */
  python: string;
  rounds: number;
}

interface Walk {
  steps: number;
  seconds: number;
  sha256: string;
}

const recorder = fileURLToPath(new URL("../peers/babyai-text-rate.py", import.meta.url));
const firstSeed = 1000;
const stepsOfEpisode = 25;
/** Seeds that we play for each of the peer's, which is hundreds of times slower. */
const seedsOfRound = 50;

/** AgentGym's levels in its order, as data_idx counts them. */
const names = [
  ...["GoToRedBallGrey", "GoToRedBall", "GoToRedBallNoDists", "GoToObjS6-v0", "GoToLocalS8N7", "GoToObjMazeS7"],
  ...["GoToImpUnlock", "GoToSeqS5R2", "GoToRedBlueBall", "GoToDoor", "GoToObjDoor", "Open", "OpenRedDoor"],
  ...["OpenDoorLoc", "OpenRedBlueDoorsDebug", "OpenDoorsOrderN4Debug", "Pickup", "UnblockPickup", "PickupLoc"],
  ...["PickupDistDebug", "PickupAbove", "PutNextLocalS6N4", "PutNextS7N4Carrying", "Unlock", "UnlockLocalDist"],
  ...["KeyInBox", "UnlockPickupDist", "BlockedUnlockPickup", "UnlockToUnlock", "ActionObjDoor", "FindObjS7"],
  ...["KeyCorridorS6R3", "OneRoomS20", "MoveTwoAcrossS8N9", "SynthS5R2", "SynthLoc", "SynthSeq", "MiniBossLevel"],
  ...["BossLevel", "BossLevelNoUnlock"],
];

export async function babyai({ peer, python, rounds }: BabyaiOptions): Promise<BenchResult[]> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const walks = Array.from({ length: seedsOfRound }, (_, at) => walkAll(firstSeed + round * seedsOfRound + at));
    // The first round warms up.
    if (round > 0) ours.push(rateOf(walks));
    if (peer === undefined) continue;
    const walk = peerWalk(python, peer, firstSeed + round * seedsOfRound);
    if (walk.sha256 !== walks[0]?.sha256) throw new Error("expected the peer's observations, but received others");
    if (round > 0) theirs.push(rateOf([walk]));
  }
  const result = { name: "babyai text steps", value: median(ours), unit: "steps/s" };
  if (peer === undefined) return [{ ...result, target: ">= 60000" }];
  return [{ ...result, baseline: median(theirs), target: ">= 100" }];
}

function rateOf(walks: readonly Walk[]): number {
  const total = (figure: "steps" | "seconds") => walks.reduce((sum, walk) => sum + walk[figure], 0);
  return total("steps") / total("seconds");
}

function walkAll(seed: number): Walk {
  const digest = createHash("sha256");
  const walk: Walk = { steps: 0, seconds: 0, sha256: "" };
  for (const [at, name] of names.entries()) {
    const level = levels.get(name);
    if (!level) throw new Error(`expected a level of BabyAI, but received ${name}`);
    const episode = new AgentgymEpisode(new Game(level), seed);
    const observations = [episode.opening.observation];
    let draw = seed * names.length + at;
    const start = performance.now();
    for (let step = 0; step < stepsOfEpisode; step++) {
      const { actions } = episode.game;
      draw = (Math.imul(draw, 1103515245) + 12345) & 0x7fffffff;
      const { observation, done } = episode.step(actions[(draw >> 8) % (actions.length - 1)] as string);
      // Looking at a character has the text put together, which V8 else leaves until somebody does.
      observation.charCodeAt(0);
      observations.push(observation);
      if (done) break;
    }
    walk.seconds += (performance.now() - start) / 1000;
    walk.steps += observations.length - 1;
    for (const observation of observations) digest.update(observation);
  }
  return { ...walk, sha256: digest.digest("hex") };
}

function peerWalk(python: string, peer: string, seed: number): Walk {
  return JSON.parse(
    execFileSync(python, [recorder, peer, String(seed)], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
  );
}
