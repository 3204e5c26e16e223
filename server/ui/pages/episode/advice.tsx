/** The expert's next action. */
import { useSignal } from "@preact/signals";
import { CallError } from "../../api.js";
import { Failure } from "../../parts/loaded.js";
import { readableLine } from "../../parts/visible-text.js";
import type { Transcript } from "./transcript.js";

export function Advice({ transcript }: { transcript: Transcript }) {
  /** The advice, null if the expert has none, or undefined before the question. */
  const advised = useSignal<string | null | undefined>(undefined);
  const error = useSignal<unknown>(null);
  const ask = async () => {
    error.value = null;
    try {
      advised.value = await transcript.advice();
    } catch (reason) {
      error.value = reason;
    }
  };
  const action = advised.value;
  if (error.value instanceof CallError && error.value.code === "RIGHT_MISSING") {
    return (
      <p class="quiet" role="alert">
        The expert needs a token with the right <code>expert</code>. Create one with{" "}
        <code>palestra token create --expert</code>.
      </p>
    );
  }
  return (
    <>
      <button type="button" onClick={ask} disabled={transcript.isPlaying.value}>
        Ask the expert
      </button>
      {typeof action === "string" && (
        <button type="button" class="advice" onClick={() => transcript.play(action)}>
          Play <bdi dir="ltr">{readableLine(action, 200)}</bdi>
        </button>
      )}
      {action === null && <span class="quiet">The expert sees no way to the reward.</span>}
      {error.value !== null && <Failure error={error.value} />}
    </>
  );
}
