/** What AgentGym's BabyAI answered, as `test/peers/babyai-text.py` records it. */
import type { Seen } from "#palestra/envs/babyai/text/seen.js";

export interface RecordedView {
  /** 7 x 7 x 3 bytes in base64. */
  view: string;
  dir: number;
  /** Kind and colour. */
  carrying: [number, number] | null;
  text: string;
  /** Each action's moves, a digit for each. In the order in which the agent is told. */
  actions: Record<string, string>;
  errors: Record<string, string>;
}

export interface RecordedReply {
  observation: string;
  reward: number;
  /** Sum of all rewards, those repeated included. */
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
