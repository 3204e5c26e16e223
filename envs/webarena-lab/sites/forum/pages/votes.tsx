/** The buttons for votes. */
import type { FC } from "hono/jsx";
import type { VoteKind } from "../rows.js";

const states = { "1": " vote--user-upvoted", "-1": " vote--user-downvoted", "0": "" } as const;

interface VoteProps {
  kind: VoteKind;
  id: number;
  score: number;
  /** The visitor's own vote. */
  choice: 1 | 0 | -1;
}

/** Vote buttons. A visitor retracts a vote by pressing the same button again. */
export const VoteForm: FC<VoteProps> = ({ kind, id, score, choice }) => (
  <form class={`vote${states[choice]}`} action={`/${kind === "submission" ? "sv" : "cv"}/${id}`} method="post">
    <button
      class="vote__up"
      type="submit"
      name="choice"
      value={choice === 1 ? "0" : "1"}
      aria-label={choice === 1 ? "Retract upvote" : "Upvote"}
    >
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d="M8 3l6 8H2z" fill="currentColor" />
      </svg>
    </button>
    <span class="vote__net-score">{score}</span>
    <button
      class="vote__down"
      type="submit"
      name="choice"
      value={choice === -1 ? "0" : "-1"}
      aria-label={choice === -1 ? "Retract downvote" : "Downvote"}
    >
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d="M8 13l6-8H2z" fill="currentColor" />
      </svg>
    </button>
  </form>
);
