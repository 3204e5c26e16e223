/** One step of an episode: its action and its result. */
import { Observation } from "../../parts/observation.js";
import type { Transcript } from "./transcript.js";

export function StepView({ transcript, at }: { transcript: Transcript; at: number }) {
  const step = at === 0 ? undefined : transcript.steps.value[at - 1];
  const shown = step ?? transcript.opening;
  return (
    <>
      {step && (
        <p>
          <code class="action">{step.action}</code>
        </p>
      )}
      <Observation text={shown.observation} parts={shown.parts} />
      {step && (
        <p class="quiet">
          reward {step.reward}
          {step.terminated && " · terminated"}
          {step.truncated && " · truncated"}
        </p>
      )}
      {Object.keys(shown.info).length > 0 && (
        <details>
          <summary>Info</summary>
          <pre>{JSON.stringify(shown.info, null, 2)}</pre>
        </details>
      )}
    </>
  );
}
