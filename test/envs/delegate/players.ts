/** Players of delegate, which plan by rules, and the means of their episodes. */
import { Delegate, type Situation } from "#palestra/envs/delegate/env.js";
import { nextAction, nextCall, submission } from "#palestra/envs/delegate/expert.js";
import { usable } from "#palestra/envs/delegate/job/job.js";
import { type Member, priceOf } from "#palestra/envs/delegate/job/team.js";
import { Pcg64 } from "#palestra/envs/shared/rng/pcg64.js";

export type Known = "told" | "record" | "hidden";
export type Player = (delegate: Delegate) => string;

/** Returns a player that asks one helper about each part, as a rule chooses it, and submits the answers. */
function oneForEach(choose: (members: readonly Member[], part: Situation["job"]["parts"][number]) => Member): Player {
  return ({ situation }) => {
    const { job, answers } = situation as Situation;
    const at = answers.findIndex((list) => list.length === 0);
    const part = job.parts[at];
    if (!part) return submission(situation as Situation);
    return `ask ${choose(usable(job.team, part.words), part).name} ${part.request}`;
  };
}

const least = (members: readonly Member[], value: (member: Member) => number) =>
  members.reduce((best, member) => (value(member) < value(best) ? member : best));

function random(seed: number): Player {
  const draw = new Pcg64(seed);
  return oneForEach((members) => draw.choice(members));
}

/** Returns new players by their name in the table of the page. */
export const players = (): Record<string, Player> => ({
  "answers nothing": () => "submit 1: unknown",
  "always the cheapest helper": oneForEach((members, { words }) => least(members, (each) => priceOf(each, words))),
  "always the dearest helper": oneForEach((members, { words }) => least(members, (each) => -priceOf(each, words))),
  "a random helper": random(1),
  "the most skilled helper": oneForEach((members, { kind }) =>
    least(members, (each) => -(each.skills.get(kind)?.skill ?? 0)),
  ),
  "optimal plan": ({ situation }) => nextCall(situation as Situation) ?? submission(situation as Situation),
  expert: (delegate) => nextAction(delegate) as string,
});

export interface Means {
  /** Mean return. */
  reward: number;
  /** Share of the tasks with all parts right. */
  success: number;
  /** Mean share of the money that is spent. */
  cost: number;
  /** Mean of the expected return of the optimal plan. */
  optimum: number;
  /** Mean of the share of the money that the optimal plan expects to spend. */
  optimalCost: number;
  /** Standard error of the mean return. */
  error: number;
}

/** Plays the first tasks of a split. */
export function meansOf(player: Player, split: string, tasks: number, skills: Known = "told"): Means {
  const played = Array.from({ length: tasks }, (_, index) => play(player, split, index, skills));
  const mean = (value: (one: (typeof played)[number]) => number) =>
    played.reduce((sum, one) => sum + value(one), 0) / tasks;
  const reward = mean((one) => one.reward);
  const variance = mean((one) => (one.reward - reward) ** 2);
  return {
    reward,
    success: mean((one) => (one.isRight ? 1 : 0)),
    cost: mean((one) => one.cost),
    optimum: mean((one) => one.optimum),
    optimalCost: mean((one) => one.optimalCost),
    error: Math.sqrt(variance / tasks),
  };
}

function play(player: Player, split: string, index: number, skills: Known) {
  const delegate = new Delegate();
  const { info } = delegate.reset({ task: { split, index }, seed: 0, options: { skills } });
  for (let reward = 0; ; ) {
    const result = delegate.step(player(delegate));
    reward += result.reward;
    if (!result.terminated) continue;
    const { spent, job } = delegate.situation as Situation;
    const { optimalReturn: optimum, optimalCost } = info as Record<string, number>;
    return {
      reward,
      isRight: result.reward === 1,
      cost: spent / job.money,
      optimum: optimum as number,
      optimalCost: (optimalCost as number) / job.money,
    };
  }
}
