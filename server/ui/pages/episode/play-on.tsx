/** Ways to go on from a step: play the next one by hand, ask the environment or its expert, or fork. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { ActionForm } from "../../parts/action-form.js";
import { goTo, linkTo } from "../../route.js";
import { Advice } from "./advice.js";
import { Queries } from "./queries.js";
import type { Transcript } from "./transcript.js";

export function PlayOn({ transcript, at }: { transcript: Transcript; at: number }) {
  const { steps, isPlaying, isOver, episode, environment } = transcript;
  const history = useMemo(() => steps.value.map(({ action }) => action), [steps.value]);
  if (at < steps.value.length || isOver.value) return <ForkButton transcript={transcript} at={at} />;
  return (
    <section class="play-on" aria-label="Play on">
      <h2>Play on</h2>
      <ActionForm
        tools={episode.value.tools}
        disabled={isPlaying.value}
        history={history}
        onAction={(action) => transcript.play(action)}
      />
      <div class="toolbar">
        {environment.value?.hasExpert && <Advice key={at} transcript={transcript} />}
        <ForkButton transcript={transcript} at={at} />
      </div>
      {environment.value && <Queries key={at} transcript={transcript} queries={environment.value.queries} />}
    </section>
  );
}

function ForkButton({ transcript, at }: { transcript: Transcript; at: number }) {
  const { steps, episode, environment, isPlaying } = transcript;
  const isForking = useSignal(false);
  const { phase } = episode.value;
  if (phase === "closed" || phase === "failed" || environment.value?.restore === "none") return null;
  if (phase === "ended" && at === steps.value.length)
    return <p class="quiet">The episode has ended. Select an earlier step to fork it there.</p>;
  const fork = async () => {
    isForking.value = true;
    const forked = await transcript.fork(at);
    isForking.value = false;
    if (forked !== undefined) goTo(linkTo(["episodes", forked]));
  };
  return (
    <button type="button" onClick={fork} disabled={isPlaying.value || isForking.value}>
      Fork from here
    </button>
  );
}
