/** Actions on a whole episode: prove it, show it raw, and find the other episodes of its task. */
import type { Signal } from "@preact/signals";
import { ExportMenu, episodeFormats } from "../../parts/export-menu.js";
import { linkTo } from "../../route.js";
import type { Proof } from "./proof.js";
import type { Transcript } from "./transcript.js";

interface Props {
  transcript: Transcript;
  proof: Proof;
  view: View;
  isRaw: Signal<boolean>;
}

const views: readonly { name: View; title: string }[] = [
  { name: "transcript", title: "Transcript" },
  { name: "steps", title: "Step by step" },
];

/** `transcript`: all steps in one scroll. `steps`: one step at a time. */
export type View = "transcript" | "steps";

export function Toolbar({ transcript, proof, view, isRaw }: Props) {
  const { episodeId, environment, task } = transcript.episode.value;
  const restore = transcript.environment.value?.restore;
  return (
    <div class="toolbar">
      <nav class="views" aria-label="View">
        {views.map(({ name, title }) => (
          <a
            key={name}
            href={linkTo(["episodes", episodeId], { view: name })}
            aria-current={view === name ? "page" : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      {view === "steps" && (
        <button type="button" aria-pressed={isRaw.value} onClick={() => (isRaw.value = !isRaw.value)}>
          Raw
        </button>
      )}
      {!transcript.isStored && (
        <>
          <button
            type="button"
            disabled={proof.isRunning.value || restore === "none"}
            title="Play the episode again in a fresh instance, and compare each result with the log"
            onClick={() => proof.start(episodeId)}
          >
            Replay and prove
          </button>
          {restore === "none" && (
            <span class="quiet">This environment cannot be replayed: its state outside the gym has changed.</span>
          )}
          <a href={linkTo(["compare"], { environment, split: task.split, task: task.index, left: episodeId })}>
            Compare episodes of this task
          </a>
          <ExportMenu of={`episodes/${encodeURIComponent(episodeId)}`} formats={episodeFormats} />
        </>
      )}
    </div>
  );
}
