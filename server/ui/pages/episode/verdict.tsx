/** The verdict on an episode: its outcome, its return and one sentence why. */
import type { Episode } from "../../api.js";
import { counted, shortNumber } from "../../numbers.js";
import { OutcomeBadge } from "../../parts/outcome.js";
import { Inline } from "../../parts/text.js";

const mostOfExpected = 2_000;

export function VerdictLine({ episode, total }: { episode: Episode; total: number }) {
  const { outcome, verdict, failure } = episode;
  return (
    <section class="verdict" aria-label="Verdict">
      <p>
        <OutcomeBadge outcome={outcome ?? episode.phase} /> return <b>{shortNumber(episode.return ?? total)}</b>{" "}
        <Inline text={verdict?.why ?? plainWhy(episode)} most={1_000} />
      </p>
      {verdict?.expected !== undefined && (
        <p class="quiet">
          expected: <Inline text={textOf(verdict.expected)} most={mostOfExpected} />
        </p>
      )}
      {failure && (
        <p class="failure">
          <code>{failure.code}</code> <Inline text={failure.message} />
        </p>
      )}
    </section>
  );
}

/** The sentence for an episode without a verdict, or for a reader who may not know it. */
function plainWhy({ outcome, index, maxSteps, truncated }: Episode): string {
  const taken = counted(index, "step");
  if (outcome === "solved") return `Solved in ${taken}.`;
  if (outcome === "failed" || outcome === "ended")
    return truncated ? `The limit of ${counted(maxSteps, "step")} ended it.` : `It ended after ${taken}.`;
  if (outcome === "closed") return `Its owner closed it after ${taken}, before its end.`;
  if (outcome === "error") return `The environment failed after ${taken}.`;
  return `${taken} of at most ${maxSteps}.`;
}

function textOf(expected: unknown): string {
  return typeof expected === "string" ? expected : JSON.stringify(expected);
}
