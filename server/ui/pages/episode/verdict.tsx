/** The verdict on an episode: its outcome, its return and one sentence why. */
import { useMemo } from "preact/hooks";
import { type EpisodeFailure, failureMeanings, failureNames, failureOf } from "../../../formats/outcomes/failure.js";
import type { Episode, Step } from "../../api.js";
import { counted, shortNumber } from "../../numbers.js";
import { OutcomeBadge } from "../../parts/outcome.js";
import { Inline } from "../../parts/text.js";
import { linkTo } from "../../route.js";

const mostOfExpected = 2_000;

interface Props {
  episode: Episode;
  steps: readonly Step[];
}

export function VerdictLine({ episode, steps }: Props) {
  const { outcome, verdict, failure } = episode;
  const kind = useMemo(() => kindOf(episode, steps), [episode, steps]);
  const total = steps.reduce((sum, { reward }) => sum + reward, 0);
  return (
    <section class="verdict" aria-label="Verdict">
      <p>
        <OutcomeBadge outcome={outcome ?? episode.phase} /> return <b>{shortNumber(episode.return ?? total)}</b>{" "}
        <Inline text={verdict?.why ?? plainWhy(episode)} most={1_000} />
        {kind && <Kind episodeId={episode.episodeId} failure={kind} />}
      </p>
      {!verdict && (outcome === "solved" || outcome === "failed") && (
        <p class="quiet">
          The reason may name the right answer, so reading it needs the right <code>expert</code>: open this page with{" "}
          <code>palestra ui</code>.
        </p>
      )}
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

/** Returns the kind of failure, once all steps are loaded. */
function kindOf({ outcome, index, terminated, failure }: Episode, steps: readonly Step[]): EpisodeFailure | undefined {
  if (steps.length < index || outcome === "closed" || outcome === "ended") return undefined;
  const end =
    outcome === "error" ? "failed" : outcome === "running" ? "running" : terminated ? "terminated" : "truncated";
  return failureOf({ steps, end, solved: outcome === "solved", failureClass: failure?.class });
}

function Kind({ episodeId, failure: { kind, firstStep } }: { episodeId: string; failure: EpisodeFailure }) {
  const name = (
    <span class="badge bad" title={failureMeanings[kind]}>
      {failureNames[kind]}
    </span>
  );
  if (firstStep === undefined) return <> {name}</>;
  return (
    <>
      {" "}
      {name} <a href={linkTo(["episodes", episodeId], { step: firstStep })}>from step {firstStep}</a>
    </>
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
