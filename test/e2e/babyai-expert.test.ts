/**
 * The expert on AgentGym's 40 levels through `/agentgym/babyai`, as when AgentGym's trainer collects demonstrations.
 */
import { expect, onTestFinished, test } from "vitest";
import type { Game } from "#palestra/envs/babyai/engine/game.js";
import babyai from "#palestra/envs/babyai/index.js";
import { impossibility } from "../envs/babyai/mission-proofs.js";
import { AgentgymWire } from "../support/agentgym-client.js";
import { serve } from "../support/serving.js";

const levels = 40;
const seeds = 5;
const mostRounds = 100;
/** Limit on moves in AgentGym's evaluation. */
const itsRounds = 20;

interface Reply {
  observation: string;
  reward: number;
  score: number;
  done: boolean;
}

interface Result {
  dataIdx: number;
  done: boolean;
  score: number;
  rounds: number;
  /** Proof that the task is impossible, or undefined. */
  whyNot: string | undefined;
}

test(`the expert plays ${levels} levels x ${seeds} seeds through /agentgym/babyai`, async () => {
  const { url } = await serve();
  const wire = new AgentgymWire(() => `${url}/agentgym/babyai`);
  onTestFinished(() => wire.close());

  const played = await Promise.all(Array.from({ length: levels }, (_, at) => playLevel(wire, at)));
  const results = played.flat();
  const scores = results.filter(({ done }) => done).map(({ score }) => score);
  const mean = results.reduce((sum, { done, score }) => sum + (done ? score : 0), 0) / results.length;
  const unsolved = results.filter(({ done }) => !done);
  const soon = results.filter(({ done, rounds }) => done && rounds <= itsRounds).length;
  console.info(
    `/agentgym/babyai: ${scores.length} of ${results.length} solved, ${soon} of them in ${itsRounds} rounds; ` +
      `mean score ${mean.toFixed(3)}, of the solved ${(scores.reduce((a, b) => a + b, 0) / scores.length).toFixed(3)}; ` +
      `not solved: ${unsolved.map(({ dataIdx, whyNot }) => `${dataIdx} (${whyNot})`).join(", ")}`,
  );
  expect(unsolved.filter(({ whyNot }) => whyNot === undefined)).toEqual([]);
  expect(scores.length).toBeGreaterThan(0.95 * results.length);
});

/** Plays all seeds of a level with one environment id, and a mirror for the expert. */
async function playLevel(wire: AgentgymWire, at: number): Promise<Result[]> {
  const { id } = await wire.post<{ id: number }>("create");
  const results: Result[] = [];
  for (let seed = 0; seed < seeds; seed++) {
    const dataIdx = seed * levels + at;
    let last = await wire.post<Reply>("reset", { id, data_idx: dataIdx });
    const mirror = babyai.create({ now: Date.now });
    const options = { actions: "text", ends: "agentgym", view: "none", picture: "none" };
    mirror.reset({ task: { split: "agentgym", index: dataIdx }, seed: 0, options });
    const whyNot = impossibility(mirror.game as Game, true);
    let rounds = 0;
    for (; rounds < mostRounds && !last.done; rounds++) {
      const action = babyai.expert?.(mirror);
      if (typeof action !== "string") break;
      const { observation, reward, terminated } = mirror.step(action);
      last = await wire.post<Reply>("step", { id, action });
      expect(last).toMatchObject({ observation, reward, done: terminated });
    }
    results.push({ dataIdx, done: last.done, score: last.score, rounds, whyNot });
  }
  return results;
}
