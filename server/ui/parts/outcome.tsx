/** The outcome of an episode as a mark with a word, so that it is told by more than a colour. */
import type { Episode } from "../api.js";

export type Outcome = Episode["outcome"];

const looks: Record<Outcome, { mark: string; word: string; kind: string }> = {
  running: { mark: "●", word: "running", kind: "" },
  solved: { mark: "✓", word: "solved", kind: "good" },
  failed: { mark: "✗", word: "failed", kind: "bad" },
  ended: { mark: "■", word: "ended", kind: "" },
  closed: { mark: "□", word: "closed", kind: "" },
  error: { mark: "!", word: "gym failure", kind: "bad" },
};

export const outcomeNames = Object.entries(looks).map(([name, { word }]) => ({ name: name as Outcome, word }));

export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  const { mark, word, kind } = looks[outcome];
  return (
    <span class={`badge outcome ${kind}`}>
      <span aria-hidden="true">{mark}</span> {word}
    </span>
  );
}
