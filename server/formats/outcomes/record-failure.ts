/** The failure of an episode that an evaluation recorded. */
import { type EpisodeEnd, type EpisodeFailure, failureOf } from "./failure.js";

/** Parts of an episode's line in `episodes.jsonl`. */
export interface RecordedEpisode {
  readonly status: string;
  readonly solved: boolean;
  readonly failure?: { readonly class: string } | undefined;
  readonly turns: readonly {
    readonly reply: string;
    readonly action?: string | undefined;
    readonly observation: string;
    /** Whether the environment refused the action as malformed. */
    readonly invalid?: boolean | undefined;
  }[];
}

export function failureOfRecord({ status, solved, failure, turns }: RecordedEpisode): EpisodeFailure | undefined {
  const last = turns.at(-1);
  // The end of the context cut this reply off, so it was neither sent nor refused.
  const isCutOff = last && last.action === undefined && last.observation === "";
  const steps = (isCutOff ? turns.slice(0, -1) : turns).map(({ reply, action, observation, invalid }) => ({
    action: reply,
    read: action ?? null,
    observation,
    ...(invalid && { info: { action: "invalid" } }),
  }));
  return failureOf({ steps, end: status as EpisodeEnd, solved, failureClass: failure?.class });
}
