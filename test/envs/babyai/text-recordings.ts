/** Recordings of AgentGym's BabyAI by `test/peers/babyai-text.py`. */
import type { Seen } from "#palestra/envs/babyai/text/seen.js";

export interface RecordedView {
  /** The view: 7 x 7 x 3 bytes in base64. */
  view: string;
  dir: number;
  /** Kind and colour of the carried object. */
  carrying: [number, number] | null;
  text: string;
  /** Moves of each action, one digit per move, in the order of the list of actions. */
  actions: Record<string, string>;
  errors: Record<string, string>;
}

export interface RecordedReply {
  observation: string;
  reward: number;
  /** Sum of all rewards, including repeated ones. */
  score: number;
  done: boolean;
}

export interface RecordedStep extends RecordedReply {
  action: string;
}

export interface RecordedEpisode {
  dataIdx: number;
  level: string;
  opening: string;
  steps: RecordedStep[];
}

export function seenIn({ view, dir, carrying }: RecordedView): Seen {
  const [carriedKind, carriedColor] = carrying ?? [0, 0];
  return { agentDir: dir, view: Buffer.from(view, "base64"), carriedKind, carriedColor };
}
