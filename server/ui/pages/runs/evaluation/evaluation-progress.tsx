/** How far an evaluation is: episodes of its plan that are played, and the time left. */
import type { RunRow } from "../../../api.js";
import { counted, countText, timeLeftText } from "../../../numbers.js";

export type Progress = NonNullable<Extract<RunRow, { kind: "evaluation" }>["summary"]["progress"]>;

/** Returns the progress as a text, such as `12 of 60 episodes, about 3 min left`. @param isLive whether it goes on */
export function progressText({ done, planned, secondsLeft }: Progress, isLive: boolean): string {
  const left = isLive && done < planned && secondsLeft !== null ? `, ${timeLeftText(secondsLeft)}` : "";
  return `${countText(done)} of ${counted(planned, "episode")}${left}`;
}

export function EvaluationProgress({ progress }: { progress: Progress }) {
  return (
    <section class="start" aria-label="Progress of the evaluation">
      <p role="status">{progressText(progress, true)}</p>
      <progress aria-label="Episodes played" value={progress.done} max={Math.max(1, progress.planned)} />
    </section>
  );
}
