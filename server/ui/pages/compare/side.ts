/** One side of a comparison: an episode of the gym, an episode of an evaluation, or a rollout of a train step. */
import { api, type LoggedRollout, type Opening, type Step } from "../../api.js";
import type { Outcome } from "../../parts/outcome.js";
import { linkTo } from "../../route.js";
import type { Transcript } from "../episode/transcript.js";

type Result = Pick<Opening, "observation" | "parts">;

export interface SideStep extends Result {
  readonly action: string;
  /** Text in which the action was found, if it is known and has more than the action. */
  readonly wrote?: string;
  readonly reward: number;
  readonly terminated?: boolean;
  readonly truncated?: boolean;
}

export interface Side {
  readonly name: string;
  readonly environment: string;
  readonly task: { readonly split: string; readonly index: number };
  readonly seed: number | undefined;
  readonly outcome: Outcome;
  readonly return: number;
  /** Number of steps, of which the last ones may not be loaded yet. */
  readonly length: number;
  readonly opening: Result;
  readonly steps: readonly SideStep[];
  /** Text after the last step. */
  readonly end: string;
  /** @param at step; 0 is the reset */
  linkTo(at?: number): string;
}

export function sideOfEpisode({ episode, opening, steps, isOver }: Transcript): Side {
  const { episodeId, environment, task, seed, outcome, index } = episode.value;
  const over = isOver.value ? "The episode is over." : "The episode goes on. It has no further step yet.";
  return {
    name: episodeId,
    ...{ environment, task, seed, outcome, opening },
    return: steps.value.reduce((sum, { reward }) => sum + reward, 0),
    length: index,
    steps: steps.value satisfies readonly Step[],
    end: steps.value.length < index ? "Loading…" : over,
    linkTo: (at) => linkTo(["episodes", episodeId], { step: at }),
  };
}

/** @param index number of the episode in the evaluation's file */
export async function sideOfEvaluation(run: string, index: number): Promise<Side> {
  const { played, sample, status, solved, score, opening, turns } = await api.runEpisode(run, index);
  const { environment, split, index: task, seed } = played;
  return {
    name: `${run}, sample ${sample + 1}`,
    environment,
    task: { split, index: task },
    seed: typeof seed === "number" ? seed : undefined,
    outcome: outcomeOf(status, solved),
    return: score,
    length: turns.length,
    opening: { observation: opening },
    steps: turns.map(({ reply, action, observation, reward }) => stepOf(reply, action, observation, reward)),
    end: "The episode is over.",
    linkTo: () => linkTo(["runs", run, "episodes"], { episode: index }),
  };
}

export interface RolloutPlace {
  readonly run: string;
  readonly step: number;
  readonly group: string;
  readonly rollout: number;
}

export async function sideOfRollout({ run, step, group, rollout }: RolloutPlace): Promise<Side> {
  const logged = await api.runRollout(run, step, group, rollout);
  const { environment, split, index, seed } = logged.task;
  const { steps, rollout: about } = logged;
  const given = (from: number, end = logged.tokens.length) => textOf(logged, from, end);
  return {
    name: `train step ${step}, rollout ${rollout + 1}${about.seat === undefined ? "" : `, ${about.seat}`}`,
    environment,
    task: { split, index },
    seed: typeof seed === "number" ? seed : undefined,
    outcome: outcomeOf(about.status, about.solved),
    return: about.return,
    length: steps.length,
    opening: { observation: given(0, steps[0]?.first) },
    steps: steps.map(({ first, end, action, reward }, at) =>
      stepOf(textOf(logged, first, end), action, given(end, steps[at + 1]?.first), reward),
    ),
    end: "The rollout is over.",
    linkTo: () => linkTo(["runs", run, "groups"], { step, group, rollout }),
  };
}

/** Without texts, a comparison has actions and rewards. */
function textOf({ texts }: LoggedRollout, from: number, end: number): string {
  return texts?.slice(from, end).join("") ?? "";
}

function stepOf(reply: string, action: string | undefined, observation: string, reward: number): SideStep {
  const sent = action ?? reply;
  return { action: sent, ...(reply.trim() !== sent.trim() && reply !== "" && { wrote: reply }), observation, reward };
}

function outcomeOf(status: string, isSolved: boolean): Outcome {
  if (status === "failed") return "error";
  return isSolved ? "solved" : "failed";
}
